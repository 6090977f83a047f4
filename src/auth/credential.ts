import { unauthorized } from '../errors.ts';

/**
 * The credential of a request: `Authorization: Bearer`, or `x-api-key`, in any case. It takes raw headers to see
 * repeated ones; the same key twice is accepted.
 * @throws ToolError `unauthorized` for two different credentials, and for another kind of Authorization
 */
export function credentialOf(rawHeaders: readonly string[]): string | undefined {
  let credential: string | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const found = credentialIn(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    if (found === undefined) continue;
    if (credential !== undefined && credential !== found) throw unauthorized();
    credential = found;
  }
  return credential;
}

function credentialIn(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower === 'x-api-key') return value.trim();
  if (lower !== 'authorization') return undefined;
  const bearer = /^bearer +(\S+)$/i.exec(value.trim())?.[1];
  if (bearer === undefined) throw unauthorized();
  return bearer;
}
