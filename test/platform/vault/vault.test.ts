import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openVault } from '../../../src/platform/vault.ts';

const vault = openVault(['the current secret']);
const context = '["secrets","cpr1","NAME"]';

test.each([
  ['plain', 'a text'],
  ['empty', ''],
  ['Unicode', 'Grüße 你好 👩‍🚀 \0 \u2028'],
  ['long', 'x'.repeat(1_000_000)],
  ['JSON', JSON.stringify({ key: 'parley_pk_…', nested: [null, 1.5] })],
])('opens a sealed %s text unchanged', (_, text) => {
  expect(vault.open(vault.seal(text, context), context)).toBe(text);
});

test('opens sealed bytes unchanged, even if they are not UTF-8', () => {
  for (const bytes of [new Uint8Array(), Buffer.from([0xff, 0xfe, 0x00, 0x80]), Buffer.alloc(100_000, 7)])
    expect(vault.openBytes(vault.seal(bytes, context), context)).toEqual(Buffer.from(bytes));
});

test('a sealed value does not contain the text, and differs each time', () => {
  const text = 'parley_pk_'.repeat(10);
  const sealed = Array.from({ length: 1000 }, () => vault.seal(text, context));
  expect(new Set(sealed.map((one) => one.toString('hex'))).size).toBe(1000);
  expect(new Set(sealed.map((one) => one.subarray(4, 16).toString('hex'))).size).toBe(1000);
  for (const one of sealed) {
    expect(one.includes('parley')).toBe(false);
    expect(one).toHaveLength(4 + 12 + 16 + text.length);
  }
});

test.each(['', '["secrets","cpr1","OTHER"]', '["secrets","cpr2","NAME"]', `${context} `])(
  'does not open in another context: %j',
  (other) => {
    const sealed = vault.seal('a text', context);
    expect(() => vault.open(sealed, other)).toThrow(/authenticate/);
  },
);

test('does not open with any bit flipped', () => {
  const sealed = vault.seal('a text', context);
  for (let place = 0; place < sealed.length; place++)
    for (let bit = 0; bit < 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[place] = (changed[place] ?? 0) ^ (1 << bit);
      expect(() => vault.open(changed, context), `byte ${place}, bit ${bit}`).toThrow(Error);
    }
  expect(vault.open(sealed, context)).toBe('a text');
});

test('does not open if it is truncated or has an extra byte', () => {
  const sealed = vault.seal('a text', context);
  for (let length = 0; length < sealed.length; length++)
    expect(() => vault.open(sealed.subarray(0, length), context), `${length} bytes`).toThrow(Error);
  expect(() => vault.open(Buffer.concat([sealed, Buffer.of(0)]), context)).toThrow(Error);
});

test('does not open with another secret, and the error does not contain the text', () => {
  const sealed = vault.seal('a text', context);
  expect(() => openVault(['another secret']).open(sealed, context)).toThrow(
    'sealed with a secret key that is not configured',
  );
});

test('opens values of an older secret until that secret is removed', () => {
  const before = openVault(['old']);
  const sealed = before.seal('a text', context);
  const rotated = openVault(['new', 'old']);
  expect(rotated.open(sealed, context)).toBe('a text');

  const fresh = rotated.seal('a text', context);
  expect(openVault(['new']).open(fresh, context)).toBe('a text');
  expect(() => before.open(fresh, context)).toThrow('not configured');
  expect(() => openVault(['new']).open(sealed, context)).toThrow('not configured');
});

test('accepts secrets of any length and script, and opens values of another process', () => {
  for (const secret of ['x', 'ключ', 'y'.repeat(100_000)])
    expect(openVault([secret]).open(openVault([secret]).seal('a text', context), context)).toBe('a text');
});

test('a digest depends on text and secret, and survives rotation', () => {
  const [old] = openVault(['old']).digests('a text');
  expect(openVault(['old']).digests('another text')).not.toContain(old);
  const rotated = openVault(['new', 'old']).digests('a text');
  expect(rotated).toHaveLength(2);
  expect([rotated[0] === old, rotated[1]]).toStrictEqual([false, old]);
});

/** A sealed file as it is read from the database. */
async function* piecesOf(sealed: Buffer, length = 262_144) {
  for (let at = 0; at < sealed.length; at += length)
    yield { size: sealed.length, piece: sealed.subarray(at, at + length) };
}

test('opens a sealed file piece by piece, and nothing of one that was changed, cut or continued', async () => {
  const content = randomBytes(600_001);
  const sealed = await vault.sealFile(content, context);
  expect((await vault.openFile(piecesOf(sealed), context)).equals(content)).toBe(true);
  expect(vault.openBytes(sealed, context).equals(content)).toBe(true);
  const opening = (other: Buffer, size?: number) => vault.openFile(piecesOf(other, size), context);
  for (const place of [0, 4, 16, 32, 300_000, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[place] = (changed[place] ?? 0) ^ 1;
    await expect(opening(changed), `byte ${place}`).rejects.toThrow(Error);
  }
  await expect(opening(sealed.subarray(0, -1))).rejects.toThrow(/authenticate/);
  await expect(opening(Buffer.concat([sealed, Buffer.of(0)]))).rejects.toThrow(/authenticate/);
  await expect(vault.openFile(piecesOf(sealed), `${context} `)).rejects.toThrow(/authenticate/);
  await expect(vault.openFile(piecesOf(Buffer.alloc(0)), context)).rejects.toThrow('there is no file');
});

test('seals at most 256 KiB of a file in an iteration of the event loop', async () => {
  const content = randomBytes(4 * 1_048_576);
  let iterations = 0;
  const count = () => {
    iterations += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await vault.sealFile(content, context);
  clearImmediate(next);
  expect(iterations).toBeGreaterThanOrEqual(15);
});
