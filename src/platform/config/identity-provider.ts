import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** An identity provider of the operator, whose tokens `/mcp` accepts (OpenID Connect). */
export interface IdentityProviderConfig {
  readonly issuer: string;
  /** What tokens must be made for. Undefined: the URL of `/mcp`. */
  readonly audience: string | undefined;
  /** The first rule that matches a token decides as which key it calls. */
  readonly rules: readonly TokenRule[];
}

/** Lets the tokens with a claim call as a key. */
export interface TokenRule {
  /** The name of a claim. */
  readonly claim: string;
  /** Its value, or one of the values in its list. */
  readonly value: string;
  readonly projectId: string;
  readonly keyId: string;
}

/** A file of rules that cannot be used. The message names the place, for the person who wrote it. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError';
}

const Name = v.pipe(v.string(), v.nonEmpty());
const Rules = v.strictObject({
  keys: v.pipe(
    v.array(v.strictObject({ claim: Name, value: Name, projectId: Name, keyId: Name })),
    v.minLength(1),
  ),
});

/** Reads the file of PARLEY_OIDC_KEYS. @throws IdentityProviderError */
export function readTokenRules(file: string): readonly TokenRule[] {
  const parsed = v.safeParse(Rules, jsonIn(file));
  if (parsed.success) return parsed.output.keys;
  const [issue] = parsed.issues;
  throw new IdentityProviderError(`${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new IdentityProviderError('the file is not valid JSON');
    const { code } = error as NodeJS.ErrnoException;
    throw new IdentityProviderError(`the file cannot be read (${code})`);
  }
}
