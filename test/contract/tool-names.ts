import { keyScopes } from '../../src/operation/access.ts';
import { errorStatus } from '../../src/platform/errors.ts';
import { operations, tools } from './registry.ts';

const names: ReadonlySet<string> = new Set(tools.map(({ name }) => name));
/** Words of the same form that are not tools. */
const others: ReadonlySet<string> = new Set([
  ...keyScopes,
  ...Object.keys(errorStatus),
  // Of REST alone.
  ...operations.filter(({ name }) => !names.has(name)).map(({ name }) => name),
  // From Pydantic.
  'list_type',
  // From OpenAI.
  'verbose_json',
]);

/** Returns every word of a text that has the form of a tool's name. */
function snakeCaseWords(text: string): string[] {
  return text.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? [];
}

export function toolNamesIn(text: string): string[] {
  return snakeCaseWords(text).filter((word) => names.has(word));
}

/** Returns the words of a public text that look like a tool's name and are unknown. */
export function unknownNamesIn(text: string): string[] {
  return snakeCaseWords(text).filter((word) => !names.has(word) && !others.has(word));
}

const verbs: ReadonlySet<string> = new Set([...names].map((name) => name.split('_', 1).join()));

/** Does the same for a source file, but returns only words that start with a tool's verb. */
export function unknownToolsIn(source: string): string[] {
  return unknownNamesIn(source).filter((word) => verbs.has(word.split('_', 1).join()));
}
