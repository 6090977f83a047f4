import { randomBytes } from 'node:crypto';
import { hashKey } from '../../resources/keys/key.ts';

/** The path of the addresses to which files are sent; the token follows. */
export const uploadPath = '/v1/uploads';

/** The path of the pages on which a person enters a secret; the token follows. */
export const secretRequestPath = '/secret-requests';

/** 192 random bits: 32 characters of base64url. */
const tokenBytes = 24;
const tokenForm = /^[\w-]{32}$/;

/** The secret part of an address that is the only credential, and its SHA-256, which is stored. */
export interface AddressToken {
  readonly text: string;
  readonly hash: Buffer;
}

export function mintAddressToken(): AddressToken {
  const text = randomBytes(tokenBytes).toString('base64url');
  return { text, hash: hashKey(text) };
}

/** The SHA-256 of a token; undefined for a text that is none, which then costs no query. */
export function addressTokenHash(text: string): Buffer | undefined {
  return tokenForm.test(text) ? hashKey(text) : undefined;
}
