import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { LongTexts } from '../../../src/platform/long-text.ts';

const encodings = new Map([
  ['content', 'text'],
  ['contentBase64', 'base64'],
] as const);

/** Reads a body in pieces of these sizes in turn. Tokens are t0, t1, … */
function read(json: string, path: readonly string[] = [], sizes: readonly number[] = [65_536]) {
  const body = Buffer.from(json);
  let tokens = 0;
  const reader = new LongTexts({ path, encodings }, body.length, () => `t${tokens++}`);
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    reader.add(body.subarray(at, at + size));
    at += size;
  }
  const { text, longTexts } = reader.end();
  return { value: JSON.parse(text.toString()) as unknown, longText: longTexts.get('t0'), longTexts };
}

const texts: [name: string, text: string][] = [
  ['plain text', 'A manual. '.repeat(60_000)],
  ['quotes, backslashes and line breaks', '"\\\n\u0001'.repeat(150_000)],
  ['characters outside of the first plane', '😀é€'.repeat(100_000)],
];

test.each(texts)('decodes %s in pieces of any size as JSON.parse does', (_, text) => {
  const plain = JSON.stringify({ a: [{ content: 'x' }], content: text, b: 'content' });
  const escaped = plain.replaceAll(/[^ -~]/g, (at) => `\\u${at.charCodeAt(0).toString(16).padStart(4, '0')}`);
  for (const json of [plain, escaped])
    for (const sizes of [[65_536], [1, 2, 3, 5, 7, 11], [65_535, 1]]) {
      const { value, longText } = read(json, [], sizes);
      expect(value).toEqual({ a: [{ content: 'x' }], content: 't0', b: 'content' });
      expect(longText?.content?.equals(Buffer.from(text))).toBe(true);
      expect(longText?.length).toBe(text.length);
      expect(longText?.sha256).toBe(createHash('sha256').update(text).digest('hex'));
      expect(longText?.problems).toEqual([]);
    }
});

test('decodes base64 with padding, line breaks and escaped slashes', () => {
  for (const length of [600_000, 600_001, 600_002]) {
    const bytes = randomBytes(length);
    const base64 = bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
    const json = JSON.stringify({ contentBase64: base64 }).replaceAll('/', '\\/');
    for (const sizes of [[65_536], [1, 76, 4099]])
      expect(read(json, [], sizes).longText?.content?.equals(bytes)).toBe(true);
  }
});

const noBase64 = ['A B', 'A=BC', 'A-_B', 'Aé==', 'A'];
test.each(noBase64)('finds that a long text with %j is not base64', (fault) => {
  const text = 'AAAA'.repeat(150_000) + fault;
  expect(read(JSON.stringify({ contentBase64: text })).longText?.content).toBeUndefined();
});

test('reports NUL and half of a surrogate pair in a long text', () => {
  const text = 'a'.repeat(500_000);
  const problems = (more: string) => read(`{"content":"${text}${more}"}`).longText?.problems;
  expect(problems(String.raw`\u0000`)).toEqual(['Holds the character NUL.']);
  expect(problems(String.raw`\ud83dx`)).toEqual(['Holds half of a surrogate pair.']);
  expect(problems(String.raw`\ud83d`)).toEqual(['Holds half of a surrogate pair.']);
  expect(problems(String.raw`\ud83d\ude00`)).toEqual([]);
});

test('takes long texts only from their place', () => {
  const text = 'a'.repeat(500_000);
  const path = ['params', 'arguments'];
  const call = { params: { name: 'content', arguments: { content: text } } };
  expect(read(JSON.stringify(call), path).value).toEqual({
    params: { name: 'content', arguments: { content: 't0' } },
  });
  for (const other of [
    [call],
    ['a', 'params', { arguments: { content: text } }],
    { params: [{ arguments: { content: text } }] },
    { params: { content: text, arguments: { x: { content: text }, y: ['content', text] } } },
  ]) {
    const { value, longTexts } = read(JSON.stringify(other), path);
    expect(value).toEqual(other);
    expect(longTexts.size).toBe(0);
  }
});

test('refuses a long text that is not UTF-8, not JSON, or does not end', () => {
  const text = 'a'.repeat(500_000);
  expect(() => read(`{"content":"${text}\n"}`)).toThrow(SyntaxError);
  expect(() => read(`{"content":"${text}`)).toThrow(SyntaxError);
  const reader = new LongTexts({ path: [], encodings }, 600_000, () => 't');
  reader.add(Buffer.concat([Buffer.from(`{"content":"${text}`), Buffer.of(0xff, 0x22, 0x7d)]));
  expect(() => reader.end()).toThrow(TypeError);
});
