import type { Tool } from '../../src/tool/define.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { exampleOf } from '../contract/examples.ts';
import { bodyOf, formOf, partsOf, routeOf } from '../contract/rest-request.ts';
import { openWorld, type Tenant } from '../helpers/world.ts';
import { measure, type Work } from './meter.ts';
import { openCountingPostgres } from './postgres.ts';
import type { Row } from './table.ts';
import { openWire } from './wire.ts';

/** Measured calls of each operation. The calls before prepare connections, statements and the caches of Postgres. */
const calls = 3;
const callsBefore = 1;
/** Milliseconds. Usage is written in batches, whatever a call does; here, it is not written before the end. */
const never = 2 ** 31 - 1;

/** A server on a Postgres that counts, with one connection of each kind, so that no work depends on which is free. */
export async function openWorkshop() {
  const postgres = await openCountingPostgres();
  const wire = await openWire(postgres.url);
  const world = await openWorld({
    database: { url: wire.url, drop: () => wire.close() },
    connections: 3,
    usageFlushInterval: never,
  });

  /** Calls the example of an operation in the project of a tenant. */
  async function callIn(tenant: Tenant, tool: Tool): Promise<Row> {
    const parts = partsOf(tool, await exampleOf(tool).input(arrangeIn(world, tenant)));
    const body = bodyOf(tool, parts);
    const sent = body && tool.file !== undefined ? formOf(tool, body) : body;
    let response = 0;
    const work = await measure({ session: postgres.session, wire }, async () => {
      const answer = await world.rest(tool.rest.method, routeOf(tool, parts), {
        key: tenant.key,
        body: sent,
      });
      if (answer.status !== tool.rest.status)
        throw new Error(`${tool.name}: ${answer.status} ${JSON.stringify(answer.body)}`);
      const { body: content } = answer;
      response = Buffer.byteLength(typeof content === 'string' ? content : JSON.stringify(content));
    });
    return { ...work, response };
  }

  return {
    world,
    session: postgres.session,

    /** The least work of several calls of an operation's example, each in a new project, or in that of `tenant`. */
    async workOf(tool: Tool, tenant?: Tenant): Promise<Row> {
      const rows: Row[] = [];
      for (let call = 0; call < callsBefore + calls; call += 1)
        rows.push(await callIn(tenant ?? (await world.tenant()), tool));
      return rows.slice(callsBefore).reduce(least);
    },

    async close(): Promise<void> {
      await world.close();
      await postgres.close();
    },
  };
}

export type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

function least(one: Row, other: Row): Row {
  const names = Object.keys(one) as (keyof (Work & Row))[];
  return Object.fromEntries(names.map((name) => [name, Math.min(one[name], other[name])])) as unknown as Row;
}
