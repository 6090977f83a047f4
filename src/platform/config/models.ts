import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** The services of models. Each has its own names, choices and fallbacks. */
export const modelServices = ['chat', 'speech', 'transcription'] as const;
export type ModelService = (typeof modelServices)[number];

/** An OpenAI-compatible API. */
export interface Provider {
  /** The operator's name for it, which logs show. */
  readonly name: string;
  /** Such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Undefined if it needs none. */
  readonly key: string | undefined;
  /** How it receives a reference voice. `usualVoiceReference` by default. */
  readonly voiceReference?: VoiceReferenceForm;
}

/** The members of a speech request that hold a recording and its transcript. */
export interface VoiceReferenceForm {
  readonly audio: string;
  readonly transcript: string;
  /** True for a recording as a `data:` URL (RFC 2397), false for base64 alone. */
  readonly dataUrl: boolean;
}

/** The names that vLLM-Omni uses, and servers that follow it. */
export const usualVoiceReference: VoiceReferenceForm = {
  audio: 'ref_audio',
  transcript: 'ref_text',
  dataUrl: false,
};

/** A model at a provider. */
export interface ModelTarget {
  readonly provider: Provider;
  /** The provider's name for it. */
  readonly model: string;
}

/** What the metrics of models cost: millionths of the currency for a million of each. */
export type Price = Readonly<Partial<Record<PricedMetric, number>>>;
const pricedMetrics = ['requests', 'tokens_in', 'tokens_out', 'chars', 'seconds'] as const;
type PricedMetric = (typeof pricedMetrics)[number];

/** The prices of models. */
export interface Prices {
  /** ISO 4217. */
  readonly currency: string;
  /** By the provider's name for the model. */
  readonly models: ReadonlyMap<string, Price>;
}

/** A model behind `auto`, for calls with one of these efforts and tiers. Undefined matches any. */
export interface ModelChoice {
  readonly reasoning: readonly string[] | undefined;
  readonly tier: readonly string[] | undefined;
  /** A name that clients may use too. */
  readonly model: string;
}

/** The models of one service. */
export interface ServiceModels {
  /** For each name that clients use: its target, then the fallbacks in order. */
  readonly models: ReadonlyMap<string, readonly [ModelTarget, ...ModelTarget[]]>;
  /** The first match is used; the last matches any call. If empty, there is no `auto`. */
  readonly auto: readonly ModelChoice[];
  /** The provider of models with any other name, which is passed on unchanged. */
  readonly others: Provider | undefined;
}

/** The model that embeds texts for Parley's own search. No operation calls it. */
export interface EmbeddingModel extends ModelTarget {
  /** The dimensions to request. Undefined: the model's own. */
  readonly dimensions: number | undefined;
}

/** All upstreams, by service. */
export interface ModelsConfig extends Readonly<Record<ModelService, ServiceModels>> {
  /** If absent, knowledge is searched by words alone. */
  readonly embedding?: EmbeddingModel | undefined;
  /** If absent, usage has no costs. */
  readonly prices?: Prices | undefined;
}

/** True if calls of a service that name no model have one. */
export function hasModel(models: ModelsConfig | undefined, service: ModelService): boolean {
  return (models?.[service].auto.length ?? 0) > 0;
}

/** See `decisions#model-proxy`. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export const tiers = ['realtime', 'batch', 'playground'] as const;

/** The file is wrong. The message is one line for the person who wrote it. */
export class ModelsFileError extends Error {
  override readonly name = 'ModelsFileError';
}

const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const Choice = v.strictObject({
  reasoning: v.optional(v.pipe(v.array(v.picklist(reasoningEfforts)), v.minLength(1))),
  tier: v.optional(v.pipe(v.array(v.picklist(tiers)), v.minLength(1))),
  model: Name,
});
const Service = v.strictObject({
  models: v.optional(
    v.record(
      Name,
      v.strictObject({ provider: Name, model: v.optional(Name), fallbacks: v.optional(v.array(Name)) }),
    ),
    {},
  ),
  auto: v.optional(v.array(Choice), []),
  others: v.optional(Name),
});
type Service = v.InferOutput<typeof Service>;
const noService: Service = { models: {}, auto: [] };
/** The most dimensions that pgvector can index, in half precision. */
export const mostDimensions = 4_000;
const Embedding = v.strictObject({
  provider: Name,
  model: Name,
  dimensions: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostDimensions))),
});
/** `"0.25"` for a million, as text, so that no digit is lost. */
const PriceOfMillion = v.pipe(
  v.string(),
  v.regex(
    /^\d{1,9}(?:\.\d{1,6})?$/,
    'Expected a decimal number as text, such as "0.25", with at most 6 decimal places.',
  ),
  v.transform((text) => {
    const [whole = '', fraction = ''] = text.split('.');
    return Number(`${whole}${fraction.padEnd(6, '0')}`);
  }),
);
const PricesInFile = v.strictObject({
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  models: v.record(Name, v.strictObject(v.entriesFromList(pricedMetrics, v.exactOptional(PriceOfMillion)))),
});
const ModelsFile = v.strictObject({
  providers: v.record(
    Name,
    v.strictObject({
      baseUrl: v.pipe(v.string(), v.url(), v.regex(/^https?:\/\/[^@?#]+$/)),
      keyVariable: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/))),
      voiceReference: v.exactOptional(
        v.strictObject({
          audio: v.optional(Name, usualVoiceReference.audio),
          transcript: v.optional(Name, usualVoiceReference.transcript),
          dataUrl: v.optional(v.boolean(), usualVoiceReference.dataUrl),
        }),
      ),
    }),
  ),
  chat: v.optional(Service, noService),
  speech: v.optional(Service, noService),
  transcription: v.optional(Service, noService),
  embedding: v.optional(Embedding),
  prices: v.optional(PricesInFile),
});
type ModelsFile = v.InferOutput<typeof ModelsFile>;

/**
 * Reads the file of PARLEY_MODELS. The file names the environment variable of each key, and never contains a key.
 * @throws ModelsFileError
 */
export function readModelsFile(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): ModelsConfig {
  const parsed = v.safeParse(ModelsFile, jsonIn(file));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new ModelsFileError(`${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
  }
  const { output } = parsed;
  const providers = providersOf(output, environment);
  return {
    chat: serviceOf('chat', output, providers),
    speech: serviceOf('speech', output, providers),
    transcription: serviceOf('transcription', output, providers),
    embedding: embeddingOf(output, providers),
    prices: output.prices && {
      currency: output.prices.currency,
      models: new Map(Object.entries(output.prices.models)),
    },
  };
}

function embeddingOf(
  { embedding }: ModelsFile,
  providers: ReadonlyMap<string, Provider>,
): EmbeddingModel | undefined {
  if (!embedding) return undefined;
  const { provider: at, model, dimensions } = embedding;
  const provider = providers.get(at);
  if (!provider)
    throw new ModelsFileError(`embedding.provider: there is no provider ${at}. Add it to providers.`);
  return { provider, model, dimensions };
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ModelsFileError('the file is not valid JSON');
    const { code } = error as NodeJS.ErrnoException;
    throw new ModelsFileError(`the file cannot be read (${code})`);
  }
}

function providersOf(
  { providers }: ModelsFile,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, Provider> {
  return new Map(
    Object.entries(providers).map(([name, { baseUrl, keyVariable, ...more }]) => {
      const key = keyVariable === undefined ? undefined : environment[keyVariable];
      if (keyVariable !== undefined && key === undefined)
        throw new ModelsFileError(`providers.${name}: the variable ${keyVariable} is not set`);
      if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
        throw new ModelsFileError(
          `providers.${name}: the value of ${keyVariable} contains spaces or characters other than ASCII`,
        );
      return [name, { name, baseUrl, key, ...more }];
    }),
  );
}

function serviceOf(
  service: ModelService,
  file: ModelsFile,
  providers: ReadonlyMap<string, Provider>,
): ServiceModels {
  const { models: entries, auto, others } = file[service];
  const provider = (name: string, where: string): Provider => {
    const found = providers.get(name);
    if (!found)
      throw new ModelsFileError(`${service}.${where}: there is no provider ${name}. Add it to providers.`);
    return found;
  };
  const targets = new Map(
    Object.entries(entries).map(([name, { provider: at, model = name }]) => [
      name,
      { provider: provider(at, `models.${name}`), model },
    ]),
  );
  if (targets.has('auto'))
    throw new ModelsFileError(`${service}.models: auto is reserved. Use another name.`);
  /** The model and its fallbacks, depth first. `path` leads to it. */
  const chainOf = (name: string, path: readonly string[]): readonly string[] => {
    const where = `${service}.models.${path.at(-1)}.fallbacks`;
    if (!targets.has(name)) throw new ModelsFileError(`${where}: there is no model ${name}`);
    if (path.includes(name))
      throw new ModelsFileError(`${where}: the fallbacks form a circle (${[...path, name].join(' > ')})`);
    const fallbacks = entries[name]?.fallbacks ?? [];
    return [name, ...fallbacks.flatMap((fallback) => chainOf(fallback, [...path, name]))];
  };
  const models = new Map(
    [...targets].map(([name, target]) => {
      const [, ...fallbacks] = new Set(chainOf(name, []));
      const following = fallbacks.flatMap((fallback) => targets.get(fallback) ?? []);
      return [name, [target, ...following] as const];
    }),
  );
  const choices = auto.map(({ reasoning, tier, model }, index) => {
    if (!targets.has(model) && others === undefined)
      throw new ModelsFileError(`${service}.auto.${index}: there is no model ${model}`);
    return { reasoning, tier, model };
  });
  const last = choices.at(-1);
  if (last && (last.reasoning ?? last.tier) !== undefined)
    throw new ModelsFileError(
      `${service}.auto: the last choice must match any call. Leave out its reasoning and tier.`,
    );
  return {
    models,
    auto: choices,
    others: others === undefined ? undefined : provider(others, 'others'),
  };
}

/** Uses one provider for every model, under the names that clients use, with one model of each service behind `auto`. */
export function oneProvider(
  provider: Provider,
  behindAuto: Readonly<Record<ModelService, string>>,
): ModelsConfig {
  const serviceWith = (model: string): ServiceModels => ({
    models: new Map(),
    auto: [{ reasoning: undefined, tier: undefined, model }],
    others: provider,
  });
  return {
    chat: serviceWith(behindAuto.chat),
    speech: serviceWith(behindAuto.speech),
    transcription: serviceWith(behindAuto.transcription),
  };
}
