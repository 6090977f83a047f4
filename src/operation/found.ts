import { ToolError } from '../platform/errors.ts';
import { missingHint, type ReferenceName, referenceKinds, shownId } from './reference.ts';

/** 404 `not_found`, the same for a record that does not exist and for one of another project. */
export function notFound(name: ReferenceName, id: string, cause?: unknown): ToolError {
  const where = name === 'project' ? 'that this key can see' : 'in this project';
  return new ToolError('not_found', `There is no ${referenceKinds[name].noun} ${shownId(id)} ${where}.`, {
    hint: missingHint(id, name),
    cause,
  });
}

/**
 * Returns the record.
 * @throws ToolError `not_found` if it is undefined
 */
export function found<Record>(record: Record | undefined, name: ReferenceName, id: string): Record {
  if (record === undefined) throw notFound(name, id);
  return record;
}
