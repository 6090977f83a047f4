import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { ArchiveError } from './archive-error.ts';
import type { Stage } from './file.ts';

/**
 * A backup starts with a mark and a salt. Chunks follow, encrypted by AES-256-GCM with a key derived from the salt and
 * the passphrase. The nonce of a chunk is its number and whether it is the last. In this STREAM construction (Hoang,
 * Reyhanitabar, Rogaway, Vizár 2015; used by age), a chunk that is changed, moved, missing or cut does not decrypt.
 */
const mark = Buffer.from('parley-backup 1\n');
const saltBytes = 16;
const chunkBytes = 65_536;
const tagBytes = 16;
const nonceBytes = 12;
const algorithm = 'aes-256-gcm';

/** OWASP lists these as equal to N = 2^17, p = 1; they take 64 MiB of memory instead of 128. */
const cost: ScryptOptions = { N: 2 ** 16, r: 8, p: 2, maxmem: 96 * 1024 * 1024 };

/** Encrypts one chunk at a time. */
export function sealWith(passphrase: string): Stage {
  return async function* seal(source) {
    const head = Buffer.concat([mark, randomBytes(saltBytes)]);
    const key = await deriveKey(passphrase, head);
    yield head;
    let number = 0;
    for await (const { bytes, last } of chunksOf(source, chunkBytes)) {
      const cipher = createCipheriv(algorithm, key, nonce(number++, last)).setAAD(head);
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    }
  };
}

/**
 * Decrypts what `sealWith` encrypted. Yields only bytes that are authenticated.
 * @throws ArchiveError while iterating: wrong passphrase, not a backup, changed, or cut short
 */
export function openWith(passphrase: string): Stage {
  return async function* open(source) {
    const { head, body } = await splitHead(source, mark.length + saltBytes);
    requireMark(head);
    const key = await deriveKey(passphrase, head);
    let number = 0;
    for await (const { bytes, last } of chunksOf(body, chunkBytes + tagBytes)) {
      if (bytes.length < tagBytes) throw new ArchiveError('it is damaged: cut short');
      const decipher = createDecipheriv(algorithm, key, nonce(number, last), { authTagLength: tagBytes });
      decipher.setAAD(head).setAuthTag(bytes.subarray(-tagBytes));
      const plain = decipher.update(bytes.subarray(0, -tagBytes));
      try {
        decipher.final();
      } catch (error) {
        const place = `at byte ${head.length + number * (chunkBytes + tagBytes)}`;
        const what = number === 0 ? 'the passphrase is wrong, or the backup is' : 'it is';
        throw new ArchiveError(`${what} damaged ${place}: changed or cut short`, { cause: error });
      }
      number += 1;
      yield plain;
    }
  };
}

function requireMark(head: Buffer): void {
  if (head.subarray(0, mark.length).equals(mark)) return;
  if (head.length === 0) throw new ArchiveError('it is empty');
  if (isGzip(head)) throw new ArchiveError('it is an export, not a backup. Use parley import.');
  if (isBackup(head)) throw new ArchiveError('a newer Parley wrote it, or it is damaged at its start');
  throw new ArchiveError('it is not a backup of Parley');
}

/**
 * Passes the bytes of an export through.
 * @throws ArchiveError while iterating, if they are not an export
 */
export const openPlain: Stage = async function* open(source) {
  const { head, body } = await splitHead(source, mark.length);
  if (head.length === 0) throw new ArchiveError('it is empty');
  if (isBackup(head)) throw new ArchiveError('it is a backup, which is encrypted. Use parley restore.');
  if (!isGzip(head)) throw new ArchiveError('it is not an export of Parley');
  yield head;
  yield* body;
};

const isGzip = (head: Buffer) => head[0] === 0x1f && head[1] === 0x8b;
const isBackup = (head: Buffer) => head.toString('latin1').startsWith('parley-backup ');

function deriveKey(passphrase: string, head: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const salt = head.subarray(mark.length);
    scrypt(passphrase, salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function nonce(number: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(nonceBytes);
  bytes.writeUIntBE(number, nonceBytes - 7, 6);
  bytes[nonceBytes - 1] = last ? 1 : 0;
  return bytes;
}

/** Splits off the first `length` bytes, or all if there are fewer. */
async function splitHead(
  source: AsyncIterable<Buffer>,
  length: number,
): Promise<{ head: Buffer; body: AsyncIterable<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]();
  let bytes = Buffer.alloc(0);
  while (bytes.length < length) {
    const next = await iterator.next();
    if (next.done === true) break;
    bytes = Buffer.concat([bytes, next.value]);
  }
  const [head, first] = [bytes.subarray(0, length), bytes.subarray(length)];
  async function* body() {
    yield first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head, body: body() };
}

/** Chunks of `size` bytes, and a last one of at most that size. An empty source is one empty chunk. */
async function* chunksOf(source: AsyncIterable<Buffer>, size: number) {
  let rest = Buffer.alloc(0);
  for await (const bytes of source) {
    rest = Buffer.concat([rest, bytes]);
    for (; rest.length > size; rest = rest.subarray(size))
      yield { bytes: rest.subarray(0, size), last: false };
  }
  yield { bytes: rest, last: true };
}
