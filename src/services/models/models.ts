import type { ModelService, ModelsConfig, ModelTarget } from '../../platform/config/models.ts';
import { ToolError } from '../../platform/errors.ts';
import { activeTracing } from '../../platform/tracing/spans.ts';
import type { Meter } from './chat-usage.ts';
import { pricedMeter } from './prices.ts';
import { type Gathered, gather } from './response-body.ts';
import { type ModelSelector, targetsOf } from './routes.ts';
import {
  Upstream,
  type UpstreamLimits,
  type UpstreamMetrics,
  type UpstreamRequest,
  usualLimits,
} from './upstream.ts';
import type { UpstreamResponse } from './upstream-call.ts';
import { connectionFailure, noModelAnswers, noModelConfigured, UpstreamFailure } from './upstream-failure.ts';

/** One model call. It goes to the first target that works. */
export interface ModelCall<Result> {
  readonly service: ModelService;
  readonly selector: ModelSelector;
  readonly signal: AbortSignal;
  /** The `traceparent` header to pass on. */
  readonly trace: string | undefined;
  /** Builds the request for a target. Called again for each attempt. */
  readonly request: (target: ModelTarget) => UpstreamRequest;
  /**
   * Reads an upstream's 2xx response. Nothing has been sent to the client yet, so if it throws an UpstreamFailure, the
   * next target is tried.
   */
  readonly read: (response: UpstreamResponse, target: ModelTarget) => Result | Promise<Result>;
}

/** The configured models. */
export interface Models {
  /**
   * Calls the targets in order and returns what `read` makes of the first 2xx response.
   * @throws ToolError with the upstream's own response if callers may see it (decisions#model-proxy), 404 for an
   * unknown model, and 502 if every target fails; the cause of a 502 goes to the log
   */
  ask<Result>(call: ModelCall<Result>): Promise<Result>;
  /** A meter that adds the costs of a target's model. */
  priced(meter: Meter, target: ModelTarget | undefined): Meter;
  /** Cancels every call. */
  close(): Promise<void>;
}

/** Statuses that concern the request itself. Its author needs to see them. */
const passedOn: Readonly<Record<number, 'invalid_request' | 'not_found' | 'in_use' | 'payload_too_large'>> = {
  400: 'invalid_request',
  404: 'not_found',
  409: 'in_use',
  413: 'payload_too_large',
  415: 'invalid_request',
  422: 'invalid_request',
};

/** The largest error body that is passed on, in bytes. */
const longestError = 262_144;

/** Opens the configured models. Connections are opened on first use. */
export function openModels(
  config: ModelsConfig | undefined,
  limits: Partial<UpstreamLimits> = {},
  metrics?: UpstreamMetrics,
): Models {
  const upstreams = new Map<string, Upstream>();
  const upstreamOf = ({ provider }: ModelTarget): Upstream => {
    const known = upstreams.get(provider.name);
    if (known) return known;
    const made = new Upstream(provider, { ...usualLimits, ...limits }, metrics);
    upstreams.set(provider.name, made);
    return made;
  };
  return {
    async ask({ service, selector, signal, trace, request, read }) {
      const targets = targetsIn(config, service, selector);
      const failures: string[] = [];
      let retryAfter: number | undefined;
      for (const target of targets) {
        const make = () => withTrace(request(target), trace);
        try {
          return await upstreamOf(target).send(make, signal, (response) => accept(response, target, read));
        } catch (error) {
          if (!(error instanceof UpstreamFailure)) throw error;
          failures.push(error.message);
          retryAfter ??= error.retryAfter;
        }
      }
      throw noModelAnswers(new UpstreamFailure(failures.join('; then ')), retryAfter);
    },
    priced: (meter, target) => pricedMeter(meter, target && config?.prices?.models.get(target.model)),
    async close() {
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    },
  };
}

/** Continues our span in the upstream. If there is none, the caller's `traceparent` goes on as it came. */
function withTrace(request: UpstreamRequest, trace: string | undefined): UpstreamRequest {
  const own = activeTracing()?.headers();
  if (own === undefined && trace === undefined) return request;
  return { ...request, headers: { ...request.headers, ...(own ?? { traceparent: trace ?? '' }) } };
}

function targetsIn(
  config: ModelsConfig | undefined,
  service: ModelService,
  selector: ModelSelector,
): readonly ModelTarget[] {
  const models = config?.[service];
  if (!models || (models.auto.length === 0 && models.models.size === 0 && !models.others))
    throw noModelConfigured(
      `No model is configured for ${service}.`,
      'The operator of this server sets OPENAI_API_KEY or PARLEY_MODELS.',
    );
  const targets = targetsOf(models, selector);
  if (targets.length > 0) return targets;
  if (selector.model === 'auto')
    throw noModelConfigured(
      `No model is configured for ${service} with the name "auto".`,
      `Name a model, or the operator of this server adds ${service}.auto to the file that PARLEY_MODELS names.`,
    );
  throw new ToolError('not_found', 'There is no model with this name.', {
    hint: 'Use the model "auto", which always exists.',
  });
}

async function accept<Result>(
  response: UpstreamResponse,
  target: ModelTarget,
  read: ModelCall<Result>['read'],
): Promise<Result> {
  const { statusCode: status, body, headers } = response;
  if (status >= 200 && status < 300) return read(response, target);
  const { name, key } = target.provider;
  const code = passedOn[status];
  if (code === undefined) {
    // Reading the rest of a short body keeps the connection open for reuse.
    body.discard(longestError);
    const seconds = status === 429 ? retryAfterOf(headers['retry-after']) : undefined;
    throw new UpstreamFailure(`${name} returned ${status}`, seconds);
  }
  const errorBody = await errorIn(response, name);
  if (key !== undefined && errorBody.includes(key))
    throw new UpstreamFailure(`${name} returned ${status} with our key in the body`);
  const message = `The model's server refused the request with status ${status}.`;
  throw new ToolError(code, messageIn(errorBody) ?? message, {
    status,
    passedOn: { contentType: String(headers['content-type'] ?? 'application/json'), body: errorBody },
    ...(code === 'invalid_request' && {
      details: { issues: [{ in: 'body', path: '', message: messageIn(errorBody) ?? message }] },
    }),
  });
}

async function errorIn({ body, statusCode }: UpstreamResponse, provider: string): Promise<Buffer> {
  let gathered: Gathered;
  try {
    gathered = await gather(body, longestError);
  } catch (error) {
    throw connectionFailure(provider, error);
  }
  if (gathered.whole) return gathered.whole;
  body.destroy();
  throw new UpstreamFailure(`${provider} returned ${statusCode} with an endless body`);
}

/** The message of an error body in OpenAI's format. */
function messageIn(errorBody: Buffer): string | undefined {
  try {
    const { error } = JSON.parse(errorBody.toString()) as { error?: { message?: unknown } | null };
    const message = error?.message;
    return typeof message === 'string' && message !== '' ? message.slice(0, 1_000).toWellFormed() : undefined;
  } catch {
    // Not JSON, or another format: there is no message to show.
    return undefined;
  }
}

/** Seconds to wait; 1 if the header is missing or unreadable. */
function retryAfterOf(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,5}$/.test(header) ? Number(header) : 1;
}
