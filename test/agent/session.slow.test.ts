import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../helpers/world.ts';
import { type AgentCall, agentSession } from './session.ts';

const file = new URL('../../docs/measurements/agent-session.md', import.meta.url);
/** Maximum tokens of the session, arguments and responses together. Pictures do not count. */
const budget = 8000;

let world: World;
let calls: readonly AgentCall[];
beforeAll(async () => {
  world = await openWorld();
  const { key } = await world.tenant();
  calls = await agentSession(await world.mcp('modern stdio', key, { toolsets: 'designs' }));
});
afterAll(() => world.close());

/** The tokens of an id depend on its random characters, so the count replaces each id with a fixed one. */
const id = /\bc[a-z]{2}[0-9a-v]{26}\b/g;
const requestId = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const tokensOf = (text: string) =>
  countTokens(
    text.replaceAll(id, 'c'.repeat(12)).replaceAll(requestId, '01234567-89ab-4cde-8f01-23456789abcd'),
  );
const received = ({ tool, received: text }: AgentCall) => (tool === 'draw_design' ? 0 : tokensOf(text));

test('an agent takes a template to a proved design and back over MCP alone', () => {
  expect(calls.filter(({ refused }) => refused).map(({ tool }) => tool)).toStrictEqual(['edit_design']);
  expect(calls.length).toBeLessThanOrEqual(17);
  expect(calls.reduce((sum, call) => sum + tokensOf(call.sent) + received(call), 0)).toBeLessThanOrEqual(
    budget,
  );
});

test('what each call costs stands in the report, so that a change of it shows in the diff', () => {
  const rows = calls.map((call, index) => {
    const read = call.tool === 'draw_design' ? 'a picture' : received(call);
    return `| ${index + 1} | ${call.purpose} | ${call.tool} | ${tokensOf(call.sent)} | ${read} |`;
  });
  const total = (of: (call: AgentCall) => number) => calls.reduce((sum, call) => sum + of(call), 0);
  const report = `# What a session costs an agent

\`test/agent/session.ts\`, over MCP alone: tokens (o200k) of the arguments that the agent writes and of the answers that it
reads. \`UPDATE_SESSION=1 npx vitest run test/agent\` writes this file.

| | purpose | tool | written | read |
|---:|---|---|---:|---:|
${rows.join('\n')}
| | total | ${calls.length} calls | ${total((call) => tokensOf(call.sent))} | ${total(received)} |
`;
  if (process.env['UPDATE_SESSION'] === '1') writeFileSync(file, report);
  const plain = (text: string) => text.replaceAll(/[ :|-]+/g, ' ');
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : '';
  expect(plain(committed), 'to accept the difference: UPDATE_SESSION=1 npx vitest run test/agent').toBe(
    plain(report),
  );
});
