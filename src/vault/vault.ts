import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 4;

/** Seals texts and bytes for storage: AES-256-GCM, bound to a context so that one record's cannot stand in another's. */
export interface Vault {
  /** `context` names the place, such as a table and a primary key; opening needs the same. */
  seal(content: string | Uint8Array, context: string): Buffer;
  /** @throws where the text was sealed with a key that is not known, in another context, or was changed. */
  open(sealed: Buffer, context: string): string;
  /** The same for bytes. */
  openBytes(sealed: Buffer, context: string): Buffer;
  /** Whether it was sealed with a key that is known. */
  knows(sealed: Buffer): boolean;
  /** A text's HMAC-SHA-256 by each key, the sealing one's first, as hexadecimal text: without a key nobody can guess the text. */
  digests(text: string): readonly [current: string, ...older: string[]];
}

interface VaultKey {
  readonly id: Buffer;
  readonly key: Buffer;
  readonly digestKey: Buffer;
}

/**
 * A vault over secrets of any length: the first one seals, all of them open. Rotating is putting a new one in
 * front; what the older one sealed stays readable until it is dropped.
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
    seal(content, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, sealing.key, nonce);
      cipher.setAAD(Buffer.from(context));
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      const [body, end] = [cipher.update(bytes), cipher.final()];
      return Buffer.concat([sealing.id, nonce, cipher.getAuthTag(), body, end]);
    },
    open: (sealed, context) => openBytes(sealed, context).toString('utf8'),
    openBytes,
  };
  function openBytes(sealed: Buffer, context: string): Buffer {
    const known = keyOf(sealed);
    if (!known) throw new Error('sealed with a secret key that is not configured');
    const nonce = sealed.subarray(keyIdBytes, keyIdBytes + nonceBytes);
    const body = sealed.subarray(keyIdBytes + nonceBytes + tagBytes);
    const decipher = createDecipheriv(algorithm, known.key, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(sealed.subarray(keyIdBytes + nonceBytes, keyIdBytes + nonceBytes + tagBytes));
    decipher.setAAD(Buffer.from(context));
    return Buffer.concat([decipher.update(body), decipher.final()]);
  }
}

/** What stands, in hexadecimal, at the head of all that this secret sealed: it names the secret and tells nothing of it. */
export function secretKeyId(secret: string): string {
  return deriveKey(secret).id.toString('hex');
}

/** Bytes of that id. */
export const secretKeyIdBytes = keyIdBytes;

function digest({ digestKey }: VaultKey, text: string): string {
  return createHmac('sha256', digestKey).update(text).digest('hex');
}

/** HKDF (RFC 5869): the same secret serves three purposes without one telling about another. */
function deriveKey(secret: string): VaultKey {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'parley', purpose, bytes));
  return {
    id: derive('vault key id', keyIdBytes),
    key: derive('vault key', keyBytes),
    digestKey: derive('vault digest key', keyBytes),
  };
}
