import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject } from '../../src/operation/json.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { detailsInput } from '../../src/transports/mcp/schemas.ts';
import {
  type McpClient,
  type McpToolDescription,
  mcpTransports,
  openWorld,
  type World,
} from '../helpers/world.ts';
import { operationTable } from './operation-table.ts';
import { operations, tools } from './registry.ts';
import { unknownNamesIn, unknownToolsIn } from './tool-names.ts';

const root = path.resolve(import.meta.dirname, '../..');

let world: World;
let clients: McpClient[];
let listed: McpToolDescription[];

beforeAll(async () => {
  world = await openWorld();
  const { key } = await world.tenant();
  clients = await Promise.all(mcpTransports.map((transport) => world.mcp(transport, key)));
  const [first] = clients;
  listed = (await first?.listTools())?.tools ?? [];
});
afterAll(() => world.close());

const listedAs = (name: string): McpToolDescription => {
  const found = listed.find((one) => one.name === name);
  if (!found) throw new Error(`tools/list has no ${name}`);
  return found;
};

describe('the registry', () => {
  test('names are unique, and so are routes', () => {
    const routes = operations.map(({ rest }) => `${rest.method} ${rest.path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(duplicatesIn(operations.map(({ name }) => name))).toEqual([]);
    expect(duplicatesIn(routes)).toEqual([]);
  });

  test.each(operations)(
    '$name has the route, access and status that are promised',
    ({ name, rest, access }) => {
      const row = operationTable[name];
      if (!row) throw new Error(`${name} has no row in test/contract/operation-table.ts`);
      const [method, route, needed, status = 200] = row.route;
      expect({ method: rest.method, path: rest.path, access, status: rest.status }).toEqual({
        method,
        path: route,
        access: needed,
        status,
      });
    },
  );

  test.each(operations)(
    'the effect of $name fits its method and access',
    ({ name, rest, access, effect }) => {
      // The table lists the reads that use POST, because their input does not fit into a URL.
      const [method] = operationTable[name]?.route ?? [];
      if (effect.readOnly) expect(rest.method).toBe(method === 'POST' ? 'POST' : 'GET');
      // A simulation plays drafts, and stores nothing.
      const isTrial = /^simulate_(?:conversation|flow|new_design)$/.test(name);
      expect(effect.readOnly).toBe(
        access === 'read' || access === 'none' || rest.method === 'GET' || isTrial,
      );
      if (rest.method === 'DELETE') expect(effect.destructive).toBe(true);
      if (rest.method === 'PUT') expect(effect.idempotent).toBe(true);
      if (rest.status === 201) expect(effect.idempotent).toBe(false);
    },
  );
});

describe('what tools/list shows', () => {
  test('is the registry in its order, the same to every client', async () => {
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const client of clients) expect((await client.listTools()).tools).toEqual(listed);
  });

  test.each(tools)('$name: name, title and description', ({ name }) => {
    const { title, description } = listedAs(name);
    expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/);
    expect(name.length).toBeLessThanOrEqual(40);
    expect(title).toMatch(/\S/);
    expect(description).toMatch(/\S/);
    expect(description?.length).toBeLessThanOrEqual(300);
  });

  test.each(tools)('$name: all four annotations say what it does', ({ name, effect, mcp }) => {
    expect(listedAs(name).annotations).toEqual({
      readOnlyHint: effect.readOnly,
      destructiveHint: effect.destructive,
      idempotentHint: effect.idempotent,
      openWorldHint: mcp.openWorld ?? false,
    });
  });

  test.each(tools)('$name: an input schema that every client accepts', ({ name, input }) => {
    const schema = listedAs(name).inputSchema;
    expect(schema['type']).toBe('object');
    expect(schema['$schema'] ?? draft).toBe(draft);
    for (const combiner of ['anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(combiner);
    expect(JSON.stringify(schema)).not.toContain('"$ref"');
    if (input.type === 'strict_object') expect(schema['additionalProperties']).toBe(false);
  });

  test.each(tools)('$name: every input is described, but for those that are implied', (tool) => {
    const { name, input, mcp } = tool;
    const { inputSchema } = listedAs(name);
    const details = mcp.leavesOut === undefined ? [] : [detailsInput];
    const implied = ['projectId', ...Object.keys(mcp.implied ?? {})];
    const inputs = Object.keys(input.entries).filter((one) => !implied.includes(one));
    expect(Object.keys(inputSchema['properties'] as object)).toEqual([...inputs, ...details]);
    for (const required of mcp.required ?? []) expect(inputSchema['required']).toContain(required);
    expect(undescribedIn(inputSchema)).toEqual([]);
  });

  test.each(tools)('$name: the description of each input has at least three words', ({ name }) => {
    const { properties } = listedAs(name).inputSchema as { properties: Record<string, JsonObject> };
    const terse = Object.entries(properties).filter(
      ([, { description }]) => String(description).split(/\s+/).length < 3,
    );
    expect(terse.map(([input, { description }]) => `${input}: ${String(description)}`)).toEqual([]);
  });
});

describe('texts name only tools that exist', () => {
  test.each(tools)('what $name says', ({ name }) => {
    expect(unknownNamesIn(textsOf(listedAs(name)).join('\n'))).toEqual([]);
  });

  test('the instructions, which are short enough to be read', () => {
    for (const client of clients) {
      const instructions = client.getInstructions() ?? '';
      expect(instructions).toMatch(/\S/);
      expect(instructions.length).toBeLessThan(2000);
      expect(unknownNamesIn(instructions)).toEqual([]);
    }
  });

  test('the sources that hold hints', () => {
    const unknown = globSync('{tools,src/operation,src/transports/mcp}/**/*.ts', { cwd: root }).flatMap(
      (file) => unknownToolsIn(readFileSync(path.join(root, file), 'utf8')).map((word) => `${file}: ${word}`),
    );
    expect(unknown).toEqual([]);
  });
});

const draft = 'https://json-schema.org/draft/2020-12/schema';

function duplicatesIn(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

/** Returns the properties without a description, at every depth. */
function undescribedIn(schema: unknown, at = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => undescribedIn(one, at));
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, inner]) => {
    if (keyword !== 'properties' || !isJsonObject(inner)) return undescribedIn(inner, at);
    return Object.entries(inner).flatMap(([name, property]) => {
      const here = `${at}/${name}`;
      const text = isJsonObject(property) ? property['description'] : undefined;
      const described = typeof text === 'string' && text.trim() !== '';
      return [...(described ? [] : [here]), ...undescribedIn(property, here)];
    });
  });
}

/** Returns the title and all descriptions of a tool. */
function textsOf(value: unknown): string[] {
  if (!isJsonObject(value)) return Array.isArray(value) ? value.flatMap(textsOf) : [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string'
      ? name === 'description' || name === 'title'
        ? [member]
        : []
      : textsOf(member),
  );
}
