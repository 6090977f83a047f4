import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrangeIn } from '../contract/arrange.ts';
import { exampleOf } from '../contract/examples.ts';
import { operations } from '../contract/registry.ts';
import type { Tenant } from '../helpers/world.ts';
import { growProject } from './grow.ts';
import { bounded, growing, growthOf } from './growth.ts';
import { ofLarge, pageOf, tablesOf } from './page.ts';
import { openDebianCounting, openEmbeddedCounting } from './postgres.ts';
import { differences, type Figures, settled, type Table } from './table.ts';
import { type Measured, openWorkshop, type Workshop } from './workshop.ts';

const file = new URL('work.md', import.meta.url);
/** What the file says, or will say if it is written. */
const tables = tablesOf(existsSync(file) ? readFileSync(file, 'utf8') : '');
const isWritten = process.env['UPDATE_WORK'] === '1';
const howToAccept =
  'to accept the differences: UPDATE_WORK=1 npx vitest run --config test/vitest.config.ts test/work';

const debianVersion = 15;

let embedded: Workshop;
let debian: Workshop | undefined;
beforeAll(async () => {
  embedded = await openWorkshop(await openEmbeddedCounting());
  const postgres = await openDebianCounting(debianVersion);
  if (postgres) debian = await openWorkshop(postgres);
  // Vitest drops what a test that passes writes to the console.
  else process.stderr.write(`Postgres ${debianVersion} is not installed, so its figures are not checked.\n`);
});
afterAll(async () => {
  if (isWritten) writeFileSync(file, pageOf(tables));
  await embedded.close();
  await debian?.close();
});

type Kind = keyof typeof tables;

/** The figures of a measurement. Pages and the log depend on the version of Postgres, so each has a column of its own. */
function figuresOf(version: number, measured: Measured, kind: Kind): Figures | undefined {
  const work = measured[kind];
  const titled = Object.entries(work ?? {}).map(([title, figure]) => [
    title === 'buffers' || title === 'WAL' ? `${title} ${version}` : title,
    figure,
  ]);
  return work && Object.fromEntries(titled);
}

/** The work of each operation in a new project, or in that of `tenant`. */
async function measureAll(
  workshop: Workshop,
  suffices: (measured: Measured, name: string) => boolean,
  tenant?: Tenant,
): Promise<ReadonlyMap<string, Measured>> {
  const all = new Map<string, Measured>();
  for (const tool of operations)
    all.set(tool.name, await workshop.workOf(tool, (measured) => suffices(measured, tool.name), tenant));
  return all;
}

/** Whether a measurement in a project with nothing else is the recorded one. */
function isRecorded(version: number, measured: Measured, name: string): boolean {
  return (['call', 'later'] as const).every((kind) => {
    const [before, now] = [tables[kind].get(name), figuresOf(version, measured, kind)];
    return (
      differences(before ? new Map([[name, before]]) : new Map(), now ? new Map([[name, now]]) : new Map())
        .length === 0
    );
  });
}

const measureAlone = (workshop: Workshop) =>
  measureAll(workshop, (measured, name) => isRecorded(workshop.version, measured, name));

/** Compares figures with the file, or takes them into it. */
function check(kind: Kind, measured: Table): readonly string[] {
  if (!isWritten)
    return differences(tables[kind], measured).map((line) =>
      kind === 'later' ? `background of ${line}` : line,
    );
  tables[kind] = settled(tables[kind], measured);
  return [];
}

function checkAll(version: number, all: ReadonlyMap<string, Measured>): void {
  const table = (kind: Kind) =>
    new Map(
      [...all].flatMap(([name, measured]) => {
        const figures = figuresOf(version, measured, kind);
        return figures ? [[name, figures] as const] : [];
      }),
    );
  expect([...check('call', table('call')), ...check('later', table('later'))], howToAccept).toEqual([]);
}

let alone: ReadonlyMap<string, Measured> | undefined;

test('work.md holds the work of each operation, so that a change shows in the diff', async () => {
  alone = await measureAlone(embedded);
  checkAll(embedded.version, alone);
}, 300_000);

test(`the work is the same on Postgres ${debianVersion}, except for pages and the log, which work.md holds too`, async ({
  skip,
}) => {
  if (!debian) return skip();
  checkAll(debian.version, await measureAlone(debian));
}, 300_000);

/** More rejections than calls read, so that those which the examples add make no difference. */
const rejectCopies = `
  update flow_versions set rejected_at = now(), rejected_places = '[]'
  where project_id = $1 and id in (select id from flow_versions where project_id = $1 order by id desc limit 25)`;

/** A project with so many records of each kind. */
async function projectWith(records: number): Promise<Tenant> {
  const tenant = await embedded.world.tenant();
  for (const tool of operations) await exampleOf(tool).input(arrangeIn(embedded.world, tenant));
  await growProject(embedded.session, tenant.projectId, records);
  await embedded.session.query(rejectCopies, [tenant.projectId]);
  return tenant;
}

test('the work of an operation does not grow with the records of its project, except where it must', async () => {
  let before = alone ?? (await measureAlone(embedded));
  const grown: string[][] = [];
  for (const records of [1_000, 50_000]) {
    const smaller = before;
    const growthIn = (measured: Measured, name: string) => growthOf(smaller.get(name)?.call, measured.call);
    const larger = await measureAll(
      embedded,
      (measured, name) => name in growing || growthIn(measured, name).length === 0,
      await projectWith(records),
    );
    const exceptions = records === 1_000 ? { ...growing, ...bounded } : growing;
    const lines = [...larger].flatMap(([name, measured]) => {
      const growth = growthIn(measured, name);
      return growth.length === 0 ? [] : [[name, growth.join(', ')] as const];
    });
    expect(
      lines.filter(([name]) => !(name in exceptions)),
      `with ${records} records`,
    ).toEqual([]);
    grown.push(lines.map(([name]) => name));
    before = larger;
  }
  const pages = [...before].map(([name, { call }]) => [name, { [ofLarge]: call.buffers }] as const);
  expect(check('call', new Map(pages)), howToAccept).toEqual([]);
  const inSmall = new Set(grown[0]);
  const inAny = new Set(grown.flat());
  const needless = [
    ...Object.keys(bounded).filter((name) => !inSmall.has(name)),
    ...Object.keys(growing).filter((name) => !inAny.has(name)),
  ];
  expect(needless, 'exceptions whose work does not grow').toEqual([]);
}, 300_000);
