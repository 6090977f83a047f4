import type { HookNode } from '../design/schema/design.ts';
import { valueAt } from '../design/value.ts';
import type { Json } from './json-value.ts';

type Fetch = NonNullable<HookNode['fetch']>;
type Webhook = NonNullable<HookNode['webhook']>;

/** An HTTP request of a hook node, complete but for its secrets. */
export interface HttpRequest {
  readonly block: 'webhook' | 'fetch';
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  readonly timeoutSeconds: number;
  /** The secret for the signature, and its header, if the design names them. */
  readonly secretHint?: string;
  readonly signatureHeader?: string;
}

/** Seconds, if the design says nothing. */
export const defaultTimeout = 10;

/** A response, as its driver received it. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/** The values that a response gives to variables, by their ids. A mapping without a value gives its default. */
export function mappedValues(
  { responseMappings, responseFormat = 'json' }: Fetch,
  response: HttpResponse | undefined,
): Record<string, Json> {
  const body = response && isSuccess(response) ? parsed(response.body, responseFormat) : undefined;
  return Object.fromEntries(
    responseMappings.flatMap(({ variableId, path, transform = 'auto', defaultValue }) => {
      const found = body === undefined ? undefined : transformed(at(body, path), transform);
      const value = found ?? defaultValue;
      return value === undefined ? [] : [[variableId, value] as const];
    }),
  );
}

/** The value that the response of a webhook gives to its variable. */
export function webhookValue({ responsePath }: Webhook, { body }: HttpResponse): Json | undefined {
  const value = parsed(body, 'json');
  return value === undefined ? undefined : at(value, responsePath);
}

/** True for a status from 200 to 299. */
export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status <= 299;
}

function parsed(body: string, format: 'json' | 'text'): Json | undefined {
  if (format === 'text') return body;
  try {
    return JSON.parse(body) as Json;
  } catch {
    // The mappings get their defaults, and the happening reports the failure.
    return undefined;
  }
}

function at(value: Json, path: string | undefined): Json | undefined {
  return valueAt(value, responseSegments(path)) as Json | undefined;
}

/** The segments of `items.0.name`, `items[0].name` or a JSON pointer. None without a path: the whole value. */
export function responseSegments(path: string | undefined): string[] {
  if (path === undefined || path === '') return [];
  if (path.startsWith('/')) return path.slice(1).split('/');
  return path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replace(/^\$?\./, '')
    .split('.');
}

function transformed(
  value: Json | undefined,
  transform: NonNullable<Fetch['responseMappings'][number]['transform']>,
): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (transform === 'auto') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (transform) {
    case 'text':
      return text;
    case 'number': {
      const number = Number(text);
      return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
    }
    case 'boolean':
      return /^(?:true|1|yes)$/i.test(text) ? true : /^(?:false|0|no)$/i.test(text) ? false : undefined;
    case 'json':
      return typeof value === 'string' ? parsed(value, 'json') : value;
  }
}
