import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../contract/registry.ts';
import { differences, type Row, rowsOf, settled, tableOf } from './table.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const file = new URL('work.md', import.meta.url);

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

test('work.md holds the work of each operation, so that a change shows in the diff', async () => {
  const measured = new Map<string, Row>();
  for (const tool of operations) measured.set(tool.name, await workshop.workOf(tool));
  const recorded = existsSync(file) ? rowsOf(readFileSync(file, 'utf8')) : new Map<string, Row>();
  if (process.env['UPDATE_WORK'] === '1') writeFileSync(file, pageOf(settled(recorded, measured)));
  else
    expect(
      differences(recorded, measured),
      'to accept the differences: UPDATE_WORK=1 npx vitest run --config test/vitest.config.ts test/work',
    ).toEqual([]);
}, 180_000);

const pageOf = (rows: ReadonlyMap<string, Row>) => `# The work of each operation

What the example of each operation (\`test/contract/examples.ts\`) costs over REST, in a project with nothing else, once
connections and statements are prepared: statements that Postgres runs (those of functions and triggers included), rows
that it returns or changes, the times that Parley waits for it, pages of 8 KiB that it looks at, bytes of the write-ahead
log, bytes that Parley sends to it and receives from it, and bytes of the response. Each figure is the least of three calls.

A change must keep statements, rows and round trips, the bytes within 1 %, and the pages and the log within 10 %. Postgres is
the embedded one, version 18. \`UPDATE_WORK=1 npx vitest run --config test/vitest.config.ts test/work\` writes this file.

${tableOf(rows)}
`;
