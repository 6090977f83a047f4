import * as v from 'valibot';
import { type Issue, invalidRequest, jsonPointer } from '../platform/errors.ts';
import { jsonProblems } from './json.ts';

/**
 * The body of a request that is no operation, by its schema.
 * @param given the issues that were found while it was read
 * @throws ToolError `invalid_request` with every issue
 */
export function validBody<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
  given: readonly Issue[],
): v.InferOutput<Schema> {
  const [unread, ...others] = given;
  if (unread) throw invalidRequest([unread, ...others]);
  const problems = jsonProblems(body).map(({ path, message }) => ({ path, message }));
  const result = v.safeParse(schema, body ?? {});
  const issues = [
    ...problems,
    ...(result.issues ?? []).map((issue) => ({
      path: (issue.path ?? []).map(({ key }) => key as string | number),
      message: issue.message,
    })),
  ].map(({ path, message }) => ({ in: 'body' as const, path: jsonPointer(path), message }));
  const [first, ...more] = issues;
  if (first) throw invalidRequest([first, ...more]);
  return result.output;
}
