import { isDeepStrictEqual } from 'node:util';
import type { RestAnswer } from '../test/helpers/world.ts';

/** The parts of a project that a task may change; what a task does not name must stay as it was. */
export const areas = [
  'project',
  'keys',
  'flows',
  'conversations',
  'scenarios',
  'agentProfiles',
  'integrations',
  'knowledge',
  'phoneNumbers',
  'webAgents',
  'secrets',
] as const;
export type Area = (typeof areas)[number];

/** A record as REST returns it. Flows and conversations also have their versions, knowledge bases their sources. */
type Item = RestAnswer['body'];

/** The records of an area by their ids; secrets by their names. */
export type Items = ReadonlyMap<string, Item>;
export type State = Readonly<Record<Area, Items>>;

/** Reads what a project consists of. */
export async function stateOf(get: (route: string) => Promise<Item>, projectId: string): Promise<State> {
  const project = `/v1/projects/${projectId}`;
  const list = async (route: string): Promise<Item[]> => recordsIn(await get(route));
  const withList = async (items: readonly Item[], member: string, route: (id: string) => string) =>
    byId(await Promise.all(items.map(async (item) => ({ ...item, [member]: await list(route(item.id)) }))));
  const [keys, flows, conversations, agentProfiles, integrations] = await Promise.all(
    ['keys?details=true', 'flows', 'conversations', 'agent-profiles', 'integrations'].map((name) =>
      list(`${project}/${name}`),
    ),
  );
  const [knowledge, phoneNumbers, webAgents, secrets] = await Promise.all(
    ['knowledge-bases', 'phone-numbers', 'web-sessions/agents', 'secrets'].map((name) =>
      list(`${project}/${name}`),
    ),
  );
  const scenarios = (conversations ?? []).map(({ id }) => list(`/v1/conversations/${id}/scenarios`));
  return {
    project: byId([await get(project)]),
    keys: byId((keys ?? []).map(({ lastUsedAt: _, ...key }) => key)),
    flows: await withList(flows ?? [], 'versions', (id) => `/v1/flows/${id}/versions`),
    conversations: await withList(
      conversations ?? [],
      'versions',
      (id) => `/v1/conversations/${id}/versions`,
    ),
    scenarios: byId((await Promise.all(scenarios)).flat()),
    agentProfiles: byId(agentProfiles ?? []),
    integrations: byId(integrations ?? []),
    knowledge: await withList(knowledge ?? [], 'sources', (id) => `/v1/knowledge/${id}/sources`),
    phoneNumbers: byId((phoneNumbers ?? []).map(withOwnHandler)),
    webAgents: byId(webAgents ?? []),
    secrets: byId(secrets ?? []),
  };
}

/** A project before and after a task. */
export interface Change {
  readonly before: State;
  readonly after: State;
}

/** The records of an area that are new. */
export function newIn({ before, after }: Change, area: Area): Item[] {
  return [...after[area]].filter(([id]) => !before[area].has(id)).map(([, item]) => item);
}

/** True if every record of an area is still there as it was, except those with these ids. */
export function staysBut({ before, after }: Change, area: Area, ...ids: readonly unknown[]): boolean {
  return [...before[area]].every(
    ([id, item]) => ids.includes(id) || isDeepStrictEqual(after[area].get(id), item),
  );
}

/** True if a record is still there as it was, except for these members, which have these values, and its last change. */
export function becomes(
  { before, after }: Change,
  area: Area,
  id: string | undefined,
  members: Readonly<Record<string, unknown>>,
): boolean {
  const [was, is] = [before, after].map((state) => {
    const { updatedAt: _, ...item } = state[area].get(id ?? '') ?? {};
    return item;
  });
  return isDeepStrictEqual(is, { ...was, ...members });
}

/** The records of a list, which is an array or has one as a member. */
export function recordsIn(list: Item): Item[] {
  if (Array.isArray(list)) return list;
  return Object.values<Item>(list ?? {}).find(Array.isArray) ?? [];
}

/** A number without what its handler is called and which version of it is live: those belong to flows and conversations. */
function withOwnHandler({ handler, ...number }: Item): Item {
  return { ...number, handler: handler && { kind: handler.kind, id: handler.id } };
}

function byId(items: readonly Item[]): Items {
  return new Map(items.map((item) => [item.id ?? item.name, item]));
}
