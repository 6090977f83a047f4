import type { UnderstandEffect, Understood } from './call-state.ts';
import type { Json } from './json-value.ts';
import { fillTemplate } from './templates.ts';

/** Words of agreement and refusal in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish. */
const yes = new Set(
  `yes yeah yep sure ok okay fine agreed please correct right
  ja klar gerne jawohl einverstanden
  oui ouais volontiers sûr d'accord
  sí si claro vale
  certo bene
  sim claro
  tak dobrze zgoda`.split(/\s+/),
);
const no = new Set(
  `no nope not don't never nothing
  nein nicht nee nichts keinesfalls
  non pas jamais rien
  nada nunca
  niente mai
  não nao
  niet geen nie`.split(/\s+/),
);

/** Shorter words are in every text. */
const shortestWord = 3;
/** Starts at the beginning of a word, so that it takes linear time. */
const emailAddress = /(?<![^\s@,;])[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+/;
/** Not the date 2026-05-04, nor a part of it. */
const phoneNumber = /(?<![\d-])(?!\d{4}-\d{2}-\d{2}(?!\d))\+?\d[\d\s()/.-]{5,}\d/;
const calendarDate = /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?\b/;
const plainNumber = /[-+]?\d+(?:[.,]\d+)?/;

/**
 * Reads a turn without a model: yes and no in eight languages, the words of an option's title and description, e-mail
 * addresses, telephone numbers, dates and numbers. Good enough for a first try without a key, and the same every time.
 */
export function readByRule(effect: UnderstandEffect): Understood {
  switch (effect.reads) {
    case 'consent':
      return { consent: agreement(effect.text) };
    case 'route':
      return { option: bestOption(effect.text, effect.options) };
    case 'collect':
      return { values: valuesIn(effect.text, effect.wanted) };
    case 'confirm':
      return { consent: agreement(effect.text) };
    case 'answer':
      return answerFrom(effect.text, effect.passages);
    case 'message':
      return {
        text: fillTemplate(
          effect.instruction,
          (name) => effect.values[name],
          () => undefined,
        ),
      };
    case 'values':
      return { values: Object.fromEntries(Object.keys(effect.prompts).map((key) => [key, ''])) };
  }
}

/** True for yes, false for no, null if the text says neither or both. */
export function agreement(text: string): boolean | null {
  const words = wordsOf(text);
  const [agrees, refuses] = [words.some((word) => yes.has(word)), words.some((word) => no.has(word))];
  return agrees === refuses ? null : agrees;
}

function bestOption(
  text: string,
  options: readonly { readonly id: string; readonly title: string; readonly description: string }[],
): string | null {
  const said = new Set(contentWords(text));
  const scores = options.map(({ id, title, description }) => ({
    id,
    // A title names the option, so its words count twice.
    score:
      2 * contentWords(`${title} ${id}`).filter((word) => said.has(word)).length +
      contentWords(description).filter((word) => said.has(word)).length,
  }));
  const [best, second] = scores.toSorted((one, other) => other.score - one.score);
  if (best && best.score > 0 && best.score > (second?.score ?? 0)) return best.id;
  return null;
}

/** What a variable is about, and how such a value looks. */
const kindsOfValue: readonly (readonly [subject: RegExp, pattern: RegExp])[] = [
  [/e-?mail/, emailAddress],
  [/phone|number|mobile|telefon/, phoneNumber],
  [/date|day|when|datum/, calendarDate],
  [/how many|people|count|guests|age|anzahl/, plainNumber],
];

function subjectOf({
  variableId,
  description,
}: {
  readonly variableId: string;
  readonly description: string;
}) {
  return `${variableId.replaceAll(/([a-z])([A-Z])/g, '$1 $2')} ${description}`.toLowerCase();
}

function valuesIn(
  text: string,
  wanted: readonly { readonly variableId: string; readonly description: string }[],
): Record<string, Json> {
  const values: Record<string, Json> = {};
  let rest = text;
  for (const [subject, pattern] of kindsOfValue)
    for (const item of wanted) {
      if (!subject.test(subjectOf(item))) continue;
      const found = pattern.exec(rest)?.[0];
      // There is none for later variables either.
      if (found === undefined) break;
      values[item.variableId] = found.trim();
      rest = rest.replace(found, ' ');
    }
  // One open question is answered by all that was said.
  const [open] = wanted.filter(({ variableId }) => !Object.hasOwn(values, variableId));
  const left = rest.replaceAll(/\s+/g, ' ').trim();
  if (open && Object.keys(values).length === 0 && left !== '') values[open.variableId] = left;
  return values;
}

/** Quotes the passage that shares most words with the question. */
function answerFrom(text: string, passages: readonly string[]): Understood {
  if (agreement(text) === false && wordsOf(text).length <= 4) return { answered: true, done: true };
  const asked = contentWords(text);
  const scored = passages.map((passage) => {
    const words = new Set(contentWords(passage));
    return { passage, score: asked.filter((word) => words.has(word)).length };
  });
  const [best] = scored.toSorted((one, other) => other.score - one.score);
  return best && best.score > 0 ? { answered: true, text: best.passage } : { answered: false };
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []
  );
}

function contentWords(text: string): string[] {
  return wordsOf(text).filter((word) => word.length > shortestWord);
}
