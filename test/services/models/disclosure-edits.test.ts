import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { resets } from '../../helpers/upstream.ts';
import {
  approves,
  designOf,
  type JudgedProject,
  type JudgedWorld,
  linesIn,
  newLine,
  openJudgedWorld,
} from './judged-world.ts';

let world: JudgedWorld;
let project: JudgedProject;
let address: string;

beforeAll(async () => {
  world = await openJudgedWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  world.useModel(world.newModel());
  world.upstream.reacts(approves);
  project = await world.project();

  const { body } = await project.create(designOf(newLine(), newLine()));
  address = `/v1/conversations/${body.id}/versions/1/design`;
  world.upstream.received.length = 0;
});

const askedLines = () => world.upstream.received.map((request) => linesIn(request).map(({ text }) => text));
const edit = (steps: object, onConflict = 'refuse') =>
  project.call('PATCH', address, { merge: { steps }, onConflict });

test('an edit asks only about the line that it changes', async () => {
  expect((await edit({ end: { line: 'Goodbye.' } })).status).toBe(201);
  expect(askedLines()).toEqual([]);
  const line = newLine();
  expect((await edit({ hello: { introLine: line } }, 'branch')).status).toBe(201);
  expect(askedLines()).toEqual([[line]]);
});

test('a merge asks only about its own line, and keeps the verdict on a line written since', async () => {
  const [theirs, yours] = [newLine(), newLine()];
  expect((await edit({ consent: { line: theirs } })).status).toBe(201);
  const { status, body } = await edit({ hello: { introLine: yours } }, 'merge');
  expect(status).toBe(201);
  expect(askedLines()).toEqual([[theirs], [yours]]);
  expect(body.design.compliance.aiDisclosure).toMatchObject({
    hello: { status: 'approved', checkedText: yours },
    consent: { status: 'approved', checkedText: theirs },
  });
});

test('a merge asks about a line without a verdict, which an imported version may have', async () => {
  const theirs = newLine();
  const written = await edit({ consent: { line: theirs } });
  const { compliance: _, ...imported } = written.body.design;
  await world.rows('update conversation_versions set design = $2 where project_id = $1 and n = 2', [
    project.projectId,
    JSON.stringify(imported),
  ]);
  world.useModel(world.newModel());
  const { status, body } = await edit({ end: { line: 'Goodbye.' } }, 'merge');
  expect({ status, error: body.error }).toEqual({ status: 201, error: undefined });
  expect(askedLines().at(-1)).toContain(theirs);
});

test('an edit returns 503 and writes nothing if the model cannot be reached', async () => {
  world.upstream.reacts(resets);
  const before = await project.rowCounts();
  const { status, body } = await edit({ hello: { introLine: newLine() } });
  expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'validation_unavailable' });
  expect(await project.rowCounts()).toEqual(before);
});
