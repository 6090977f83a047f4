import { disclosingExamples, languageCodeOf, ruleOnDisclosure } from '../../../disclosure/index.ts';
import type { Compilation, FlowPlace } from './compilation.ts';
import { clipped, longestText } from './compilation.ts';
import { hasWordsIn, type Words, wordsIn } from './words.ts';

/** The language of a flow: the one that it names, or else the one that its texts seem to be in. */
export function languageOf(named: unknown, texts: readonly string[]): string {
  const code = typeof named === 'string' ? named.trim().toLowerCase().split(/[-_]/u, 1)[0] : undefined;
  if (code !== undefined && (hasWordsIn(code) || Object.hasOwn(disclosingExamples, code))) return code;
  return languageCodeOf(texts.join('\n'));
}

/** The words of a flow's language, with a sentence in it that discloses the AI. */
export function wordsOf(language: string): Words {
  const { [language]: example } = disclosingExamples;
  return hasWordsIn(language) || example === undefined
    ? wordsIn(language)
    : { ...wordsIn(language), disclosure: example };
}

/** The first line of a call. It always discloses the AI; `rest` is said next. */
export interface Opening {
  readonly line: string;
  readonly rest?: string;
}

/**
 * Makes a line the first one of a call, with a sentence that discloses the AI if the line does not.
 * @param text undefined if the flow has none
 */
export function openingOf(
  compilation: Compilation,
  text: string | undefined,
  place: FlowPlace,
  { disclosure }: Words,
): Opening {
  if (text === undefined) return { line: disclosure };
  const { discloses, deceives } = ruleOnDisclosure(text);
  if (discloses) return { line: text };
  if (deceives) {
    compilation.skip(place, 'Says that a human speaks, so no caller hears it.');
    return { line: disclosure };
  }
  // A question at the end is what callers reply to, so the sentence comes before it.
  const together = clipped(withSentence(text, disclosure), longestText);
  return ruleOnDisclosure(together).discloses ? { line: together } : { line: disclosure, rest: text };
}

function withSentence(text: string, sentence: string): string {
  if (!asksSomething(text)) return `${text} ${sentence}`;
  const ends = ['. ', '! ', '? ', '… '].map((mark) => text.lastIndexOf(mark));
  const last = Math.max(...ends);
  const question = last === -1 ? 0 : last + 2;
  return `${text.slice(0, question)}${sentence} ${text.slice(question)}`;
}

/** True if a line ends with a question, so that callers speak next. */
export function asksSomething(line: string): boolean {
  return /[?？؟]["'”’»)]?$/u.test(line.trimEnd());
}

/** A line in the middle of a call that has to disclose the AI; undefined if it says that a human speaks. */
export function disclosed(line: string, { disclosure }: Words): string | undefined {
  const { discloses, deceives } = ruleOnDisclosure(line);
  if (discloses) return line;
  const together = clipped(`${disclosure} ${line}`, longestText);
  return !deceives && ruleOnDisclosure(together).discloses ? together : undefined;
}
