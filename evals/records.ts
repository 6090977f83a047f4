import { isDeepStrictEqual } from 'node:util';
import { recordsIn } from './state.ts';
import type { End, Made } from './task.ts';

/** True if two lists have the same members, in any order. */
export function isSet(members: readonly unknown[], expected: readonly unknown[]): boolean {
  return members.length === expected.length && isDeepStrictEqual(new Set(members), new Set(expected));
}

/** The route of a list of the project. */
export const routeOf = ({ ids }: End, list: string) => `/v1/projects/${ids['project']}/${list}`;

/** The records of a list of the project. */
export async function listOf(end: End, list: string): Promise<Made[]> {
  return recordsIn(await end.get(routeOf(end, list)));
}

/** The sources of a knowledge base of the practice. */
export async function sourcesOf({ ids, get }: End, knowledgeBase: string): Promise<Made[]> {
  return (await get(`/v1/knowledge/${ids[knowledgeBase]}/sources`)).sources;
}

/** The versions of a flow of the practice, newest first. */
export async function versionsOf({ ids, get }: End, flow: string): Promise<Made[]> {
  return (await get(`/v1/flows/${ids[flow]}/versions`)).versions;
}

/** The design of a version. */
export const designOf = ({ get }: End, conversationId: string, version: number): Promise<Made> =>
  get(`/v1/conversations/${conversationId}/versions/${version}/design`);

/** True if a flow has so many versions, and this one is active. */
export async function flowIs(end: End, flow: string, active: number, count: number): Promise<boolean> {
  const versions = await versionsOf(end, flow);
  return versions.length === count && versions.find(({ isActive }) => isActive)?.version === active;
}

/** True if a conversation of the practice has so many versions, and this one is active. */
export async function conversationIs(
  { ids, get }: End,
  conversation: string,
  active: number,
  count: number,
): Promise<boolean> {
  const record = await get(`/v1/conversations/${ids[conversation]}`);
  const { versions } = await get(`/v1/conversations/${ids[conversation]}/versions`);
  return record?.activeVersion === active && versions.length === count;
}

/** True if the trash holds these records of the practice, and nothing else. */
export async function isTrash(end: End, names: readonly string[]): Promise<boolean> {
  const trash = await listOf(end, 'trash');
  return isSet(
    trash.map(({ resourceId }) => resourceId),
    names.map((name) => end.ids[name]),
  );
}

/** The text of a key in an answer; empty if there is none. */
export const keyIn = (answer: string) => /parley_[sp]k_[0-9A-Za-z]{49}/.exec(answer)?.[0] ?? '';

/** The active key of this name with its limits, if the project then has so many keys. */
export async function newKey(end: End, name: string, count = 3): Promise<Made> {
  const keys = await listOf(end, 'keys?details=true');
  const made = keys.filter((key) => key.name === name && key.status === 'active');
  return keys.length === count ? made[0] : undefined;
}

/** True if a key ends so many days from now, give or take an hour, or `tolerance` days. */
export function endsIn({ expiresAt }: Made, days: number, tolerance = 1 / 24): boolean {
  if (expiresAt === null) return false;
  return Math.abs((Date.parse(expiresAt) - Date.now()) / 86_400_000 - days) <= tolerance;
}

/** True if a key of this name is active. */
export async function isActiveKey(end: End, name: string): Promise<boolean> {
  return (await listOf(end, 'keys')).some((key) => key.name === name && key.status === 'active');
}
