import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import type { Identity } from '../../../src/resources/keys/identities.ts';
import { hashKey, isWellFormedKey, mintKey } from '../../../src/resources/keys/key.ts';
import { authenticator } from '../../../src/transports/auth/authenticate.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const types = ['secret', 'publishable'] as const;
const prefixOf = { secret: 'parley_sk_', publishable: 'parley_pk_' };

type Find = (hash: Buffer) => Promise<Identity | undefined>;

function numberOf(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 62n + BigInt(digits.indexOf(digit));
  return value;
}

test.each(types)(
  'a %s key is its prefix, 256 bits in base62 and a base62 CRC-32 of all before it',
  (type) => {
    for (let trial = 0; trial < 1000; trial++) {
      const { text, hash, keyPrefix, last4 } = mintKey(type);
      expect(text).toMatch(/^parley_[sp]k_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
      expect(text.startsWith(prefixOf[type])).toBe(true);
      expect(numberOf(text.slice(10, 53)) < 2n ** 256n).toBe(true);
      expect(numberOf(text.slice(53))).toBe(BigInt(crc32(text.slice(0, 53))));
      expect(keyPrefix).toBe(text.slice(0, 14));
      expect(last4).toBe(text.slice(55));
      expect(hash).toEqual(createHash('sha256').update(text).digest());
      expect(isWellFormedKey(text)).toBe(true);
    }
  },
);

test('all keys differ, and each of their 256 bits is set in about half of them', () => {
  const count = 10_000;
  const numbers = Array.from({ length: count }, () => numberOf(mintKey('secret').text.slice(10, 53)));
  expect(new Set(numbers).size).toBe(count);
  for (let bit = 0n; bit < 256n; bit++) {
    const set = numbers.filter((number) => (number >> bit) & 1n).length;
    // 400 is eight standard deviations for 10,000 tosses of a fair coin.
    expect(Math.abs(set - count / 2)).toBeLessThan(400);
  }
});

test('a key with any one character changed is refused without a query', async () => {
  const find = vi.fn<Find>();
  const authenticate = authenticator(find);
  for (const type of types) {
    const { text } = mintKey(type);
    for (let place = 0; place < text.length; place++)
      for (const digit of `${digits}_- é`) {
        if (digit === text[place]) continue;
        const flipped = text.slice(0, place) + digit + text.slice(place + 1);
        expect(isWellFormedKey(flipped), flipped).toBe(false);
        await expect(authenticate(flipped)).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
      }
  }
  expect(find).not.toHaveBeenCalled();
});

test.each([
  ['nothing', undefined],
  ['empty text', ''],
  ['a prefix alone', 'parley_sk_'],
  ['a character too few', mintKey('secret').text.slice(0, -1)],
  ['a character too many', `${mintKey('secret').text}0`],
  ['two neighbours exchanged', exchanged(mintKey('secret').text)],
  ['a line break behind', `${mintKey('secret').text}\n`],
  ['a space before', ` ${mintKey('secret').text}`],
  ['the prefix in capitals', mintKey('secret').text.replace('parley', 'PARLEY')],
  ['a key of someone else', `sk_live_${'a'.repeat(51)}`],
  ['a long text', 'parley_sk_'.repeat(1000)],
])('%s is refused without a query', async (_, credential) => {
  const find = vi.fn<Find>();
  await expect(authenticator(find)(credential)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(find).not.toHaveBeenCalled();
});

test('a known key is looked up once, by its SHA-256; an unknown one each time', async () => {
  const [known, unknown] = [mintKey('secret'), mintKey('secret')];
  const find = vi.fn<Find>(async (hash) => (hash.equals(known.hash) ? identity('known') : undefined));
  const authenticate = authenticator(find);
  const identities = [await authenticate(known.text), await authenticate(known.text)];
  expect(identities[0]).toBe(identities[1]);
  expect(find.mock.calls).toEqual([[hashKey(known.text)]]);
  for (let trial = 0; trial < 3; trial++)
    await expect(authenticate(unknown.text)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(find).toHaveBeenCalledTimes(4);
});

test('caches at most ten thousand callers, and drops the oldest first', async () => {
  const keys = Array.from({ length: 10_001 }, () => mintKey('secret').text);
  const find = vi.fn<Find>(async () => identity('any'));
  const authenticate = authenticator(find);
  for (const key of keys) await authenticate(key);
  expect(find).toHaveBeenCalledTimes(10_001);
  await authenticate(keys[1]);
  await authenticate(keys.at(-1));
  expect(find).toHaveBeenCalledTimes(10_001);
  await authenticate(keys[0]);
  expect(find).toHaveBeenCalledTimes(10_002);
});

test('a lookup that fails does not count as an unknown key, and is tried again', async () => {
  const { text } = mintKey('secret');
  const find = vi
    .fn<Find>(async () => identity('any'))
    .mockRejectedValueOnce(new Error('the database is down'));
  const authenticate = authenticator(find);
  await expect(authenticate(text)).rejects.toThrow('the database is down');
  await expect(authenticate(text)).resolves.toMatchObject({ keyId: 'any' });
});

function identity(keyId: string): Identity {
  return { keyId, projectId: 'project', keyType: 'secret', scope: 'platform', access: null };
}

/** Returns the key after swapping the first two different neighbours of its random part. */
function exchanged(text: string): string {
  let place = 10;
  while (text[place] === text[place + 1]) place += 1;
  return text.slice(0, place) + text[place + 1] + text[place] + text.slice(place + 2);
}
