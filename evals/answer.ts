/** Reads what an answer says, whatever its wording. */

/** Texts that deny something. */
export const denial =
  /\b(?:no|not|none|nothing|never|neither|nor|nobody|nowhere|without|cannot|rather than|instead of)\b|n't\b/;

/** Texts that call a number or an agent switched off. */
export const off =
  /(?:switched|turned) off|\boff\b|disabled|deactivated|inactive|not (?:enabled|active|on\b|(?:switched|turned) on)/;
/** Texts that say that a number has no agent. */
export const nothingAssigned =
  /(?:nothing|nobody|no one|no|not|none|never|neither|without)\b.{0,60}\b(?:assigned|agents?|assistant|flow|conversation|connected|linked|attached|set up|handler|behind|answers?)|n't .{0,30}(?:assigned|connected|linked|attached)|unassigned|\| ?(?:nothing|none|-) ?\|/;
/** Texts that say that a call ends. */
export const callEnds = /\bends?\b|hang|over\b|finish|disconnect/;

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
  return givesDay(answer, moment) || givesMinute(answer, moment);
}

/** True if an answer gives the day of a moment in UTC. */
export function givesDay(answer: string, moment: Date): boolean {
  const text = plain(answer);
  const date = moment.getUTCDate();
  const month = moment.toLocaleString('en', { month: 'short', timeZone: 'UTC' }).toLowerCase();
  const inWords = new RegExp(
    `\\b${date}(?:st|nd|rd|th)?(?: of)? ${month}|\\b${month}[a-z]*\\.? 0?${date}\\b`,
  );
  return text.includes(moment.toISOString().slice(0, 10)) || inWords.test(text);
}

/** True if an answer gives the time of a moment to the minute in UTC, on either clock. */
export function givesMinute(answer: string, moment: Date): boolean {
  const [hour, minute] = [moment.getUTCHours(), moment.toISOString().slice(14, 16)];
  const twelve = `0?${hour % 12 || 12}:${minute}(?::\\d\\d)? ?${hour < 12 ? 'a' : 'p'}\\.?m\\b`;
  const twentyFour = `${String(hour).padStart(2, '0')}:${minute}(?!:?\\d\\d? ?[ap]\\.?m)`;
  return new RegExp(`(?<!\\d)(?:${twelve}|${twentyFour})`).test(plain(answer));
}

/** Texts that mark what callers would hear after a change, and what they hear today. */
const marks =
  /(?<then>\b(?:put|putting|go|goes|going|made?|once|when|if)\b[^.;|]{0,25}\blive\b|\b(?:would|will|new|latest|newest|prepared|draft|version 3|v3|becomes?|then|changes? to|instead(?! of))\b|->|→)|(?<now>\b(?:instead of|in place of|rather than|replac(?:es|ing)|no longer|not|today|now|currently?|live|old|before|was|were|so far|version 1|v1|previous(?:ly)?|until)\b)/g;

/** True if an answer gives one text as what callers hear today, and another as what they would hear instead. */
export function tellsChange(answer: string, today: RegExp, then: RegExp): boolean {
  const text = plain(answer);
  const [todayAt, thenAt] = [text.search(today), text.search(then)];
  if (todayAt < 0 || thenAt < 0) return false;
  const [first, second] = [Math.min(todayAt, thenAt), Math.max(todayAt, thenAt)];
  // What marks the second text stands between the two; in a table, both marks stand before them.
  const mark = marksIn(text.slice(first, second)).at(-1) ?? marksIn(text.slice(0, first)).slice(-2)[1];
  return todayAt < thenAt ? mark !== 'now' : mark === 'now';
}

function marksIn(text: string): readonly ('now' | 'then')[] {
  return [...text.matchAll(marks)].map(({ groups }) => (groups?.['now'] === undefined ? 'then' : 'now'));
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
