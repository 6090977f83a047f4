/**
 * The one way to write what may be written in several: escapes in capitals, and none where RFC 3986 2.3 needs none.
 * `%7e%2f` becomes `~%2F`.
 */
export function normalEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : written.toUpperCase();
  });
}
