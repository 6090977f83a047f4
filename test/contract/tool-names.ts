import { errorStatus } from '../../src/errors.ts';
import { keyScopes } from '../../src/tool/access.ts';
import { tools } from './registry.ts';

const names: ReadonlySet<string> = new Set(tools.map(({ name }) => name));
/** Words of that form which texts may hold and which are no tools. */
const others: ReadonlySet<string> = new Set([
  ...keyScopes,
  ...Object.keys(errorStatus),
  // Of pydantic.
  'list_type',
  // Of OpenAI.
  'verbose_json',
]);

/** Every word of a text that looks like a tool's name. */
function snakeCaseWords(text: string): string[] {
  return text.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? [];
}

export function toolNamesIn(text: string): string[] {
  return snakeCaseWords(text).filter((word) => names.has(word));
}

/** Words of a public text that look like a tool's name and are nothing that exists. */
export function unknownNamesIn(text: string): string[] {
  return snakeCaseWords(text).filter((word) => !names.has(word) && !others.has(word));
}

const verbs: ReadonlySet<string> = new Set([...names].map((name) => name.split('_', 1).join()));

/** The same for a source file, whose other words of that form do not start with the verb of a tool. */
export function unknownToolsIn(source: string): string[] {
  return unknownNamesIn(source).filter((word) => verbs.has(word.split('_', 1).join()));
}
