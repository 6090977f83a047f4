import { request } from 'undici';
import { OutsideFailure } from '../../platform/errors.ts';

/** A provider refused a call or did not respond. The message is for the owner of the design. */
export class ProviderFailure extends OutsideFailure {
  override readonly name = 'ProviderFailure';
}

export interface ProviderCall {
  readonly method: 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const secondsForACall = 10;
/** Characters of a provider's own words in a message. */
const longestExplanation = 300;

/**
 * Calls the API of a provider once, and returns the JSON of its response.
 * @param provider the name in messages
 * @param explain finds the provider's own explanation in the JSON of an error
 * @throws ProviderFailure, or the signal's reason
 */
export async function callProvider(
  provider: string,
  { url, ...call }: ProviderCall,
  explain: (body: unknown) => string | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  const limit = AbortSignal.timeout(secondsForACall * 1_000);
  const response = await request(url, { ...call, signal: AbortSignal.any([signal, limit]) })
    .then(async ({ statusCode, body }) => ({ status: statusCode, text: await body.text() }))
    .catch((error: unknown) => {
      signal.throwIfAborted();
      throw new ProviderFailure(
        limit.aborted
          ? `${provider} did not respond within ${secondsForACall} seconds.`
          : `${provider} could not be reached.`,
        { cause: error },
      );
    });
  const { status, text } = response;
  const body = parsed(text);
  if (status >= 200 && status <= 299) return body;
  if (status === 401 || status === 403)
    throw new ProviderFailure(`${provider} rejected the credentials (status ${status}).`);
  const words = explain(body)?.slice(0, longestExplanation);
  throw new ProviderFailure(`${provider} responded with status ${status}${words ? `: ${words}` : '.'}`);
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // An error page of a proxy is not JSON; its status says enough.
    return undefined;
  }
}
