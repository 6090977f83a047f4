import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { created, refused } from '../helpers/design-project.ts';
import { type NumberProject, nextNumber, openNumberProject, trunk } from '../helpers/number-project.ts';
import type { RestAnswer } from '../helpers/world.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: NumberProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openNumberProject(world, { plan: 'free' });
});
afterAll(() => world.close());

const withPassword = { ...trunk, authUsername: 'desk', authPassword: 'hidden' };

function overLimit(answer: RestAnswer): void {
  const { details } = refused(answer, 403, 'plan_limit_exceeded');
  expect(details).toStrictEqual({ resource: 'phoneNumbers', limit: 1, current: 1, plan: 'free' });
}

test('restores a deleted number as it was, with the same password', async () => {
  const flowId = await project.newFlow();
  const id = await project.newNumber({ flowId, externalPhoneFields: withPassword });
  const row = () => world.rows('select * from phone_numbers where id = $1', [id]);
  const [before, stored] = [await project.read(id), await row()];
  expect((await project.remove(id)).body).toStrictEqual({ id, deleted: true, trashId: expect.any(String) });
  refused(await project.remove(id), 404, 'not_found');
  refused(await project.call('GET', `/v1/phone-numbers/${id}`), 404, 'not_found');
  const [entry] = await project.trash();
  expect(entry).toMatchObject({ kind: 'phoneNumber', resourceId: id, name: 'Front desk' });
  expect((await project.restore(entry?.id)).body).toStrictEqual({ id, kind: 'phoneNumber', restored: true });
  expect(await project.read(id)).toStrictEqual(before);
  expect(await row()).toStrictEqual(stored);
  expect(await project.trash()).toEqual([]);
});

test('returns 403 for one number more than the plan allows, restored or imported, until one is deleted', async () => {
  const id = await project.newNumber();
  overLimit(await project.importNumber());
  await project.remove(id);
  const second = await project.newNumber();
  const [entry] = await project.trash();
  overLimit(await project.restore(entry?.id));
  expect(await project.trash()).toStrictEqual([entry]);
  await project.remove(second);
  expect((await project.restore(entry?.id)).status).toBe(200);
});

test('returns in_use if the number was added again, and keeps the old one in the trash', async () => {
  const growing = await openNumberProject(world);
  const number = nextNumber();
  await growing.remove(await growing.newNumber({ number }));
  const id = await growing.newNumber({ name: 'Second', number });
  const [entry] = await growing.trash();
  const { details } = refused(await growing.restore(entry?.id), 409, 'in_use');
  expect(details).toStrictEqual({ references: [{ kind: 'phoneNumber', id, name: 'Second' }] });
  expect(await growing.trash()).toStrictEqual([entry]);
  await growing.remove(id);
  expect((await growing.restore(entry?.id)).status).toBe(200);
});

test('returns in_use for a native number of another project by now, without naming that project', async () => {
  const other = await openNumberProject(world);
  const native = { type: 'native', name: 'Line', number: nextNumber(), handler: null, trunk: null } as const;
  const { id } = await world.stores(project.projectId).phoneNumbers.create(native);
  await project.remove(id);
  await world.stores(other.projectId).phoneNumbers.create({ ...native, name: 'Theirs' });
  const [entry] = await project.trash();
  const error = refused(await project.restore(entry?.id), 409, 'in_use');
  expect(error.details).toStrictEqual({ references: [] });
  expect(JSON.stringify(error)).not.toContain('Theirs');
});

test('does not restore a number before its deleted flow or conversation', async () => {
  const flowId = await project.newFlow();
  await project.remove(await project.newNumber({ flowId }));
  const [entry] = await project.trash();
  await project.call('DELETE', `/v1/flows/${flowId}`);
  refused(await project.restore(entry?.id), 404, 'not_found');
  const [flow] = await project.trash();
  await project.restore(flow?.id);
  expect((await project.restore(entry?.id)).status).toBe(200);
});

test('reads, changes and assigns a native number, which has no trunk, like others', async () => {
  const native = { type: 'native', name: 'Line', number: nextNumber(), handler: null, trunk: null } as const;
  const { id } = await world.stores(project.projectId).phoneNumbers.create(native);
  expect(await project.read(id)).toMatchObject({ type: 'native', externalPhoneFields: null });
  const flowId = await project.newFlow();
  expect((await project.assignFlow(id, flowId)).body.flowId).toBe(flowId);
  refused(await project.update(id, { externalPhoneFields: trunk }), 400, 'invalid_request');
  overLimit(await project.importNumber());
  created(await (await openNumberProject(world)).importNumber({ number: native.number }));
});
