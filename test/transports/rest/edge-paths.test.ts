import { expect, test } from 'vitest';
import { type EdgeCase, edgeServer, get, type Sender } from './edge-server.ts';

const server = edgeServer('paths and escapes');
const at = (target: string | ((sender: Sender) => string)) => (sender: Sender) =>
  get(typeof target === 'string' ? target : target(sender), sender.key);

const list = (query: string) => at(({ projectId }) => `/v1/projects/${projectId}/flows?${query}`);

const paths: EdgeCase[] = [
  { name: 'the root', send: at('/'), statuses: [404] },
  { name: 'an unknown path', send: at('/v1/nowhere'), statuses: [404] },
  { name: 'a path without its prefix', send: at('/projects'), statuses: [404] },
  { name: 'a path in another case', send: at('/V1/Projects'), statuses: [404] },
  {
    name: 'an id in another case',
    send: at(({ flowId }) => `/v1/flows/${flowId.toUpperCase()}`),
    statuses: [400],
  },
  { name: 'a trailing slash', send: at('/v1/projects/'), statuses: [404] },
  { name: 'a trailing slash after an id', send: at(({ flowId }) => `/v1/flows/${flowId}/`), statuses: [404] },
  { name: 'a trailing slash on the MCP endpoint', send: at('/mcp/'), statuses: [404] },
  { name: 'two slashes', send: at('//v1/projects'), statuses: [404] },
  { name: 'two slashes inside', send: at('/v1//projects'), statuses: [404] },
  { name: 'a single dot', send: at('/v1/./projects'), statuses: [404] },
  { name: 'two dots', send: at('/v1/x/../projects'), statuses: [404] },
  { name: 'two dots at the start', send: at('/../../etc/passwd'), statuses: [404] },
  { name: 'escaped dots', send: at('/v1/x/%2e%2e/projects'), statuses: [404] },
  { name: 'a matrix parameter', send: at('/v1/projects;a=b'), statuses: [404] },
  {
    name: 'a matrix parameter on an id',
    send: at(({ flowId }) => `/v1/flows/${flowId};a=b`),
    statuses: [400],
  },
  { name: 'an empty query', send: at('/v1/projects?'), statuses: [200] },
  { name: 'a query with only ampersands', send: at('/v1/projects?&&'), statuses: [200] },
  { name: 'a fragment', send: at('/v1/projects#fragment'), statuses: [200] },
  { name: 'a fragment with a query inside', send: at('/v1/projects#a?limit=0'), statuses: [200] },
  { name: 'a backslash', send: at('/v1\\projects'), statuses: [404] },
  { name: 'a semicolon instead of an ampersand', send: list('limit=1;cursor=x'), statuses: [400] },
  { name: 'an id called __proto__', send: at('/v1/flows/__proto__'), statuses: [400] },
  { name: 'an id called constructor', send: at('/v1/flows/constructor'), statuses: [404] },
  { name: 'an id of 10,000 characters', send: at(`/v1/flows/c${'a'.repeat(10_000)}`), statuses: [404] },
  { name: 'an id that is a number', send: at('/v1/flows/9007199254740993'), statuses: [400] },
  { name: 'UTF-8 bytes in the path', send: at('/v1/flows/\xc3\xa4'), statuses: [400] },
];

const escapes = [
  ['an escape that is not UTF-8', '%FF'],
  ['an escaped NUL', '%00'],
  ['an escaped slash', '%2F'],
  ['a percent sign alone', '%'],
  ['half an escape', '%4'],
  ['an escape that is not hexadecimal', '%zz'],
  ['a double escape', '%2541'],
  ['an overlong escape', '%c0%af'],
  ['half of a surrogate pair', '%ED%A0%80'],
  ['an escaped line end', '%0d%0aX-A:%20b'],
  ['an escape of the old JavaScript kind', '%u0041'],
] as const;

const escaped: EdgeCase[] = escapes.flatMap(([name, text]) => [
  { name: `${name} in an id`, send: at(`/v1/flows/${text}`), statuses: [400] },
  { name: `${name} in a query value`, send: list(`limit=${text}`), statuses: [400] },
  { name: `${name} in a cursor`, send: list(`cursor=${text}`), statuses: [400] },
  { name: `${name} in the name of a query parameter`, send: list(`${text}=1`), statuses: [400] },
  { name: `${name} in an unknown path`, send: at(`/v1/nowhere/${text}`), statuses: [404] },
]);

const queries: EdgeCase[] = [
  { name: 'an escaped letter in a path', send: at('/v1/project%73'), statuses: [404] },
  {
    name: 'an escaped letter in an id',
    send: at(({ flowId }) => `/v1/flows/%63${flowId.slice(1)}`),
    statuses: [200],
  },
  { name: 'an escaped digit in a query', send: list('limit=%31'), statuses: [200] },
  { name: 'a parameter twice', send: list('limit=1&limit=1'), statuses: [400] },
  { name: 'a parameter in another case', send: list('Limit=1'), statuses: [400] },
  { name: 'a parameter as a list', send: list('limit[]=1'), statuses: [400] },
  { name: 'a parameter called __proto__', send: list('__proto__=1'), statuses: [400] },
  { name: 'a parameter without a value', send: list('limit'), statuses: [400] },
  { name: 'a number too large', send: list('limit=9007199254740993'), statuses: [400] },
  { name: 'a number with an exponent', send: list('limit=1e1'), statuses: [400] },
  { name: 'a negative number', send: list('limit=-1'), statuses: [400] },
  { name: 'NaN', send: list('limit=NaN'), statuses: [400] },
  { name: 'a plus, which means a space', send: list('limit=+1'), statuses: [400] },
  { name: 'non-ASCII bytes in a query', send: list('cursor=\xe4\xff'), statuses: [400] },
  { name: '5,000 parameters', send: list('a&'.repeat(5_000)), statuses: [400] },
];

test.each([...paths, ...escaped, ...queries])('returns the expected statuses for $name', async (edge) => {
  await expect(server.play(edge)).resolves.toBeDefined();
});

const broken = ['%FF', '%', '%4', '%zz', '%c0%af', '%ED%A0%80', '%u0041'];

test.each(broken)('reports %j as a broken escape in path and query', async (text) => {
  const { answers } = await server.play({
    name: text,
    send: at(`/v1/flows/${text}?cursor=${text}`),
    statuses: [400],
  });
  const message = 'Has a broken percent escape.';
  expect(JSON.parse(String(answers[0]?.body)).error.details.issues).toEqual(
    expect.arrayContaining([
      { in: 'params', path: '', message },
      { in: 'querystring', path: '', message },
    ]),
  );
});
