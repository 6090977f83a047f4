import type { McpTool } from '../../src/environment/mcp-view.ts';
import { kindOfId } from '../../src/platform/id.ts';
import type { World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { exampleOf } from './examples.ts';
import { idForm, timestampForm } from './normalise.ts';
import { bodyOf, formOf, type Input, partsOf, routeOf } from './rest-request.ts';

/** A request over REST that succeeds, with its response. The OpenAPI document shows it as the example of the operation. */
export interface RecordedExchange {
  /** Path and query parameters. */
  readonly parameters?: Input;
  readonly request?: unknown;
  /** Undefined if the response is not JSON. */
  readonly response?: unknown;
}

/** What stands in an exchange for a value that differs on each run, by the name of its member. */
const standIns: Readonly<Record<string, (value: string) => string>> = {
  version: () => '1.0.0',
  gitSha: () => '2c26b46b68ffc68ff99b453c1d30413413422d70',
  key: (key) => `${key.slice(0, 10)}…`,
  keyPrefix: (prefix) => `${prefix.slice(0, 10)}Ab3x`,
  last4: () => 'w7Qz',
  lastUsedAt: () => moment,
  signingSecret: () => 'whsec_…',
  number: () => '+12025550123',
  url: () => 'https://parley.example.com/v1/uploads/…',
  token: () => 'eyJhbGciOiJIUzI1NiJ9…',
};

/** When an exchange seems to happen. */
const moment = '2026-01-15T09:30:00.000Z';
const tenMinutes = 600_000;
/** A time that is further away than any that Parley sets comes from the example's input. */
const twoYears = 2 * 365 * 24 * 3_600_000;

/** Makes the call of an operation's example in a new project, and returns it without what differs on each run. */
export async function recordExchange(world: World, tool: McpTool): Promise<RecordedExchange> {
  const tenant = await world.tenant();
  const { input, varies = [] } = exampleOf(tool);
  const began = Date.now();
  const parts = partsOf(tool, await input(arrangeIn(world, tenant)));
  const body = bodyOf(tool, parts);
  const answer = await world.rest(tool.rest.method, routeOf(tool, parts), {
    key: tenant.key,
    body: body && tool.file !== undefined ? formOf(tool, body) : body,
  });
  if (answer.status !== tool.rest.status) throw new Error(`${tool.name}: ${JSON.stringify(answer.body)}`);
  const parameters = { ...parts.params, ...parts.querystring };
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  const exchange = {
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(body && { request: tool.file === undefined ? body : { ...body, [tool.file]: '…' } }),
    ...(isJson && { response: answer.body }),
  };
  return lasting(exchange, varies, began);
}

/** Returns an exchange with numbered ids, times as if it began at `moment`, and a stand-in for each varying member. */
function lasting(exchange: RecordedExchange, varies: readonly string[], began: number): RecordedExchange {
  const ids = new Map<string, string>();
  const numbered = (id: string) => {
    if (!kindOfId(id)) return id;
    const number = [...ids.keys()].filter((known) => kindOfId(known) === kindOfId(id)).length + 1;
    const known = ids.get(id) ?? id.slice(0, 3) + String(number).padStart(id.length - 3, '0');
    ids.set(id, known);
    return known;
  };
  const shifted = (time: string) => {
    const elapsed = Date.parse(time) - began;
    if (elapsed < -tenMinutes || elapsed > twoYears) return time;
    const rounded = Math.round(elapsed / tenMinutes) * tenMinutes;
    return new Date(Date.parse(moment) + rounded).toISOString();
  };
  const text = JSON.stringify(exchange, (member, value: unknown) => {
    const standIn = varies.includes(member) ? standIns[member] : undefined;
    if (standIn) return standIn(String(value));
    return typeof value === 'string'
      ? value.replaceAll(idForm, numbered).replaceAll(timestampForm, shifted)
      : value;
  });
  return JSON.parse(text) as RecordedExchange;
}
