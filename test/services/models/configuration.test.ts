import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/platform/config/config.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-models-'));

/** The models of a file. */
function read(written: unknown, environment: Record<string, string> = {}) {
  const file = path.join(folder, `${Math.random()}.json`);
  writeFileSync(file, typeof written === 'string' ? written : JSON.stringify(written));
  return readConfig({ PARLEY_MODELS: file, A_KEY: 'key-a', ...environment }).models;
}

const providers = {
  a: { baseUrl: 'https://a.example/v1', keyVariable: 'A_KEY' },
  b: { baseUrl: 'http://b:1/v1' },
};
const small = { provider: 'a', model: 'small-1' };

const prices = (models: unknown) => ({ providers, prices: { currency: 'EUR', models } });

describe('the file of PARLEY_MODELS', () => {
  test('lists the models and their fallbacks', () => {
    const models = read({
      providers,
      chat: {
        models: {
          x: { ...small, fallbacks: ['y', 'w'] },
          y: { provider: 'b', fallbacks: ['z'] },
          z: { provider: 'b', model: 'z-1' },
          w: { provider: 'b', fallbacks: ['z'] },
        },
        auto: [{ reasoning: ['high'], tier: ['batch'], model: 'x' }, { model: 'other' }],
        others: 'b',
      },
    });
    const targets = models?.chat.models.get('x')?.map(({ provider, model }) => `${provider.name} ${model}`);
    expect(targets).toStrictEqual(['a small-1', 'b y', 'b z-1', 'b w']);
    expect(models?.chat.models.get('x')?.[0].provider).toStrictEqual({
      name: 'a',
      baseUrl: 'https://a.example/v1',
      key: 'key-a',
    });
    expect(models?.chat.others).toStrictEqual({ name: 'b', baseUrl: 'http://b:1/v1', key: undefined });
    expect(models?.speech).toStrictEqual({ models: new Map(), auto: [], others: undefined });
  });

  test('describes how a provider receives a reference voice', () => {
    const voiceReference = { audio: 'prompt_wav' };
    const models = read({ providers: { b: { ...providers.b, voiceReference } }, speech: { others: 'b' } });
    expect(models?.speech.others?.voiceReference).toStrictEqual({
      audio: 'prompt_wav',
      transcript: 'ref_text',
      dataUrl: false,
    });
  });

  test('names the prices of models in millionths of the currency', () => {
    expect(read(prices({ x: { tokens_in: '0.25', tokens_out: '12', chars: '0.000001' } }))?.prices).toEqual({
      currency: 'EUR',
      models: new Map([['x', { tokens_in: 250_000, tokens_out: 12_000_000, chars: 1 }]]),
    });
  });

  test('names the embedding model and its dimensions', () => {
    const [a, b] = [
      read({ providers, embedding: { provider: 'a', model: 'e', dimensions: 256 } })?.embedding,
      read({ providers, embedding: { provider: 'b', model: 'e' } })?.embedding,
    ];
    expect(a).toMatchObject({ provider: { name: 'a', key: 'key-a' }, model: 'e', dimensions: 256 });
    expect(b).toMatchObject({ provider: { name: 'b' }, model: 'e', dimensions: undefined });
    expect(read({ providers })?.embedding).toBeUndefined();
  });

  const chat = (models: object, more: object = {}) => ({ providers, chat: { models, ...more } });
  test.each<[wrong: string, written: unknown, message: string]>([
    ['invalid JSON', '{', 'the file is not valid JSON'],
    ['a list', [], 'providers: '],
    ['an unknown member', { providers, chats: {} }, 'chats: '],
    ['no providers', {}, 'providers: '],
    ['an invalid address', { providers: { a: { baseUrl: 'a.example' } } }, 'providers.a.baseUrl: '],
    [
      'a key in its address',
      { providers: { a: { baseUrl: 'https://k@a.example' } } },
      'providers.a.baseUrl: ',
    ],
    [
      'a key in the file',
      { providers: { a: { baseUrl: 'https://a.example', key: 'k' } } },
      'providers.a.key: ',
    ],
    [
      'an unset variable',
      { providers: { a: { baseUrl: 'https://a.example', keyVariable: 'NO_KEY' } } },
      'providers.a: the variable NO_KEY is not set',
    ],
    ['an unknown provider', chat({ x: { provider: 'c' } }), 'chat.models.x: there is no provider c'],
    [
      'an unknown fallback',
      chat({ x: { ...small, fallbacks: ['y'] } }),
      'chat.models.x.fallbacks: there is no model y',
    ],
    [
      'a circle',
      chat({ x: { ...small, fallbacks: ['y'] }, y: { ...small, fallbacks: ['x'] } }),
      'form a circle (x > y > x)',
    ],
    ['itself as a fallback', chat({ x: { ...small, fallbacks: ['x'] } }), 'circle (x > x)'],
    ['a model called auto', chat({ auto: small }), 'auto is reserved'],
    [
      'a choice of an unknown model',
      chat({ x: small }, { auto: [{ model: 'y' }] }),
      'chat.auto.0: there is no model y',
    ],
    [
      'no choice that matches any call',
      chat({ x: small }, { auto: [{ tier: ['batch'], model: 'x' }] }),
      'chat.auto: the last choice must match any call',
    ],
    [
      'an unknown effort',
      chat({ x: small }, { auto: [{ reasoning: ['most'], model: 'x' }] }),
      'chat.auto.0.reasoning',
    ],
    [
      'an unknown form of a recording',
      { providers: { b: { ...providers.b, voiceReference: { audio: 7 } } } },
      'providers.b.voiceReference.audio: ',
    ],
    [
      'an embedding model of an unknown provider',
      { providers, embedding: { provider: 'c', model: 'e' } },
      'embedding.provider: there is no provider c',
    ],
    ['an embedding without a model', { providers, embedding: { provider: 'a' } }, 'embedding.model: '],
    [
      'too many dimensions',
      { providers, embedding: { provider: 'a', model: 'e', dimensions: 4_001 } },
      'embedding.dimensions: ',
    ],
    ['a price in a number', prices({ x: { tokens_in: 0.25 } }), 'prices.models.x.tokens_in: '],
    ['a price of seven decimals', prices({ x: { tokens_in: '0.0000001' } }), 'prices.models.x.tokens_in: '],
    ['a price of an unknown metric', prices({ x: { tokens: '1' } }), 'prices.models.x.tokens'],
    ['others at an unknown provider', chat({}, { others: 'c' }), 'chat.others: there is no provider c'],
  ])('is rejected in one line with %s', (_, written, message) => {
    const reading = () => read(written);
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow(message);
    expect(reading).toThrow(/^PARLEY_MODELS: [^\n]+$/);
  });

  test('is rejected if it does not exist', () => {
    expect(() => readConfig({ PARLEY_MODELS: path.join(folder, 'none') })).toThrow(
      'PARLEY_MODELS: the file cannot be read (ENOENT)',
    );
  });

  test('excludes model variables in the environment', () => {
    for (const variable of ['PARLEY_CHAT_MODEL', 'PARLEY_EMBEDDING_MODEL'])
      expect(() => read({ providers }, { [variable]: 'x' })).toThrow(`${variable} has no effect`);
  });
});

describe('the environment', () => {
  test('names one provider and the models behind auto', () => {
    const { models } = readConfig({ OPENAI_API_KEY: 'k', PARLEY_SPEECH_MODEL: 's' });
    expect(models?.chat.others).toStrictEqual({
      name: 'OPENAI_BASE_URL',
      baseUrl: 'https://api.openai.com/v1',
      key: 'k',
    });
    const behind = [models?.chat, models?.speech, models?.transcription].map((one) => one?.auto[0]?.model);
    expect(behind).toStrictEqual(['gpt-5-mini', 's', 'whisper-1']);
  });

  test('names the embedding model; without it, there is none', () => {
    const embedding = (more: Record<string, string>) => readConfig(more).models?.embedding;
    expect(embedding({ OPENAI_API_KEY: 'k' })).toBeUndefined();
    expect(embedding({ OPENAI_API_KEY: 'k', PARLEY_EMBEDDING_MODEL: 'e' })).toStrictEqual({
      provider: { name: 'OPENAI_BASE_URL', baseUrl: 'https://api.openai.com/v1', key: 'k' },
      model: 'e',
      dimensions: undefined,
    });
    expect(() => embedding({ PARLEY_EMBEDDING_MODEL: 'e' })).toThrow(
      'PARLEY_EMBEDDING_MODEL needs OPENAI_API_KEY or OPENAI_BASE_URL',
    );
  });

  test('may name a server that needs no key, or no server', () => {
    expect(readConfig({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }).models?.chat.others?.key).toBeUndefined();
    expect(readConfig({}).models).toBeUndefined();
  });
});
