import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  type DecipherGCM,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 4;
const headBytes = keyIdBytes + nonceBytes + tagBytes;
/** Bytes that are encrypted at a time, so that a file is not in memory three times, and takes no long piece of work. */
const pieceBytes = 262_144;

/** Encrypts values for storage (AES-256-GCM). A context binds each value to its record. */
export interface Vault {
  /** `context` names the place, such as a table and a primary key. Opening needs the same context. */
  seal(content: string | Uint8Array, context: string): Buffer;
  /** `seal` for a file. Between its pieces, the event loop does everything else. */
  sealFile(content: Uint8Array, context: string): Promise<Buffer>;
  /** @throws if the key is not configured, the context differs, or the bytes were changed */
  open(sealed: Buffer, context: string): string;
  /** `open` for bytes. */
  openBytes(sealed: Buffer, context: string): Buffer;
  /** `openBytes` for a file, whose first piece is longer than the head of a sealed value. */
  openFile(
    sealed: AsyncIterable<{ readonly size: number; readonly piece: Buffer }>,
    context: string,
  ): Promise<Buffer>;
  /** True if the value was sealed with a configured key. */
  knows(sealed: Buffer): boolean;
  /** HMAC-SHA-256 of a text in hexadecimal, by each key. Nobody can guess the text without a key. */
  digests(text: string): readonly [current: string, ...older: string[]];
  /** True if one of the keys gives the text this digest. */
  isDigest(text: string, digest: string): boolean;
  /** Keys that sign the tokens of sessions: the first signs, all of them are accepted. */
  readonly tokenKeys: readonly [current: Buffer, ...older: Buffer[]];
}

interface VaultKey {
  readonly id: Buffer;
  readonly key: Buffer;
  readonly digestKey: Buffer;
  readonly tokenKey: Buffer;
}

/**
 * Opens a vault over secrets of any length. The first secret seals, and every secret opens. To rotate, put a new secret
 * in front; values sealed with an older one stay readable until you remove it.
 */
export function openVault(secrets: readonly [current: string, ...older: string[]]): Vault {
  const [current, ...older] = secrets;
  const sealing = deriveKey(current);
  const olderKeys = older.map(deriveKey);
  const keys = [sealing, ...olderKeys];
  const keyOf = (sealed: Buffer) => {
    const id = sealed.subarray(0, keyIdBytes);
    return keys.find((key) => key.id.equals(id));
  };
  return {
    knows: (sealed) => keyOf(sealed) !== undefined,
    digests: (text) => [digest(sealing, text), ...olderKeys.map((key) => digest(key, text))],
    tokenKeys: [sealing.tokenKey, ...olderKeys.map(({ tokenKey }) => tokenKey)],
    isDigest: (text, given) => keys.some((key) => isSame(digest(key, text), given)),
    seal(content, context) {
      const pieces = sealPieces(typeof content === 'string' ? Buffer.from(content) : content, context);
      for (;;) {
        const { done, value } = pieces.next();
        if (done) return value;
      }
    },
    async sealFile(content, context) {
      const pieces = sealPieces(content, context);
      for (;;) {
        const { done, value } = pieces.next();
        if (done) return value;
        await setImmediate();
      }
    },
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
    openBytes,
    async openFile(sealed, context) {
      let decipher: DecipherGCM | undefined;
      let content = Buffer.alloc(0);
      let opened = 0;
      for await (const { size, piece } of sealed) {
        let body = piece;
        if (!decipher) {
          decipher = decipherOf(piece, context);
          body = piece.subarray(headBytes);
          content = Buffer.allocUnsafeSlow(size - headBytes);
        }
        content.set(decipher.update(body), opened);
        opened += body.length;
      }
      if (!decipher) throw new Error('there is no file');
      decipher.final();
      return content;
    },
  };
  /** Seals bytes, and yields after each piece. */
  function* sealPieces(bytes: Uint8Array, context: string): Generator<void, Buffer> {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, sealing.key, nonce);
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.allocUnsafeSlow(headBytes + bytes.length);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      // The cipher returns as many bytes as it takes (NIST SP 800-38D), each time in a buffer of its own.
      sealed.set(cipher.update(bytes.subarray(at, at + pieceBytes)), headBytes + at);
      yield;
    }
    cipher.final();
    sealed.set(sealing.id);
    sealed.set(nonce, keyIdBytes);
    sealed.set(cipher.getAuthTag(), keyIdBytes + nonceBytes);
    return sealed;
  }
  function openBytes(sealed: Buffer, context: string): Buffer {
    const decipher = decipherOf(sealed, context);
    return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]);
  }
  /** The decipher of a sealed value, of which only the head is read. */
  function decipherOf(sealed: Buffer, context: string): DecipherGCM {
    const known = keyOf(sealed);
    if (!known) throw new Error('sealed with a secret key that is not configured');
    // The layout of a sealed value: key id, nonce, authentication tag, ciphertext.
    const nonce = sealed.subarray(keyIdBytes, keyIdBytes + nonceBytes);
    const decipher = createDecipheriv(algorithm, known.key, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(sealed.subarray(keyIdBytes + nonceBytes, headBytes));
    decipher.setAAD(Buffer.from(context));
    return decipher;
  }
}

/** Returns, in hexadecimal, the id at the head of every value that this secret seals. It reveals nothing of the secret. */
export function secretKeyId(secret: string): string {
  return deriveKey(secret).id.toString('hex');
}

/** Bytes of a secret's key id. */
export const secretKeyIdBytes = keyIdBytes;

function digest({ digestKey }: VaultKey, text: string): string {
  return createHmac('sha256', digestKey).update(text).digest('hex');
}

/** Compares in a time that does not depend on where two texts differ. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** Derives independent keys from one secret (HKDF, RFC 5869). */
function deriveKey(secret: string): VaultKey {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'parley', purpose, bytes));
  return {
    id: derive('vault key id', keyIdBytes),
    key: derive('vault key', keyBytes),
    digestKey: derive('vault digest key', keyBytes),
    tokenKey: derive('session token key', keyBytes),
  };
}
