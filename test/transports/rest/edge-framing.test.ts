import { expect, test } from 'vitest';
import { type EdgeCase, edgeServer, flowHead, get, healthz, type Sender } from './edge-server.ts';

const server = edgeServer('framing');
const body = '{"name":"Flow","flowSchema":{}}';
const hex = body.length.toString(16);
const whole = `${hex}\r\n${body}\r\n0\r\n\r\n`;
const withLength =
  (length: string, rest = body) =>
  (sender: Sender) =>
    `${flowHead(sender, `Content-Length: ${length}\r\n`)}${rest}`;
const chunked =
  (rest: string, headers = 'Transfer-Encoding: chunked\r\n') =>
  (sender: Sender) =>
    `${flowHead(sender, headers)}${rest}`;

const lengths: EdgeCase[] = [
  {
    name: 'two different Content-Lengths',
    send: withLength('5\r\nContent-Length: 6'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'two equal Content-Lengths',
    send: withLength('5\r\nContent-Length: 5'),
    statuses: [400],
    closes: true,
  },
  { name: 'a list of Content-Lengths', send: withLength('31, 31'), statuses: [400], closes: true },
  { name: 'a negative Content-Length', send: withLength('-1'), statuses: [400], closes: true },
  { name: 'a Content-Length with a plus', send: withLength('+31'), statuses: [400], closes: true },
  { name: 'a hexadecimal Content-Length', send: withLength('0x1f'), statuses: [400], closes: true },
  { name: 'a Content-Length with an exponent', send: withLength('1e3'), statuses: [400], closes: true },
  { name: 'a Content-Length with a fraction', send: withLength('31.0'), statuses: [400], closes: true },
  { name: 'an empty Content-Length', send: withLength(''), statuses: [400], closes: true },
  { name: 'a Content-Length of 2^32 + 7', send: withLength('4294967303'), statuses: [413], closes: true },
  { name: 'a Content-Length of 2^53', send: withLength('9007199254740992'), statuses: [413], closes: true },
  {
    name: 'a Content-Length beyond 64 bits',
    send: withLength('18446744073709551623'),
    statuses: [400],
    closes: true,
  },
  { name: 'a Content-Length with leading zeros', send: withLength('0000000000000031'), statuses: [201] },
  {
    name: 'a Content-Length without a body, then a close',
    send: withLength('31', ''),
    statuses: [400],
    closes: true,
    options: { halfClose: true },
  },
  {
    name: 'a body shorter than its Content-Length, then a close',
    send: withLength('400'),
    statuses: [400],
    closes: true,
    options: { halfClose: true },
  },
  {
    name: 'a body longer than its Content-Length',
    send: withLength('31', `${body}garbage`),
    statuses: [201, 404],
    closes: true,
  },
  { name: 'an empty body', send: withLength('0', ''), statuses: [400] },
  { name: 'POST without a length', send: (sender) => flowHead(sender, ''), statuses: [400] },
];

const codings: EdgeCase[] = [
  {
    name: 'Transfer-Encoding and Content-Length',
    send: chunked(whole, 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'Content-Length after Transfer-Encoding',
    send: chunked(whole, 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'Transfer-Encoding: gzip, chunked',
    send: chunked(whole, 'Transfer-Encoding: gzip, chunked\r\n'),
    statuses: [400],
  },
  {
    name: 'Transfer-Encoding: gzip',
    send: chunked(whole, 'Transfer-Encoding: gzip\r\n'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'the obsolete Transfer-Encoding: identity',
    send: chunked(whole, 'Transfer-Encoding: identity\r\n'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'Transfer-Encoding: chunked, twice',
    send: chunked(whole, 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'),
    statuses: [400],
  },
  {
    name: 'Transfer-Encoding: chunked, identity',
    send: chunked(whole, 'Transfer-Encoding: chunked, identity\r\n'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'Transfer-Encoding with a vertical tab',
    send: chunked(whole, 'Transfer-Encoding: \x0bchunked\r\n'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'Transfer-Encoding: CHUNKED',
    send: chunked(whole, 'Transfer-Encoding: CHUNKED\r\n'),
    statuses: [201],
  },
  {
    name: 'Transfer-Encoding on HTTP/1.0',
    send: ({ key }) =>
      `${get('/healthz', key, 'Transfer-Encoding: gzip, chunked\r\n').replace('1.1', '1.0')}0\r\n\r\n`,
    statuses: [400],
  },
];

const chunks: EdgeCase[] = [
  { name: 'one chunk', send: chunked(whole), statuses: [201] },
  {
    name: 'one byte per chunk',
    send: chunked(
      `${body
        .split('')
        .map((byte) => `1\r\n${byte}\r\n`)
        .join('')}0\r\n\r\n`,
    ),
    statuses: [201],
  },
  { name: 'a chunk extension', send: chunked(`${hex};a=b\r\n${body}\r\n0;c="d"\r\n\r\n`), statuses: [201] },
  {
    name: 'a chunk extension of 20,000 characters',
    send: chunked(`${hex};a=${'b'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`),
    statuses: [400],
    closes: true,
  },
  {
    name: 'trailers, which are ignored',
    send: chunked(`${hex}\r\n${body}\r\n0\r\nX-A: b\r\nAuthorization: Bearer other\r\n\r\n`),
    statuses: [201],
  },
  {
    name: 'trailers of 20,000 characters',
    send: chunked(`${hex}\r\n${body}\r\n0\r\nX-A: ${'b'.repeat(20_000)}\r\n\r\n`),
    statuses: [400],
    closes: true,
  },
  {
    name: 'a chunk size that is not a number',
    send: chunked(`zz\r\n${body}\r\n0\r\n\r\n`),
    statuses: [400],
    closes: true,
  },
  { name: 'an empty chunk size', send: chunked(`\r\n${body}\r\n0\r\n\r\n`), statuses: [400], closes: true },
  {
    name: 'a negative chunk size',
    send: chunked(`-1\r\n${body}\r\n0\r\n\r\n`),
    statuses: [400],
    closes: true,
  },
  {
    name: 'a chunk size with 0x',
    send: chunked(`0x${hex}\r\n${body}\r\n0\r\n\r\n`),
    statuses: [400],
    closes: true,
  },
  {
    name: 'a chunk size beyond 64 bits',
    send: chunked(`fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`),
    statuses: [400],
    closes: true,
  },
  {
    name: 'a chunk longer than its size',
    send: chunked(`5\r\n${body}\r\n0\r\n\r\n`),
    statuses: [400],
    closes: true,
  },
  {
    name: 'chunks that end with bare LF',
    send: chunked(`${hex}\n${body}\n0\n\n`),
    statuses: [400],
    closes: true,
  },
  {
    name: 'a chunk shorter than its size, then a close',
    send: chunked(`ff\r\n${body}\r\n0\r\n\r\n`),
    statuses: [400],
    closes: true,
    options: { halfClose: true },
  },
  {
    name: 'no final chunk, then a close',
    send: chunked(`${hex}\r\n${body}\r\n`),
    statuses: [400],
    closes: true,
    options: { halfClose: true },
  },
  {
    name: 'a bad chunk in a later piece',
    send: (sender) => [chunked(`5\r\n{"nam\r\n`)(sender), 'zz\r\n'],
    statuses: [400],
    closes: true,
    options: { gap: 30 },
  },
  { name: 'a request after the final chunk', send: chunked(whole + healthz), statuses: [201, 200] },
];

test.each([...lengths, ...codings, ...chunks])('returns the expected statuses for $name', async (edge) => {
  await expect(server.play(edge)).resolves.toBeDefined();
});
