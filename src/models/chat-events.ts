/** What of a stream's end is known. */
export interface StreamTally {
  /** Tokens as the upstream counts them. */
  usage: TokenUsage | undefined;
  /** Pieces of output that have come: an upstream sends one for each token. */
  pieces: number;
  /** Whether the upstream said that it is through. */
  done: boolean;
}

export interface TokenUsage {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Bytes of one event; audio comes in pieces far smaller. */
const longestEvent = 8_388_608;

const nothing: Buffer = Buffer.alloc(0);
const blankLines = ['\n\n', '\r\n\r\n', '\r\r'];
/** Something that a model wrote: its text, its reasoning, its refusal, the arguments of a call. */
const output = /"(?:content|reasoning_content|reasoning|refusal|arguments)": ?"[^"]/g;
const someUsage = /"usage": ?\{/;
const lastEvent = /(?:^|[\r\n])data: ?\[DONE\]/;

/**
 * Lets server-sent events of a chat completion pass as they are, whole events only, so that a stream which breaks off
 * never ends in the middle of one. The event that holds nothing but the usage is kept back where only we asked for it.
 */
export class ChatEvents {
  readonly tally: StreamTally = { usage: undefined, pieces: 0, done: false };
  readonly #keepsBackUsage: boolean;
  #held = nothing;

  constructor(keepsBackUsage: boolean) {
    this.#keepsBackUsage = keepsBackUsage;
  }

  /** What goes on for a piece of the stream. */
  pass(piece: Buffer): Buffer {
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, piece]) : piece;
    const end = endOfEvents(bytes, this.#held.length);
    if (bytes.length - end > longestEvent) throw new Error('an event is longer than 8 MiB');
    this.#held = end === bytes.length ? nothing : bytes.subarray(end);
    return end === 0 ? nothing : this.#read(bytes.subarray(0, end));
  }

  /** What is left at the end of the stream. */
  rest(): Buffer {
    const rest = this.#held;
    this.#held = nothing;
    return rest.length > 0 ? this.#read(rest) : rest;
  }

  #read(events: Buffer): Buffer {
    // A byte is a character: what is looked for here is ASCII.
    const text = events.toString('latin1');
    for (output.lastIndex = 0; output.test(text); ) this.tally.pieces++;
    if (text.includes('[DONE]') && lastEvent.test(text)) this.tally.done = true;
    // Nearly every event has usage null. In what a model writes, quotes are escaped.
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
      const told = usageIn(events.subarray(start, end));
      if (told) this.tally.usage = told.usage;
      kept.push(events.subarray(from, told?.alone && this.#keepsBackUsage ? start : end));
      from = end;
    }
    return Buffer.concat([...kept, events.subarray(from)]);
  }
}

/** Where the last whole event ends; what stands before `known` was seen without one, but for its line break. */
function endOfEvents(bytes: Buffer, known: number): number {
  if (bytes.length > 1 && bytes.at(-1) === 0x0a && bytes.at(-2) === 0x0a) return bytes.length;
  const recent = bytes.subarray(Math.max(0, known - 3));
  const ends = blankLines.map((line) => {
    const at = recent.lastIndexOf(line);
    return at < 0 ? 0 : bytes.length - recent.length + at + line.length;
  });
  return Math.max(...ends);
}

function afterLine(line: string, at: number): number | undefined {
  return at < 0 ? undefined : at + line.length;
}

function usageIn(event: Buffer): { readonly usage: TokenUsage; readonly alone: boolean } | undefined {
  const data = /^data: ?(.*)$/m.exec(event.toString())?.[1];
  try {
    const { choices, usage } = JSON.parse(data ?? '') as { choices?: unknown; usage?: unknown };
    const read = readUsage(usage);
    return read && { usage: read, alone: Array.isArray(choices) && choices.length === 0 };
  } catch {
    // No JSON: whatever it is, it is not ours to judge.
    return undefined;
  }
}

/** The usage of a completion as OpenAI writes it; undefined where it is none. */
export function readUsage(usage: unknown): TokenUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { prompt_tokens: tokensIn, completion_tokens: tokensOut } = usage as Record<string, unknown>;
  return isCount(tokensIn) && isCount(tokensOut) ? { tokensIn, tokensOut } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
