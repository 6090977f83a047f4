/**
 * Invisible characters that break Postgres or the search: controls, lone surrogates, soft hyphens and zero-width marks.
 * The two that join or separate the letters of some scripts (U+200C, U+200D) stay.
 */
const unseen = /(?![\s\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\ufff9-\uffff]/gu;
/** Typographic ligatures, such as ﬁ. */
const ligatures = /[\ufb00-\ufb06]/g;

/** The text on one line, with single spaces. */
export function oneLine(text: string): string {
  return cleaned(text).replaceAll(/\s+/g, ' ').trim();
}

/** The text with its line breaks, with single spaces and without empty lines. */
export function lines(text: string): string {
  return cleaned(text)
    .split(/[\n\r\v\f]+/)
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n');
}

function cleaned(text: string): string {
  return text
    .replaceAll(unseen, '')
    .replaceAll(ligatures, (letters) => letters.normalize('NFKC'))
    .normalize('NFC');
}
