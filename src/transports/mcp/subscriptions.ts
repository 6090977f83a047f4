import type { Caller } from '../../operation/context.ts';
import { isJsonObject } from '../../operation/json.ts';
import type { JsonObject } from '../../operation/result.ts';
import type { WatchedRecord } from '../../store/resource-states.ts';
import type { ListedTool } from './listing.ts';

/** The records behind addresses of resources, by address; without those that no client can hear of. */
export function watchedRecords(
  tools: readonly ListedTool[],
  { projectId, keyId }: Pick<Caller, 'projectId' | 'keyId'>,
  addresses: readonly string[],
): Map<string, WatchedRecord> {
  const records = new Map<string, WatchedRecord>();
  for (const address of addresses)
    for (const { resource, watched: kind } of tools) {
      const id = resource && kind && variableIn(address, resource.uri);
      if (kind && id) records.set(address, { projectId, keyId, kind, id });
    }
  return records;
}

/** The text in place of the one variable of a template; undefined if the address does not match. */
function variableIn(address: string, template: string): string | undefined {
  const [before = '', after = ''] = template.split(/\{\w+\}/);
  if (!address.startsWith(before) || !address.endsWith(after)) return undefined;
  const text = address.slice(before.length, address.length - after.length);
  return /^\w+$/.test(text) ? text : undefined;
}

/** A request for changes (2026-07-28, `subscriptions/listen`). */
export interface ListenRequest {
  readonly id: unknown;
  /** The addresses of the resources. */
  readonly addresses: readonly string[];
  /** The same request for other addresses. */
  readonly asking: (addresses: readonly string[]) => JsonObject;
}

/** Undefined for any other message. */
export function listenRequestIn(message: unknown): ListenRequest | undefined {
  if (!isJsonObject(message) || message['method'] !== 'subscriptions/listen') return undefined;
  const { id, params } = message;
  if (!isJsonObject(params) || !isJsonObject(params['notifications'])) return undefined;
  const { notifications } = params;
  const { resourceSubscriptions: asked } = notifications;
  if (!Array.isArray(asked)) return undefined;
  return {
    id,
    addresses: asked.filter((address) => typeof address === 'string'),
    asking: (addresses) => ({
      ...message,
      params: { ...params, notifications: { ...notifications, resourceSubscriptions: addresses } },
    }),
  };
}

/** An event as the SDK's streams take it. */
type UpdateEvent = { readonly kind: 'resource_updated'; readonly uri: string };

/** Passes changes on to the stream of one request, also those from before the stream began. */
export class UpdateStream {
  #listener: ((event: UpdateEvent) => void) | undefined;
  readonly #waiting: string[] = [];

  /** Connects the stream. */
  begin(listener: (event: UpdateEvent) => void): () => void {
    this.#listener = listener;
    for (const address of this.#waiting) this.tell(address);
    return () => {
      this.#listener = undefined;
    };
  }

  tell(address: string): void {
    if (this.#listener) this.#listener({ kind: 'resource_updated', uri: address });
    else this.#waiting.push(address);
  }
}
