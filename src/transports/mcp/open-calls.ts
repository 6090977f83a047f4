import { isJsonObject } from '../../operation/json.ts';

/** A JSON-RPC request id (JSON-RPC 2.0, section 4). */
export type MessageId = string | number;

/** What cancels one call, until it ends. */
export interface OpenCall {
  /** Aborts if the client cancels the call. */
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * The calls that this process runs over HTTP, by client and request id. Clients of the 2025 protocols cancel a call with a
 * notification in a request of its own, perhaps on another connection, so that the server of the call never sees it.
 */
export class OpenCalls {
  readonly #calls = new Map<string, Set<AbortController>>();

  /** `client` is a text that no two clients share. */
  begin(client: string, id: MessageId): OpenCall {
    const name = nameOf(client, id);
    const sameName = this.#calls.get(name) ?? new Set<AbortController>();
    this.#calls.set(name, sameName);
    const controller = new AbortController();
    sameName.add(controller);
    return {
      signal: controller.signal,
      end: () => {
        sameName.delete(controller);
        if (sameName.size === 0) this.#calls.delete(name);
      },
    };
  }

  /** Cancels the call, unless several have this client and id: one of them may be another program's. */
  cancel(client: string, id: MessageId): void {
    const [call, ...others] = this.#calls.get(nameOf(client, id)) ?? [];
    if (others.length === 0) call?.abort(new Error('the client cancelled the call'));
  }
}

function nameOf(client: string, id: MessageId): string {
  return JSON.stringify([client, id]);
}

/** The request ids that a message cancels (MCP, `notifications/cancelled`). Clients of 2025-03-26 may send batches. */
export function cancelledIn(message: unknown): MessageId[] {
  return [message].flat().flatMap((one: unknown) => {
    if (!isJsonObject(one) || one['method'] !== 'notifications/cancelled') return [];
    if (!isJsonObject(one['params'])) return [];
    const { requestId } = one['params'];
    return typeof requestId === 'string' || typeof requestId === 'number' ? [requestId] : [];
  });
}
