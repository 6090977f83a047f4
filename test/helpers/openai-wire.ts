import { setTimeout as pause } from 'node:timers/promises';
import type { Reaction, Received } from './upstream.ts';

/** The content and timing of a chat completion of the upstream. */
export interface Said {
  /** One piece for each token. */
  readonly pieces: readonly string[];
  /** Milliseconds between two pieces; 0 by default. */
  readonly pace?: number;
  /** The stream stalls after this number of pieces. */
  readonly until?: number;
}

const frame = { id: 'chatcmpl-1', created: 1_700_000_000 };

/** Returns the prompt tokens of a request: this upstream counts 7 for each message. */
export function promptTokens({ body }: Received): number {
  return 7 * body.messages.length;
}

/** Returns a chat completion of these pieces, one token each. It is a stream if the request has `stream: true`. */
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

/** Formats a value as a server-sent event, as OpenAI does. */
export function eventOf(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Sends these pieces unchanged as an event stream. */
export function streams(...pieces: readonly (string | Uint8Array)[]): Reaction {
  return async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) {
      response.write(piece);
      // The pause keeps the pieces in separate packets.
      await pause(5);
    }
    response.end();
  };
}

/** Returns `count` words, each with a space after it. */
export function words(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `word${index} `);
}

/** Returns bytes as audio; they need not be valid audio. */
export function speaks(
  bytes: Uint8Array = Buffer.alloc(4_000, 'sound'),
  contentType = 'audio/mpeg',
): Reaction {
  return (_, response) => {
    response.writeHead(200, { 'content-type': contentType }).end(bytes);
  };
}

/** Returns `text` as the transcript of any recording; `more` is added to a `verbose_json` response. */
export function transcribes(text: string, more: Readonly<Record<string, unknown>> = {}): Reaction {
  return ({ body }, response) => {
    const whole =
      body['response_format'] === 'verbose_json' ? { task: 'transcribe', ...more, text } : { text };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
  };
}

/** Returns an embedding for each text of a request, in reverse order, because clients must sort by `index`. */
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
