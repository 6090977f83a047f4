import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from 'undici';
import { Blocked, FetchFailure, unreachable } from './fetch-failure.ts';
import { Gate, type GateOptions, type RequestPurpose } from './gate.ts';
import { type HeaderUse, headerNameProblem, isSameHeader, usualSignatureHeader } from './header-names.ts';
import { readBody } from './response-body.ts';
import { type Signing, signedHeaders } from './signature.ts';

/** A request to an address from a user, its secrets filled in. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null sends no body. */
  readonly body: string | null;
  /** For all attempts together, from 1 to 30. */
  readonly timeoutSeconds: number;
  /**
   * True for an event that receivers know by its `webhook-id`: it is sent up to three times with the same id, and
   * signed if `signing` is given (Standard Webhooks 1.0).
   */
  readonly isWebhook: boolean;
  /** The `webhook-id` of an event that may be sent again later; a random one if left out. */
  readonly webhookId?: string | undefined;
  readonly signing?: Signing | undefined;
}

export interface OutboundResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends requests to addresses from users. */
export interface RequestSender {
  /** @throws FetchFailure if no response arrives, or the signal's reason */
  send(
    request: OutboundRequest,
    purpose: RequestPurpose | undefined,
    signal: AbortSignal,
  ): Promise<OutboundResponse>;
  /** Ends every request. */
  close(): Promise<void>;
}

export interface RequestSenderOptions extends GateOptions {
  /** Parley's version, for the User-Agent. */
  readonly version: string;
}

/** Bytes of a response after decompression. */
const longestResponse = 262_144;
const mostSeconds = 30;
const mostAttempts = 3;
/** Milliseconds before the second attempt; each later one waits twice as long, and up to a half more. */
const firstPause = 250;

/** Opens a sender of requests to the open internet. It follows no redirect. */
export function openRequestSender({ version, ...options }: RequestSenderOptions): RequestSender {
  const gate = new Gate(options);
  const agent = gate.openAgent();
  const userAgent = `Parley/${version} (+requests)`;

  return {
    async send(request, purpose, signal) {
      const seconds = Math.min(Math.max(request.timeoutSeconds, 1), mostSeconds);
      const limit = AbortSignal.timeout(seconds * 1_000);
      const either = AbortSignal.any([signal, limit]);
      try {
        const url = withQuery(gate.admit(request.url), request.query);
        return await attempt(agent, url, { ...request, headers: checkedHeaders(request, userAgent) }, either);
      } catch (error) {
        signal.throwIfAborted();
        if (limit.aborted)
          throw new FetchFailure(`No response within ${seconds} s.`, { final: false, cause: error });
        if (error instanceof Blocked) {
          gate.note(error, request.url, purpose);
          throw gate.explained(error, request.url);
        }
        if (error instanceof FetchFailure) throw error;
        throw new FetchFailure(unreachable, { final: false, cause: error });
      }
    },
    close: () => agent.destroy(),
  };
}

/** Sends a request, and a webhook again if the receiver could not take it. */
async function attempt(
  agent: Agent,
  url: URL,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const id = request.webhookId ?? `msg_${randomUUID()}`;
  const attempts = request.isWebhook ? mostAttempts : 1;
  for (let left = attempts - 1; ; left--) {
    const outcome = await once(agent, url, request, id, signal).catch((error: unknown) => ({ error }));
    const isTemporary =
      'error' in outcome
        ? !(outcome.error instanceof FetchFailure && outcome.error.final)
        : outcome.status >= 500 || outcome.status === 429;
    if (left === 0 || !isTemporary || signal.aborted) {
      if ('error' in outcome) throw outcome.error;
      return outcome;
    }
    const pause = firstPause * 2 ** (attempts - 1 - left);
    await wait(pause + Math.random() * (pause / 2), undefined, { signal });
  }
}

async function once(
  agent: Agent,
  url: URL,
  { method, headers, body, isWebhook, signing }: OutboundRequest,
  id: string,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const response = await agent.request({
    method,
    origin: url.origin,
    path: url.pathname + url.search,
    headers: {
      ...(body !== null && { 'content-type': 'application/json' }),
      ...headers,
      ...(isWebhook && signedHeaders(id, new Date(), body ?? '', signing)),
    },
    body,
    signal,
  });
  const encoding = response.headers['content-encoding'];
  const bytes = await readBody(response.body, Array.isArray(encoding) ? encoding[0] : encoding, {
    limit: longestResponse,
    isCut: false,
    signal,
    noun: 'response',
  });
  return { status: response.statusCode, body: new TextDecoder().decode(bytes) };
}

/** The headers of a request, but for the signature. @throws FetchFailure if one must not be set, also that of the signature */
function checkedHeaders(
  { headers, isWebhook, signing }: OutboundRequest,
  userAgent: string,
): Record<string, string> {
  const sent: Record<string, string> = { 'user-agent': userAgent, 'accept-encoding': 'identity' };
  for (const [name, value] of Object.entries(headers)) {
    requireSendable(name, isWebhook ? 'webhook' : 'fetch');
    // It may hold a secret, so the message does not quote it (RFC 9110 section 5.5).
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw unsendable(name, 'has a value with characters that cannot be sent');
    sent[name.toLowerCase()] = value;
  }
  if (signing) {
    const { header = usualSignatureHeader } = signing;
    requireSendable(header, 'signature');
    if (Object.keys(headers).some((name) => isSameHeader(name, header)))
      throw unsendable(header, 'carries the signature, and has a value, too');
  }
  return sent;
}

/** @throws FetchFailure */
function requireSendable(name: string, use: HeaderUse): void {
  const reason = headerNameProblem(name, use);
  if (reason !== undefined) throw unsendable(name, reason);
}

function unsendable(name: string, reason: string): FetchFailure {
  return new FetchFailure(`The header ${name.toLowerCase().slice(0, 100)} ${reason}.`, { final: true });
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url;
}
