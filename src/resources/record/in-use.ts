import { found } from '../../operation/found.ts';
import { type ReferenceName, referenceKinds } from '../../operation/reference.ts';
import { ToolError } from '../../platform/errors.ts';
import type { Referrer } from '../../store/referrers.ts';

/**
 * Refuses to delete a record that others refer to. `references` is undefined if the record does not exist.
 * @throws ToolError `not_found`; `in_use` with `details {references}`
 */
export function refuseInUse(name: ReferenceName, id: string, references: Referrer[] | undefined): void {
  if (found(references, name, id).length > 0)
    throw new ToolError('in_use', `The ${referenceKinds[name].noun} ${id} is in use.`, {
      details: { references },
    });
}
