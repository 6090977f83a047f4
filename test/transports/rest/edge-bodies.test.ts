import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type EdgeCase, edgeServer, post, postFlow } from './edge-server.ts';

const server = edgeServer('bodies');
const flow = '{"name":"Flow","flowSchema":{}}';
const json = 'Content-Type: application/json\r\n';
/** A graph flow, which keeps unknown members, with any JSON text in it. */
const holding = (text: string) => postFlow(`{"name":"Flow","type":"graph","flowSchema":{"x":${text}}}`);
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const encodings: EdgeCase[] = [
  { name: 'gzip', send: postFlow(gzipSync(flow), `${json}Content-Encoding: gzip\r\n`), statuses: [400] },
  {
    name: 'truncated gzip',
    send: postFlow(gzipSync(flow).subarray(0, 12), `${json}Content-Encoding: gzip\r\n`),
    statuses: [400],
  },
  { name: 'corrupt gzip', send: postFlow('not gzip', `${json}Content-Encoding: gzip\r\n`), statuses: [400] },
  {
    name: '50 MB in gzip',
    send: postFlow(gzipSync(Buffer.alloc(50_000_000)), `${json}Content-Encoding: gzip\r\n`),
    statuses: [400],
  },
  {
    name: 'brotli',
    send: postFlow(brotliCompressSync(flow), `${json}Content-Encoding: br\r\n`),
    statuses: [400],
  },
  {
    name: 'deflate',
    send: postFlow(deflateSync(flow), `${json}Content-Encoding: deflate\r\n`),
    statuses: [400],
  },
  {
    name: 'an unknown Content-Encoding',
    send: postFlow(flow, `${json}Content-Encoding: rot13\r\n`),
    statuses: [400],
  },
  {
    name: 'two Content-Encodings',
    send: postFlow(flow, `${json}Content-Encoding: identity\r\nContent-Encoding: gzip\r\n`),
    statuses: [400],
  },
  {
    name: 'Content-Encoding: identity',
    send: postFlow(flow, `${json}Content-Encoding: identity\r\n`),
    statuses: [201],
  },
  {
    name: 'Content-Encoding: IDENTITY',
    send: postFlow(flow, `${json}Content-Encoding: IDENTITY\r\n`),
    statuses: [201],
  },
  {
    name: 'Content-Encoding: IDENTITY, Identity',
    send: postFlow(flow, `${json}Content-Encoding: IDENTITY, Identity\r\n`),
    statuses: [201],
  },
  {
    name: 'Content-Encoding: identity, gzip',
    send: postFlow(flow, `${json}Content-Encoding: identity, gzip\r\n`),
    statuses: [400],
  },
  {
    name: 'gzip on a POST without a body',
    send: ({ key }) =>
      post('/v1/flow-versions/cfvaaaaaaa/activate', key, gzipSync('{}'), 'Content-Encoding: gzip\r\n'),
    statuses: [400],
  },
  {
    name: 'a byte that is not UTF-8',
    send: postFlow(bytes('{"name":"', [0xff], '","flowSchema":{}}')),
    statuses: [400],
  },
  {
    name: 'an overlong byte sequence',
    send: postFlow(bytes('{"name":"', [0xc0, 0xaf], '","flowSchema":{}}')),
    statuses: [400],
  },
  {
    name: 'a truncated character',
    send: postFlow(bytes('{"name":"', [0xe2, 0x82], '","flowSchema":{}}')),
    statuses: [400],
  },
  {
    name: 'a surrogate in UTF-8',
    send: postFlow(bytes('{"name":"', [0xed, 0xa0, 0x80], '","flowSchema":{}}')),
    statuses: [400],
  },
  {
    name: 'a code point beyond Unicode',
    send: postFlow(bytes('{"name":"', [0xf4, 0x90, 0x80, 0x80], '","flowSchema":{}}')),
    statuses: [400],
  },
  { name: 'UTF-16', send: postFlow(Buffer.from(flow, 'utf16le')), statuses: [400] },
  { name: 'UTF-16 with its byte order mark', send: postFlow(bytes([0xff, 0xfe], flow)), statuses: [400] },
  {
    name: 'a byte order mark, which RFC 8259 lets a reader skip',
    send: postFlow(bytes([0xef, 0xbb, 0xbf], flow)),
    statuses: [201],
  },
  {
    name: 'a body with only a byte order mark',
    send: postFlow(bytes([0xef, 0xbb, 0xbf])),
    statuses: [400],
  },
];

const types: EdgeCase[] = [
  { name: 'no Content-Type', send: postFlow(flow, ''), statuses: [201] },
  { name: 'text/plain', send: postFlow(flow, 'Content-Type: text/plain\r\n'), statuses: [400] },
  { name: 'text/json', send: postFlow(flow, 'Content-Type: text/json\r\n'), statuses: [400] },
  {
    name: 'a form',
    send: postFlow('name=Flow&flowSchema[a]=b', 'Content-Type: application/x-www-form-urlencoded\r\n'),
    statuses: [400],
  },
  {
    name: 'multipart without a boundary',
    send: postFlow('--\r\n', 'Content-Type: multipart/form-data\r\n'),
    statuses: [400],
  },
  {
    name: 'a type that only starts like JSON',
    send: postFlow(flow, 'Content-Type: application/jsonp\r\n'),
    statuses: [400],
  },
  {
    name: 'a malformed Content-Type',
    send: postFlow(flow, 'Content-Type: ;;=\xff\r\n'),
    statuses: [400],
  },
  {
    name: 'a JSON type in capitals with parameters',
    send: postFlow(flow, 'Content-Type: Application/JSON; charset="utf-8"; x=y\r\n'),
    statuses: [201],
  },
];

const texts: EdgeCase[] = [
  { name: 'an empty body', send: postFlow(''), statuses: [400] },
  { name: 'a body of white space', send: postFlow(' \n\t '), statuses: [400] },
  { name: 'truncated JSON', send: postFlow(flow.slice(0, -1)), statuses: [400] },
  { name: 'a trailing comma', send: postFlow('{"name":"Flow","flowSchema":{},}'), statuses: [400] },
  { name: 'a comment', send: postFlow(`/* a */${flow}`), statuses: [400] },
  { name: 'single quotes', send: postFlow("{'name':'Flow'}"), statuses: [400] },
  { name: 'NaN', send: holding('NaN'), statuses: [400] },
  { name: 'Infinity', send: holding('-Infinity'), statuses: [400] },
  { name: 'a number with a leading zero', send: holding('01'), statuses: [400] },
  {
    name: 'a raw control character in a string',
    send: postFlow('{"name":"a\u0001","flowSchema":{}}'),
    statuses: [400],
  },
  { name: 'two values', send: postFlow(`${flow}${flow}`), statuses: [400] },
  { name: 'a string at the top', send: postFlow('"text"'), statuses: [400] },
  { name: 'an array at the top', send: postFlow(`[${flow}]`), statuses: [400] },
  { name: 'null at the top', send: postFlow('null'), statuses: [400] },
  { name: 'a number at the top', send: postFlow('1'), statuses: [400] },
  { name: 'a depth of 64', send: holding(nested(62)), statuses: [201] },
  { name: 'a depth of 65', send: holding(nested(63)), statuses: [400] },
  { name: 'a depth of 100,000', send: holding(nested(100_000)), statuses: [400] },
  {
    name: 'a depth of 100,000 without closing brackets',
    send: postFlow('['.repeat(100_000)),
    statuses: [400],
  },
  {
    name: '__proto__ at the top',
    send: postFlow('{"name":"Flow","flowSchema":{},"__proto__":{"a":1}}'),
    statuses: [400],
  },
  { name: '__proto__ inside', send: holding('{"__proto__":{"polluted":true}}'), statuses: [400] },
  { name: 'an escaped __proto__', send: holding('{"\\u005f_proto__":{"polluted":true}}'), statuses: [400] },
  {
    name: 'constructor at the top',
    send: postFlow('{"name":"Flow","flowSchema":{},"constructor":{"prototype":{}}}'),
    statuses: [400],
  },
  {
    name: 'constructor inside, which is allowed',
    send: holding('{"constructor":{"prototype":{"a":1}}}'),
    statuses: [201],
  },
  { name: 'an escaped NUL', send: postFlow('{"name":"a\\u0000b","flowSchema":{}}'), statuses: [400] },
  { name: 'an escaped NUL in a member name', send: holding('{"a\\u0000":1}'), statuses: [400] },
  { name: 'a NUL byte', send: postFlow('{"name":"a\0b","flowSchema":{}}'), statuses: [400] },
  { name: 'half of a surrogate pair', send: postFlow('{"name":"\\ud800","flowSchema":{}}'), statuses: [400] },
  { name: 'half of a surrogate pair inside', send: holding('"\\udc00"'), statuses: [400] },
  {
    name: 'a whole surrogate pair',
    send: postFlow('{"name":"\\ud83d\\ude00","flowSchema":{}}'),
    statuses: [201],
  },
  { name: '1e400', send: holding('1e400'), statuses: [400] },
  { name: '-1e400', send: holding('-1e400'), statuses: [400] },
  { name: '9007199254740993', send: holding('9007199254740993'), statuses: [400] },
  { name: 'a number of 10,000 digits', send: holding('9'.repeat(10_000)), statuses: [400] },
  {
    name: 'duplicate members, of which the last one counts',
    send: postFlow('{"name":"A","name":"B","flowSchema":{}}'),
    statuses: [201],
  },
  { name: '60,000 empty arrays', send: holding(`[${'[],'.repeat(60_000)}[]]`), statuses: [201] },
  {
    name: '20,000 members',
    send: holding(`{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":0`).join()}}`),
    statuses: [201],
  },
  {
    name: 'an unknown member',
    send: postFlow('{"name":"Flow","flowSchema":{},"id":"x"}'),
    statuses: [400],
  },
];

test.each([...encodings, ...types, ...texts])('returns the expected statuses for $name', async (edge) => {
  await expect(server.play(edge)).resolves.toBeDefined();
});

test('no request body changes the prototype of objects', () => {
  expect({}).not.toHaveProperty('polluted');
});
