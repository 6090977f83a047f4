import { unauthorized } from '../errors.ts';

/**
 * The one credential of a request, from its raw headers, so that a repeated header counts: `Authorization:
 * Bearer` in any case, or `x-api-key`. The same key in both is fine.
 * @throws ToolError `unauthorized` where there are two different ones, or an Authorization of another kind.
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
