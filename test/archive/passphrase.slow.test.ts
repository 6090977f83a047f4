import { expect, test } from 'vitest';
import { ArchiveError } from '../../src/archive/archive-error.ts';
import { openWith, sealWith } from '../../src/archive/passphrase.ts';

const passphrase = 'correct horse battery staple';
const [head, chunk] = [32, 65_536 + 16];
/** Three whole chunks, so that the last one is full too. */
const plain = Buffer.from(Array.from({ length: 3 * 65_536 }, (_, index) => (index * 31) % 251));

async function* inParts(bytes: Buffer, size = 50_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}

const seal = (bytes: Buffer) => all(sealWith(passphrase)(inParts(bytes)));
const open = (bytes: Buffer) => all(openWith(passphrase)(inParts(bytes)));

test.each([0, 65_536, 65_537])('decrypts %i encrypted bytes', async (length) => {
  const sealed = await seal(plain.subarray(0, length));
  expect(sealed).toHaveLength(head + length + 16 * Math.max(1, Math.ceil(length / 65_536)));
  expect((await open(sealed)).equals(plain.subarray(0, length))).toBe(true);
});

test('rejects changed, moved, missing and cut chunks', async () => {
  const sealed = await seal(plain);
  const other = await seal(plain);
  expect(sealed.subarray(head, head + 64).equals(other.subarray(head, head + 64))).toBe(false);
  const part = (index: number, from = sealed) =>
    from.subarray(head + index * chunk, head + (index + 1) * chunk);
  const flipped = (place: number) => {
    const bytes = Buffer.from(sealed);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    return bytes;
  };
  const start = sealed.subarray(0, head);
  const damaged: Record<string, Buffer> = {
    'a bit of the salt': flipped(20),
    'a bit of the first chunk': flipped(head),
    'a bit of a tag': flipped(head + 2 * chunk - 1),
    'no last chunk': sealed.subarray(0, head + 2 * chunk),
    'no first chunk': Buffer.concat([start, part(1), part(2)]),
    'two chunks swapped': Buffer.concat([start, part(1), part(0), part(2)]),
    'a chunk of another backup': Buffer.concat([start, part(0), part(1, other), part(2)]),
    'one byte less': sealed.subarray(0, -1),
    'only the head': start,
  };
  for (const [name, bytes] of Object.entries(damaged))
    await expect(open(bytes), name).rejects.toThrow(ArchiveError);
});

test('yields no byte of a chunk that does not decrypt', async () => {
  const sealed = await seal(plain);
  const second = head + chunk;
  sealed[second + 100] = (sealed[second + 100] ?? 0) ^ 1;
  let bytes = 0;
  const reading = (async () => {
    for await (const part of openWith(passphrase)(inParts(sealed))) bytes += part.length;
  })();
  await expect(reading).rejects.toThrow(`it is damaged at byte ${second}: changed or cut short`);
  expect(bytes).toBe(65_536);
});
