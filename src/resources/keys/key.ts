import { hash as digest, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { MintedKey } from '../../environment/services.ts';
import type { KeyTypeName } from './store.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretBytes = 32;
/** base62 digits of 32 bytes, and of a CRC-32. */
const secretDigits = 43;
const checksumDigits = 6;
const shownDigits = 4;

const prefixes: Record<KeyTypeName, string> = { secret: 'parley_sk_', publishable: 'parley_pk_' };

/** Makes a key (`decisions#keys`): prefix, base62 of 32 random bytes, base62 of the CRC-32 of everything before it. */
export function mintKey(type: KeyTypeName): MintedKey {
  const body = prefixes[type] + base62(BigInt(`0x${randomBytes(secretBytes).toString('hex')}`), secretDigits);
  const text = body + checksum(body);
  const keyPrefix = text.slice(0, prefixes[type].length + shownDigits);
  return { text, hash: hashKey(text), keyPrefix, last4: text.slice(-shownDigits) };
}

/** SHA-256 of a key. A slow hash would add nothing, because a key has 256 random bits. */
export function hashKey(text: string): Buffer {
  return Buffer.from(fingerprint(text), 'hex');
}

/** The same hash as hexadecimal text, at a fifth of the cost: used with every request. */
export function fingerprint(text: string): string {
  return digest('sha256', text, 'hex');
}

const keyPattern = /^parley_(?:sk|pk)_[0-9A-Za-z]{49}$/;

/** True if form and checksum are right; other texts are refused without a query. */
export function isWellFormedKey(text: string): boolean {
  const end = text.length - checksumDigits;
  return keyPattern.test(text) && text.slice(end) === checksum(text.slice(0, end));
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumDigits);
}

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value, place = 0; place < digits; place++, rest /= 62n)
    text = alphabet.charAt(Number(rest % 62n)) + text;
  return text;
}
