import type OpenAI from 'openai';
import { codeOf } from '../../platform/errors.ts';
import { activeTracing, inSpan } from '../../platform/tracing/spans.ts';

/**
 * Opens a client of an OpenAI-compatible API, without retries. Call it with the first request, because loading the
 * library takes a quarter of a second and 30 MiB.
 * @param apiKey undefined for a server that takes requests without a key.
 * @param baseURL such as `https://api.openai.com/v1`.
 */
export async function openClient(apiKey: string | undefined, baseURL: string): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    apiKey: apiKey ?? 'none',
    baseURL,
    maxRetries: 0,
    // Otherwise the client reads these from the environment, and logs to stdout.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    ...(activeTracing() && { fetch: tracedFetch(new URL(baseURL).host) }),
    ...(apiKey === undefined && { defaultHeaders: { authorization: null } }),
  });
}

/** Returns `fetch` in a span, which the server continues. */
function tracedFetch(host: string): typeof fetch {
  const attributes = { 'http.request.method': 'POST', 'server.address': host };
  return (input, init) =>
    inSpan({ name: `POST ${host}`, kind: 'client', attributes }, () => {
      const headers = new Headers(init?.headers);
      for (const [name, value] of Object.entries(activeTracing()?.headers() ?? {})) headers.set(name, value);
      return fetch(input, { ...init, headers });
    });
}

/** Node's code of a failed connection, from the innermost cause that has one; else `no connection`. */
export function connectionCode(error: unknown): string {
  return innermostCode(error) || 'no connection';
}

function innermostCode(error: unknown): string {
  const inner = error instanceof Error && error.cause !== undefined ? innermostCode(error.cause) : '';
  return inner || codeOf(error);
}
