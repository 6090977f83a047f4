import { shortName, someOf } from '../../design/problem.ts';
import { isJsonObject } from '../../operation/json.ts';
import type { JsonObject } from '../../operation/result.ts';
import type { Stores } from '../../store/stores.ts';
import type { VersionChoice } from '../conversations/schema.ts';
import { objectsOf } from '../designs/greeting.ts';
import { lossInWords } from '../versions/activation.ts';
import { configurationLimit } from './format.ts';
import type { FlowVersion } from './version-store.ts';

/** A version of a flow, read without a lock; undefined if there is none. */
export async function readVersion(
  stores: Stores,
  flowId: string,
  version: VersionChoice,
): Promise<FlowVersion | undefined> {
  const flow = await stores.flowVersions.active(flowId, 0);
  if (!flow) return undefined;
  const { newestVersion, activeVersion } = flow;
  const number = version === 'newest' ? newestVersion : version === 'active' ? activeVersion : version;
  return stores.flowVersions.findNumber(flowId, number);
}

/**
 * What callers lose if a configuration goes live in place of the active one, in words; undefined if they lose nothing, or
 * if there is no such flow. Other texts are not a loss.
 * @param called what the question calls the configuration
 */
export async function flowLossInWords(
  stores: Stores,
  flowId: string,
  next: unknown,
  called: string,
): Promise<string | undefined> {
  const [flow, active] = await Promise.all([
    stores.flows.find(flowId),
    stores.flowVersions.active(flowId, configurationLimit),
  ]);
  if (!flow || !isJsonObject(active?.flowSchema) || !isJsonObject(next)) return undefined;
  const losses = flow.type === 'graph' ? graphLosses : simpleLosses;
  return lossInWords(stores, {
    handler: { kind: 'flow', id: flowId },
    name: flow.name,
    called,
    activeVersion: active.activeVersion,
    lost: losses(active.flowSchema, next),
  });
}

/** What a simple flow offered to callers, and offers no more. */
function simpleLosses(active: JsonObject, next: JsonObject): string[] {
  const handoff = isJsonObject(active['handoff']) && !isJsonObject(next['handoff']);
  return [
    ...gone('the skill', skillsOf(active), skillsOf(next)),
    ...gone('the question', textsOf(active['questions'], 'key'), textsOf(next['questions'], 'key')),
    ...gone('the answer to', textsOf(active['faq'], 'question'), textsOf(next['faq'], 'question')),
    ...gone('the language', languagesOf(active), languagesOf(next)),
    ...(handoff ? ['the handoff to a person'] : []),
  ];
}

/** The nodes of a graph that are gone, and the ways between those that are left. */
function graphLosses(active: JsonObject, next: JsonObject): string[] {
  const nodes = textsOf(next['nodes'], 'id');
  const ways = waysOf(next);
  const lostWays = [...waysOf(active)].filter(([way, { from }]) => nodes.has(from) && !ways.has(way));
  return [
    ...gone('the node', textsOf(active['nodes'], 'id'), nodes),
    ...lostWays.map(([, { from, to }]) => `the way from ${shortName(from)} to ${shortName(to)}`),
  ];
}

function gone(noun: string, before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  const lost = [...before].filter((one) => !after.has(one));
  return lost.length > 0
    ? [`${noun}${lost.length > 1 && !noun.endsWith(' to') ? 's' : ''} ${someOf(lost)}`]
    : [];
}

/** The texts that the objects of a list have as a member. */
function textsOf(list: unknown, member: string): ReadonlySet<string> {
  return new Set(
    [...objectsOf(list)].map(([, item]) => item[member]).filter((text) => typeof text === 'string'),
  );
}

function skillsOf({ skills }: JsonObject): ReadonlySet<string> {
  return textsOf(
    [...objectsOf(skills)].map(([, skill]) => skill).filter(({ enabled }) => enabled !== false),
    'key',
  );
}

function languagesOf({ language, languages }: JsonObject): ReadonlySet<string> {
  const all = Array.isArray(languages) ? [language, ...(languages as unknown[])] : [language];
  return new Set(all.filter((one) => typeof one === 'string'));
}

function waysOf({ edges }: JsonObject): ReadonlyMap<string, { readonly from: string; readonly to: string }> {
  return new Map(
    [...objectsOf(edges)].flatMap(([, { from, to }]) =>
      typeof from === 'string' && typeof to === 'string' ? [[JSON.stringify([from, to]), { from, to }]] : [],
    ),
  );
}
