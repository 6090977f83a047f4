import { choose } from './choice.ts';
import { wishedOption } from './intents.ts';
import { languagesOf } from './language-guess.ts';
import { type Language, languages } from './languages.ts';
import { idleWords, subjectsOf } from './option-words.ts';
import { ordinalAt } from './ordinals.ts';
import { asksForInformation } from './questions.ts';
import { breaksClause, type Found, phrases, type Token, tokensOf, wordsOf } from './words.ts';

interface Option {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** A word of a reply that points to options, each with how surely. */
type Mention = Found<ReadonlyMap<string, number>>;

/** A word of a title names the option, its beginning almost, a word of the description or of the same subject hints at it. */
const weights = { title: 4, beginning: 3, description: 2, subject: 2 } as const;
const shortestStem = 5;

const others = phrases(
  `the other|other one|das andere|die andere|den anderen|andere|anderes|l'autre|l'autre alors|el otro|la otra|otro|otra|l'altro|l'altra|altro|de andere|het andere|ander|o outro|a outra|outro|outra|drugie|ten drugi|tę drugą|inne`,
);
const lasts = phrases(
  `the last|last one|das letzte|die letzte|den letzten|le dernier|la dernière|el último|la última|l'ultimo|l'ultima|la ultima|de laatste|het laatste|o último|a última|ostatni|ostatnia|ostatnią|ostatnie|the latter`,
);
const articles = new Set('the der die das den le la el il lo de het o a l na w ta ten te to'.split(' '));

/** The option that a reply means; null if none or several. */
export function optionIn(text: string, options: readonly Option[]): string | null {
  const tokens = tokensOf(text);
  const [language = 'en'] = languagesOf(tokens);
  const isQuestion = asksForInformation(text, tokens);
  const wished = wishedOption(tokens, options, { language, isQuestion });
  return wished ?? (isQuestion ? null : optionNamedIn(text, options));
}

/** The option that a text names, even in a question; null if none or several. */
export function optionNamedIn(text: string, options: readonly Option[]): string | null {
  const tokens = tokensOf(text);
  if (options.length === 0) return null;
  const titles = options.map(({ title }) => title);
  const [language = 'en'] = languagesOf(tokens, titles);
  const mentions = mentionsIn(tokens, options);
  const { refused } = choose(mentions, tokens, language);
  const meant = mentions.filter((mention) => !refused.includes(mention));
  return (
    takenBack(meant, tokens, options) ??
    best(meant, options) ??
    remaining(refused, tokens, options) ??
    byPlace(tokens, options, language)
  );
}

/** "crown" and "crowns" begin alike. */
function stemOf(word: string): string {
  return word.length > shortestStem ? word.slice(0, shortestStem) : word;
}

function mentionsIn(tokens: readonly Token[], options: readonly Option[]): Mention[] {
  const profiles = options.map(({ id, title, description }) => ({
    id,
    title: new Set(wordsOf(title).filter((word) => !idleWords.has(word))),
    description: new Set(
      wordsOf(description).flatMap((word) =>
        idleWords.has(word) || word.length <= 3 ? [] : [word, stemOf(word)],
      ),
    ),
  }));
  const subjects = profiles.map(
    ({ title, description }) => new Set([...title, ...description].flatMap((word) => [...subjectsOf(word)])),
  );
  return tokens.flatMap(({ word }, from) => {
    if (idleWords.has(word)) return [];
    const own = subjectsOf(word);
    const scores = profiles.map(({ id, title, description }, index) => {
      const isSubject = [...own].some((subject) => subjects[index]?.has(subject));
      return [
        id,
        Math.max(
          titleWeight(word, title),
          description.has(word) || description.has(stemOf(word)) ? weights.description : 0,
          isSubject ? weights.subject : 0,
        ),
      ] as const;
    });
    const most = Math.max(...scores.map(([, score]) => score));
    const pointing = scores.filter(([, score]) => score > 0);
    // A word that points to every option alike tells nothing.
    if (pointing.length === 0 || (options.length > 1 && scores.every(([, score]) => score === most)))
      return [];
    return [{ value: new Map(pointing), from, to: from + 1 }];
  });
}

function titleWeight(word: string, title: ReadonlySet<string>): number {
  if (title.has(word)) return weights.title;
  if (word.length < shortestStem) return 0;
  const beginning = word.slice(0, Math.max(shortestStem, word.length - 3));
  return [...title].some(
    (other) =>
      other.startsWith(beginning) ||
      (other.length >= shortestStem &&
        word.startsWith(other.slice(0, Math.max(shortestStem, other.length - 2)))),
  )
    ? weights.beginning
    : 0;
}

function leader(mention: Mention): string | undefined {
  const [first, second] = [...mention.value].toSorted(([, one], [, other]) => other - one);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}

/** "the cleaning, no, the check-up": the later of two options that a correction separates. */
function takenBack(
  mentions: readonly Mention[],
  tokens: readonly Token[],
  options: readonly Option[],
): string | null {
  const clear = mentions.filter(
    (mention) => leader(mention) !== undefined && Math.max(...mention.value.values()) >= weights.subject,
  );
  if (options.length < 2 || clear.length < 2) return null;
  const { chosen } = choose(clear, tokens, 'en');
  return chosen && chosen !== clear[0] && leader(chosen) !== leader(clear[0] ?? chosen)
    ? (leader(chosen) ?? null)
    : null;
}

function best(mentions: readonly Mention[], options: readonly Option[]): string | null {
  const scores = options
    .map(({ id }) => ({ id, score: mentions.reduce((sum, { value }) => sum + (value.get(id) ?? 0), 0) }))
    .toSorted((one, other) => other.score - one.score);
  const [first, second] = scores;
  return first && first.score > 0 && first.score > (second?.score ?? 0) ? first.id : null;
}

/** "the second one", "la última" */
function byPlace(tokens: readonly Token[], options: readonly Option[], language: Language): string | null {
  if (options.length < 2) return null;
  const shortest = 3;
  for (let index = 0; index < tokens.length; index += 1) {
    if (lasts.has(tokens, index)) return options.at(-1)?.id ?? null;
    const isNamed =
      articles.has(tokens[index - 1]?.word ?? '') || tokens.length <= shortest || language === 'pl';
    const ordinal = isNamed ? anyOrdinalAt(tokens, index, language) : undefined;
    // "The first is whether you are open" chooses nothing.
    if (ordinal && language === 'en' && !endsChoice(tokens[ordinal.to])) continue;
    const option = ordinal && options[ordinal.value - 1];
    if (option) return option.id;
  }
  return null;
}

/** After the place of an option. */
const placeEnds = new Set('one option choice thing please thanks thank then sounds works would'.split(' '));

function endsChoice(next: Token | undefined): boolean {
  return next === undefined || breaksClause(next.gap) || placeEnds.has(next.word);
}

/** A short reply may be in another language than it seems. */
function anyOrdinalAt(
  tokens: readonly Token[],
  index: number,
  language: Language,
): Found<number> | undefined {
  for (const candidate of [language, ...languages]) {
    const ordinal = ordinalAt(tokens, index, candidate);
    if (ordinal) return ordinal;
  }
  return undefined;
}

/** Of two options the one that is not refused. */
function remaining(
  refused: readonly Mention[],
  tokens: readonly Token[],
  options: readonly Option[],
): string | null {
  if (options.length !== 2) return null;
  const no = new Set(refused.map((mention) => leader(mention)));
  const left = options.filter(({ id }) => !no.has(id));
  return left.length === 1 && (others.isIn(tokens) || no.size === 1) ? (left[0]?.id ?? null) : null;
}
