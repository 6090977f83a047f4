import { setTimeout as pause } from 'node:timers/promises';
import type { Reaction, Received } from './upstream.ts';

/** What a chat completion of the upstream says. */
export interface Said {
  /** One for each token. */
  readonly pieces: readonly string[];
  /** Milliseconds between two pieces. */
  readonly pace?: number;
  /** Called before each piece but the first; what it does instead of going on ends the stream. */
  readonly until?: number;
}

const frame = { id: 'chatcmpl-1', created: 1_700_000_000 };

/** Tokens of a request, as this upstream counts them: 7 for each message. */
export function promptTokens({ body }: Received): number {
  return 7 * body.messages.length;
}

/** A chat completion of these pieces, streamed where the request wants that; each piece is one token. */
export function chats(said: Said | ((request: Received) => Said)): Reaction {
  return async (request, response) => {
    const { pieces, pace = 0, until = Infinity } = typeof said === 'function' ? said(request) : said;
    const { model, stream, stream_options: options } = request.body;
    const prompt = promptTokens(request);
    const usage = {
      prompt_tokens: prompt,
      completion_tokens: pieces.length,
      total_tokens: prompt + pieces.length,
    };
    if (stream !== true) {
      const message = { role: 'assistant', content: pieces.join(''), refusal: null };
      const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
      if (pace > 0) await pause(pace * pieces.length);
      const body = JSON.stringify({ ...frame, object: 'chat.completion', model, choices, usage });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      request.produced = pieces.length;
      return;
    }
    const wantsUsage = options?.include_usage === true;
    const chunk = (choices: unknown[], used: unknown = null) =>
      eventOf({
        ...frame,
        object: 'chat.completion.chunk',
        model,
        choices,
        ...(wantsUsage && { usage: used }),
      });
    const choice = (delta: unknown, reason: string | null = null) =>
      chunk([{ index: 0, delta, logprobs: null, finish_reason: reason }]);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(choice({ role: 'assistant', content: '', refusal: null }));
    for (const [index, content] of pieces.entries()) {
      if (index >= until) return;
      if (pace > 0) await pause(pace);
      if (response.destroyed) return;
      response.write(choice({ content }));
      request.produced++;
    }
    response.write(choice({}, 'stop'));
    if (wantsUsage) response.write(chunk([], usage));
    response.end('data: [DONE]\n\n');
  };
}

/** A server-sent event with a value as OpenAI writes it. */
export function eventOf(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Server-sent events as they are, in these pieces. */
export function streams(...pieces: readonly (string | Uint8Array)[]): Reaction {
  return async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      response.write(piece);
      // Apart, so that each is a piece of its own on the way.
      await pause(5);
    }
    response.end();
  };
}

/** So many words. */
export function words(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `word${index} `);
}

/** Sound, or what stands for it: any number of bytes. */
export function speaks(
  bytes: Uint8Array = Buffer.alloc(4_000, 'sound'),
  contentType = 'audio/mpeg',
): Reaction {
  return (_, response) => {
    response.writeHead(200, { 'content-type': contentType }).end(bytes);
  };
}

/** A transcript of whatever was sent. */
export function transcribes(text: string, more: Readonly<Record<string, unknown>> = {}): Reaction {
  return ({ body }, response) => {
    const whole =
      body['response_format'] === 'verbose_json' ? { task: 'transcribe', ...more, text } : { text };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
  };
}

/** The vectors that are made of the texts of a request, in any order. */
export function embeds(vectorOf: (text: string) => readonly number[]): Reaction {
  return ({ body }, response) => {
    const data = body.input.map((text: string, index: number) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(text),
    }));
    const usage = { prompt_tokens: 1, total_tokens: 1 };
    const answer = { object: 'list', data: data.toReversed(), model: body.model, usage };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
}
