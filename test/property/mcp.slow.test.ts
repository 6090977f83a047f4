import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { digestOf } from '../contract/digest.ts';
import type { ErrorBody } from '../contract/doors.ts';
import { tools } from '../contract/registry.ts';
import type { Input } from '../contract/rest-request.ts';
import { holdsForAll, runs, Tally } from '../helpers/runs.ts';
import { type McpClient, type McpToolResult, openWorld, type World } from '../helpers/world.ts';
import { arbitraryInput } from './arbitrary-input.ts';
import { type Fixture, type Foreign, fixtureOf, foreignProject, namesForeign } from './fixture.ts';
import { errorProblems, leakFinder, sentOverMcp } from './judge.ts';
import { isUnacceptable } from './sent.ts';

/** Fewer calls than over REST, because the adapter treats all operations alike. */
const count = Math.ceil(runs / 7);
const atOnce = 4;

let world: World;
let foreign: Foreign;
const tally = new Tally();

beforeAll(async () => {
  world = await openWorld();
  foreign = await foreignProject(world);
});
afterAll(async () => {
  console.log(tally.line('property over MCP', tools.length));
  await world.close();
});

interface McpCall {
  readonly input: Input;
  readonly idempotencyKey: unknown;
}

const idempotencyKey = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.oneof(fc.constantFrom('a', 'b', '', 7, null, {}), fc.string()) },
);

test.each(tools)(
  '$name answers any arguments with a result',
  async (tool) => {
    const fixture = await fixtureOf(world, tool, foreign, tool.effect.readOnly ? 2 : 6);
    const client = await world.mcp('modern http', fixture.tenant.key);
    // After listTools, the client validates each result against its outputSchema.
    await client.listTools();
    const before = await digestOf(world, foreign.tenant.projectId);
    const leaksOf = leakFinder(world, [fixture.tenant, foreign.tenant]);
    const calls = fc.record({ input: arbitraryInput(fixture), idempotencyKey });
    await holdsForAll(tool.name, calls, { count, atOnce }, async (call) => {
      const result = await answerTo(client, tool, call);
      const ok = !result.isError;
      tally.add(ok ? 'results' : 'errors');
      // The text repeats the structured content. JSON of the whole result would escape it again.
      const said = result.content.map(({ text = '' }) => text).join('\n');
      return [...resultProblems(fixture, call, result), ...leaksOf(tool, ok, said, JSON.stringify(call))];
    });
    expect(await digestOf(world, foreign.tenant.projectId), 'another project has changed').toEqual(before);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  },
  Math.max(30_000, runs * 100),
);

/** Calls a tool. Rejects on a protocol error, which a call of an existing tool must never return. */
function answerTo(client: McpClient, tool: McpTool, call: McpCall): Promise<McpToolResult> {
  return client.callTool({
    name: tool.name,
    arguments: call.input,
    ...(call.idempotencyKey !== undefined && { _meta: { 'parley/idempotencyKey': call.idempotencyKey } }),
  });
}

function resultProblems(fixture: Fixture, { input }: McpCall, result: McpToolResult): string[] {
  const [block, ...more] = result.content;
  if (block?.type !== 'text' || more.length > 0)
    return fixture.tool.results.includes('bytes') ? [] : [`answers ${result.content.length} blocks`];
  const said: unknown = JSON.parse(block.text ?? '');
  const sent = received(input);
  if (!result.isError) {
    const problems: string[] = [];
    if (namesForeign(fixture, input)) problems.push('answers what is of another project');
    if (isUnacceptable(sent)) problems.push('accepts a value that nobody can keep');
    if (block.text !== JSON.stringify(result.structuredContent))
      problems.push('the text is not the structured content');
    return problems;
  }
  const { error, hint, ...others } = said as { error?: ErrorBody; hint?: unknown };
  if (!error || typeof hint !== 'string' || hint === '' || Object.keys(others).length > 0)
    return [`an error without error and hint: ${block.text}`];
  const problems = errorProblems(error, undefined, sentOverMcp(fixture.tool, sent));
  if ('structuredContent' in result) problems.push('an error with structured content');
  const refused = ['invalid_request', 'payload_too_large', 'secret_keys_not_mintable'].includes(error.code);
  if (isUnacceptable(sent) && !refused) problems.push(`answers ${error.code} for what nobody can keep`);
  return problems;
}

/** Returns arguments as received: JSON has no infinite numbers, and the SDK drops a top-level `__proto__`. */
function received(input: Input): unknown {
  const members = Object.entries(input).filter(([name]) => name !== '__proto__');
  return JSON.parse(JSON.stringify(Object.fromEntries(members)));
}
