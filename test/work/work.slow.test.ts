import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrangeIn } from '../contract/arrange.ts';
import { exampleOf } from '../contract/examples.ts';
import { operations } from '../contract/registry.ts';
import type { Tenant } from '../helpers/world.ts';
import { growProject } from './grow.ts';
import { differences, type Row, rowsOf, settled, tableOf } from './table.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const file = new URL('work.md', import.meta.url);

/**
 * Copies of each record in the two projects that are compared. A read may return a whole page in both; a change is
 * compared with the same change in a project with nothing else.
 */
const [few, many] = [10, 100];

/** The operations whose work grows with the records of the project, and why. */
const growing: Readonly<Record<string, string>> = {
  get_project_overview: 'counts the records of each kind',
  search_project: 'reads the texts of all records (ADR 14)',
  prove_live_designs: 'proves every live design',
  create_conversation: 'counts what the plan limits',
  create_knowledge_base: 'counts what the plan limits',
  import_phone_number: 'counts what the plan limits',
  list_voices: 'has no pages in the contract; the plan limits voices',
  create_agent_profile: 'takes the default from another profile',
  replace_agent_profile: 'takes the default from another profile',
  restore_version: 'reads the newest 20 rejections of the project',
  restore_flow_version: 'reads the newest 20 rejections of the project',
  write_design: 'reads the newest 20 rejections of the project',
  edit_design: 'reads the newest 20 rejections of the project',
  assign_flow: 'reads the newest 20 rejections of the project',
  assign_conversation: 'reads the newest 20 rejections of the project',
  create_web_agent: 'reads the newest 20 rejections of the project',
  update_web_agent: 'reads the newest 20 rejections of the project',
  update_agent_profile: 'reads the newest 20 rejections of the project',
  restore_deleted: 'reads the newest 20 rejections of the project',
  delete_voice:
    'looks for the voice in each agent profile, because an index would cost each change of a profile',
};

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

/** A project with copies of each record that the examples of all operations need. */
async function projectWith(copies: number): Promise<Tenant> {
  const tenant = await workshop.world.tenant();
  for (const tool of operations) await exampleOf(tool).input(arrangeIn(workshop.world, tenant));
  await growProject(workshop.session, tenant.projectId, { first: 1, last: copies });
  return tenant;
}

/** What grew, such as `buffers 42 → 380`. An index is a page deeper if it has a hundred times the entries; a scan is not. */
function growthOf(small: Row, large: Row): string[] {
  const counts = ['statements', 'rows'] as const;
  const sizes = ['buffers', 'wal', 'sent', 'received', 'response'] as const;
  return [
    ...counts.filter((name) => large[name] > small[name]),
    ...sizes.filter((name) => large[name] > 1.5 * small[name] + (name === 'buffers' ? 48 : 200)),
  ].map((name) => `${name} ${small[name]} → ${large[name]}`);
}

test('the work of an operation does not grow with the records of its project, except where it must', async () => {
  const [small, large] = [await projectWith(few), await projectWith(many)];
  const grown = new Map<string, string[]>();
  for (const tool of operations) {
    const before = await workshop.workOf(tool, tool.effect.readOnly ? small : undefined);
    const growth = growthOf(before, await workshop.workOf(tool, large));
    if (growth.length > 0) grown.set(tool.name, growth);
  }
  const unexpected = [...grown].filter(([name]) => !(name in growing));
  expect(unexpected).toEqual([]);
}, 300_000);

const pageOf = (rows: ReadonlyMap<string, Row>) => `# The work of each operation

What the example of each operation (\`test/contract/examples.ts\`) costs over REST, in a project with nothing else, once
connections and statements are prepared: statements that Postgres runs (those of functions and triggers included), rows
that it returns or changes, the times that Parley waits for it, pages of 8 KiB that it looks at, bytes of the write-ahead
log, bytes that Parley sends to it and receives from it, and bytes of the response. Each figure is the least of three calls.

A change must keep statements and rows, the round trips within one, the bytes within 1 %, and the pages and the log within 10 %. Postgres is
the embedded one, version 18. \`UPDATE_WORK=1 npx vitest run --config test/vitest.config.ts test/work\` writes this file.

${tableOf(rows)}
`;
