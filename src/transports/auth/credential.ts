import { unauthorized } from '../../platform/errors.ts';

/**
 * The credential of a request: `Authorization: Bearer`, or `x-api-key`, in any case. An Authorization of another scheme,
 * such as that of a proxy, does not count. It takes raw headers to see repeated ones; the same key twice is accepted.
 * @throws ToolError `unauthorized` for two different credentials, and for two different headers of Authorization
 */
export function credentialOf(rawHeaders: readonly string[]): string | undefined {
  let credential: string | undefined;
  let otherScheme: string | undefined;
  let bearer: string | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (name !== 'authorization' && name !== 'x-api-key') continue;
    const value = (rawHeaders[index + 1] ?? '').trim();
    let found: string | undefined = value;
    if (name === 'authorization') {
      found = bearerIn(value);
      if (found === undefined) {
        if (otherScheme !== undefined && otherScheme !== value) throw unauthorized();
        otherScheme = value;
        continue;
      }
      bearer = found;
    }
    if (credential !== undefined && credential !== found) throw unauthorized();
    credential = found;
  }
  if (bearer !== undefined && otherScheme !== undefined) throw unauthorized();
  return credential;
}

/**
 * The key in an Authorization header, undefined if its scheme is another.
 * @throws ToolError `unauthorized` if there is no key after `Bearer`
 */
function bearerIn(value: string): string | undefined {
  const key = /^bearer +(\S+)$/i.exec(value)?.[1];
  if (key === undefined && /^bearer\b/i.test(value)) throw unauthorized();
  return key;
}
