import type * as v from 'valibot';
import type { IssueDetail } from '../errors.ts';

/** What pydantic calls a value of the wrong type, by the schema that refused it. */
const typeWords: Readonly<Record<string, string>> = {
  string: 'string_type',
  boolean: 'bool_type',
  number: 'float_type',
  integer: 'int_type',
  array: 'list_type',
  record: 'dict_type',
  object: 'model_attributes_type',
  strict_object: 'model_attributes_type',
  object_with_rest: 'model_attributes_type',
  picklist: 'enum',
  literal: 'literal_error',
};

/** An issue of valibot in the words of pydantic, as far as there are any. */
export function pydanticWords(issue: v.BaseIssue<unknown>): Omit<IssueDetail, 'loc'> {
  const last = issue.path?.at(-1);
  if (last && 'origin' in last && last.origin === 'key')
    return { type: issue.expected === 'never' ? 'extra_forbidden' : 'missing' };
  const { requirement } = issue as { requirement?: unknown };
  const kind = typeof issue.input === 'string' ? 'string_' : '';
  if (issue.type === 'min_length' && typeof requirement === 'number')
    return { type: `${kind}too_short`, ctx: { min_length: requirement } };
  if (issue.type === 'max_length' && typeof requirement === 'number')
    return { type: `${kind}too_long`, ctx: { max_length: requirement } };
  return { type: typeWords[issue.type] ?? 'value_error' };
}
