import {
  type ModelTarget,
  reasoningEfforts,
  type ServiceModels,
  tiers,
} from '../../platform/config/models.ts';

/** The inputs of a call that decide which model it goes to. */
export interface ModelSelector {
  readonly model: string;
  /** Only read with `auto`. An unknown value means the default. */
  readonly reasoning?: unknown;
  readonly tier?: string | null | undefined;
}

/** The tier under which usage counts a call. */
export type Tier = (typeof tiers)[number];

/** The tier for the word in a request. OpenAI's words are known too; any other word means `realtime`. */
export function tierOf(word: string | null | undefined): Tier {
  if (word === 'flex') return 'batch';
  return tiers.find((tier) => tier === word) ?? 'realtime';
}

/** The effort in `reasoning`, which is a word or `{effort}`. */
function effortOf(reasoning: unknown): string | undefined {
  const word =
    typeof reasoning === 'object' && reasoning !== null && 'effort' in reasoning
      ? reasoning.effort
      : reasoning;
  return reasoningEfforts.find((effort) => effort === word);
}

/** The models that calls of a service may name. */
export interface OfferedModels {
  readonly names: readonly string[];
  /** True if any other name goes to a provider, too. */
  readonly takesOthers: boolean;
}

export function offeredModels(service: ServiceModels | undefined): OfferedModels {
  if (!service) return { names: [], takesOthers: false };
  const { auto, models, others } = service;
  return {
    names: [...(auto.length > 0 ? ['auto'] : []), ...models.keys()],
    takesOthers: others !== undefined,
  };
}

/** The target of a call, followed by its fallbacks. Empty if the model is unknown. */
export function targetsOf(service: ServiceModels, selector: ModelSelector): readonly ModelTarget[] {
  const model = selector.model === 'auto' ? behindAuto(service, selector) : selector.model;
  if (model === undefined) return [];
  const known = service.models.get(model);
  if (known) return known;
  return service.others ? [{ provider: service.others, model }] : [];
}

function behindAuto({ auto }: ServiceModels, { reasoning, tier }: ModelSelector): string | undefined {
  const effort = effortOf(reasoning);
  const wantedTier = tierOf(tier);
  return auto.find(
    (choice) =>
      (choice.reasoning === undefined || (effort !== undefined && choice.reasoning.includes(effort))) &&
      (choice.tier === undefined || choice.tier.includes(wantedTier)),
  )?.model;
}
