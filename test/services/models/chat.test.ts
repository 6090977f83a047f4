import OpenAI, { APIError, NotFoundError } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { chats, eventOf, streams, words } from '../../helpers/openai-wire.ts';
import { answers, completes, hangs } from '../../helpers/upstream.ts';
import { openWorld, upstreamKey, type World } from '../../helpers/world.ts';

let world: World;
let client: OpenAI;
beforeAll(async () => {
  world = await openWorld();
  const { key } = await world.tenant();
  client = new OpenAI({ apiKey: key, baseURL: `${world.base}/v1`, maxRetries: 0 });
});
afterAll(() => world.close());
beforeEach(() => {
  world.upstream.received.length = 0;
  world.upstream.reacts(chats({ pieces: words(5) }));
});

const messages = [{ role: 'user' as const, content: 'Hello' }];
const received = () => world.upstream.received[0] ?? expect.fail('nothing was received');

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("OpenAI's client", () => {
  test('completes a chat', async () => {
    const completion = await client.chat.completions.create({ model: 'auto', messages });
    expect(completion.choices[0]?.message.content).toBe(words(5).join(''));
    expect(completion.usage).toStrictEqual({ prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 });
    expect(received().body).toStrictEqual({ model: 'chat', messages });
    expect(received().headers.authorization).toBe(`Bearer ${upstreamKey}`);
  });

  test('reads a stream', async () => {
    const stream = await client.chat.completions.create({ model: 'gpt-x', messages, stream: true });
    const chunks = await all(stream);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(words(5).join(''));
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(received().body.model).toBe('gpt-x');
  });

  test('receives the usage of a stream only if it requests it', async () => {
    const last = async (options?: { include_usage: boolean }) => {
      const more = options && { stream_options: options };
      const stream = await client.chat.completions.create({ model: 'auto', messages, stream: true, ...more });
      return (await all(stream)).at(-1);
    };
    expect((await last({ include_usage: true }))?.usage?.total_tokens).toBe(12);
    expect((await last({ include_usage: false }))?.choices).toHaveLength(1);
    expect((await last())?.choices).toHaveLength(1);
    for (const { body } of world.upstream.received) expect(body.stream_options.include_usage).toBe(true);
  });

  test('receives tool calls, streamed or not', async () => {
    const call = {
      id: 'call_1',
      type: 'function' as const,
      function: { name: 'weather', arguments: '{"at":"Ulm"}' },
    };
    const tools = [
      { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } },
    ];
    world.upstream.reacts(
      answers(200, { choices: [{ index: 0, message: { role: 'assistant', tool_calls: [call] } }] }),
    );
    const { choices } = await client.chat.completions.create({ model: 'auto', messages, tools });
    expect(choices[0]?.message.tool_calls).toStrictEqual([call]);
    expect(received().body.tools).toStrictEqual(tools);

    const delta = (part: unknown) => eventOf({ choices: [{ index: 0, delta: { tool_calls: [part] } }] });
    world.upstream.reacts(
      streams(
        eventOf({ choices: [{ index: 0, delta: { role: 'assistant', content: null } }] }),
        delta({ index: 0, ...call, function: { name: 'weather', arguments: '' } }),
        delta({ index: 0, function: { arguments: '{"at"' } }),
        delta({ index: 0, function: { arguments: ':"Ulm"}' } }),
        eventOf({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
        'data: [DONE]\n\n',
      ),
    );
    const runner = client.chat.completions.stream({ model: 'auto', messages, tools });
    expect((await runner.finalMessage()).tool_calls?.[0]).toMatchObject(call);
  });

  test('parses a response that follows a schema', async () => {
    world.upstream.reacts(completes(() => '{"city":"Ulm"}'));
    const City = z.object({ city: z.string() });
    const completion = await client.chat.completions.parse({
      model: 'auto',
      messages,
      response_format: zodResponseFormat(City as never, 'city'),
    });
    expect(completion.choices[0]?.message.parsed).toStrictEqual({ city: 'Ulm' });
    expect(received().body.response_format.json_schema.name).toBe('city');
  });

  test('sends images, audio and files unchanged', async () => {
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${'QUJD'.repeat(200_000)}` } },
      { type: 'input_audio' as const, input_audio: { data: 'QUJD', format: 'wav' as const } },
      { type: 'file' as const, file: { file_data: 'data:application/pdf;base64,QUJD', filename: 'a.pdf' } },
    ];
    await client.chat.completions.create({ model: 'auto', messages: [{ role: 'user', content }] });
    expect(received().body.messages[0].content).toStrictEqual(content);
  });

  test('ends the upstream call if it aborts', async () => {
    world.upstream.reacts(hangs);
    const leaving = new AbortController();
    const answer = client.chat.completions.create({ model: 'auto', messages }, { signal: leaving.signal });
    // The promise needs a handler now, because it rejects while the test awaits something else.
    const failure = answer.catch((error: unknown) => error);
    await vi.waitFor(() => expect(world.upstream.underWay()).toBe(1), { timeout: 10_000 });
    leaving.abort();
    expect(await failure).toBeInstanceOf(OpenAI.APIUserAbortError);
    await vi.waitFor(() => expect(world.upstream.underWay()).toBe(0));
  });

  test.each([
    [400, OpenAI.BadRequestError],
    [404, NotFoundError],
    [409, OpenAI.ConflictError],
    [413, APIError],
    [415, APIError],
    [422, OpenAI.UnprocessableEntityError],
  ])('throws its own error, with the body, for %i of the upstream', async (status, kind) => {
    const error = { message: 'No such thing', type: 'invalid_request_error', param: 'model', code: 'gone' };
    world.upstream.reacts(answers(status, { error }));
    const answer = client.chat.completions.create({ model: 'auto', messages });
    await expect(answer).rejects.toThrow(kind);
    await expect(answer).rejects.toMatchObject({ status, error });
  });

  test('throws its own errors for errors of Parley', async () => {
    const create = (apiKey: string | null, model: unknown = 'auto') =>
      new OpenAI({ apiKey, baseURL: `${world.base}/v1`, maxRetries: 0 }).chat.completions.create({
        model: model as string,
        messages,
      });
    await expect(create('wrong')).rejects.toThrow(OpenAI.AuthenticationError);
    const { key } = await world.key((await world.tenant()).projectId, { access: ['read'] });
    await expect(create(key)).rejects.toThrow(OpenAI.PermissionDeniedError);
    await expect(create(client.apiKey, 7)).rejects.toThrow(OpenAI.UnprocessableEntityError);
    world.upstream.reacts(answers(500, {}));
    await expect(create(client.apiKey)).rejects.toThrow(OpenAI.InternalServerError);
  });
});
