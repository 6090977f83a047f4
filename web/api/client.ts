import { ApiError, errorOf, unreachable } from './api-error.ts';
import { type Operations, routes } from './operations.ts';

export type OperationName = keyof Operations;
export type Input<Name extends OperationName> = Operations[Name]['input'];
export type Output<Name extends OperationName> = Operations[Name]['output'];

/** The API with a key: every method is one request of the public REST API. A FormData becomes the body as it is. */
export interface Api {
  /** Calls an operation that returns JSON. Rejects with ApiError. */
  call<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    signal?: AbortSignal,
  ): Promise<Output<Name>>;
  /** Calls an operation that returns something else, such as a drawing or an event stream. Rejects with ApiError. */
  fetch<Name extends OperationName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Response>;
}

/** @param onRefused is called if the API no longer knows the key */
export function apiWith(key: string, onRefused: () => void = () => {}): Api {
  const send = async <Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const { url, ...request } = requestOf(name, input);
    const headers = {
      ...request.headers,
      authorization: `Bearer ${key}`,
    };
    const response = await fetch(url, { ...request, headers, ...(signal && { signal }) }).catch(
      (thrown: unknown) => {
        // An aborted request is not a network failure.
        if (signal?.aborted) throw thrown;
        throw unreachable(thrown);
      },
    );
    if (response.ok) return response;
    if (response.status === 401) onRefused();
    throw await errorOf(response);
  };
  return {
    fetch: send,
    async call(name, input, signal) {
      const response = await send(name, input, signal);
      return (await response.json()) as never;
    },
  };
}

function requestOf(name: OperationName, input: Readonly<Record<string, unknown>> | FormData) {
  const [method, path, queryNames] = routes[name] as readonly [string, string, readonly string[]];
  if (input instanceof FormData) return { url: path, method, headers: {}, body: input };
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = rest[parameter];
    delete rest[parameter];
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new ApiError({ status: 0, code: 'invalid_request', message: `${name} needs ${parameter}.` });
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const parameter of queryNames) {
    const value = rest[parameter];
    delete rest[parameter];
    if (value !== undefined)
      query.set(
        parameter,
        typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`,
      );
  }
  const url = query.size > 0 ? `${filled}?${query}` : filled;
  if (method === 'GET' || method === 'DELETE') return { url, method, headers: {} };
  return { url, method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) };
}
