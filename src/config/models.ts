import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** What models are asked for; each has names, choices and fallbacks of its own. */
export const modelServices = ['chat', 'speech', 'transcription'] as const;
export type ModelService = (typeof modelServices)[number];

/** An OpenAI-compatible API. */
export interface Provider {
  /** As the operator calls it, in logs too. */
  readonly name: string;
  /** Such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Undefined: it asks for none. */
  readonly key: string | undefined;
  /** How it is told whom to imitate; the usual form where it is left out. */
  readonly voiceReference?: VoiceReferenceForm;
}

/** The members of a request for speech in which a recording and what is said in it stand. */
export interface VoiceReferenceForm {
  readonly audio: string;
  readonly transcript: string;
  /** The recording as a `data:` URL (RFC 2397), and not in base64 alone. */
  readonly dataUrl: boolean;
}

/** The names of vLLM-Omni and of what took them over. */
export const usualVoiceReference: VoiceReferenceForm = {
  audio: 'ref_audio',
  transcript: 'ref_text',
  dataUrl: false,
};

/** A model at a provider. */
export interface ModelTarget {
  readonly provider: Provider;
  /** As the provider calls it. */
  readonly model: string;
}

/** What stands behind `auto` for some calls: those of one of these efforts and tiers, or of any. */
export interface ModelChoice {
  readonly reasoning: readonly string[] | undefined;
  readonly tier: readonly string[] | undefined;
  /** A name that clients could ask for as well. */
  readonly model: string;
}

/** The models of one service. */
export interface ServiceModels {
  /** By the name that clients use: the target, then its fallbacks in order. */
  readonly models: ReadonlyMap<string, readonly [ModelTarget, ...ModelTarget[]]>;
  /** The first that fits is taken; the last fits any call. Empty: `auto` leads nowhere. */
  readonly auto: readonly ModelChoice[];
  /** Where a model of any other name is asked for as it is. */
  readonly others: Provider | undefined;
}

/** The model that makes vectors of texts: for Parley itself, and behind no operation. */
export interface EmbeddingModel extends ModelTarget {
  /** How many numbers it is asked for; undefined: as many as it has. */
  readonly dimensions: number | undefined;
}

/** Every upstream, by service. */
export interface ModelsConfig extends Readonly<Record<ModelService, ServiceModels>> {
  /** Left out: texts are found by their words alone. */
  readonly embedding?: EmbeddingModel | undefined;
}

/** Words of `decisions` 8. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export const tiers = ['realtime', 'batch', 'playground'] as const;

/** The file is wrong; the message is one line for the person who wrote it. */
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
/** The longest vectors that pgvector has an index for, in half precision. */
export const mostDimensions = 4_000;
const Embedding = v.strictObject({
  provider: Name,
  model: Name,
  dimensions: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostDimensions))),
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
});
type ModelsFile = v.InferOutput<typeof ModelsFile>;

/**
 * Reads the file that PARLEY_MODELS names. A key stands in the variable of the environment that the file names, never
 * in the file.
 * @throws ModelsFileError
 */
export function readModelsFile(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): ModelsConfig {
  const parsed = v.safeParse(ModelsFile, jsonIn(file));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new ModelsFileError(`${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`);
  }
  const { output } = parsed;
  const providers = providersOf(output, environment);
  return {
    chat: serviceOf('chat', output, providers),
    speech: serviceOf('speech', output, providers),
    transcription: serviceOf('transcription', output, providers),
    embedding: embeddingOf(output, providers),
  };
}

function embeddingOf(
  { embedding }: ModelsFile,
  providers: ReadonlyMap<string, Provider>,
): EmbeddingModel | undefined {
  if (!embedding) return undefined;
  const { provider: at, model, dimensions } = embedding;
  const provider = providers.get(at);
  if (!provider) throw new ModelsFileError(`embedding.provider: there is no provider ${at}`);
  return { provider, model, dimensions };
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ModelsFileError('is not valid JSON');
    const { code } = error as NodeJS.ErrnoException;
    throw new ModelsFileError(`cannot be read (${code})`);
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
        throw new ModelsFileError(`providers.${name}: what ${keyVariable} holds fits into no header`);
      return [name, { name, baseUrl, key, ...more }];
    }),
  );
}

function serviceOf(
  service: ModelService,
  file: ModelsFile,
  providers: ReadonlyMap<string, Provider>,
): ServiceModels {
  const { models: written, auto, others } = file[service];
  const provider = (name: string, where: string): Provider => {
    const found = providers.get(name);
    if (!found) throw new ModelsFileError(`${service}.${where}: there is no provider ${name}`);
    return found;
  };
  const targets = new Map(
    Object.entries(written).map(([name, { provider: at, model = name }]) => [
      name,
      { provider: provider(at, `models.${name}`), model },
    ]),
  );
  if (targets.has('auto')) throw new ModelsFileError(`${service}.models: auto is no name for a model`);
  /** The model and what follows it, depth first, each once. */
  const chainOf = (name: string, asked: readonly string[]): readonly string[] => {
    const where = `${service}.models.${asked.at(-1)}.fallbacks`;
    if (!targets.has(name)) throw new ModelsFileError(`${where}: there is no model ${name}`);
    if (asked.includes(name))
      throw new ModelsFileError(`${where}: go round in a circle (${[...asked, name].join(' > ')})`);
    const fallbacks = written[name]?.fallbacks ?? [];
    return [name, ...fallbacks.flatMap((fallback) => chainOf(fallback, [...asked, name]))];
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
    throw new ModelsFileError(`${service}.auto: the last choice has to fit any call`);
  return {
    models,
    auto: choices,
    others: others === undefined ? undefined : provider(others, 'others'),
  };
}

/** One provider for everything, under the names that clients use, with one model of each service behind `auto`. */
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
