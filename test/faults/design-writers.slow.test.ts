import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { created, refused, renamed } from '../helpers/design-project.ts';
import { openLaboratory } from '../helpers/laboratory.ts';
import { type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';
import type { RestAnswer, Tenant } from '../helpers/world.ts';

const writers = Array.from({ length: 50 }, (_, index) => index);

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let laboratory: ReturnType<typeof openLaboratory>;
let replicas: ReplicaProcess[];
let tenant: Tenant;

beforeAll(async () => {
  database = await cloneDatabase();
  laboratory = openLaboratory(database.url);
  [tenant, ...replicas] = await Promise.all([
    laboratory.tenant(),
    startReplica(database.url),
    startReplica(database.url),
  ]);
}, 60_000);
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()));
  await laboratory.close();
  await database.drop();
});

/** Calls one of the two servers in turn. A shed request wrote nothing, and is sent again. */
async function call(writer: number, method: string, route: string, body?: object): Promise<RestAnswer> {
  const reply = await fetch(`${replicas[writer % replicas.length]?.base}${route}`, {
    method,
    headers: { authorization: `Bearer ${tenant.key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = { status: reply.status, headers: reply.headers, body: await reply.json() };
  const retryAfter = reply.headers.get('retry-after');
  if (retryAfter === null) return answer;
  await delay(1000 * Number(retryAfter));
  return call(writer, method, route, body);
}

/** Creates a conversation and returns its path. */
async function newConversation(): Promise<string> {
  const route = `/v1/projects/${tenant.projectId}/conversations`;
  return `/v1/conversations/${created(await call(0, 'POST', route, { name: 'Reception' })).id}`;
}

/** Returns a design that names its writer. */
const designOf = (writer: number | string) => renamed(starterDesign, `by ${writer}`);
const writtenBy = ({ body }: RestAnswer): string => body.steps.greeting.name;

async function versionsOf(address: string): Promise<{ n: number; isActive: boolean }[]> {
  return (await call(0, 'GET', `${address}/versions`)).body.versions;
}

async function auditRows(): Promise<number> {
  const sql = `select 1 from audit_log where operation = 'write_design' and project_id = :projectId`;
  return (await laboratory.rows(sql, { projectId: tenant.projectId })).length;
}

test('fifty concurrent writers on two servers create consecutive versions, one of them active', async () => {
  const address = await newConversation();
  const answers = await Promise.all(
    writers.map(async (writer) => {
      const { version: n } = created(
        await call(writer, 'POST', `${address}/versions`, { design: designOf(writer) }),
      );
      // Every third writer activates its version while the others write.
      if (writer % 3 === 0) {
        const { status, body } = await call(writer + 1, 'POST', `${address}/versions/${n}/activate`);
        expect([status, body.activeVersion]).toEqual([200, n]);
      }
      return { writer, n };
    }),
  );
  const versions = await versionsOf(address);
  expect(versions.map(({ n }) => n)).toEqual(Array.from({ length: 51 }, (_, index) => 51 - index));
  expect(new Set(answers.map(({ n }) => n)).size).toBe(writers.length);

  const active = versions.filter(({ isActive }) => isActive);
  expect(active).toHaveLength(1);
  const candidates = answers.filter(({ writer }) => writer % 3 === 0).map(({ n }) => n);
  expect(candidates).toContain(active[0]?.n);
  expect((await call(0, 'GET', address)).body.activeVersion).toBe(active[0]?.n);

  for (const { writer, n } of answers)
    expect(writtenBy(await call(0, 'GET', `${address}/versions/${n}/design`))).toBe(`by ${writer}`);
}, 60_000);

test('exactly one of fifty writers with the same base version wins, and the others get the newest version', async () => {
  const address = await newConversation();
  const before = await auditRows();
  for (let version = 1; version <= 5; version++) {
    const answers = await Promise.all(
      writers.map((writer) => {
        const design = designOf(`${writer} on ${version}`);
        return call(writer, 'POST', `${address}/versions`, { design, version });
      }),
    );
    const winners = writers.filter((writer) => answers[writer]?.status === 201);
    expect(winners).toHaveLength(1);
    const newestVersion = version + 1;
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(refused(answer, 409, 'version_conflict').details).toEqual({
        version,
        newestVersion,
        changes: [{ path: '/steps/greeting', change: 'changed' }],
      });
    const newest = await call(0, 'GET', `${address}/versions/${newestVersion}/design`);
    expect(writtenBy(newest)).toBe(`by ${winners[0]} on ${version}`);
  }
  const versions = await versionsOf(address);
  expect(versions.map(({ n, isActive }) => [n, isActive])).toEqual(
    [6, 5, 4, 3, 2, 1].map((n) => [n, n === 1]),
  );
  expect(await auditRows(), 'one row for each successful write').toBe(before + 5);
}, 60_000);
