import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import { FetchFailure } from '../../../platform/outbound/fetch-failure.ts';
import { readBody, tooLarge } from '../../../platform/outbound/response-body.ts';

/** A page of status 2xx, or the target of a redirect. */
export type FetchResponse =
  | { readonly status: number; readonly contentType?: string; readonly bytes: Uint8Array }
  | { readonly location: string };

export interface FetchRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Media types, such as `text/html` and `text/*`; undefined: any. */
  readonly accept: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds from the start to the head of the response, and to its end. */
  readonly headersWithin: number;
  readonly within: number;
  /** Bytes after decompression. `isCut` asks for the start of a longer body; otherwise that is a failure. */
  readonly longestBody: number;
  readonly isCut: boolean;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const worthRetrying: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Requests a page once.
 * @throws FetchFailure if the response is not a page that Parley reads; before its head, the error of the connection
 */
export async function sendRequest(agent: Agent, url: URL, request: FetchRequest): Promise<FetchResponse> {
  const late = new AbortController();
  const stop = () => late.abort(new Error('too slow'));
  const timers = [setTimeout(stop, request.within), setTimeout(stop, request.headersWithin)];
  const signal = AbortSignal.any([request.signal, late.signal]);
  try {
    const response = await agent.request({
      method: 'GET',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      signal,
    });
    clearTimeout(timers.pop());
    return await readResponse(response, request, signal).catch((error: unknown) => {
      // A body that is not read to its end keeps its connection until it is destroyed.
      response.body.on('error', () => undefined).destroy();
      throw error;
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

async function readResponse(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  { accept, longestBody, isCut }: FetchRequest,
  signal: AbortSignal,
): Promise<FetchResponse> {
  const location = firstOf(headers, 'location');
  if (redirects.has(status) && location !== undefined) {
    body.on('error', () => undefined).destroy();
    return { location };
  }
  if (status < 200 || status > 299)
    throw new FetchFailure(`The site responded with status ${status}.`, {
      final: status < 500 && !worthRetrying.has(status),
    });
  const contentType = firstOf(headers, 'content-type');
  if (!accepts(accept, contentType))
    throw new FetchFailure(
      'The page is of another type than those that Parley reads: HTML, text, Markdown, CSV, PDF and DOCX.',
      { final: true },
    );
  if (!isCut && Number(firstOf(headers, 'content-length')) > longestBody) throw tooLarge(longestBody);
  const bytes = await readBody(body, firstOf(headers, 'content-encoding'), {
    limit: longestBody,
    isCut,
    signal,
  }).catch((error: unknown) => {
    if (error instanceof FetchFailure) throw error;
    throw new FetchFailure('The page did not arrive completely in time.', { final: false, cause: error });
  });
  return { status, ...(contentType !== undefined && { contentType }), bytes };
}

function firstOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** A response without a valid Content-Type may be of any type. */
function accepts(accept: readonly string[] | undefined, contentType: string | undefined): boolean {
  const mediaType = mediaTypeOf(contentType);
  return (
    mediaType === '' ||
    !accept ||
    accept.includes(mediaType) ||
    accept.includes(mediaType.replace(/\/.*/, '/*'))
  );
}

function mediaTypeOf(contentType = ''): string {
  return /^\s*([^\s;/]+\/[^\s;]+)/.exec(contentType.toLowerCase())?.[1] ?? '';
}
