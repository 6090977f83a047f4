import { ToolError } from '../errors.ts';
import { missingHint, type ReferenceName, referenceKinds } from './reference.ts';

/** 404 `not_found`, in the same words for what does not exist and what belongs to another project. */
export function notFound(name: ReferenceName, id: string, cause?: unknown): ToolError {
  const where = name === 'project' ? 'that this key can see' : 'in this project';
  return new ToolError('not_found', `There is no ${referenceKinds[name].noun} ${id} ${where}.`, {
    hint: missingHint(id, name),
    cause,
  });
}

/**
 * The record, where there is one.
 * @throws ToolError `not_found` where there is none.
 */
export function found<Record>(record: Record | undefined, name: ReferenceName, id: string): Record {
  if (record === undefined) throw notFound(name, id);
  return record;
}
