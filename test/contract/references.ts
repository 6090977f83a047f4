import { toJsonSchema } from '@valibot/to-json-schema';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { isJsonObject } from '../../src/operation/json.ts';
import { Cuid, idsAt, type Reference } from '../../src/operation/reference.ts';
import { newId } from '../../src/platform/id.ts';
import type { Input } from './rest-request.ts';

/** A place in an operation's input that takes the id of a record. */
export interface Place {
  readonly tool: McpTool;
  readonly reference: Reference;
  /** For the titles of tests. */
  readonly name: string;
}

/** Returns every reference of some operations. */
export function placesOf(tools: readonly McpTool[]): Place[] {
  return tools.flatMap((tool) =>
    tool.references.map((reference) => ({
      tool,
      reference,
      name: `${tool.name} ${reference.path.join('.')}`,
    })),
  );
}

/** Returns the id that an example has at a reference. Throws if it has none. */
export function idAt(input: Input, { name, reference }: Place): string {
  const [id] = idsAt(input, reference.path);
  if (id === undefined) throw new Error(`the example of ${name} gives no id there`);
  return id;
}

/** Returns the input with another id at a reference. */
export function withIdAt(input: unknown, path: readonly string[], id: string): Input {
  return replaced(input, path, id) as Input;
}

function replaced(value: unknown, [step, ...rest]: readonly string[], id: string): unknown {
  if (step === undefined) return id;
  if (step === '*') {
    const [first, ...more] = value as unknown[];
    return [replaced(first, rest, id), ...more];
  }
  const members = value as Input;
  return { ...members, [step]: replaced(members[step], rest, id) };
}

/** Returns, for each reference that the input uses, the input with the id of a record that does not exist. */
export function missingIdIn(tool: McpTool, input: Input): { place: Place; missing: Input }[] {
  const places = placesOf([tool]).filter(({ reference }) => idsAt(input, reference.path).length > 0);
  return places.map((place) => {
    const { path, name } = place.reference;
    return { place, missing: withIdAt(input, path, newId(name)) };
  });
}

const idPattern = patternOf(Cuid);

function patternOf(schema: typeof Cuid): unknown {
  return toJsonSchema(schema, { errorMode: 'ignore', ignoreActions: ['metadata'] }).pattern;
}

/**
 * Returns the places where an input takes an id. It does not rely on `ref()`, but looks for the pattern of ids and for
 * names such as `flowId`, `flowIds` and `id`. `*` stands for any item of an array or member of a map.
 */
export function idPlacesOf(tool: McpTool): string[] {
  const schema = toJsonSchema(tool.input, {
    typeMode: 'input',
    errorMode: 'ignore',
    ignoreActions: ['metadata'],
    target: 'draft-2020-12',
  });
  const places = new Set<string>();
  const visit = (at: unknown, path: readonly string[]): void => {
    if (Array.isArray(at)) for (const one of at) visit(one, path);
    // Expectations name parts of a design, which are not records.
    if (!isJsonObject(at) || path.includes('expect')) return;
    const named = path.findLast((step) => step !== '*') ?? '';
    if (at['pattern'] === idPattern) places.add(path.join('.'));
    else if (at['type'] === 'string' && /^id$|Ids?$/.test(named)) places.add(path.join('.'));
    for (const [keyword, inner] of Object.entries(at))
      if (keyword === 'properties')
        for (const [name, property] of Object.entries(inner as object)) visit(property, [...path, name]);
      else if (['items', 'prefixItems', 'additionalProperties'].includes(keyword))
        visit(inner, [...path, '*']);
      else if (['anyOf', 'oneOf', 'allOf', '$defs'].includes(keyword))
        visit(keyword === '$defs' ? Object.values(inner as object) : inner, path);
  };
  visit(schema, []);
  return [...places].toSorted();
}
