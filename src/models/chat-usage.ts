import type { Use } from '../store/usage.ts';
import { readUsage, type StreamTally } from './chat-events.ts';
import type { Tier } from './routes.ts';

/** Characters of a token, roughly, in most languages. */
const charactersOfToken = 4;
/** Tokens around each message. */
const frameOfMessage = 4;

/** Notes what a call used; does not wait and does not fail. */
export type Meter = (uses: readonly Use[]) => void;

/** A message as a request carries it; of its other members nothing is read. */
export interface ChatMessage {
  readonly content?: string | readonly Readonly<Record<string, unknown>>[] | null | undefined;
}

interface Counted {
  readonly quantity: number;
  readonly estimated?: true;
}

/** A call with its tokens. */
export function chatUses(mode: Tier, tokensIn: Counted, tokensOut: Counted): readonly Use[] {
  const of = { service: 'llm', mode } as const;
  return [
    { ...of, metric: 'requests', quantity: 1 },
    { ...of, metric: 'tokens_in', ...tokensIn },
    { ...of, metric: 'tokens_out', ...tokensOut },
  ];
}

/**
 * What a stream used: as the upstream says, or, where it broke off before that or its reader left, the tokens that have
 * come and an estimate of what was sent.
 */
export function streamUses(mode: Tier, messages: readonly ChatMessage[], tally: StreamTally): readonly Use[] {
  const { usage, pieces } = tally;
  if (usage) return chatUses(mode, { quantity: usage.tokensIn }, { quantity: usage.tokensOut });
  return chatUses(mode, tokensOf(messages), { quantity: pieces });
}

/** What a completion used: as the upstream says, or an estimate where it does not. */
export function completionUses(
  mode: Tier,
  messages: readonly ChatMessage[],
  completion: Buffer,
): readonly Use[] {
  const { usage, choices } = membersOf(completion);
  const told = readUsage(usage);
  if (told) return chatUses(mode, { quantity: told.tokensIn }, { quantity: told.tokensOut });
  const written = Array.isArray(choices) ? JSON.stringify(choices).length : completion.length;
  return chatUses(mode, tokensOf(messages), {
    quantity: Math.ceil(written / charactersOfToken),
    estimated: true,
  });
}

function membersOf(completion: Buffer): { readonly usage?: unknown; readonly choices?: unknown } {
  try {
    return (JSON.parse(completion.toString()) ?? {}) as Record<string, unknown>;
  } catch {
    // It is told to the client as it came; here there is nothing to count.
    return {};
  }
}

/** What the texts of some messages come to; images and sound are not counted. */
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
