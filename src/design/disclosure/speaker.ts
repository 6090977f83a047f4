import { standingOf } from './context.ts';
import type { Language } from './language.ts';
import { match } from './patterns.ts';
import type { Introductions } from './statements.ts';
import type { Sentence } from './tokens.ts';

/** True where a sentence says of the speaker that he is human: "you're talking to a real person". */
export function claimsToBeHuman(sentence: Sentence, language: Language): boolean {
  const { tokens } = sentence;
  const claims = [
    ...tokens.flatMap((_, at) => ends(sentence, at, language.humans).map((end) => ({ at, end, framed: true }))),
    ...tokens.flatMap((_, at) => ends(sentence, at, language.flesh).map((end) => ({ at, end, framed: false }))),
  ];
  return claims.some(({ at, end, framed }) => {
    if (tokens[end]?.joined) return false;
    const mention = { start: at, end, agentive: false, acronym: false };
    if (!framed) return standingOf(sentence, language, mention, { self: true, start: at, end }) === 'fact';
    return language.frames.some(({ before, after, takes, self }) => {
      if (takes !== 'both' || after.length > 0) return false;
      let from = at;
      while (from > 0 && tokens[from - 1] && language.adverbs.has(tokens[from - 1] as never)) from -= 1;
      const start = match(tokens, from - 1, before, -1);
      return (
        start !== undefined &&
        standingOf(sentence, language, mention, { self, start: start + 1, end }) === 'fact'
      );
    });
  });
}

function ends({ tokens }: Sentence, at: number, patterns: Language['humans']): number[] {
  return patterns.flatMap((human) => match(tokens, at, human, 1) ?? []);
}

/** The names by which a line introduces the speaker. */
export function introductionsOf(sentences: readonly Sentence[], languages: readonly Language[]): Introductions {
  const names = new Set<string>();
  let introduced = false;
  for (const { tokens } of sentences)
    for (const { frames } of languages)
      for (const { before, takes } of frames) {
        if (takes === 'mention') continue;
        for (let at = 0; at < tokens.length; at++) {
          const end = match(tokens, at, before, 1);
          if (end === undefined) continue;
          introduced = true;
          const name = tokens[end];
          if (name && name.kind === 'word' && name.capital) names.add(name.raw);
        }
      }
  return { names, introduced };
}
