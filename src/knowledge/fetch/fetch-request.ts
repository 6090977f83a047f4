import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import { FetchFailure } from './fetch-failure.ts';
import { readAnswer, tooLarge } from './response-body.ts';

/** A page of status 2xx, or where the site says that it is. */
export type Answer =
  | { readonly status: number; readonly contentType?: string; readonly bytes: Uint8Array }
  | { readonly location: string };

export interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  /** Media types, such as `text/html` and `text/*`; undefined: any. */
  readonly accept: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds, from the start: until the head of the answer is there, and until all of it is. */
  readonly headersWithin: number;
  readonly within: number;
  /** Bytes, unpacked; of what is longer the start is wanted, or nothing. */
  readonly longestBody: number;
  readonly isCut: boolean;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const worthAnotherTry: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Asks for a page once.
 * @throws FetchFailure for an answer that is no page; whatever befell the connection before its head had come
 */
export async function exchange(agent: Agent, url: URL, asked: Exchange): Promise<Answer> {
  const late = new AbortController();
  const stop = () => late.abort(new Error('too slow'));
  const timers = [setTimeout(stop, asked.within), setTimeout(stop, asked.headersWithin)];
  const signal = AbortSignal.any([asked.signal, late.signal]);
  try {
    const answer = await agent.request({
      method: 'GET',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: { ...asked.headers, 'accept-encoding': 'identity' },
      signal,
    });
    clearTimeout(timers.pop());
    return await read(answer, asked, signal).catch((error: unknown) => {
      // What is not read to its end has to be thrown away, or it holds the connection.
      answer.body.on('error', () => undefined).destroy();
      throw error;
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

async function read(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  { accept, longestBody, isCut }: Exchange,
  signal: AbortSignal,
): Promise<Answer> {
  const location = one(headers, 'location');
  if (redirects.has(status) && location !== undefined) {
    body.on('error', () => undefined).destroy();
    return { location };
  }
  if (status < 200 || status > 299)
    throw new FetchFailure(`The site answered ${status}.`, {
      final: status < 500 && !worthAnotherTry.has(status),
    });
  const contentType = one(headers, 'content-type');
  if (!accepts(accept, contentType))
    throw new FetchFailure('The page is of a kind that Parley does not read.', { final: true });
  if (!isCut && Number(one(headers, 'content-length')) > longestBody) throw tooLarge(longestBody);
  const bytes = await readAnswer(body, one(headers, 'content-encoding'), {
    limit: longestBody,
    isCut,
    signal,
  }).catch((error: unknown) => {
    if (error instanceof FetchFailure) throw error;
    throw new FetchFailure('The page did not arrive whole in time.', { final: false, cause: error });
  });
  return { status, ...(contentType !== undefined && { contentType }), bytes };
}

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** An answer that does not say what it is may be anything. */
function accepts(accept: readonly string[] | undefined, contentType = ''): boolean {
  const [, type = '', kind = ''] = /^\s*([^\s;/]+)(\/[^\s;]+)/.exec(contentType.toLowerCase()) ?? [];
  return type === '' || !accept || accept.includes(type + kind) || accept.includes(`${type}/*`);
}
