import { readUsage, type StreamTally } from './chat-events.ts';
import type { Tier } from './routes.ts';
import type { Use } from './use.ts';

/** Characters for one token, roughly, in most languages. */
const charactersOfToken = 4;
/** Tokens around each message. */
const frameOfMessage = 4;

/** Records what a call used. It neither waits nor throws. */
export type Meter = (uses: readonly Use[]) => void;

/** A message of a request. Its other members are not read. */
export interface ChatMessage {
  readonly content?: string | readonly Readonly<Record<string, unknown>>[] | null | undefined;
}

interface Counted {
  readonly quantity: number;
  readonly estimated?: true;
}

/** The usage of one call. */
export function chatUses(mode: Tier, tokensIn: Counted, tokensOut: Counted): readonly Use[] {
  const of = { service: 'llm', mode } as const;
  return [
    { ...of, metric: 'requests', quantity: 1 },
    { ...of, metric: 'tokens_in', ...tokensIn },
    { ...of, metric: 'tokens_out', ...tokensOut },
  ];
}

/**
 * The usage of a stream, as the upstream reports it. If the stream broke off or the client left before that: the tokens
 * that arrived, and an estimate of the input.
 */
export function streamUses(mode: Tier, messages: readonly ChatMessage[], tally: StreamTally): readonly Use[] {
  const { usage, pieces } = tally;
  if (usage) return chatUses(mode, { quantity: usage.tokensIn }, { quantity: usage.tokensOut });
  return chatUses(mode, tokensOf(messages), { quantity: pieces });
}

/** The usage of a completion, as the upstream reports it, or an estimate. */
export function completionUses(
  mode: Tier,
  messages: readonly ChatMessage[],
  completion: Buffer,
): readonly Use[] {
  const atEnd = readUsage(usageAtEnd(completion));
  const { usage, choices }: Members = atEnd ? {} : membersOf(completion);
  const reported = atEnd ?? readUsage(usage);
  if (reported) return chatUses(mode, { quantity: reported.tokensIn }, { quantity: reported.tokensOut });
  const written = Array.isArray(choices) ? JSON.stringify(choices).length : completion.length;
  return chatUses(mode, tokensOf(messages), {
    quantity: Math.ceil(written / charactersOfToken),
    estimated: true,
  });
}

interface Members {
  readonly usage?: unknown;
  readonly choices?: unknown;
}

const usageName = '"usage"';
const backslash = 0x5c;

/**
 * The `usage` of a completion, which is among its last members, without parsing the long ones before it. Undefined if the text
 * from the last such name on does not complete an object: the name is then that of an inner member, or a text.
 */
function usageAtEnd(completion: Buffer): unknown {
  const start = completion.lastIndexOf(usageName);
  if (start <= 0 || completion[start - 1] === backslash) return undefined;
  try {
    return (JSON.parse(`{${completion.toString('utf8', start)}`) as Members).usage;
  } catch {
    // The whole completion is parsed instead.
    return undefined;
  }
}

function membersOf(completion: Buffer): Members {
  try {
    return (JSON.parse(completion.toString()) ?? {}) as Record<string, unknown>;
  } catch {
    // The client gets it as it is; there is nothing to count.
    return {};
  }
}

/** Estimates the tokens of the texts in messages. Images and sound are not counted. */
export function tokensOf(messages: readonly ChatMessage[]): Counted {
  let tokens = 0;
  for (const { content } of messages) {
    const texts = typeof content === 'string' ? [content] : (content ?? []).map(({ text }) => text);
    for (const text of texts)
      if (typeof text === 'string') tokens += Math.ceil(text.length / charactersOfToken);
    tokens += frameOfMessage;
  }
  return { quantity: tokens, estimated: true };
}
