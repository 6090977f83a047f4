import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { isJsonObject, withoutAbyss } from '../../operation/json.ts';

const lineFeed = 0x0a;

/** The response to a message that cannot be read, whose id is therefore unknown (JSON-RPC 2.0, section 5). */
function refusal(code: number, message: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`;
}

/**
 * One client on stdin and stdout. The SDK's own transport drops a line that it cannot read, copies all that it has read
 * for each piece of a long message, and closes the connection at a message that is too long. This one responds to each
 * wrong line as `/mcp` does, and goes on.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: NodeJS.ReadableStream;
  readonly #output: NodeJS.WritableStream;
  readonly #limit: number;
  /** The pieces of a line that has not ended. */
  #pieces: Buffer[] = [];
  #length = 0;
  #closed = false;

  /** `limit` is the most bytes of a message. */
  constructor(limit: number, input = process.stdin, output = process.stdout) {
    this.#input = input;
    this.#output = output;
    this.#limit = limit;
  }

  /** Reads messages until the client closes its end or `close` is called. */
  start(): Promise<void> {
    this.#input.on('data', this.#read).once('end', this.#end).once('close', this.#end);
    this.#input.on('error', this.#fail);
    this.#output.on('error', this.#fail);
    return Promise.resolve();
  }

  /** Resolves once the message is written. Rejects after `close`. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the connection is closed'));
    return this.#write(serializeMessage(message));
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#input.off('data', this.#read).pause();
    this.#pieces = [];
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #end = () => void this.close();

  readonly #fail = (error: Error) => {
    if (!this.#closed) this.onerror?.(error);
    void this.close();
  };

  readonly #read = (piece: Buffer) => {
    let from = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      this.#keep(piece.subarray(from, end));
      this.#endLine();
      if (this.#closed) return;
      from = end + 1;
    }
    this.#keep(piece.subarray(from));
  };

  /** Keeps a piece of a line, unless the line is too long already. */
  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pieces).toString().trim();
    const tooLong = this.#length > this.#limit;
    this.#pieces = [];
    this.#length = 0;
    if (tooLong) {
      this.#refuse(ProtocolErrorCode.InvalidRequest, `The message is longer than ${this.#limit} bytes.`);
      return;
    }
    if (line === '') return;
    let value: unknown;
    try {
      value = withoutAbyss(JSON.parse(line));
    } catch {
      this.#refuse(ProtocolErrorCode.ParseError, 'Parse error');
      return;
    }
    const message = messageIn(value);
    if (message) this.onmessage?.(message);
    // A response to a response could go back and forth for ever.
    else if (isResponse(value)) this.onerror?.(new Error('a response is not valid'));
    else this.#refuse(ProtocolErrorCode.InvalidRequest, invalidRequest(value));
  }

  #refuse(code: number, message: string): void {
    this.onerror?.(new Error(`a line is not a message: ${message}`));
    this.#write(refusal(code, message)).catch(this.#fail);
  }

  #write(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(line, (error) => (error ? reject(error) : resolve()));
    });
  }
}

function isResponse(value: unknown): boolean {
  return isJsonObject(value) && !('method' in value) && ('result' in value || 'error' in value);
}

function invalidRequest(value: unknown): string {
  const message = 'Invalid Request';
  return Array.isArray(value) ? `${message}: send the messages of a batch one by one` : message;
}

/** Undefined if the value is not a JSON-RPC message. */
function messageIn(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}
