import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { digestOf } from '../contract/digest.ts';
import type { ErrorBody } from '../contract/doors.ts';
import { tools } from '../contract/registry.ts';
import { holdsForAll, runs, Tally } from '../helpers/runs.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { type Fixture, type Foreign, fixtureOf, foreignProject, namesForeign } from './fixture.ts';
import { errorProblems, leakFinder, sentOverRest } from './judge.ts';
import { arbitraryRequest, type RestAnswer, type RestRequest, restClient } from './rest-request.ts';
import { carriesUnacceptable, sentParts } from './sent.ts';

const atOnce = 8;
/** The number of inputs that succeed. Writes get more, because a run may delete the records of one. */
const examplesOf = ({ effect }: McpTool) => (effect.readOnly ? 2 : 10);

let world: World;
let foreign: Foreign;
let client: ReturnType<typeof restClient>;
const tally = new Tally();
const failuresLogged: string[] = [];
const unhandled: unknown[] = [];
const noteUnhandled = (reason: unknown) => void unhandled.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', noteUnhandled);
  const log = pino({ level: 'error' }, { write: (line: string) => void failuresLogged.push(line) });
  world = await openWorld({ log });
  foreign = await foreignProject(world);
  client = restClient(world.base, atOnce);
});
beforeEach(() => {
  failuresLogged.length = 0;
  unhandled.length = 0;
});
afterAll(async () => {
  console.log(tally.line('property over REST', tools.length));
  process.off('unhandledRejection', noteUnhandled);
  client.close();
  await world.close();
});

test.each(tools)(
  '$name answers any request as it is documented to',
  async (tool) => {
    const fixture = await fixtureOf(world, tool, foreign, examplesOf(tool));
    const before = await digestOf(world, foreign.tenant.projectId);
    const leaksOf = leakFinder(world, [fixture.tenant, foreign.tenant]);
    const seen = { success: 0, foreign: 0, unacceptable: 0 };
    await holdsForAll(tool.name, arbitraryRequest(fixture), { count: runs, atOnce }, async (request) => {
      const answer = await client.send(request, fixture.tenant.key);
      if (answer.status === tool.rest.status) seen.success++;
      if (namesForeign(fixture, request.input)) seen.foreign++;
      if (carriesUnacceptable(tool, sentParts(tool, request))) seen.unacceptable++;
      tally.add(String(answer.status));
      const said = `${JSON.stringify(answer.headers)}${answer.text}`;
      return [
        ...answerProblems(fixture, request, answer),
        ...leaksOf(tool, answer.status < 400, said, JSON.stringify(request)),
      ];
    });
    // Without such requests, the runs would prove little about the operation.
    expect(seen.success, 'requests that succeeded').toBeGreaterThan(0);
    if (fixture.foreignIds.size > 0)
      expect(seen.foreign, 'requests that name a record of another project').toBeGreaterThan(0);
    if (Object.keys(tool.rest.from).length > 0)
      expect(seen.unacceptable, 'requests with a value that no operation accepts').toBeGreaterThan(0);
    expect(await digestOf(world, foreign.tenant.projectId), 'another project has changed').toEqual(before);
    expect(failuresLogged, 'errors in the log').toEqual([]);
    expect(unhandled, 'unhandled rejections').toEqual([]);
    expect((await world.rest('GET', '/healthz')).status).toBe(200);
  },
  Math.max(30_000, runs * 200),
);

function answerProblems(fixture: Fixture, request: RestRequest, answer: RestAnswer): string[] {
  const { tool } = fixture;
  const { status, headers, text } = answer;
  const parts = sentParts(tool, request);
  const problems = documentProblems(request, answer);
  const requestId = String(headers['x-request-id'] ?? '');
  if (requestId === '' || requestId === request.headers['x-request-id'])
    problems.push(`x-request-id ${requestId}`);
  if (status < 400) {
    if (namesForeign(fixture, request.input))
      problems.push(`answers ${status} for what is another project's`);
    if (carriesUnacceptable(tool, parts)) problems.push(`answers ${status} for a value that nobody can keep`);
    if (!isDecodable(request.target)) problems.push(`answers ${status} for a broken percent escape`);
    return problems;
  }
  const error = errorIn(tool, status, text);
  if (!error) return [...problems, `answers ${status} ${text}`];
  if (error.requestId !== '' && error.requestId !== requestId) problems.push('requestId is not x-request-id');
  if (carriesUnacceptable(tool, parts) && !refusesInput(error))
    problems.push(`answers ${error.code} for a value that nobody can keep`);
  // The `detail` envelope returns 422 for an invalid request, not 400.
  const usual = tool.envelope === 'detail' && error.code === 'invalid_request' ? 400 : status;
  return [...problems, ...errorProblems({ ...error, requestId }, usual, sentOverRest(tool, parts))];
}

/** Returns how a response differs from docs/contract/openapi.json. */
function documentProblems({ method, target }: RestRequest, { status, headers, text }: RestAnswer): string[] {
  const contentType = headers['content-type'] ?? null;
  try {
    const body: unknown = contentType?.startsWith('application/json') ? JSON.parse(text) : text;
    world.checkAnswer(method, target, status, contentType, body);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** Returns the error of a response, in either envelope, or undefined if it has none. */
function errorIn(tool: McpTool, status: number, text: string): ErrorBody | undefined {
  const body = JSON.parse(text) as {
    error?: ErrorBody;
    detail?: { loc: (string | number)[]; msg: string }[];
  };
  if (tool.envelope !== 'detail' || status !== 422) return body.error;
  const places: Record<string, string> = { body: 'body', path: 'params', query: 'querystring' };
  const issues = body.detail?.map(({ loc: [place = '', ...path], msg }) => ({
    in: places[String(place)],
    path: path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    message: msg,
  }));
  return issues && { code: 'invalid_request', message: 'detail', requestId: '', details: { issues } };
}

function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}

/** True for errors that precede the lookup of any record. A path with an empty parameter matches no route. */
function refusesInput({ code, message }: ErrorBody): boolean {
  if (code === 'not_found') return message.startsWith('There is nothing at this path.');
  return ['invalid_request', 'payload_too_large', 'secret_keys_not_mintable'].includes(code);
}
