/** What is known about a stream so far. */
export interface StreamTally {
  /** Tokens as counted by the upstream. */
  usage: TokenUsage | undefined;
  /** Pieces of output so far. Upstreams send one for each token. */
  pieces: number;
  /** Whether the upstream has sent `[DONE]`. */
  done: boolean;
}

export interface TokenUsage {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** The largest event in bytes. Audio arrives in far smaller pieces. */
const longestEvent = 8_388_608;

const nothing: Buffer = Buffer.alloc(0);
const blankLines = ['\n\n', '\r\n\r\n', '\r\r'];
/** One less than the longest blank line. */
const tailBytes = 3;
/** A piece of output: text, reasoning, a refusal, or arguments of a call. */
const output = /"(?:content|reasoning_content|reasoning|refusal|arguments)": ?"[^"]/g;
const someUsage = /"usage": ?\{/;
const lastEvent = /(?:^|[\r\n])data: ?\[DONE\]/;

/**
 * Passes on the server-sent events of a chat completion unchanged, in whole events, so that a broken stream never ends in
 * the middle of one. If only Parley asked for the usage, the event that holds nothing else is held back.
 */
export class ChatEvents {
  readonly tally: StreamTally = { usage: undefined, pieces: 0, done: false };
  readonly #keepsBackUsage: boolean;
  /** The pieces of an event that has not ended. To join them at each piece would copy a long event again and again. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** The last bytes of them, in which a blank line may begin. */
  #tail = nothing;

  constructor(keepsBackUsage: boolean) {
    this.#keepsBackUsage = keepsBackUsage;
  }

  /** Returns what to send for a piece of the stream. */
  pass(piece: Buffer): Buffer {
    const recent = this.#tail.length > 0 ? Buffer.concat([this.#tail, piece]) : piece;
    const end = endOfEvents(recent);
    if (end === 0) {
      this.#hold(piece);
      return nothing;
    }
    const endInPiece = end - this.#tail.length;
    const ended = piece.subarray(0, endInPiece);
    const events = this.#held.length > 0 ? Buffer.concat([...this.#held, ended]) : ended;
    this.#release();
    this.#hold(piece.subarray(endInPiece));
    return this.#read(events);
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#held.push(piece);
    this.#heldBytes += piece.length;
    if (this.#heldBytes > longestEvent) throw new Error('an event is longer than 8 MiB');
    const last = piece.length < tailBytes ? Buffer.concat([this.#tail, piece]) : piece;
    this.#tail = last.subarray(-tailBytes);
  }

  #release(): void {
    this.#held = [];
    this.#heldBytes = 0;
    this.#tail = nothing;
  }

  /** Returns what is left at the end of the stream. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#held);
    this.#release();
    return rest.length > 0 ? this.#read(rest) : rest;
  }

  #read(events: Buffer): Buffer {
    // One character a byte is enough, because the patterns are ASCII.
    const text = events.toString('latin1');
    for (output.lastIndex = 0; output.test(text); ) this.tally.pieces++;
    if (text.includes('[DONE]') && lastEvent.test(text)) this.tally.done = true;
    // Nearly every event has "usage": null. In the output of a model, quotes are escaped.
    return text.search(someUsage) < 0 ? events : this.#withoutUsage(events, text);
  }

  #withoutUsage(events: Buffer, text: string): Buffer {
    const kept: Buffer[] = [];
    let from = 0;
    for (;;) {
      const found = text.slice(from).search(someUsage);
      if (found < 0) break;
      const at = from + found;
      const starts = blankLines.map((line) => afterLine(line, text.lastIndexOf(line, at)) ?? from);
      const start = Math.max(from, ...starts);
      const end = Math.min(
        ...blankLines.map((line) => afterLine(line, text.indexOf(line, at)) ?? text.length),
      );
      const reported = usageIn(events.subarray(start, end));
      if (reported) this.tally.usage = reported.usage;
      kept.push(events.subarray(from, reported?.alone && this.#keepsBackUsage ? start : end));
      from = end;
    }
    return Buffer.concat([...kept, events.subarray(from)]);
  }
}

/** Where the last whole event ends; 0 if none does. */
function endOfEvents(bytes: Buffer): number {
  if (bytes.length > 1 && bytes.at(-1) === 0x0a && bytes.at(-2) === 0x0a) return bytes.length;
  return Math.max(...blankLines.map((line) => afterLine(line, bytes.lastIndexOf(line)) ?? 0));
}

function afterLine(line: string, at: number): number | undefined {
  return at < 0 ? undefined : at + line.length;
}

function usageIn(event: Buffer): { readonly usage: TokenUsage; readonly alone: boolean } | undefined {
  // Not `.` and `^`: a text in JSON may hold U+2028, which ends no line of an event.
  const data = /(?:^|[\r\n])data: ?([^\r\n]*)/.exec(event.toString())?.[1];
  try {
    const { choices, usage } = JSON.parse(data ?? '') as { choices?: unknown; usage?: unknown };
    const read = readUsage(usage);
    return read && { usage: read, alone: Array.isArray(choices) && choices.length === 0 };
  } catch {
    // Not JSON: pass it on without judging it.
    return undefined;
  }
}

/** Reads a `usage` in OpenAI's format; undefined if it is not one. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { prompt_tokens: tokensIn, completion_tokens: tokensOut } = usage as Record<string, unknown>;
  return isCount(tokensIn) && isCount(tokensOut) ? { tokensIn, tokensOut } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
