import { closest } from '../../platform/closest.ts';
import type { Rejected } from '../call-state.ts';
import type { Json } from '../json-value.ts';
import { agreement } from './agreement.ts';
import { type Choice, choose } from './choice.ts';
import { corrects } from './correction-words.ts';
import { type Count, countsIn } from './counts.ts';
import { type Day, daysIn, nearestWeekday, weekdayOfIso } from './dates.ts';
import { emailsIn } from './emails.ts';
import { freeText } from './free-text.ts';
import { hoursOf, openDays } from './hours.ts';
import { type Expects, expectedKind } from './kinds.ts';
import { languagesOf } from './language-guess.ts';
import type { Language } from './languages.ts';
import { type Name, nameIn } from './names.ts';
import { numbersIn } from './phones.ts';
import { asksForInformation, asksSomething } from './questions.ts';
import { isRequest } from './requests.ts';
import { correctedText, replacementIn, takesAnythingBack, withNumberOf } from './text-corrections.ts';
import { clockTime, type Time, timesIn } from './times.ts';
import { type Found, folded, type Span, type Token, tokensOf } from './words.ts';

/** An item whose value the caller may give. */
export interface Wanted {
  readonly variableId: string;
  readonly description: string;
  /** The last question asked for it. */
  readonly asked: boolean;
  /** Known already: only a clear correction changes it. */
  readonly value?: Json;
  /** How its value looks; by default guessed from the words of the other members. */
  readonly expects?: Expects;
}

/** What a turn says. */
export interface Heard {
  readonly values: Readonly<Record<string, Json>>;
  /** Those of `values` that correct a known value. */
  readonly corrected: readonly string[];
  /** The caller asks something rather than answers. */
  readonly asks: boolean;
  /** What the turn gives and cannot be noted. */
  readonly rejected: readonly Rejected[];
}

/** What is known of a turn before its values are given to items. */
interface Turn {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly language: Language;
  readonly isCorrection: boolean;
}

/** A value of one kind that the turn names, and whether the turn also says what it is not. */
interface Reading extends Span {
  readonly value: (item: Wanted) => Json;
  /** Why an item does not take the value. */
  readonly rejects?: (item: Wanted) => Omit<Rejected, 'variableId'> | undefined;
  /** Clear enough to be read although nobody asked for it. */
  readonly isSure: boolean;
  readonly hasRefused: boolean;
}

type Readings = Readonly<Record<Exclude<Expects, 'yesOrNo' | 'text'>, Reading | undefined>>;

/** Reads the values that a turn gives. `today` is YYYY-MM-DD, for relative dates; without it, dates stay as said. */
export function valuesIn(
  turn: string,
  wanted: readonly Wanted[],
  { today }: { readonly today?: string | undefined },
): Heard {
  const all = tokensOf(turn);
  // "Are you a robot? Then I'd like a table for two": the rest of the turn answers.
  const text = isRequest(all) ? withoutRequests(turn) : turn;
  const tokens = text === turn ? all : tokensOf(text);
  const items = wanted.map((item) => ({
    ...item,
    expects: item.expects ?? expectedKind(item.variableId, item.description),
  }));
  const hints = items.map(({ description }) => description);
  const [language = 'en'] = languagesOf(tokens, hints);
  const read: Turn = { text, tokens, language, isCorrection: corrects.isIn(tokens) };
  const isRequested = text === turn ? isRequest(all) : isRequest(tokens);
  const readings = isRequested ? undefined : readingsOf(read, today, items);
  const values = new Map<string, Json>();
  const used: Span[] = [];
  const corrected: string[] = [];
  const rejected: Rejected[] = [];
  const asks = asksSomething(text, tokens);
  if (!isRequested) correctTexts(read, items, values, corrected);
  const isTextCorrected = corrected.length > 0;
  for (const [kind, reading] of Object.entries(readings ?? {})) {
    // In "it's Melrose, not Milton" the names may be those of a town.
    const isUnsureName = kind === 'name' && reading?.isSure === false;
    if (!reading || (isUnsureName && asks)) continue;
    const item = itemFor(kind as Expects, reading, items, read, values);
    if (!item || (isUnsureName && isTextCorrected && item.value === undefined)) continue;
    const rejects = reading.rejects?.(item);
    if (rejects) {
      rejected.push({ variableId: item.variableId, ...rejects });
      used.push(reading);
      continue;
    }
    values.set(item.variableId, reading.value(item));
    used.push(reading);
    if (item.value !== undefined) corrected.push(item.variableId);
  }
  // Digits that are a telephone number, a date or a time correct no text.
  if (!isRequested && values.size === 0 && rejected.length === 0)
    correctNumbers(read, items, values, corrected);
  const isAsking =
    (asks && values.size === 0 && rejected.length === 0) || (values.size > 0 && asksApart(read, used));
  if (!isRequested && (!isAsking || values.size > 0)) {
    readAgreement(text, items, values);
    // What is left of a turn that corrects is about the correction.
    if (corrected.length === 0) readFreeText(read, items, used, values);
  }
  return { values: Object.fromEntries(values), corrected, asks: isAsking, rejected };
}

/** A turn without the sentences that ask for a person, an end or a repetition; the turn itself if it has no others. */
function withoutRequests(turn: string): string {
  const sentences = turn.match(/[^.?!\n]+[.?!]*/g) ?? [];
  const rest = sentences.filter((sentence) => !isRequest(tokensOf(sentence)));
  return rest.length === 0 || sentences.length > mostSentences ? turn : rest.join(' ');
}

/** Sentences that are read each for itself: a hostile turn has thousands. */
const mostSentences = 60;

type Item = Wanted & { readonly expects: Expects };

/** The item that a reading answers: an open one of its kind, or a known one that the turn corrects. */
function itemFor(
  kind: Expects,
  reading: Reading,
  items: readonly Item[],
  turn: Turn,
  values: ReadonlyMap<string, Json>,
): Item | undefined {
  const ofKind = items.filter((item) => item.expects === kind && !values.has(item.variableId));
  const open = ofKind.filter((item) => item.value === undefined);
  const asked = open.find((item) => item.asked);
  if (asked) return asked;
  const known = ofKind.filter((item) => item.value !== undefined && !isSame(item.value, reading.value(item)));
  const respelled =
    kind === 'name' ? known.find((item) => isRespelled(item.value, reading.value(item))) : undefined;
  if (respelled) return respelled;
  const askedAgain = known.find((item) => item.asked && (kind !== 'name' || reading.isSure));
  if (askedAgain) return askedAgain;
  const isClear = turn.isCorrection || reading.hasRefused || startsWithNo(turn);
  if (isClear && known.length > 0) return known[0];
  return reading.isSure && !ofKind.some((item) => item.value !== undefined) ? open[0] : undefined;
}

/** Letters that differ between a name and its misheard form, at most. */
const misheard = 2;

/** True if a word of the known name is nearly a word of the other one: the caller spells it out. */
function isRespelled(known: Json | undefined, name: Json): boolean {
  return typeof known === 'string' && typeof name === 'string' && similarWord(known, name) !== undefined;
}

function similarWord(known: string, name: string): string | undefined {
  const others = nameWords(name).map((word) => folded(word));
  return nameWords(known).find((said) => {
    const word = folded(said);
    const candidates = others.filter((other) => other !== word);
    return word.length > misheard + 1 && closest({ word, known: candidates, most: misheard }) !== undefined;
  });
}

/** The words of a name that are short enough to compare. */
function nameWords(name: string): string[] {
  const [mostWords, longestWord] = [6, 40];
  return name
    .split(/\s+/)
    .filter((word) => word.length <= longestWord)
    .slice(0, mostWords);
}

/** "it's Okafor with a k" changes one word of "Daniel Ocafor". */
function withKnownPart(name: string, known: Json | undefined): string {
  const misspelled = typeof known === 'string' && !name.includes(' ') ? similarWord(known, name) : undefined;
  return typeof known === 'string' && misspelled !== undefined ? known.replace(misspelled, () => name) : name;
}

function isSame(one: Json, other: Json): boolean {
  return typeof one === 'string' && typeof other === 'string' ? folded(one) === folded(other) : one === other;
}

function startsWithNo({ tokens }: Turn): boolean {
  const [first, second] = tokens;
  return (
    first !== undefined && /^(no|nein|non|nee|nao|nie)$/.test(first.word) && (second?.gap ?? '').includes(',')
  );
}

function readingsOf(turn: Turn, today: string | undefined, items: readonly Item[]): Readings {
  const { tokens, text, language } = turn;
  const taken = new Set<number>();
  const take = (spans: readonly Span[]) => {
    for (const { from, to } of spans) for (let index = from; index < to; index += 1) taken.add(index);
  };
  const isTaken = (index: number) => taken.has(index);
  const emails = emailsIn(tokens, text, language);
  take(emails);
  const numbers = items.some(({ expects }) => expects === 'phoneNumber')
    ? numbersIn(tokens, language)
    : { found: [], short: [] };
  const phones = numbers.found.filter(({ from }) => !isTaken(from));
  take(phones);
  const cutOff = phones.length > 0 ? undefined : cutOffNumber(numbers.short, items);
  if (cutOff) take([cutOff]);
  const days = daysIn(tokens, language, today).filter(({ from }) => !isTaken(from));
  take(days);
  const asksTime = items.some(({ expects, asked }) => expects === 'time' && asked);
  const countsToo = items.some(({ expects }) => expects === 'number');
  // "We are three" counts the callers.
  const surelyCounted = countsToo
    ? countsIn(tokens, language, isTaken).filter(({ value }) => value.isSure)
    : [];
  const allTimes = timesIn(tokens, language, isTaken).filter(
    (time) => time.value.isSure || !surelyCounted.some(({ from, to }) => from < time.to && time.from < to),
  );
  const sureTimes = allTimes.filter(({ value }) => value.isSure);
  // A bare number is a time only if nothing else can be.
  // If both are asked for, a bare number is the count: an hour mostly comes with "at", "o'clock" or "pm".
  const asksCount = items.some(
    ({ expects, asked, value }) => expects === 'number' && asked && value === undefined,
  );
  const takesBareTimes =
    (asksTime && !asksCount) || (sureTimes.length === 0 && replacesTime(turn, allTimes, items));
  const times = sureTimes.length > 0 && countsToo ? sureTimes : takesBareTimes ? allTimes : sureTimes;
  take(times);
  const counts = countsIn(tokens, language, isTaken);
  take(counts);
  const name = nameIn(tokens, text, language, isTaken);
  return {
    emailAddress: reading(
      emails,
      turn,
      (email) => email,
      () => true,
    ),
    phoneNumber:
      cutOff ??
      reading(
        phones,
        turn,
        (phone) => phone,
        () => true,
      ),
    date: dayReading(days, turn, today),
    time: timeReading(times, turn),
    number: countReading(counts, turn),
    name: name && nameReading(name),
  };
}

const hour = 60;
const halfDay = 12 * hour;

/** "I meant three, not two" is about a time if a known one is at two, or if nothing else can be three. */
function replacesTime(
  { tokens, language, isCorrection }: Turn,
  times: readonly Found<Time>[],
  items: readonly Item[],
): boolean {
  const known = items.flatMap(({ expects, value }) => {
    const [, hours, minutes] =
      expects === 'time' ? (/^(\d\d):(\d\d)$/.exec(typeof value === 'string' ? value : '') ?? []) : [];
    return hours === undefined ? [] : [(Number(hours) * hour + Number(minutes)) % halfDay];
  });
  if (known.length === 0) return false;
  const { refused } = choose(times, tokens, language, isCorrection);
  if (refused.length > 0) return refused.some(({ value: { minutes } }) => known.includes(minutes % halfDay));
  return isCorrection && !items.some(({ expects }) => expects === 'number' || expects === 'phoneNumber');
}

function reading<Value extends string | Count>(
  candidates: readonly Found<Value>[],
  { tokens, language, isCorrection }: Turn,
  jsonOf: (value: Value) => Json,
  isSure: (value: Value) => boolean,
): Reading | undefined {
  const { chosen, refused } = chosenOf(candidates, isSure, (list) =>
    choose(list, tokens, language, isCorrection),
  );
  return (
    chosen && {
      from: chosen.from,
      to: chosen.to,
      value: () => jsonOf(chosen.value),
      isSure: isSure(chosen.value),
      hasRefused: refused.length > 0,
    }
  );
}

function countReading(counts: readonly Found<Count>[], turn: Turn): Reading | undefined {
  const found = reading(
    counts,
    turn,
    ({ value }) => value,
    (count) => count.isSure,
  );
  const rejects = (item: Wanted) => {
    const most = mostOf(item.description);
    return most !== undefined && Number(found?.value(item)) > most
      ? ({ why: 'tooMany' } as const)
      : undefined;
  };
  return found && { ...found, rejects };
}

/** The most that a description takes: "The number of guests, at most 8". */
function mostOf(description: string): number | undefined {
  const [, most] =
    /(?:at most|no more than|up to|maximum|höchstens|maximal|au plus|au maximum|como máximo|al massimo|hoogstens|maximaal|no máximo|najwyżej|maksymalnie)\D{0,12}(\d+)/iu.exec(
      description,
    ) ?? [];
  return most === undefined ? undefined : Number(most);
}

/** Prefers the sure candidates, unless the caller takes them back for another. */
function chosenOf<Value>(
  candidates: readonly Found<Value>[],
  isSure: (value: Value) => boolean,
  chooseFrom: (list: readonly Found<Value>[]) => Choice<Value>,
): Choice<Value> {
  const all = chooseFrom(candidates);
  const sure = candidates.filter(({ value }) => isSure(value));
  const isTakenBack =
    all.chosen !== undefined && all.chosen !== candidates.find((found) => !all.refused.includes(found));
  if (isTakenBack || sure.length === 0) return all;
  return { ...chooseFrom(sure), refused: all.refused };
}

/** Digits in a turn that is not asked for a number, at least: fewer are a year or a price. */
const fewestUnasked = 8;

/** A number that lacks digits: what a turn says in answer to the question for one, or clearly the beginning of one. */
function cutOffNumber(short: readonly Found<string>[], items: readonly Item[]): Reading | undefined {
  const isAsked = items.some(
    ({ expects, asked, value }) => expects === 'phoneNumber' && asked && value === undefined,
  );
  const others = items.filter(
    ({ expects, asked }) => asked && expects !== 'phoneNumber' && expects !== 'name',
  );
  const fewest = isAsked && others.length === 0 ? fewestAlone : isAsked ? fewestAmongOthers : fewestUnasked;
  const longest = short.toSorted((one, other) => other.value.length - one.value.length)[0];
  if (!longest || longest.value.length < fewest) return undefined;
  return {
    ...longest,
    value: () => longest.value,
    rejects: () => ({ why: 'incomplete' }),
    isSure: true,
    hasRefused: false,
  };
}

/** Digits of a turn that answers nothing else, at least: two are an hour. */
const fewestAlone = 3;
/** Digits if the turn may also answer other questions, at least. */
const fewestAmongOthers = 5;

function dayReading(
  days: readonly Found<Day>[],
  { tokens, text, language, isCorrection }: Turn,
  today: string | undefined,
): Reading | undefined {
  const { chosen, refused } = choose(days, tokens, language, isCorrection);
  if (!chosen) return undefined;
  const said = text.slice(tokens[chosen.from]?.start, tokens[chosen.to - 1]?.end);
  const { iso, isImpossible, weekday } = chosen.value;
  const value = ({ value: known }: Wanted) =>
    (weekday !== undefined && typeof known === 'string'
      ? nearestWeekday(weekday, known, today)
      : undefined) ??
    iso ??
    said;
  const rejects = (item: Wanted) =>
    isImpossible === true ? ({ why: 'impossible' } as const) : closedOn(value(item), item);
  return { ...chosen, value, rejects, isSure: true, hasRefused: refused.length > 0 };
}

/** The hours of an item, if it is closed on a day. */
function closedOn(day: string, { description }: Wanted): Omit<Rejected, 'variableId'> | undefined {
  const hours = hoursOf(description);
  const weekday = weekdayOfIso(day);
  if (hours === undefined || weekday === undefined) return undefined;
  return openDays(hours)?.has(weekday) === false ? { why: 'closed', hours } : undefined;
}

const meals =
  /\b(dinner|supper|abendessen|essen|tisch|diner|dine|table|cena|mesa|cenare|tavolo|tavola|eten|tafel|jantar|kolacj|stolik|reserve|restaurant|reservering)/;

function timeReading(
  times: readonly Found<Time>[],
  { tokens, language, isCorrection }: Turn,
): Reading | undefined {
  const { chosen, refused } = choose(times, tokens, language, isCorrection);
  if (!chosen) return undefined;
  // "seven in the evening, no, half past seven": the part of the day still holds.
  const part = chosen.value.part ?? times.find(({ value }) => value.part !== undefined)?.value.part;
  return {
    from: chosen.from,
    to: chosen.to,
    value: ({ description }) => clockTime({ ...chosen.value, part }, meals.test(folded(description))),
    isSure: chosen.value.isSure,
    hasRefused: refused.length > 0,
  };
}

function nameReading({ from, to, value }: Found<Name>): Reading {
  return {
    from,
    to,
    value: ({ value: known }) => withKnownPart(value.name, known),
    isSure: value.isSure,
    hasRefused: value.hasRefused,
  };
}

function readAgreement(text: string, items: readonly Item[], values: Map<string, Json>): void {
  const open = items.filter(
    ({ expects, value, asked }) => expects === 'yesOrNo' && value === undefined && asked,
  );
  const [item] = open;
  const answer = item ? agreement(text) : null;
  if (item && answer !== null) values.set(item.variableId, answer);
}

/** True if a sentence of its own asks for information: "Friday at seven. Do you have vegan dishes?" */
function asksApart({ text, tokens }: Turn, used: readonly Span[]): boolean {
  if (!text.includes('?')) return false;
  let from = 0;
  for (let index = 1; index <= tokens.length; index += 1) {
    const end = tokens[index]?.gap ?? text.slice(tokens[index - 1]?.end);
    if (index < tokens.length && !/[.?!]/.test(end)) continue;
    const sentence = tokens.slice(from, index);
    const isUsed = used.some((span) => span.from < index && span.to > from);
    if (end.includes('?') && !isUsed && asksForInformation(`${said(text, sentence)}?`, sentence)) return true;
    from = index;
  }
  return false;
}

function said(text: string, tokens: readonly Token[]): string {
  return text.slice(tokens[0]?.start, tokens.at(-1)?.end);
}

/** Changes the known texts that say what the turn takes back: "the green vase, not the blue one". */
function correctTexts(
  { tokens, language }: Turn,
  items: readonly Item[],
  values: Map<string, Json>,
  corrected: string[],
): void {
  const texts = knownTexts(items);
  const replacement = texts.length > 0 ? replacementIn(tokens, language) : undefined;
  if (!replacement) return;
  for (const { variableId, known } of texts) {
    const text = values.has(variableId) ? undefined : correctedText(known, replacement);
    if (text === undefined) continue;
    values.set(variableId, text);
    corrected.push(variableId);
  }
}

/** Changes the number of a known text for one that the turn says in its place: "Sorry, the order is 48213". */
function correctNumbers(
  { text, tokens, language }: Turn,
  items: readonly Item[],
  values: Map<string, Json>,
  corrected: string[],
): void {
  const texts = knownTexts(items);
  if (texts.length === 0 || !takesAnythingBack(tokens, language)) return;
  for (const { variableId, known } of texts) {
    const changed = withNumberOf(known, text);
    if (changed === undefined) continue;
    values.set(variableId, changed);
    corrected.push(variableId);
  }
}

function knownTexts(items: readonly Item[]): { readonly variableId: string; readonly known: string }[] {
  return items.flatMap(({ variableId, expects, value }) =>
    expects === 'text' && typeof value === 'string' ? [{ variableId, known: value }] : [],
  );
}

function readFreeText(
  turn: Turn,
  items: readonly Item[],
  used: readonly Span[],
  values: Map<string, Json>,
): void {
  const open = items.find(({ expects, asked, value }) => expects === 'text' && asked && value === undefined);
  const rest = open && freeText(turn.text, turn.tokens, used);
  if (open && rest !== undefined) values.set(open.variableId, rest);
}
