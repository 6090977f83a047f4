import type { Language } from './languages.ts';
import { isDigits, type Numeral, numeralAt } from './numbers.ts';
import { ordinalAt } from './ordinals.ts';
import { timeWords } from './time-words.ts';
import { breaksClause, type Found, Phrases, phrases, separated, type Token, wordSet } from './words.ts';

type PartOfDay = 'morning' | 'afternoon' | 'evening';

/** A time that a turn names. */
export interface Time {
  /** Since midnight, as said. */
  readonly minutes: number;
  readonly part: PartOfDay | undefined;
  /** Said in digits that leave no choice between morning and evening, or by name. */
  readonly isExact: boolean;
  /** A bare number is a time only as the answer to a question for one. */
  readonly isSure: boolean;
}

interface Vocabulary {
  readonly at: Phrases<true>;
  readonly clock: Phrases<true>;
  readonly ahead: Phrases<number>;
  readonly behind: Phrases<number>;
  readonly past: Phrases<true>;
  readonly to: Phrases<true>;
  readonly and: Phrases<true>;
  readonly minus: Phrases<true>;
  readonly fixed: Phrases<number>;
  readonly parts: Phrases<PartOfDay>;
}

const vocabularies = new Map<Language, Vocabulary>();

function vocabulary(language: Language): Vocabulary {
  const known = vocabularies.get(language);
  if (known) return known;
  const words = timeWords[language];
  const parts = (['morning', 'afternoon', 'evening'] as const).flatMap((part) =>
    separated(words[part]).map((phrase): [string, PartOfDay] => [phrase, part]),
  );
  const made: Vocabulary = {
    at: phrases(words.at),
    clock: phrases(words.clock),
    ahead: minutesOf(words.ahead),
    behind: minutesOf(words.behind),
    past: phrases(words.past),
    to: phrases(words.to),
    and: phrases(words.and),
    minus: phrases(words.minus),
    fixed: minutesOf(words.fixed),
    parts: new Phrases(() => parts),
  };
  vocabularies.set(language, made);
  return made;
}

function minutesOf(list: string): Phrases<number> {
  return new Phrases(() =>
    separated(list).map((entry): [string, number] => {
      const at = entry.lastIndexOf('=');
      return [entry.slice(0, at), Number(entry.slice(at + 1))];
    }),
  );
}

const hour = 60;
const noon = 12 * hour;
const day = 24 * hour;
/** An hour before this one, with nothing said, is one of the afternoon. */
const earliest = 7 * hour;

/** HH:MM; a time without a part of the day is one of opening hours, or of the evening if the question is about a meal. */
export function clockTime({ minutes, part, isExact }: Time, isEvening: boolean): string {
  const total = isExact ? minutes : minutes + shift(minutes, part, isEvening);
  const inDay = ((total % day) + day) % day;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(inDay / hour))}:${two(inDay % hour)}`;
}

function shift(minutes: number, part: PartOfDay | undefined, isEvening: boolean): number {
  if (minutes >= noon + hour) return 0;
  if (part === 'morning') return minutes >= noon ? -noon : 0;
  if (part === 'evening' && minutes >= noon) return minutes === noon ? noon : 0;
  if (minutes >= noon) return 0;
  if (part === 'evening') return minutes < 4 * hour ? 0 : noon;
  if (part === 'afternoon') return noon;
  return minutes < earliest || (isEvening && minutes < noon - hour) ? noon : 0;
}

/** The times that a turn names, in order; `isTaken` says which tokens already belong to another value. */
export function timesIn(
  tokens: readonly Token[],
  language: Language,
  isTaken: (index: number) => boolean,
): Found<Time>[] {
  const words = vocabulary(language);
  const found: Found<Time>[] = [];
  for (let index = 0; index < tokens.length; ) {
    const next = isTaken(index) ? undefined : timeAt(tokens, index, language, words);
    const isOther = (place: number) => isTaken(place) || numeralAt(tokens, place, language) !== undefined;
    if (next) found.push(withPart(tokens, next, words, { after: found.at(-1)?.to ?? 0, isOther }));
    index = next ? (found.at(-1)?.to ?? next.to) : index + 1;
  }
  return found;
}

const greetings = wordSet('good guten bonne buenas buenos buona buon goede boa bom dobry');

/** Tokens between a time and its part of the day. */
const nearby = 5;

function withPart(
  tokens: readonly Token[],
  time: Found<Time>,
  words: Vocabulary,
  { after, isOther }: { readonly after: number; readonly isOther: (place: number) => boolean },
): Found<Time> {
  const behind = Array.from({ length: nearby }, (_, back) => time.from - 1 - back).filter(
    (place) => place >= after,
  );
  // In "two, Thursday, six pm" the part belongs to the six.
  const ahead = [time.to, time.to + 1, time.to + 2];
  const other = ahead.findIndex((place) => isOther(place));
  for (const place of [...(other < 0 ? ahead : ahead.slice(0, other)), ...behind]) {
    const part = words.parts.at(tokens, place);
    // "Good evening" says no time.
    if (!part || greetings.has(tokens[place - 1]?.word ?? '')) continue;
    const to = place >= time.to ? part.to : time.to;
    return time.value.isExact
      ? { ...time, to }
      : { ...time, to, value: { ...time.value, part: part.value, isSure: true } };
  }
  return time;
}

function timeAt(
  tokens: readonly Token[],
  from: number,
  language: Language,
  words: Vocabulary,
): Found<Time> | undefined {
  const at = words.at.at(tokens, from);
  const start = at?.to ?? from;
  const core =
    fixedTime(tokens, start, words) ??
    literal(tokens, start, language) ??
    aheadOfHour(tokens, start, language, words) ??
    minutesToHour(tokens, start, language, words) ??
    hourFirst(tokens, start, language, words);
  if (!core) return undefined;
  if (!core.value.isSure && units.has(tokens[core.to]?.word ?? '')) return undefined;
  const isSure = core.value.isSure || (at !== undefined && isCue(tokens, at, core, language));
  const isArticle = core.to === core.from + 1 && articles.has(tokens[core.from]?.word ?? '');
  if (!isSure && isArticle && !words.parts.has(tokens, core.to)) return undefined;
  return { value: { ...core.value, isSure }, from, to: core.to };
}

/** "for four" may be people, "las dos" may be things: these cues need more than the number. */
function isCue(tokens: readonly Token[], at: Found<true>, core: Found<Time>, language: Language): boolean {
  const cue = tokens.slice(at.from, at.to).map(({ word }) => word);
  const isWeak = cue.length === 1 && weakCues.has(cue[0] ?? '');
  const end = tokens[core.to];
  const isClauseEnd = end === undefined || breaksClause(end.gap);
  if (language === 'pl') return ordinalAt(tokens, core.from, 'pl') !== undefined;
  return !isWeak && (isClauseEnd || cue[0] !== 'for');
}

/** "In about two months" names no time. */
const units =
  wordSet(`mile miles kilometers km month months week weeks year years day days minute minutes hours dollar dollars euro euros pounds percent people persons guests adults kids children thousand hundred
  monate monaten wochen jahre jahren tage tagen minuten stunden meilen personen leute gäste kinder tausend
  mois semaine semaines ans jours minutes personnes enfants mille
  mes meses semanas años días minutos personas niños mil millas
  mesi settimane anni giorni minuti persone bambini mila miglia
  maanden weken jaar dagen minuten uren mensen personen kinderen duizend
  meses semanas anos dias minutos pessoas crianças milhas
  miesiące miesięcy tygodnie tygodni lat dni minut osób osoby dzieci tysięcy`);

const articles = new Set('un une una uno ein eine einen een um uma a an o'.split(' '));
const weakCues = new Set(
  'for la las le a o na pour para per voor auf say tipo disons umas do po od na after by from'.split(' '),
);

function time(
  minutes: number,
  from: number,
  to: number,
  more: { isExact?: boolean; isSure?: boolean } = {},
): Found<Time> {
  const { isExact = false, isSure = true } = more;
  return { value: { minutes, part: undefined, isExact, isSure }, from, to };
}

function fixedTime(tokens: readonly Token[], from: number, words: Vocabulary): Found<Time> | undefined {
  const fixed = words.fixed.at(tokens, from);
  if (!fixed) return undefined;
  const extra = behindHour(tokens, fixed.to, words);
  return time(fixed.value + (extra?.value ?? 0), from, extra?.to ?? fixed.to, { isExact: true });
}

function behindHour(tokens: readonly Token[], from: number, words: Vocabulary): Found<number> | undefined {
  return words.behind.at(tokens, from);
}

/** 17:30, 17.30 and 17h30 */
function literal(tokens: readonly Token[], from: number, language: Language): Found<Time> | undefined {
  const hours = tokens[from]?.word ?? '';
  if (!/^\d{1,2}$/.test(hours) || Number(hours) > 24) return undefined;
  const next = tokens[from + 1];
  const hasLetter = next?.gap === '' && /^[hu]$/.test(next.word);
  const minutesAt = hasLetter ? from + 2 : from + 1;
  const minutes = tokens[minutesAt];
  const separators = hasLetter ? ['', ' '] : language === 'en' ? [':'] : [':', '.'];
  if (!minutes || !/^[0-5]\d$/.test(minutes.word) || !separators.includes(minutes.gap)) return undefined;
  const isExact = hours.startsWith('0') || Number(hours) > 12;
  return time(Number(hours) * hour + Number(minutes.word), from, minutesAt + 1, { isExact });
}

function hourAt(tokens: readonly Token[], from: number, language: Language): Found<number> | undefined {
  const ordinal = language === 'pl' ? ordinalAt(tokens, from, 'pl') : undefined;
  if (ordinal && ordinal.value <= 24) return ordinal;
  const number = numeralAt(tokens, from, language);
  if (number && number.value.value <= 24 && number.value.digits.length <= 2)
    return { value: number.value.value, from, to: number.to };
  const [first] = number ? [numeralAt(tokens.slice(from, from + 1), 0, language)] : [];
  return first && first.value.value <= 24 ? { value: first.value.value, from, to: from + 1 } : undefined;
}

/** "half past six", "halb neun", "wpół do dziewiątej" */
function aheadOfHour(
  tokens: readonly Token[],
  from: number,
  language: Language,
  words: Vocabulary,
): Found<Time> | undefined {
  const ahead = words.ahead.at(tokens, from);
  const article = ahead && words.at.at(tokens, ahead.to);
  const found = ahead && hourAt(tokens, article?.to ?? ahead.to, language);
  if (!found || found.value === 0) return undefined;
  return time(found.value * hour + ahead.value, from, afterClock(tokens, found.to, words));
}

/** "ten past eleven", "fünf vor halb neun", "za dziesięć ósma", "quinze pras quatro" */
function minutesToHour(
  tokens: readonly Token[],
  from: number,
  language: Language,
  words: Vocabulary,
): Found<Time> | undefined {
  const isPolishTo = language === 'pl' && tokens[from]?.word === 'za';
  const minutes = numeralAt(tokens, isPolishTo ? from + 1 : from, language);
  if (!minutes || minutes.value.value >= hour) return undefined;
  const past = isPolishTo ? undefined : words.past.at(tokens, minutes.to);
  const to = isPolishTo ? { to: minutes.to } : words.to.at(tokens, minutes.to);
  const preposition = past ?? to;
  if (!preposition) return undefined;
  const half = words.ahead.at(tokens, preposition.to);
  const hours = hourAt(tokens, half?.to ?? preposition.to, language);
  if (!hours || hours.value === 0) return undefined;
  // Polish hours are ordinals: "za dziesięć ósma".
  if (isPolishTo && !ordinalAt(tokens, hours.from, 'pl')) return undefined;
  const sign = past ? 1 : -1;
  const total = hours.value * hour + (half?.value ?? 0) + sign * minutes.value.value;
  return time(total, from, afterClock(tokens, hours.to, words));
}

function afterClock(tokens: readonly Token[], from: number, words: Vocabulary): number {
  return words.clock.at(tokens, from)?.to ?? from;
}

/** "eight thirty", "acht Uhr fünfzehn", "neuf heures et quart", "las nueve menos diez" */
function hourFirst(
  tokens: readonly Token[],
  from: number,
  language: Language,
  words: Vocabulary,
): Found<Time> | undefined {
  const hours = hourAt(tokens, from, language);
  if (!hours) return undefined;
  const clock = words.clock.at(tokens, hours.to);
  const end = clock?.to ?? hours.to;
  const behind = sameClause(tokens, end) ? words.behind.at(tokens, end) : undefined;
  const isExact = hours.value > 12 || hours.value === 0;
  if (behind)
    return time(hours.value * hour + behind.value, from, afterClock(tokens, behind.to, words), { isExact });
  const minus = words.minus.at(tokens, end);
  const less = minus && numeralAt(tokens, minus.to, language);
  if (less && less.value.value < hour)
    return time(hours.value * hour - less.value.value, from, less.to, { isExact });
  const minutes = minutesAfter(tokens, end, language, words);
  if (minutes)
    return time(hours.value * hour + minutes.value, from, afterClock(tokens, minutes.to, words), {
      isExact,
      isSure: clock !== undefined,
    });
  return time(hours.value * hour, from, end, { isExact, isSure: clock !== undefined });
}

function sameClause(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  return token !== undefined && !breaksClause(token.gap);
}

/** The minutes after an hour: "thirty", "y diez", "oh five". */
function minutesAfter(
  tokens: readonly Token[],
  from: number,
  language: Language,
  words: Vocabulary,
): Found<number> | undefined {
  if (!sameClause(tokens, from)) return undefined;
  const and = words.and.at(tokens, from);
  const number = numeralAt(tokens, and?.to ?? from, language);
  if (!number || number.value.value >= hour) return undefined;
  if (number.value.value === 0) return afterZero(tokens, number, language);
  const isPlausible = number.value.value >= 5 || and !== undefined;
  return isPlausible ? { value: number.value.value, from, to: number.to } : undefined;
}

function afterZero(
  tokens: readonly Token[],
  zero: Found<Numeral>,
  language: Language,
): Found<number> | undefined {
  const next = numeralAt(tokens, zero.to, language);
  const said = tokens[zero.from]?.word ?? '';
  if (isDigits(said)) return said === '00' ? { value: 0, from: zero.from, to: zero.to } : undefined;
  return next && next.value.value < 10 && sameClause(tokens, zero.to)
    ? { value: next.value.value, from: zero.from, to: next.to }
    : undefined;
}
