/**
 * What no reader sees and Postgres or a search trips over: controls, lone surrogates, soft hyphens, marks of width
 * zero; but for the two that join or part the letters of some scripts.
 */
const unseen = /(?![\s\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\ufff9-\uffff]/gu;
/** Letters that typesetting joined. */
const ligatures = /[\ufb00-\ufb06]/g;

/** The text on one line, with single spaces. */
export function oneLine(text: string): string {
  return cleaned(text).replaceAll(/\s+/g, ' ').trim();
}

/** The text with its line breaks, each line with single spaces, and no empty line. */
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
