import type {
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiInitializeResult,
} from '@modelcontextprotocol/ext-apps';

/** The version of the extension's protocol between a page and its host (SEP-1865). */
const protocolVersion = '2026-01-26';

/** JSON-RPC 2.0, section 5.1. */
const methodNotFound = -32_601;

type Params = Readonly<Record<string, unknown>>;

interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: Params) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * The page's end of MCP Apps: JSON-RPC with the window around it. The extension's own library does the same, but brings
 * 60 KB of schemas, more than the page may weigh.
 */
export class HostBridge {
  readonly #waiting = new Map<number | string, Waiting>();
  readonly #listeners = new Map<string, (params: Params) => void>();
  #nextId = 1;
  #capabilities: McpUiHostCapabilities = {};

  /** What the host can do for the page, once it is connected. */
  get capabilities(): McpUiHostCapabilities {
    return this.#capabilities;
  }

  /** Sets what happens when the host sends a notification. */
  on(method: string, listener: (params: Params) => void): void {
    this.#listeners.set(method, listener);
  }

  /** Introduces the page to the host, and tells it from then on how high the page is. */
  async connect(): Promise<McpUiHostContext> {
    window.addEventListener('message', ({ source, data }: MessageEvent<Message | undefined>) => {
      if (source === window.parent && data?.jsonrpc === '2.0') this.#receive(data);
    });
    const { hostCapabilities, hostContext } = (await this.request('ui/initialize', {
      protocolVersion,
      appInfo: { name: 'parley-design', title: 'Parley', version: '1' },
      appCapabilities: { availableDisplayModes: ['inline'] },
    })) as unknown as McpUiInitializeResult;
    this.#capabilities = hostCapabilities;
    this.#notify('ui/notifications/initialized', {});
    new ResizeObserver(() => {
      const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
      this.#notify('ui/notifications/size-changed', { height });
    }).observe(document.documentElement);
    return hostContext;
  }

  /** Rejects with the error of the host, or with the signal's reason if the signal is aborted. */
  request(method: string, params: Params, signal?: AbortSignal): Promise<Params> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      this.#waiting.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => {
        if (!this.#waiting.delete(id)) return;
        this.#notify('notifications/cancelled', { requestId: id });
        reject(signal.reason as Error);
      });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  #notify(method: string, params: Params): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** The page does not know the origin of its host, and sends nothing that another window may not read. */
  #send(message: Message): void {
    window.parent.postMessage(message, '*');
  }

  #receive({ id, method, params = {}, result, error }: Message): void {
    if (method !== undefined && id === undefined) {
      this.#listeners.get(method)?.(params);
    } else if (method !== undefined && id !== undefined) {
      // A page that ends has nothing to save.
      const isKnown = method === 'ping' || method === 'ui/resource-teardown';
      const reply = isKnown
        ? { result: {} }
        : { error: { code: methodNotFound, message: 'Method not found' } };
      this.#send({ jsonrpc: '2.0', id, ...reply });
    } else if (id !== undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result ?? {});
    }
  }
}
