import * as v from 'valibot';
import { found } from '../../operation/found.ts';
import { Cuid, type ReferenceName } from '../../operation/reference.ts';

/** The response to a deletion (decisions#trash); `trashId` is what restore_deleted takes. */
export const Deleted = v.strictObject({ id: Cuid, deleted: v.literal(true), trashId: Cuid });

/**
 * The response to the deletion of a record.
 * @param trashId undefined if there was no such record
 * @throws ToolError `not_found`
 */
export function deleted(
  name: ReferenceName,
  id: string,
  trashId: string | undefined,
): v.InferOutput<typeof Deleted> {
  return { id, deleted: true, trashId: found(trashId, name, id) };
}
