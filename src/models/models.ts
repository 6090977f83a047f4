import type { ModelService, ModelsConfig, ModelTarget } from '../config/models.ts';
import { ToolError } from '../errors.ts';
import { type Gathered, gather } from './body.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { connectionFailure, noModelAnswers, UpstreamFailure } from './failure.ts';
import { targetsOf, type Wanted } from './routes.ts';
import { Upstream, type UpstreamLimits, type UpstreamRequest, usualLimits } from './upstream.ts';

/** A call of a model, whichever target it ends at. */
export interface ModelCall<Taken> {
  readonly service: ModelService;
  readonly wanted: Wanted;
  readonly signal: AbortSignal;
  /** `traceparent`, for the upstream. */
  readonly trace: string | undefined;
  /** Makes the request for a target: anew each time that one is tried. */
  readonly request: (target: ModelTarget) => UpstreamRequest;
  /**
   * Makes an answer of an upstream's 2xx. Nothing has been sent to the client yet: an UpstreamFailure that it throws
   * lets the next target try.
   */
  readonly take: (answer: UpstreamAnswer, target: ModelTarget) => Taken | Promise<Taken>;
}

/** The models that can be asked. */
export interface Models {
  /**
   * Asks the first target that answers.
   * @throws ToolError with the upstream's own answer where that is one that callers may read (`decisions` 8); 404 for
   * a model that there is not; 502 where no target answers, with the reason for the log
   */
  ask<Taken>(call: ModelCall<Taken>): Promise<Taken>;
  /** Ends every call. */
  close(): Promise<void>;
}

/** What upstreams say of the request itself: its author has to read it. */
const passedOn: Readonly<Record<number, 'invalid_request' | 'not_found' | 'in_use' | 'payload_too_large'>> = {
  400: 'invalid_request',
  404: 'not_found',
  409: 'in_use',
  413: 'payload_too_large',
  415: 'invalid_request',
  422: 'invalid_request',
};

/** Bytes of an error that are passed on. */
const longestError = 262_144;

/** Opens the upstreams; connections are made when they are needed. */
export function openModels(config: ModelsConfig | undefined, limits: Partial<UpstreamLimits> = {}): Models {
  const upstreams = new Map<string, Upstream>();
  const upstreamOf = ({ provider }: ModelTarget): Upstream => {
    const known = upstreams.get(provider.name);
    if (known) return known;
    const made = new Upstream(provider, { ...usualLimits, ...limits });
    upstreams.set(provider.name, made);
    return made;
  };
  return {
    async ask({ service, wanted, signal, trace, request, take }) {
      const targets = targetsIn(config, service, wanted);
      const failures: string[] = [];
      let retryAfter: number | undefined;
      for (const target of targets) {
        const make = () => withTrace(request(target), trace);
        try {
          return await upstreamOf(target).send(make, signal, (answer) => accept(answer, target, take));
        } catch (error) {
          if (!(error instanceof UpstreamFailure)) throw error;
          failures.push(error.message);
          retryAfter ??= error.retryAfter;
        }
      }
      throw noModelAnswers(new UpstreamFailure(failures.join('; then ')), retryAfter);
    },
    async close() {
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    },
  };
}

function withTrace(request: UpstreamRequest, trace: string | undefined): UpstreamRequest {
  return trace === undefined ? request : { ...request, headers: { ...request.headers, traceparent: trace } };
}

function targetsIn(
  config: ModelsConfig | undefined,
  service: ModelService,
  wanted: Wanted,
): readonly ModelTarget[] {
  const models = config?.[service];
  if (!models || (models.auto.length === 0 && models.models.size === 0 && !models.others))
    throw noModelAnswers(
      new UpstreamFailure(`no model for ${service} is configured: set OPENAI_API_KEY or PARLEY_MODELS`),
    );
  const targets = targetsOf(models, wanted);
  if (targets.length > 0) return targets;
  if (wanted.model === 'auto')
    throw noModelAnswers(new UpstreamFailure(`the file of PARLEY_MODELS has no ${service}.auto`));
  throw new ToolError('not_found', 'There is no model of this name.', {
    hint: 'The model auto is always there.',
  });
}

async function accept<Taken>(
  answer: UpstreamAnswer,
  target: ModelTarget,
  take: ModelCall<Taken>['take'],
): Promise<Taken> {
  const { statusCode: status, body, headers } = answer;
  if (status >= 200 && status < 300) return take(answer, target);
  const { name, key } = target.provider;
  const code = passedOn[status];
  if (code === undefined) {
    // What is left of a short one keeps the connection.
    body.discard(longestError);
    const seconds = status === 429 ? retryAfterOf(headers['retry-after']) : undefined;
    throw new UpstreamFailure(`${name} answered ${status}`, seconds);
  }
  const told = await errorIn(answer, name);
  if (key !== undefined && told.includes(key))
    throw new UpstreamFailure(`${name} answered ${status} with our key`);
  const message = `The model's server refused the request with status ${status}.`;
  throw new ToolError(code, messageIn(told) ?? message, {
    status,
    passedOn: { contentType: String(headers['content-type'] ?? 'application/json'), body: told },
    ...(code === 'invalid_request' && {
      details: { issues: [{ in: 'body', path: '', message: messageIn(told) ?? message }] },
    }),
  });
}

async function errorIn({ body, statusCode }: UpstreamAnswer, provider: string): Promise<Buffer> {
  let gathered: Gathered;
  try {
    gathered = await gather(body, longestError);
  } catch (error) {
    throw connectionFailure(provider, error);
  }
  if (gathered.whole) return gathered.whole;
  body.destroy();
  throw new UpstreamFailure(`${provider} answered ${statusCode} without end`);
}

/** What OpenAI's error bodies say. */
function messageIn(told: Buffer): string | undefined {
  try {
    const { error } = JSON.parse(told.toString()) as { error?: { message?: unknown } | null };
    const message = error?.message;
    return typeof message === 'string' && message !== '' ? message.slice(0, 1_000).toWellFormed() : undefined;
  } catch {
    // No JSON, or JSON of another form: there is no message to be had.
    return undefined;
  }
}

/** Seconds; one where the upstream says nothing that can be read. */
function retryAfterOf(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,5}$/.test(header) ? Number(header) : 1;
}
