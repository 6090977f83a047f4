import { setTimeout as sleep } from 'node:timers/promises';
import {
  InsufficientScopeError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../../operation/json.ts';
import { codeOf } from '../../platform/errors.ts';
import { largestMessage } from './message-limit.ts';
import type { MessageId } from './open-calls.ts';
import { StdioTransport } from './stdio-transport.ts';

/** The server that a bridge leads to. */
export interface BridgeOptions {
  /** Its endpoint, with the selection in the query. */
  readonly url: URL;
  readonly key: string;
  /** Gets what goes wrong, for the log. */
  readonly onerror: (error: Error) => void;
}

/**
 * Connects the client on stdin and stdout to a server elsewhere. Messages pass unchanged, so both protocol lines work and
 * the server alone decides what a call may do.
 */
export function bridgeStdio(options: BridgeOptions): { close(): Promise<void> } {
  const bridge = new Bridge(options);
  bridge.open();
  return bridge;
}

/** Milliseconds between attempts to reach a server that has been reached before: it may be restarting. */
const restartDelays = [250, 500, 1000, 2000, 4000];

/** Codes of Node.js for a connection that was never made, so that no call can have begun. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A request that has no response yet. */
interface OpenRequest {
  readonly method: string;
  /** Ends the exchange with the server, which cancels the call there. */
  readonly cancel: AbortController;
}

class Bridge {
  readonly #options: BridgeOptions;
  readonly #client = new StdioTransport(largestMessage);
  readonly #server: StreamableHTTPClientTransport;
  readonly #requests = new Map<MessageId, OpenRequest>();
  /** True once the server has responded to anything. */
  #reached = false;

  constructor(options: BridgeOptions) {
    this.#options = options;
    const { url, key } = options;
    // The SDK follows no redirect to another origin, so no other server gets the key.
    this.#server = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: boundedFetch,
    });
  }

  open(): void {
    const { onerror } = this.#options;
    const failed = (error: unknown) => onerror(error instanceof Error ? error : new Error(String(error)));
    Object.assign(this.#client, {
      onmessage: (message: JSONRPCMessage) => void this.#pass(message).catch(failed),
      onerror,
      onclose: () => {
        for (const id of this.#requests.keys()) this.#cancel(id);
        this.#server.close().catch(failed);
      },
    });
    Object.assign(this.#server, {
      onmessage: (message: JSONRPCMessage) => void this.#return(message).catch(failed),
      onerror,
    });
    void Promise.all([this.#server.start(), this.#client.start()]).catch(failed);
  }

  /** Ends every open exchange with the server, which cancels the calls. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** Passes on a message of the client. */
  async #pass(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) return this.#request(message);
    // Closing the exchange of a call cancels it on every protocol and behind any load balancer; a notification does not.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      return this.#cancel(message.params?.['requestId']);
    return this.#server.send(message);
  }

  #cancel(id: unknown): void {
    const cancelled = this.#requests.get(id as MessageId);
    this.#requests.delete(id as MessageId);
    cancelled?.cancel.abort();
  }

  async #request(request: JSONRPCRequest): Promise<void> {
    const { id, method } = request;
    const cancel = new AbortController();
    this.#requests.set(id, { method, cancel });
    try {
      await this.#send(request, cancel.signal);
    } catch (error) {
      await this.#refuse(id, this.#failureOf(error));
    }
  }

  async #send(request: JSONRPCRequest, signal: AbortSignal): Promise<void> {
    const onRequestStreamEnd = () => void this.#refuse(request.id, this.#cut()).catch(this.#options.onerror);
    const delays = this.#reached ? restartDelays : [];
    for (let attempt = 0; ; attempt++)
      try {
        await this.#server.send(request, { requestSignal: signal, onRequestStreamEnd });
        this.#reached = true;
        return;
      } catch (error) {
        const delay = delays[attempt];
        if (delay === undefined || !neverConnected.has(connectionCodeOf(error))) throw error;
        await sleep(delay, undefined, { signal });
      }
  }

  /** Passes a message of the server on to the client, unless it belongs to a request that was cancelled. */
  async #return(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      const request = this.#requests.get(message.id as MessageId);
      if (!request) return;
      this.#requests.delete(message.id as MessageId);
      if (request.method === 'initialize' && isJSONRPCResultResponse(message))
        this.#server.setProtocolVersion(String(message.result['protocolVersion']));
    }
    await this.#client.send(message);
  }

  /** Responds to a request that the server has not responded to. */
  async #refuse(id: MessageId, error: Failure): Promise<void> {
    if (!this.#requests.delete(id)) return;
    await this.#client.send({ jsonrpc: '2.0', id, error });
  }

  #cut(): Failure {
    return internal(
      `${this.#options.url.host} closed the connection before it responded. The call may have run: look before you repeat it.`,
    );
  }

  /** What a client reads of a request that failed. */
  #failureOf(error: unknown): Failure {
    if (error instanceof SdkHttpError) return this.#refusalOf(error);
    if (error instanceof InsufficientScopeError)
      return invalid(
        `This needs more access than the key in PARLEY_API_KEY has: ${error.requiredScope ?? 'the server does not say which'}.`,
      );
    const code = connectionCodeOf(error);
    const { origin } = this.#options.url;
    if (neverConnected.has(code))
      return internal(
        `${origin} cannot be reached (${code}). Start the server there, or correct PARLEY_URL or --url.`,
      );
    if (code !== '') return this.#cut();
    return internal(`${origin} did not respond as an MCP server does: ${messageOf(error)}`);
  }

  /** What a client reads of a response with an error status. */
  #refusalOf({ status, message, data: { text } }: SdkHttpError): Failure {
    const { href } = this.#options.url;
    if (status === 401)
      return invalid(`${href} does not accept the key in PARLEY_API_KEY. Set it to a key of that server.`);
    // The SDK's message says where to.
    if (status >= 300 && status < 400) return invalid(`${href} does not serve MCP. ${message}`);
    const error = errorIn(text);
    if (!error)
      return invalid(`${href} does not serve MCP: its status is ${status}. Correct PARLEY_URL or --url.`);
    const { code, message: text_, data } = error;
    if (typeof code === 'number')
      return { code, message: String(text_), ...(data !== undefined && { data }) };
    return { ...(status < 500 ? invalid : internal)(String(text_)), data: { error } };
  }
}

/** The error of a JSON-RPC response. */
interface Failure {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

function invalid(message: string): Failure {
  return { code: ProtocolErrorCode.InvalidRequest, message };
}

function internal(message: string): Failure {
  return { code: ProtocolErrorCode.InternalError, message };
}

/** The member `error` of a body, which JSON-RPC and Parley's REST have; undefined if there is none. */
function errorIn(text: unknown): Record<string, unknown> | undefined {
  let body: unknown;
  try {
    body = JSON.parse(String(text));
  } catch {
    return undefined;
  }
  const error = isJsonObject(body) ? body['error'] : undefined;
  return isJsonObject(error) ? error : undefined;
}

/** Node's code for a connection that could not be made or was cut; empty for any other error. */
function connectionCodeOf(error: unknown): string {
  return error instanceof TypeError ? codeOf(error.cause) : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Node's `fetch`, whose responses fail at a message that is larger than any of Parley's. */
async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body || (response.status >= 300 && response.status < 400)) return response;
  return new Response(response.body.pipeThrough(messageBound()), response);
}

/** Fails at a message of too many bytes: a whole body of JSON, or what lies between two blank lines of an event stream. */
function messageBound(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let length = 0;
  return new TransformStream({
    transform(piece, controller) {
      const end = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).lastIndexOf('\n\n');
      length = end < 0 ? length + piece.byteLength : piece.byteLength - end;
      if (length > largestMessage)
        controller.error(new Error(`a message is longer than ${largestMessage} bytes`));
      else controller.enqueue(piece);
    },
  });
}
