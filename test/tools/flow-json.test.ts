import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProject, type Project } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
  project = await openProject(world);
});
afterAll(() => world.close());

/** Creates a graph flow from the JSON text of its configuration. */
const create = (flowSchema: string) =>
  project.call(
    'POST',
    `/v1/projects/${project.projectId}/flows`,
    `{"name":"N","type":"graph","flowSchema":${flowSchema}}`,
  );

/** Returns the issues of a rejected request. */
async function issuesOf(flowSchema: string): Promise<{ in: string; path: string }[]> {
  const { status, body } = await create(flowSchema);
  expect({ status, code: body.error.code }).toStrictEqual({ status: 400, code: 'invalid_request' });
  return body.error.details.issues;
}

test.each([
  ['nested objects and lists', '{"a":{"b":[[],{},[{"c":[1,[2,[3]]]}]]}}'],
  ['the order of members', '{"zebra":1,"apple":2,"Mango":3,"aa":4,"b":5}'],
  ['floats', '{"f":[0.1,1.5,-2.25,1e-7,5e-324,123456.789,0.30000000000000004]}'],
  ['integers up to 2^53 - 1', '{"i":[0,1,-1,9007199254740991,-9007199254740991,4294967296]}'],
  ['numbers in another spelling', '{"n":[1.0,1e2,1E+2,100e-2]}'],
  ['empty strings, lists and objects', '{"":"","e":"","l":[],"o":{}}'],
  ['null, true and false', '{"n":null,"t":true,"f":false,"l":[null,true,false]}'],
  ['unicode', '{"été":"日本語 😀 \\u0001 \\u2028 \\" \\\\ / ü e\\u0301","😀":"\\ud83d\\ude00"}'],
  [
    'names that objects inherit',
    '{"constructor":{"prototype":1},"toString":2,"hasOwnProperty":3,"prototype":4}',
  ],
  ['a member that stands twice', '{"a":1,"b":2,"a":3}'],
])('returns a configuration as it was sent: %s', async (_, text) => {
  const { status, body } = await create(text);
  expect(status).toBe(201);
  const sent = JSON.stringify(JSON.parse(text));
  const stored = await project.call('GET', `/v1/flows/${body.id}/versions`);
  expect(JSON.stringify(stored.body.versions[0].flowSchema)).toBe(sent);
  const version = await project.call('POST', `/v1/flows/${body.id}/versions`, `{"flowSchema":${text}}`);
  expect(JSON.stringify(version.body.flowSchema)).toBe(sent);
  const read = await project.call('GET', `/v1/flow-versions/${version.body.id}`);
  expect(JSON.stringify(read.body.flowSchema)).toBe(sent);
});

test.each([
  ['an integer beyond 2^53', '{"a":[9007199254740992]}', '/flowSchema/a/0'],
  ['a negative integer beyond 2^53', '{"a":-9007199254740993}', '/flowSchema/a'],
  ['an integer in exponent form', '{"a":1e300}', '/flowSchema/a'],
  ['a number beyond a double', '{"a":1e400}', '/flowSchema/a'],
  ['__proto__', '{"a":{"__proto__":{"polluted":true}}}', '/flowSchema/a'],
  ['__proto__ at the top', '{"__proto__":1}', '/flowSchema'],
  ['NUL', '{"a":"x\\u0000y"}', '/flowSchema/a'],
  ['NUL in a name', '{"a":{"x\\u0000":1}}', '/flowSchema/a'],
  ['half a surrogate pair', '{"a~/":["\\ud800"]}', '/flowSchema/a~0~1/0'],
  ['the other half', '{"a":"\\udc00x"}', '/flowSchema/a'],
  ['half a surrogate pair in a name', '{"a":{"\\udfff":1}}', '/flowSchema/a'],
])('returns 400 with the position: %s', async (_, text, path) => {
  expect(await issuesOf(text)).toStrictEqual([{ in: 'body', path, message: expect.any(String) }]);
});

test('reports all of these at once, also in other members of the body', async () => {
  const text = '{"name":"a\\u0000","description":"\\ud800","flowSchema":{"a":1e400,"b":9007199254740993}}';
  const { status, body } = await project.call('POST', `/v1/projects/${project.projectId}/flows`, text);
  expect(status).toBe(400);
  expect(body.error.details.issues.map(({ path }: { path: string }) => path).toSorted()).toStrictEqual([
    '/description',
    '/flowSchema/a',
    '/flowSchema/b',
    '/name',
  ]);
});

test('rejects a body with __proto__, and pollutes no prototype', async () => {
  const text = '{"__proto__":{"name":"Inherited"},"flowSchema":{}}';
  const { status, body } = await project.call('POST', `/v1/projects/${project.projectId}/flows`, text);
  expect(status).toBe(400);
  expect(body.error.details.issues.map(({ path }: { path: string }) => path).toSorted()).toStrictEqual([
    '/__proto__',
    '/name',
  ]);
  expect('name' in {}).toBe(false);
});

/** Returns JSON with this many levels of alternating objects and lists. */
function nested(levels: number): string {
  const open = (level: number) => (level % 2 ? '[' : '{"a":');
  const close = (level: number) => (level % 2 ? ']' : '}');
  const order = Array.from({ length: levels }, (_, level) => level);
  return `${order.map(open).join('')}1${order.toReversed().map(close).join('')}`;
}

test('accepts a body of 64 levels, with its own braces, and rejects 65', async () => {
  const { status, body } = await create(nested(63));
  expect(status).toBe(201);
  const stored = (await project.call('GET', `/v1/flows/${body.id}/versions`)).body.versions[0];
  expect(JSON.stringify(stored.flowSchema)).toBe(nested(63));
  const [issue, ...more] = await issuesOf(nested(64));
  expect({ path: issue?.path.split('/').length, more }).toStrictEqual({ path: 65, more: [] });
});

test('rejects a body of very many levels without harm', async () => {
  for (const deep of [nested(20_000), '['.repeat(250_000)]) expect(await issuesOf(deep)).toHaveLength(1);
});

test('returns 413 for a configuration whose stored form exceeds 256 KiB', async () => {
  // 1e15 takes four bytes in the request and sixteen in the database.
  const text = `{"a":[${Array.from({ length: 40_000 }, () => '1e15').join(',')}]}`;
  expect(text.length).toBeLessThan(262_144);
  const { status, body } = await create(text);
  expect({ status, code: body.error.code }).toStrictEqual({ status: 413, code: 'payload_too_large' });
});
