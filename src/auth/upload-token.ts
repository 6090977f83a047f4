import { randomBytes } from 'node:crypto';
import { hashKey } from './key.ts';

/** The path of the addresses to which files are sent; the token follows. */
export const uploadPath = '/v1/uploads';

/** 192 random bits: 32 characters of base64url. */
const tokenBytes = 24;
const tokenForm = /^[\w-]{32}$/;

/** The secret part of an upload's address, and its SHA-256, which is stored. */
export interface UploadToken {
  readonly text: string;
  readonly hash: Buffer;
}

export function mintUploadToken(): UploadToken {
  const text = randomBytes(tokenBytes).toString('base64url');
  return { text, hash: hashKey(text) };
}

/** The SHA-256 of a token; undefined for a text that is none, which then costs no query. */
export function uploadTokenHash(text: string): Buffer | undefined {
  return tokenForm.test(text) ? hashKey(text) : undefined;
}
