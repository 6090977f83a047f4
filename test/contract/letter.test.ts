import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { hasBody, keepsUnknown } from '../../src/operation/input.ts';
import { inputSchemas } from '../../src/operation/json-schema.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { type Door, type ErrorBody, openDoor } from './doors.ts';
import { exampleOf } from './examples.ts';
import { toolNamed, tools } from './registry.ts';
import { bodyOf, formOf, partsOf, routeOf } from './rest-request.ts';

let world: World;
let tenant: Tenant;
let doors: Door[];
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant({ plan: 'enterprise' });
  doors = [await openDoor(world, 'REST', tenant.key), await openDoor(world, 'modern http', tenant.key)];
});
afterAll(() => world.close());

const authorization = () => ({ authorization: `Bearer ${tenant.key}` });

describe('a known path with another method returns 404', () => {
  const paths = [...new Set(tools.map(({ rest }) => rest.path)), '/openapi.json'];
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
  const methodsOf = (target: string) => {
    const known = tools.filter(({ rest }) =>
      new RegExp(`^${rest.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(target),
    );
    const own = target === '/openapi.json' ? ['GET'] : known.map(({ rest }) => rest.method);
    return own.includes('GET') ? [...own, 'HEAD'] : own;
  };

  test.each(paths)('%s', async (path) => {
    const target = path.replaceAll(/\{\w+\}/g, 'x');
    const others = methods.filter((method) => !methodsOf(target).includes(method));
    expect(others.length).toBeGreaterThan(2);
    for (const method of others) {
      // Without a key, so that it is 404 and not 401.
      const answer = await world.rest(method, target);
      expect([method, answer.status]).toEqual([method, 404]);
      if (method !== 'HEAD') expect(answer.body.error.code).toBe('not_found');
    }
  });
});

/** The path of an operation, with ids that are none. */
const pathOf = ({ rest }: McpTool) => rest.path.replaceAll(/\{\w+\}/g, 'x');

/** Sends a request, and returns the issues of a 400. */
async function issuesOf(
  tool: McpTool,
  query: string,
  { body, type }: { readonly body?: Buffer<ArrayBuffer>; readonly type?: string } = {},
): Promise<unknown> {
  const answer = await fetch(`${world.base}${pathOf(tool)}${query}`, {
    method: tool.rest.method,
    headers: { ...authorization(), ...(type !== undefined && { 'content-type': type }) },
    ...(body && { body }),
  });
  const { error, detail } = (await answer.json()) as { error?: ErrorBody; detail?: unknown };
  return error?.details?.['issues'] ?? detail;
}

const ignoresQuery = ({ envelope, access }: McpTool) => envelope === 'detail' || access === 'none';
const takesJson = (tool: McpTool) => hasBody(tool) && tool.file === undefined;
const unknown = (place: string) => ({
  in: place,
  path: '/surplus',
  message: expect.stringMatching(/^Is not known here/),
});

describe('an unknown query parameter', () => {
  test.each(tools.filter(ignoresQuery))('is ignored by $name', async (tool) => {
    const { input } = exampleOf(tool);
    const parts = partsOf(tool, await input(arrangeIn(world, tenant)));
    const body = bodyOf(tool, parts);
    const answer = await world.rest(tool.rest.method, `${routeOf(tool, parts)}?surplus=1&surplus=2`, {
      key: tenant.key,
      body: body && tool.file !== undefined ? formOf(tool, body) : body,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(tool.rest.status);
  });

  test.each(tools.filter((tool) => !ignoresQuery(tool)))('returns 400 from $name', async (tool) => {
    expect(await issuesOf(tool, '?surplus=1')).toContainEqual(unknown('querystring'));
  });
});

describe('a body without a Content-Type', () => {
  // fetch sends bytes without one.
  const body = Buffer.from('{"surplus":1}');

  test.each(tools.filter(takesJson))('is read as JSON by $name', async (tool) => {
    const issues = await issuesOf(tool, '', { body });
    if (keepsUnknown(tool)) expect(issues).toContainEqual(expect.objectContaining({ type: 'missing' }));
    else if (tool.envelope === 'detail')
      expect(issues).toContainEqual(expect.objectContaining({ loc: ['body', 'surplus'] }));
    else expect(issues).toContainEqual(unknown('body'));
  });

  test('returns 400 if it is not JSON, and so does JSON with another Content-Type', async () => {
    const tool = toolNamed('create_flow');
    const issuesFor = async (sent: Buffer<ArrayBuffer>, type?: string) =>
      (
        (await issuesOf(tool, '', { body: sent, ...(type && { type }) })) as { in: string; message: string }[]
      ).flatMap((issue) => (issue.in === 'body' ? [issue.message] : []));
    expect(await issuesFor(Buffer.from('name=Flow'))).toEqual(['Is not valid JSON.']);
    for (const type of ['text/plain', 'application', 'application/x-www-form-urlencoded'])
      expect(await issuesFor(body, type)).toEqual(['Expected the Content-Type application/json.']);
  });
});

/** An input that is a text with a maximum of characters. */
interface BoundedText {
  readonly tool: McpTool;
  readonly name: string;
  readonly input: string;
  readonly most: number;
}

const boundedTexts: BoundedText[] = tools.flatMap((tool) =>
  Object.entries(tool.input.entries).flatMap(([input, entry]) => {
    const most = mostCharacters(entry);
    return most === undefined ? [] : [{ tool, name: `${tool.name} ${input}`, input, most }];
  }),
);

function mostCharacters(schema: object): number | undefined {
  const { pipe = [], wrapped } = schema as {
    pipe?: { type: string; requirement?: number }[];
    wrapped?: object;
  };
  const bound = pipe.find(({ type }) => type === 'max_code_points');
  const inner = wrapped ?? pipe.find((part) => part !== schema && ('wrapped' in part || 'pipe' in part));
  return bound?.requirement ?? (inner && mostCharacters(inner));
}

test('finds the texts whose length is bounded', () => {
  const names = boundedTexts.map(({ name }) => name);
  for (const name of ['create_flow name', 'create_flow description', 'clone_voice referenceTranscript'])
    expect(names).toContain(name);
  expect(names.length).toBeGreaterThan(30);
});

test.each(boundedTexts)('the length of $name counts characters', async ({ tool, input, most }) => {
  expect(JSON.stringify(inputSchemas(tool).properties[input])).toContain(`"maxLength":${most}`);
  const ids = Object.fromEntries(tool.references.map(({ path: [name = ''] }) => [name, 'x']));
  for (const door of doors) {
    const tooLong = async (characters: number) => {
      // An emoji is one character, and two units of UTF-16.
      const { error } = await door.call(tool, { ...ids, [input]: '😀'.repeat(characters) });
      const issues = (error?.details?.['issues'] ?? []) as { message: string }[];
      return issues.some(({ message }) => message === `Expected at most ${most} characters.`);
    };
    expect([await tooLong(most), await tooLong(most + 1)], door.name).toEqual([false, true]);
  }
});
