/** Normalises percent-encoding: capitals, and no escapes for unreserved characters (RFC 3986 section 2.3): `%7e%2f` becomes `~%2F`. */
export function normalEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : written.toUpperCase();
  });
}
