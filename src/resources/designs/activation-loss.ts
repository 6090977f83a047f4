import { checkLostExits } from '../../design/checks/lost-exits.ts';
import { shortName, someOf } from '../../design/problem.ts';
import type { Design } from '../../design/schema/design.ts';
import type { Stores } from '../../store/stores.ts';
import { lossInWords } from '../versions/activation.ts';
import { exposedDesign } from './stored-design.ts';

/**
 * What callers lose if a version goes live in place of the active one, in words; undefined if they lose no step and no
 * exit, or if there is no such version.
 * @param n the version that is to be activated
 */
export async function activationInWords(
  stores: Stores,
  conversationId: string,
  n: number,
): Promise<string | undefined> {
  const next = exposedDesign(await stores.conversationVersions.design(conversationId, n));
  return next ? designLossInWords(stores, conversationId, next, `version ${n}`) : undefined;
}

/**
 * The same for a design that is not stored yet.
 * @param called what the question calls the design
 */
export async function designLossInWords(
  stores: Stores,
  conversationId: string,
  next: Design,
  called: string,
): Promise<string | undefined> {
  const conversation = await stores.conversations.find(conversationId);
  if (!conversation) return undefined;
  const { activeVersion, name } = conversation;
  const active = exposedDesign(await stores.conversationVersions.design(conversationId, activeVersion));
  if (!active) return undefined;
  return lossInWords(stores, {
    handler: { kind: 'conversation', id: conversationId },
    name,
    called,
    activeVersion,
    lost: lossesBetween(active, next),
  });
}

/** The steps and exits that only the active version has. */
function lossesBetween(active: Design, next: Design): string[] {
  const steps = Object.keys(active.steps).filter((id) => !Object.hasOwn(next.steps, id));
  const exits = [...checkLostExits(next, { base: active })];
  return [
    ...(steps.length > 0 ? [`the ${steps.length === 1 ? 'step' : 'steps'} ${someOf(steps)}`] : []),
    ...exits.map(({ stepId, message }) => `in the step ${shortName(stepId)}: ${message}`),
  ];
}
