import type { Tool } from './define.ts';
import { isJsonObject } from './json.ts';
import { idsAt } from './reference.ts';
import type { JsonObject } from './result.ts';
import type { AuditEntry } from './runtime.ts';

/** Characters of the summary of a change. */
const longestSummary = 300;

/**
 * What a change was about, for whoever reads the audit log: the record, and in words its name, the version, the inputs
 * that were given, and what the operation says about it. The values of inputs stay out, because some are secret; only ids
 * of records are shown, for which the list of changes puts names.
 */
export function changeOf(
  tool: Tool,
  input: JsonObject,
  value: unknown,
): Pick<AuditEntry, 'resourceId' | 'summary'> {
  const output = isJsonObject(value) ? value : {};
  const { name, version = input['version'], summary } = output;
  const given = Object.keys(input).filter((member) => tool.rest.from[member] === 'body');
  const resourceId = resourceOf(tool, input, output);
  const references = referencesGiven(tool, input, given);
  const values = given.filter((member) => !references.has(member));
  const words = [
    typeof name === 'string' ? JSON.stringify(name) : undefined,
    typeof version === 'number' ? `version ${version}` : undefined,
    tool.rest.status === 201 || Array.isArray(summary) || values.length === 0
      ? undefined
      : `changed ${values.join(', ')}`,
    ...[...references].flatMap(([member, words]) => (input[member] === resourceId ? [] : [words])),
    ...(Array.isArray(summary) ? summary.filter((line) => typeof line === 'string') : []),
  ].filter((part) => part !== undefined);
  const text = words.join('; ');
  return {
    resourceId,
    summary: text === '' ? null : Array.from(text).slice(0, longestSummary).join(''),
  };
}

/** Ids of one list that the words name. */
const mostIds = 5;

/** The given inputs that refer to records, in words: `flowId: cfl…`, and `flowId: none` for null. */
function referencesGiven(
  { references }: Tool,
  input: JsonObject,
  given: readonly string[],
): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { path } of references) {
    const [member] = path;
    if (member === undefined || !given.includes(member)) continue;
    const ids = idsAt(input, path);
    const shown = ids.length > mostIds ? [...ids.slice(0, mostIds), `${ids.length - mostIds} more`] : ids;
    words.set(member, `${member}: ${shown.join(', ') || 'none'}`);
  }
  return words;
}

/** The flow of a version; else the record that came out, else the first that went in. */
function resourceOf({ references }: Tool, input: JsonObject, output: JsonObject): string | null {
  const { id, flowId, version } = output;
  if (typeof flowId === 'string' && version !== undefined) return flowId;
  if (typeof id === 'string') return id;
  const [first] = references
    .filter(({ name }) => name !== 'project')
    .flatMap(({ path }) => idsAt(input, path));
  return first ?? null;
}
