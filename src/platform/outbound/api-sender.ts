import { Blocked, FetchFailure, unreachable } from './fetch-failure.ts';
import { Gate, type GateOptions, type RequestPurpose } from './gate.ts';
import { readBody } from './response-body.ts';

/** A request to a service whose address a user has given, such as a calendar server. */
export interface ApiRequest {
  /** Any method, such as PROPFIND. */
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ApiResponse {
  readonly status: number;
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly body: string;
}

/** Sends requests to services whose addresses users have given. */
export interface ApiSender {
  /** @throws FetchFailure if no response arrives, or the signal's reason */
  send(request: ApiRequest, purpose: RequestPurpose, signal: AbortSignal): Promise<ApiResponse>;
  /** Ends every request. */
  close(): Promise<void>;
}

export interface ApiSenderOptions extends GateOptions {
  /** Parley's version, for the User-Agent. */
  readonly version: string;
}

/** Bytes after decompression: some months of a busy calendar. */
const longestResponse = 4 * 1024 * 1024;
const secondsForARequest = 10;

/** Opens a sender that reaches the open internet only. It follows no redirect, and sends every request once. */
export function openApiSender({ version, ...options }: ApiSenderOptions): ApiSender {
  const gate = new Gate(options);
  const agent = gate.openAgent();
  const userAgent = `Parley/${version} (+requests)`;
  return {
    async send({ method, url: address, headers, body }, purpose, signal) {
      const limit = AbortSignal.timeout(secondsForARequest * 1_000);
      const either = AbortSignal.any([signal, limit]);
      try {
        const url = gate.admit(address);
        const response = await agent.request({
          method,
          origin: url.origin,
          path: url.pathname + url.search,
          headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...headers },
          body,
          signal: either,
        });
        const one = (name: string) => [response.headers[name]].flat()[0];
        const bytes = await readBody(response.body, one('content-encoding'), {
          limit: longestResponse,
          isCut: false,
          signal: either,
          noun: 'response',
        });
        return {
          status: response.statusCode,
          etag: one('etag'),
          location: one('location'),
          body: new TextDecoder().decode(bytes),
        };
      } catch (error) {
        signal.throwIfAborted();
        if (limit.aborted)
          throw new FetchFailure(`No response within ${secondsForARequest} s.`, {
            final: false,
            cause: error,
          });
        if (error instanceof Blocked) {
          gate.note(error, address, purpose);
          throw gate.explained(error, address);
        }
        if (error instanceof FetchFailure) throw error;
        throw new FetchFailure(unreachable, { final: false, cause: error });
      }
    },
    close: () => agent.destroy(),
  };
}
