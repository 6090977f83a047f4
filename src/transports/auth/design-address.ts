import type { AddressedDesign, Services } from '../../environment/services.ts';

/** The path of the addresses from which the design of a version is fetched; the token follows. */
export const designFilePath = '/v1/design-files';

/** A signed token that names the version, the key for which it was made, and until when it holds. */
export function designToken(services: Pick<Services, 'sign'>, design: AddressedDesign): string {
  const { projectId, keyId, conversationId, version, expiresAt } = design;
  const content = Buffer.from(
    JSON.stringify([projectId, keyId, conversationId, version, expiresAt.getTime()]),
  ).toString('base64url');
  return `${content}.${services.sign(design, signedText(content))}`;
}

/** What a token names; undefined if this installation did not sign it. */
export function openDesignToken(
  services: Pick<Services, 'isSigned'>,
  token: string,
): AddressedDesign | undefined {
  const [content = '', signature = '', ...more] = token.split('.');
  const claims = claimsIn(content);
  if (!claims || more.length > 0 || !services.isSigned(claims, signedText(content), signature))
    return undefined;
  return claims;
}

function claimsIn(content: string): AddressedDesign | undefined {
  const claims = parsed(Buffer.from(content, 'base64url').toString());
  if (!Array.isArray(claims)) return undefined;
  const [projectId, keyId, conversationId, version, expires] = claims as readonly unknown[];
  const isComplete =
    typeof projectId === 'string' &&
    typeof keyId === 'string' &&
    typeof conversationId === 'string' &&
    typeof version === 'number' &&
    typeof expires === 'number';
  return isComplete ? { projectId, keyId, conversationId, version, expiresAt: new Date(expires) } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Keeps this signature apart from those of other texts. */
function signedText(content: string): string {
  return `design file ${content}`;
}
