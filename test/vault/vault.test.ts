import { expect, test } from 'vitest';
import { openVault } from '../../src/vault/vault.ts';

const vault = openVault(['the current secret']);
const context = '["secrets","cpr1","NAME"]';

test.each([
  ['plain', 'a text'],
  ['empty', ''],
  ['Unicode', 'Grüße 你好 👩‍🚀 \0 \u2028'],
  ['long', 'x'.repeat(1_000_000)],
  ['JSON', JSON.stringify({ key: 'parley_pk_…', nested: [null, 1.5] })],
])('%s text comes back as it was', (_, text) => {
  expect(vault.open(vault.seal(text, context), context)).toBe(text);
});

test('bytes come back as they were, whether they are text or not', () => {
  for (const bytes of [new Uint8Array(), Buffer.from([0xff, 0xfe, 0x00, 0x80]), Buffer.alloc(100_000, 7)])
    expect(vault.openBytes(vault.seal(bytes, context), context)).toEqual(Buffer.from(bytes));
});

test('a sealed text shows nothing of the text, and the same text is never sealed alike', () => {
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
  'in the other context %j it does not open',
  (other) => {
    const sealed = vault.seal('a text', context);
    expect(() => vault.open(sealed, other)).toThrow(/authenticate/);
  },
);

test('with any bit of any byte flipped it does not open', () => {
  const sealed = vault.seal('a text', context);
  for (let place = 0; place < sealed.length; place++)
    for (let bit = 0; bit < 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[place] = (changed[place] ?? 0) ^ (1 << bit);
      expect(() => vault.open(changed, context), `byte ${place}, bit ${bit}`).toThrow(Error);
    }
  expect(vault.open(sealed, context)).toBe('a text');
});

test('cut short at any place, or with a byte more, it does not open', () => {
  const sealed = vault.seal('a text', context);
  for (let length = 0; length < sealed.length; length++)
    expect(() => vault.open(sealed.subarray(0, length), context), `${length} bytes`).toThrow(Error);
  expect(() => vault.open(Buffer.concat([sealed, Buffer.of(0)]), context)).toThrow(Error);
});

test('another secret does not open it, and says so without the text', () => {
  const sealed = vault.seal('a text', context);
  expect(() => openVault(['another secret']).open(sealed, context)).toThrow(
    'sealed with a secret key that is not configured',
  );
});

test('rotating keeps what the older secret sealed readable, until that is dropped', () => {
  const before = openVault(['old']);
  const sealed = before.seal('a text', context);
  const rotated = openVault(['new', 'old']);
  expect(rotated.open(sealed, context)).toBe('a text');

  const fresh = rotated.seal('a text', context);
  expect(openVault(['new']).open(fresh, context)).toBe('a text');
  expect(() => before.open(fresh, context)).toThrow('not configured');
  expect(() => openVault(['new']).open(sealed, context)).toThrow('not configured');
});

test('secrets of any length and script do, and the same secret opens in another process', () => {
  for (const secret of ['x', 'ключ', 'y'.repeat(100_000)])
    expect(openVault([secret]).open(openVault([secret]).seal('a text', context), context)).toBe('a text');
});

test('a digest is of a text and a secret, and survives rotating', () => {
  const [old] = openVault(['old']).digests('a text');
  expect(openVault(['old']).digests('another text')).not.toContain(old);
  const rotated = openVault(['new', 'old']).digests('a text');
  expect(rotated).toHaveLength(2);
  expect([rotated[0] === old, rotated[1]]).toStrictEqual([false, old]);
});
