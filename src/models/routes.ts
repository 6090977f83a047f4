import { type ModelTarget, reasoningEfforts, type ServiceModels, tiers } from '../config/models.ts';

/** What of a call decides where it goes. */
export interface Wanted {
  readonly model: string;
  /** Read with `auto` only; what is no effort means the default. */
  readonly reasoning?: unknown;
  readonly tier?: string | undefined;
}

/** As usage counts calls. */
export type Tier = (typeof tiers)[number];

/** The tier that a call's word means; OpenAI's words for it are known, and any other is real time. */
export function tierOf(word: string | undefined): Tier {
  if (word === 'flex') return 'batch';
  return tiers.find((tier) => tier === word) ?? 'realtime';
}

/** A word, or an object with one as `effort`. */
function effortOf(reasoning: unknown): string | undefined {
  const word =
    typeof reasoning === 'object' && reasoning !== null && 'effort' in reasoning
      ? reasoning.effort
      : reasoning;
  return reasoningEfforts.find((effort) => effort === word);
}

/** Where a call goes, then where it goes when that fails; none where there is no such model. */
export function targetsOf(service: ServiceModels, wanted: Wanted): readonly ModelTarget[] {
  const model = wanted.model === 'auto' ? behindAuto(service, wanted) : wanted.model;
  if (model === undefined) return [];
  const known = service.models.get(model);
  if (known) return known;
  return service.others ? [{ provider: service.others, model }] : [];
}

function behindAuto({ auto }: ServiceModels, { reasoning, tier }: Wanted): string | undefined {
  const effort = effortOf(reasoning);
  const wantedTier = tierOf(tier);
  return auto.find(
    (choice) =>
      (choice.reasoning === undefined || (effort !== undefined && choice.reasoning.includes(effort))) &&
      (choice.tier === undefined || choice.tier.includes(wantedTier)),
  )?.model;
}
