import { ToolError } from '../src/errors.ts';
import type { Referrer } from '../src/store/referrers.ts';
import { found } from '../src/tool/found.ts';
import { type ReferenceName, referenceKinds } from '../src/tool/reference.ts';

/**
 * Refuses to delete what something refers to; `references` is undefined where there is no such record.
 * @throws ToolError `not_found`; `in_use` with `details {references}`.
 */
export function refuseInUse(name: ReferenceName, id: string, references: Referrer[] | undefined): void {
  if (found(references, name, id).length > 0)
    throw new ToolError('in_use', `The ${referenceKinds[name].noun} ${id} is in use.`, {
      details: { references },
    });
}
