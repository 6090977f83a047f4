import type * as v from 'valibot';
import type { IssueDetail } from '../platform/errors.ts';

/** Pydantic's name for the expected type, by the type of the schema. */
const wantedWords: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  number: 'float',
  integer: 'int',
  array: 'list',
  record: 'dict',
  object: 'model_attributes',
  strict_object: 'model_attributes',
  object_with_rest: 'model_attributes',
};

/** An issue of valibot as an error of pydantic, `value_error` if none fits better. */
export function pydanticWords(issue: v.BaseIssue<unknown>): Omit<IssueDetail, 'loc'> {
  const last = issue.path?.at(-1);
  if (last && 'origin' in last && last.origin === 'key')
    return { type: issue.expected === 'never' ? 'extra_forbidden' : 'missing' };
  const { requirement } = issue as { requirement?: unknown };
  const kind = typeof issue.input === 'string' ? 'string_' : '';
  if (issue.type === 'min_length' && typeof requirement === 'number')
    return { type: `${kind}too_short`, ctx: { min_length: requirement } };
  if ((issue.type === 'max_length' || issue.type === 'max_code_points') && typeof requirement === 'number')
    return { type: `${kind}too_long`, ctx: { max_length: requirement } };
  if (issue.type === 'picklist') return { type: 'enum' };
  const wanted = wantedWords[issue.type];
  return { type: wanted === undefined ? 'value_error' : `${wanted}_type` };
}
