/** Standard base64 (RFC 4648 section 4) with or without padding and line breaks; undefined where it is something else. */
export function decodeBase64(text: string): Buffer | undefined {
  // A plus that went through a form comes as a space, which atob would leave out.
  if (/[ \t\f]/.test(text)) return undefined;
  try {
    // Unlike Buffer.from, atob refuses what it does not know.
    return Buffer.from(atob(text), 'latin1');
  } catch {
    return undefined;
  }
}
