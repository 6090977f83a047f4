import type { McpTool } from '../../src/environment/mcp-view.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { exampleOf } from '../contract/examples.ts';
import { bodyOf, formOf, partsOf, routeOf } from '../contract/rest-request.ts';
import { openWorld, type RestAnswer, type Tenant } from '../helpers/world.ts';
import { openBackground } from './background.ts';
import { measure, type Work } from './meter.ts';
import type { CountingPostgres } from './postgres.ts';
import { openWire } from './wire.ts';

/** The work of a call. */
export interface CallWork extends Work {
  /** Bytes of the response's content. */
  readonly response: number;
}

export interface Measured {
  readonly call: CallWork;
  /** What the call left for later; undefined if nothing. */
  readonly later: Work | undefined;
}

/** Measured calls of each operation, at most. The call before prepares connections, statements and the caches of Postgres. */
const mostCalls = 3;

/** A server on a Postgres that counts, with one connection of each kind, so that no work depends on which is free. */
export async function openWorkshop(postgres: CountingPostgres) {
  const { session, version } = postgres;
  const wire = await openWire(postgres.url);
  const world = await openWorld({
    database: { url: wire.url, drop: () => wire.close() },
    connections: 3,
  });
  const background = openBackground(world.core, session);
  const meter = { session, wire };

  /** Sends a request, and returns its work. */
  async function workOf(what: string, status: number, send: () => Promise<RestAnswer>): Promise<CallWork> {
    let response = 0;
    const work = await measure(meter, async () => {
      const answer = await send();
      if (answer.status !== status)
        throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
      const { body: content } = answer;
      response = Buffer.byteLength(typeof content === 'string' ? content : JSON.stringify(content));
    });
    return { ...work, response };
  }

  /** Calls the example of an operation in the project of a tenant. */
  async function callIn(tenant: Tenant, tool: McpTool): Promise<Measured> {
    const parts = partsOf(tool, await exampleOf(tool).input(arrangeIn(world, tenant)));
    await (await background.waiting())?.();
    const body = bodyOf(tool, parts);
    const sent = body && tool.file !== undefined ? formOf(tool, body) : body;
    const call = await workOf(tool.name, tool.rest.status, () =>
      world.rest(tool.rest.method, routeOf(tool, parts), { key: tenant.key, body: sent }),
    );
    const waiting = await background.waiting();
    return { call, later: waiting && (await measure(meter, waiting)) };
  }

  return {
    world,
    session,
    /** The major version of Postgres. */
    version,

    /**
     * The least work of an operation's example, each time in a new project, or in that of `tenant`. It is measured again
     * unless it suffices.
     */
    async workOf(
      tool: McpTool,
      suffices: (measured: Measured) => boolean,
      tenant?: Tenant,
    ): Promise<Measured> {
      const call = async () => callIn(tenant ?? (await world.tenant()), tool);
      await call();
      let best = await call();
      for (let calls = 1; calls < mostCalls && !suffices(best); calls += 1) best = least(best, await call());
      return best;
    },

    /** The work of a request that reads a route with the key of a tenant, once its connections and statements are prepared. */
    async workOfRead({ key }: Tenant, route: string): Promise<CallWork> {
      const read = () => workOf(route, 200, () => world.rest('GET', route, { key }));
      await read();
      return read();
    },

    async close(): Promise<void> {
      await background.close();
      await world.close();
      await postgres.close();
    },
  };
}

export type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

function least(one: Measured, other: Measured): Measured {
  return {
    call: leastOf(one.call, other.call),
    later: one.later && other.later && leastOf(one.later, other.later),
  };
}

function leastOf<Figures extends Work>(one: Figures, other: Figures): Figures {
  const lesser = Object.entries(one).map(([title, figure]: [string, number]) => [
    title,
    Math.min(figure, other[title as keyof Figures] as number),
  ]);
  return Object.fromEntries(lesser) as Figures;
}
