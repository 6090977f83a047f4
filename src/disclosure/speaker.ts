import { judgementOf } from './context.ts';
import type { Language } from './language.ts';
import { match } from './patterns.ts';
import type { Sentence, Token } from './tokens.ts';

/** The words that claim that the speaker is human, if any: "you're talking to a real person". */
export function claimsToBeHuman(sentence: Sentence, language: Language): readonly Token[] | undefined {
  const { tokens } = sentence;
  const isFact = (self: boolean, at: number, start: number, end: number) =>
    !tokens[end]?.joined &&
    judgementOf(
      sentence,
      language,
      { start: at, end, agentive: false, acronym: false },
      { self, role: false, start, end },
    ) === 'fact';
  const idioms = language.humanIdioms.in(tokens);
  const humans = language.humans.in(tokens);
  for (let at = 0; at < tokens.length; at++) {
    for (const human of idioms) {
      const end = match(tokens, at, human, 1);
      if (end !== undefined && isFact(true, at, at, end)) return tokens.slice(at, end);
    }
    for (const human of humans) {
      const end = match(tokens, at, human, 1);
      if (end === undefined) continue;
      let from = at;
      for (let before = tokens[at - 1]; before && language.adverbs.has(before); before = tokens[from - 1])
        from -= 1;
      for (const { before, after, takes, self } of language.frames.all) {
        if (takes !== 'both' || after.length > 0) continue;
        for (const place of [from, startOfName(tokens, from, language)]) {
          const start = match(tokens, place - 1, before, -1);
          if (start !== undefined && isFact(self, at, start + 1, end)) return tokens.slice(start + 1, end);
        }
      }
    }
  }
  return undefined;
}

/** The start of a name before a mark, as in "I'm Bea from Contoso, a real person"; `from` if there is none. */
function startOfName(tokens: readonly Token[], from: number, language: Language): number {
  if (tokens[from - 1]?.kind !== 'mark') return from;
  let start = from - 1;
  while (start > from - 8 && isName(tokens[start - 1], language)) start -= 1;
  return start;
}

function isName(token: Token | undefined, { genitives }: Language): boolean {
  return (
    token !== undefined &&
    (token.kind === 'placeholder' || (token.kind === 'word' && (token.capital || genitives.has(token))))
  );
}

/** How a line introduces the speaker. */
export interface Introductions {
  readonly names: ReadonlySet<string>;
  /** True if the line has a phrase such as "my name is" or "this is". */
  readonly introduced: boolean;
}

export function introductionsOf(sentences: readonly Sentence[], { introducing }: Language): Introductions {
  const names = new Set<string>();
  let introduced = false;
  for (const { tokens } of sentences)
    for (const { before } of introducing.in(tokens))
      for (let at = 0; at < tokens.length; at++) {
        const end = match(tokens, at, before, 1);
        if (end === undefined) continue;
        introduced = true;
        const name = tokens[end];
        if (name && name.kind === 'word' && name.capital) names.add(name.raw);
      }
  return { names, introduced };
}
