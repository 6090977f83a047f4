import * as v from 'valibot';
import type { Issue } from '../../src/errors.ts';
import type { Tool } from '../../src/tool/define.ts';
import { placeOf } from '../../src/tool/input.ts';
import { type Input, partsOf } from './rest-request.ts';

/** An input that an operation has to refuse, and the inputs that it has to name. */
export interface WrongInput {
  readonly input: Input;
  readonly refused: readonly string[];
}

const wrongTexts = ['!', 'x'.repeat(10_001)];
const wrongValues = [7, '', false, null, [], {}, [7], 'x'.repeat(10_001)];

/** Every input wrong; what accepts anything is left out, which is wrong where it is required. */
export function everythingWrong(tool: Tool): WrongInput {
  return wrongInput(tool, (name, entry) => wrongValueOf(tool, name, entry));
}

/** Every input missing that REST can leave out; what stands in the path is wrong instead. */
export function everythingMissing(tool: Tool): WrongInput {
  return wrongInput(tool, (name, entry) =>
    placeOf(tool, name) === 'params' ? wrongValueOf(tool, name, entry) : undefined,
  );
}

function wrongInput(tool: Tool, valueFor: (name: string, entry: v.GenericSchema) => unknown): WrongInput {
  const given = entriesOf(tool).map(([name, entry]) => ({ name, entry, value: valueFor(name, entry) }));
  const refused = given.filter(({ entry, value }) => refuses(entry, value)).map(({ name }) => name);
  return { input: Object.fromEntries(given.map(({ name, value }) => [name, value])), refused };
}

function entriesOf(tool: Tool): [string, v.GenericSchema][] {
  return Object.entries(tool.input.entries) as [string, v.GenericSchema][];
}

/** A value that the schema refuses, such as REST can carry where the input stands. */
function wrongValueOf(tool: Tool, name: string, entry: v.GenericSchema): unknown {
  // Of a file REST says with whatever bytes come, but not with none.
  if (name === tool.file) return '';
  if (placeOf(tool, name) === 'body' && tool.file === undefined)
    return wrongValues.find((value) => refuses(entry, value));
  const isList = !refuses(entry, ['x']);
  const value = wrongTexts.map((text) => (isList ? [text] : text)).find((one) => refuses(entry, one));
  return value ?? (placeOf(tool, name) === 'params' ? wrongTexts[0] : undefined);
}

/** Only what an operation cannot do without: a list then shows its first page, as long as pages are. */
export function onlyRequired(tool: Tool, input: Input): Input {
  const required = entriesOf(tool).filter(([, entry]) => refuses(entry, undefined));
  const least = Object.fromEntries(required.map(([name]) => [name, input[name]]));
  const isTooLittle = (tool.check?.(least as never) ?? []).length > 0;
  return isTooLittle ? input : least;
}

/** As a member of an object, where it may be left out or not. */
function refuses(entry: v.GenericSchema, value: unknown): boolean {
  return !v.safeParse(v.object({ value: entry }), value === undefined ? {} : { value }).success;
}

/** The names of inputs, by REST's names or the tool's, that issues are about. */
export function namesIn(issues: readonly Issue[]): string[] {
  return [...new Set(issues.map(({ path }) => segmentsOf(path)[0] ?? ''))];
}

/**
 * True where the pointer (RFC 6901) of an issue leads to something that was sent, or to the place where
 * something is missing.
 */
export function resolves(tool: Tool, input: Input, issue: Issue): boolean {
  const last = segmentsOf(issue.path).length;
  let at: unknown = partsOf(tool, input)[issue.in];
  return segmentsOf(issue.path).every((segment, index) => {
    if (typeof at !== 'object' || at === null) return false;
    const there = Object.hasOwn(at, segment);
    at = (at as Record<string, unknown>)[segment];
    return there || index + 1 === last;
  });
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
