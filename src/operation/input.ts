import type * as v from 'valibot';
import {
  type Issue,
  type IssueDetail,
  type IssuePlace,
  invalidRequest,
  jsonPointer,
  mostProblems,
  payloadTooLarge,
  type ToolError,
} from '../platform/errors.ts';
import type { FormField } from './context.ts';
import type { Tool } from './define.ts';
import { pydanticWords } from './detail.ts';
import { type JsonProblem, jsonProblems, withNullAt } from './json.ts';
import { wordsIn } from './number-or-word.ts';
import type { JsonObject } from './result.ts';
import { structureProblems } from './structure.ts';
import { withUpload } from './upload.ts';

/** What a caller sent, by the names of the inputs, and the issues found while reading it. */
export interface RawInput {
  readonly value: JsonObject;
  readonly issues: readonly Issue[];
  /** The JSON body as it was sent, if the operation passes it on. */
  readonly bytes?: Buffer | undefined;
  /** The text fields as they were sent, if the body was a form. */
  readonly fields?: readonly FormField[] | undefined;
  /** The inputs as the caller sent them, if names among them were replaced by ids. A retry is recognised by these. */
  readonly sent?: JsonObject | undefined;
  /** The refusal of a name without one record. A call throws it when it would refuse an id without a record. */
  readonly unknownName?: ToolError | undefined;
}

/** Bytes. Who parses or checks a larger input awaits a turn of its project first. A smaller one takes a millisecond at most. */
export const largeInput = 4_096;

/** Which names an issue's path uses: those of REST's paths, or the tool's own. */
export type Naming = 'rest' | 'tool';

/** The part of a REST request that holds an input. An unknown name belongs to the body if there is one, or else to the query. */
export function placeOf(tool: Tool, name: string): IssuePlace {
  const placement = Object.hasOwn(tool.rest.from, name) ? tool.rest.from[name] : undefined;
  if (placement?.startsWith('path')) return 'params';
  if (placement === 'query') return 'querystring';
  return placement === 'body' || hasBody(tool) ? 'body' : 'querystring';
}

/** True if requests of this operation may have a body. */
export function hasBody(tool: Tool): boolean {
  return tool.rest.method !== 'GET' && tool.rest.method !== 'DELETE';
}

/** The name of an input in REST. */
export function restName(tool: Tool, name: string): string {
  const placement = Object.hasOwn(tool.rest.from, name) ? tool.rest.from[name] : undefined;
  return placement?.startsWith('path:') ? placement.slice('path:'.length) : name;
}

/** True if members that the schema does not name are passed on. */
export function keepsUnknown(tool: Tool): boolean {
  return tool.input.type === 'object_with_rest';
}

/** What REST says of a text where other transports accept some words instead of a number. */
const onlyNumber = 'Expected number.';

/**
 * The checked input, defaults filled in.
 * @throws ToolError `invalid_request` with every issue of path, query and body at once
 */
export function parseInput(tool: Tool, given: RawInput, naming: Naming): JsonObject {
  const issues: Issue[] = [...given.issues];
  const { value, problems: ofFile } = withUpload(tool.file, given.value);
  const refuse = ({ path, message, words }: Problem) => {
    const [name = '', ...rest] = path.map(String);
    const named = naming === 'rest' ? restName(tool, name) : name;
    const wantsNumber = naming === 'rest' && path.length === 1 && tool.numbersOrWords.includes(name);
    const issue = {
      in: placeOf(tool, name),
      path: path.length ? jsonPointer([named, ...rest]) : '',
      message: wantsNumber && typeof value[name] === 'string' ? onlyNumber : message,
      ...(tool.envelope === 'detail' && {
        detail: { loc: path.length ? [named, ...path.slice(1)] : [], type: 'value_error', ...words },
      }),
    };
    // If the body could not be read, its members are not missing.
    if (!given.issues.some((known) => known.in === issue.in && known.path === '')) issues.push(issue);
  };
  const { problems, output } = checkShape(tool.input, value, [
    ...ofFile,
    ...jsonProblems(given.bytes && tool.special.passedOn ? membersRead(tool, value) : value),
  ]);
  problems.forEach(refuse);
  if (naming === 'rest')
    for (const name of tool.numbersOrWords)
      if (!problems.some(({ path }) => path[0] === name))
        for (const inner of wordsIn(value[name])) refuse({ path: [name, ...inner], message: onlyNumber });
  if (output && tool.check) tool.check(output as never).forEach(refuse);
  lackingFile(tool, value).forEach(refuse);
  const [first, ...more] = shortened(issues);
  if (first) throw invalidRequest([first, ...more]);
  // valibot drops members called constructor or prototype, which callers may use.
  return keepsUnknown(tool) ? { ...value, ...output } : (output ?? {});
}

/** The problem of a call that gives neither a file nor the id of an upload, or both. */
function lackingFile({ special: { uploadInto } }: Tool, value: JsonObject): Problem[] {
  if (uploadInto === undefined) return [];
  const given = [uploadInto, 'uploadId'].filter((name) => Object.hasOwn(value, name));
  if (given.length === 0)
    return [{ path: [uploadInto], message: 'Is required.', words: { type: 'missing' } }];
  if (given.length === 1) return [];
  return [{ path: ['uploadId'], message: `Stands for ${uploadInto}: leave one of them out.` }];
}

/** The members that Parley reads of a request whose bytes it passes on. */
function membersRead({ input, special }: Tool, value: JsonObject): JsonObject {
  const isRead = (name: string) => Object.hasOwn(value, name) && !special.passedOn?.includes(name);
  return Object.fromEntries(
    Object.keys(input.entries)
      .filter(isRead)
      .map((name) => [name, value[name]]),
  );
}

/** Characters of all paths of issues together: each of them repeats the names above its place, which may be long. */
const longestPaths = 65_536;

/** The first issues, as many as an error may hold. */
function shortened(issues: readonly Issue[]): readonly Issue[] {
  let length = 0;
  let count = 0;
  for (const { path } of issues.slice(0, mostProblems)) {
    length += path.length;
    if (count > 0 && length > longestPaths) break;
    count++;
  }
  return issues.slice(0, count);
}

/** Something wrong with a value, with its path from the top. */
interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly words?: Omit<IssueDetail, 'loc'>;
}

interface Checked {
  readonly problems: Problem[];
  readonly output: JsonObject | undefined;
}

/** Checks a value: returns all of its problems, up to `mostProblems`, or the parsed value if it has none. */
export function checkValue(schema: v.GenericSchema, value: unknown): Checked {
  return checkShape(schema, value, jsonProblems(value));
}

/** Does the same for a part of a value; `found` holds the problems that it has as JSON. */
export function checkShape(
  schema: v.GenericSchema,
  value: unknown,
  found: readonly JsonProblem[] = [],
): Checked {
  const problems: Problem[] = [...structureProblems(schema, value), ...found].slice(0, mostProblems);
  const places = problems.map(({ path }) => path);
  if (problems.length === mostProblems || places.some((path) => path.length === 0))
    return { problems, output: undefined };
  const reported = new Set(places.map(jsonPointer));
  // valibot may report each of these places once more.
  const walk = new BoundedWalk(2 * mostProblems);
  const { value: output, issues = [] } = schema['~run']({ value: withNullAt(value, places) }, walk);
  for (const issue of issues) {
    const path = pathOf(issue);
    if (problems.length < mostProblems && !reported.has(jsonPointer(path)))
      problems.push({ path, message: messageOf(issue), words: pydanticWords(issue) });
  }
  return { problems, output: problems.length === 0 ? (output as JsonObject) : undefined };
}

/**
 * A configuration of valibot under which a walk over a value ends after a number of issues. valibot reads `lang` for each
 * issue that it makes, and `abortEarly` each time that it finds one in a list or an object.
 */
class BoundedWalk implements v.Config<v.BaseIssue<unknown>> {
  #left: number;
  constructor(most: number) {
    this.#left = most;
  }
  get lang(): undefined {
    this.#left -= 1;
    return undefined;
  }
  get abortEarly(): boolean {
    return this.#left <= 0;
  }
}

/** @throws ToolError `payload_too_large` if a request is larger than the operation allows */
export function requireWithinLimit(tool: Tool, bytes: number): void {
  if (bytes > tool.bodyLimit) throw payloadTooLarge(tool.bodyLimit);
}

/** The path of an issue of valibot, from the top. */
export function pathOf(issue: v.BaseIssue<unknown>): (string | number)[] {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
}

/** The message for an issue of valibot, without the value that the caller sent: it may be a secret, or long. */
export function messageOf(issue: v.BaseIssue<unknown>): string {
  const last = issue.path?.at(-1);
  if (last && 'origin' in last && last.origin === 'key')
    return issue.expected === 'never' ? 'Is not known here.' : 'Is required.';
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  const { requirement } = issue as { requirement?: unknown };
  const limit = typeof requirement === 'number' ? requirement : undefined;
  const thing = typeof issue.input === 'string' ? 'character' : 'item';
  const unit = limit === 1 ? thing : `${thing}s`;
  if (limit !== undefined && (issue.type === 'max_length' || issue.type === 'max_code_points'))
    return `Expected at most ${limit} ${unit}.`;
  if (limit !== undefined && issue.type === 'min_length') return `Expected at least ${limit} ${unit}.`;
  return issue.expected ? `Expected ${issue.expected}.` : 'Is not of the expected format.';
}
