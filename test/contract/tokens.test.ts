import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectTools } from '../../src/environment/selection.ts';
import { toolsets } from '../../tools/index.ts';
import { type McpToolDescription, openWorld, type World } from '../helpers/world.ts';

const file = new URL('tokens.md', import.meta.url);
/** Maximum tokens of all tools together (docs/mcp.md). */
const budget = 12_000;
const averageBudget = 150;
/** Maximum tokens of all output schemas together. */
const outputBudget = 9_000;
/** Maximum tokens of what a client sees that selects flows and designs. */
const flowsAndDesignsBudget = 4_500;

let world: World;
let listed: McpToolDescription[];
let counts: { readonly name: string; readonly tokens: number }[];
let total: number;

beforeAll(async () => {
  world = await openWorld();
  const client = await world.mcp('modern http', (await world.tenant()).key);
  listed = (await client.listTools()).tools;
  counts = listed.map((tool) => ({ name: tool.name, tokens: tokensOf(tool) }));
  total = counts.reduce((sum, { tokens }) => sum + tokens, 0);
});
afterAll(() => world.close());

function tokensOf({ name, description = '', inputSchema }: McpToolDescription): number {
  return countTokens([name, description, JSON.stringify(inputSchema)].join('\n'));
}

test('all tools together stay within the budget, and so does a tool on average', () => {
  expect(total).toBeLessThanOrEqual(budget);
  expect(total / counts.length, `tokens per tool: ${tableOf(counts, total)}`).toBeLessThanOrEqual(
    averageBudget,
  );
});

test('the output schemas stay within their budget', () => {
  const sum = listed.reduce(
    (all, { outputSchema }) => all + countTokens(JSON.stringify(outputSchema ?? '')),
    0,
  );
  expect(sum).toBeLessThanOrEqual(outputBudget);
});

test('the toolsets flows and designs, with all that they bring, stay within their budget', () => {
  const selected = selectTools(toolsets, { toolsets: ['flows', 'designs'] }).map(({ name }) => name);
  const sum = counts
    .filter(({ name }) => selected.includes(name))
    .reduce((all, { tokens }) => all + tokens, 0);
  expect(selected).toContain('edit_design');
  expect(sum).toBeLessThanOrEqual(flowsAndDesignsBudget);
});

test('tokens.md holds what each tool costs, so that a change shows in the diff', () => {
  const table = tableOf(counts, total);
  if (process.env['UPDATE_TOKENS'] === '1') writeFileSync(file, table);
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : '';
  expect(committed, 'to accept the difference: npm run record').toBe(table);
});

function tableOf(rows: typeof counts, sum: number): string {
  const cells = [
    ['tool', 'tokens'],
    ...[...rows, { name: 'total', tokens: sum }].map(({ name, tokens }) => [name, String(tokens)]),
  ];
  const width = Math.max(...cells.map(([name = '']) => name.length));
  const [head, ...lines] = cells.map(
    ([name = '', tokens = '']) => `| ${name.padEnd(width)} | ${tokens.padStart(6)} |`,
  );
  return `# What each tool costs a client

Tokens (o200k) of a tool's name, description and input schema, as \`tools/list\` shows them.
\`npm run record\` writes this file.

${head}
| ${'-'.repeat(width)} | -----: |
${lines.join('\n')}
`;
}
