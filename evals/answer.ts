/** Reads what an answer says, whatever its wording. */

/** Texts that deny something. */
export const denial =
  /\b(?:no|not|none|nothing|never|neither|nor|nobody|nowhere|without|cannot|rather than|instead of)\b|n't\b/;

/** Lower case, with plain quotes and dashes, without emphasis, and with phone numbers as their last ten digits. */
export function plain(answer: string): string {
  return withPlainSigns(answer).replace(/\s+/g, ' ').toLowerCase();
}

/** The sentences, lines and rows of an answer, as `plain` returns them. */
export function sentencesOf(answer: string): readonly string[] {
  return withPlainSigns(answer)
    .split(/[;\n]+|(?<=[.!?]["')\]]*)\s+(?=["'([]*[A-Z0-9+])/)
    .map((sentence) => sentence.trim().toLowerCase())
    .filter((sentence) => sentence !== '');
}

/** True if an answer holds something that fits each of the patterns. */
export function mentions(answer: string, ...patterns: readonly RegExp[]): boolean {
  const text = plain(answer);
  return patterns.every((pattern) => pattern.test(text));
}

/** True if one sentence fits all of the patterns. */
export function saysTogether(answer: string, ...patterns: readonly RegExp[]): boolean {
  return sentencesOf(answer).some((sentence) => patterns.every((pattern) => pattern.test(sentence)));
}

/** True if a sentence fits all of the patterns, and not the one that would make it right. */
export function saysWithout(answer: string, missing: RegExp, ...patterns: readonly RegExp[]): boolean {
  return sentencesOf(answer).some(
    (sentence) => patterns.every((pattern) => pattern.test(sentence)) && !missing.test(sentence),
  );
}

/** True if a sentence says this of a thing without a word that denies it. */
export function claims(answer: string, thing: RegExp, what: RegExp): boolean {
  return saysWithout(answer, denial, thing, what);
}

/**
 * What an answer says about a thing: each sentence that names it, with its heading, and the sentences after it until
 * one names another thing.
 */
export function about(answer: string, thing: RegExp, others: RegExp): string {
  const told: string[] = [];
  let isAbout = false;
  let heading = '';
  for (const sentence of sentencesOf(answer)) {
    const isNamed = thing.test(sentence);
    if (isNamed || others.test(sentence)) isAbout = isNamed;
    if (isNamed) told.push(heading);
    if (isAbout) told.push(sentence);
    if (sentence.endsWith(':') || sentence.startsWith('#')) heading = sentence;
  }
  return told.join('\n');
}

/** A pattern for hours from 8 to the end, in words, with a dash, with or without minutes, on either clock. */
export function hoursUntil(end: 6 | 8): RegExp {
  const minutes = '(?::00)?';
  return new RegExp(
    `\\b0?8${minutes}(?: ?[ap]\\.?m\\.?)? ?(?:to|until|till|-|and) ?(?:${end}|${end + 12})${minutes}\\b`,
  );
}

/** True if an answer gives the day of a moment, or its time to the minute, in UTC. */
export function givesTime(answer: string, moment: Date): boolean {
  const text = plain(answer);
  const [day = '', time = ''] = moment.toISOString().split('T');
  const date = moment.getUTCDate();
  const month = moment.toLocaleString('en', { month: 'short', timeZone: 'UTC' }).toLowerCase();
  const inWords = new RegExp(
    `\\b${date}(?:st|nd|rd|th)?(?: of)? ${month}|\\b${month}[a-z]*\\.? 0?${date}\\b`,
  );
  return text.includes(day) || text.includes(time.slice(0, 5)) || inWords.test(text);
}

function withPlainSigns(answer: string): string {
  return (
    answer
      .replace(/[‘’]/g, "'")
      .replace(/[“”„]/g, '"')
      .replace(/[‐‑‒–—−]/g, '-')
      .replace(/[\u00A0\u202F]/g, ' ')
      // A line in bold letters is a heading.
      .replace(/^[ \t]*\*\*([^*\n]+?):?\*\*:?[ \t]*$/gm, '$1:')
      .replace(/[*`]/g, '')
      // A line that goes on with a small letter is part of the sentence before it.
      .replace(/\n[ \t]*(?=[a-z])/g, ' ')
      .replace(/(?<!\d)(?:\+?1[ .-]*)?\(?(\d{3})\)?[ .-]*(\d{3})[ .-]*(\d{4})(?!\d)/g, '$1$2$3')
  );
}
