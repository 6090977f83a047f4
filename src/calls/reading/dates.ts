import { dateWords } from './date-words.ts';
import type { Language } from './languages.ts';
import { isDigits, numeralAt } from './numbers.ts';
import { ordinalAt } from './ordinals.ts';
import { type Found, folded, Phrases, phrases, separated, type Token } from './words.ts';

/** A day that a turn names, in ISO 8601 if it can be computed. */
export interface Day {
  readonly iso: string | null;
  /** The calendar has no such day: "the 31st of June". */
  readonly isImpossible?: true;
  /** The weekday (Monday is 0), if the turn says nothing else of the day. */
  readonly weekday?: number;
}

interface Vocabulary {
  readonly weekdays: Phrases<number>;
  readonly months: Phrases<number>;
  readonly relative: Phrases<number>;
  readonly holidays: Phrases<string>;
  readonly next: Phrases<true>;
  readonly in: Phrases<true>;
  readonly units: Phrases<number>;
  readonly fromNow: Phrases<true>;
  readonly after: Phrases<true>;
  readonly before: Phrases<true>;
  readonly dayAfter: Phrases<true>;
  readonly dayBefore: Phrases<true>;
  readonly weekLater: Phrases<true>;
  readonly of: Phrases<true>;
  readonly the: Phrases<true>;
  readonly notToday: Phrases<true>;
}

const vocabularies = new Map<Language, Vocabulary>();

function vocabulary(language: Language): Vocabulary {
  const known = vocabularies.get(language);
  if (known) return known;
  const words = dateWords[language];
  const made: Vocabulary = {
    weekdays: members(words.weekdays, 0),
    months: members(words.months, 1),
    relative: new Phrases(() => assigned(words.relative).map(([phrase, days]) => [phrase, Number(days)])),
    holidays: new Phrases(() => assigned(words.holidays)),
    next: phrases(words.next),
    in: phrases(words.in),
    units: new Phrases(() => assigned(words.units).map(([phrase, days]) => [phrase, Number(days)])),
    fromNow: phrases(words.fromNow),
    after: phrases(words.after),
    before: phrases(words.before),
    dayAfter: phrases(words.dayAfter),
    dayBefore: phrases(words.dayBefore),
    weekLater: phrases(words.weekLater),
    of: phrases(words.of),
    the: phrases(words.the),
    notToday: phrases(words.notToday),
  };
  vocabularies.set(language, made);
  return made;
}

function members(list: string, first: number): Phrases<number> {
  return new Phrases(() =>
    list
      .trim()
      .split(/\s+/)
      .flatMap((names, index) => names.split('|').map((name): [string, number] => [name, index + first])),
  );
}

function assigned(list: string): [string, string][] {
  return separated(list).map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
}

/** The days that a turn names, in order. */
export function daysIn(
  tokens: readonly Token[],
  language: Language,
  today: string | undefined,
): Found<Day>[] {
  const reader = new DayReader(tokens, language, parsed(today));
  const found: Found<Day>[] = [];
  for (let index = 0; index < tokens.length; ) {
    const day = reader.at(index, found.at(-1)?.value.iso ?? null);
    if (day) found.push(day);
    index = day?.to ?? Math.max(index + 1, reader.skip(index));
  }
  return found;
}

const dayLength = 86_400_000;
const daysOfWeek = 7;

function parsed(today: string | undefined): Date | null {
  if (today === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(today)) return null;
  const date = new Date(`${today}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

function iso(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function plusDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * dayLength);
}

/** Monday is 0. */
function weekdayOf(date: Date): number {
  return (date.getUTCDay() + 6) % daysOfWeek;
}

/** The date if the calendar has it. */
function calendarDay(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null;
}

const longestMonth = 31;

function isMonth(month: number): boolean {
  return month >= 1 && month <= 12;
}

function impossible(from: number, to: number): Found<Day> {
  return { value: { iso: null, isImpossible: true }, from, to };
}

/** The day with this weekday that is nearest to a date, and not before tomorrow. */
export function nearestWeekday(weekday: number, to: string, today: string | undefined): string | undefined {
  const [known, start] = [parsed(to), parsed(today)];
  if (!known || (start && known < start)) return undefined;
  const ahead = (weekday - weekdayOf(known) + daysOfWeek) % daysOfWeek;
  const next = plusDays(known, ahead > daysOfWeek / 2 ? ahead - daysOfWeek : ahead);
  return iso(start && next <= start ? plusDays(next, daysOfWeek) : next);
}

/** Monday is 0. */
export function weekdayOfIso(date: string): number | undefined {
  const day = parsed(date);
  return day ? weekdayOf(day) : undefined;
}

/** The weekdays that a text names, in order, each with the token at which it stands. */
export function weekdaysIn(tokens: readonly Token[], language: Language): Found<number>[] {
  return vocabulary(language).weekdays.all(tokens);
}

/** Furthest relative date, in days. */
const furthest = 1_000;

class DayReader {
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  readonly #today: Date | null;
  readonly #words: Vocabulary;

  constructor(tokens: readonly Token[], language: Language, today: Date | null) {
    this.#tokens = tokens;
    this.#language = language;
    this.#today = today;
    this.#words = vocabulary(language);
  }

  /** The token after a phrase that names no day although its words could. */
  skip(from: number): number {
    return this.#words.notToday.at(this.#tokens, from)?.to ?? from;
  }

  at(from: number, previous: string | null): Found<Day> | undefined {
    if (this.#words.notToday.has(this.#tokens, from)) return undefined;
    return (
      this.#numeric(from) ??
      this.#neighbour(from, previous) ??
      this.#offsetFrom(from) ??
      this.#holiday(from) ??
      this.#ahead(from) ??
      this.#relative(from) ??
      this.#weekday(from) ??
      this.#monthDay(from) ??
      this.#dayMonth(from) ??
      this.#dayAlone(from)
    );
  }

  #found(date: Date | null, from: number, to: number): Found<Day> {
    return { value: { iso: date && iso(date) }, from, to };
  }

  #word(index: number): string {
    return this.#tokens[index]?.word ?? '';
  }

  #gap(index: number): string {
    return this.#tokens[index]?.gap ?? '';
  }

  /** 2026-12-05, 5.12.2026, 5/12 or 24.12. */
  #numeric(from: number): Found<Day> | undefined {
    const [first, second, third] = [0, 1, 2].map((offset) => this.#word(from + offset));
    if (!(first && second && isDigits(first) && isDigits(second))) return undefined;
    const separator = this.#gap(from + 1);
    if (!['-', '.', '/', '. '].includes(separator)) return undefined;
    const hasThird =
      third !== undefined && isDigits(third) && this.#gap(from + 2).trim() === separator.trim();
    if (first.length === 4)
      return hasThird
        ? this.#existing(Number(first), Number(second), Number(third), from, from + 3)
        : undefined;
    if (first.length > 2 || second.length > 2) return undefined;
    if (separator === '-' && !hasThird) return undefined;
    const endsWithDot = this.#gap(from + 2).startsWith('.') || this.#tokens[from + 2] === undefined;
    if (separator.startsWith('.') && !hasThird && this.#language === 'en' && !endsWithDot) return undefined;
    const order = this.#order(Number(first), Number(second), separator);
    if (!order) return undefined;
    const [day, month] = order;
    if (!hasThird || third.length === 3) return this.#inYear(undefined, month, day, from, from + 2);
    return this.#inYear(
      third.length === 2 ? 2000 + Number(third) : Number(third),
      month,
      day,
      from,
      from + 3,
    );
  }

  /** English callers write both 4/12 and 12/4: only one order may fit. */
  #order(
    first: number,
    second: number,
    separator: string,
  ): readonly [day: number, month: number] | undefined {
    if (this.#language !== 'en' || separator !== '/') return [first, second];
    if (first > 12 || first === second) return [first, second];
    return second > 12 ? [second, first] : undefined;
  }

  #existing(year: number, month: number, day: number, from: number, to: number): Found<Day> | undefined {
    const date = calendarDay(year, month, day);
    if (date) return this.#found(date, from, to);
    return isMonth(month) && day <= longestMonth ? impossible(from, to) : undefined;
  }

  /** A day and month; without a year, the next such day. */
  #inYear(
    year: number | undefined,
    month: number,
    day: number,
    from: number,
    to: number,
  ): Found<Day> | undefined {
    if (year !== undefined) return this.#existing(year, month, day, from, to);
    const leapYear = 2024;
    if (!calendarDay(leapYear, month, day))
      return isMonth(month) && day <= longestMonth ? impossible(from, to) : undefined;
    const today = this.#today;
    if (!today) return this.#found(null, from, to);
    const thisYear = calendarDay(today.getUTCFullYear(), month, day);
    const date =
      thisYear && thisYear >= today ? thisYear : calendarDay(today.getUTCFullYear() + 1, month, day);
    return date ? this.#found(date, from, to) : undefined;
  }

  /** "the day after (Christmas)" */
  #neighbour(from: number, previous: string | null): Found<Day> | undefined {
    for (const [table, days] of [
      [this.#words.dayAfter, 1],
      [this.#words.dayBefore, -1],
    ] as const) {
      const phrase = table.at(this.#tokens, from);
      if (!phrase) continue;
      if (this.#words.relative.at(this.#tokens, from)) return undefined;
      const next = this.#anchor(phrase.to);
      if (next) return this.#shifted(next.value.iso, days, from, next.to);
      if (previous !== null) return this.#shifted(previous, days, from, phrase.to);
    }
    return undefined;
  }

  /** The date that "after" refers to: it may have an article. */
  #anchor(from: number): Found<Day> | undefined {
    const start = /^(the|dem|den|der|de|la|le|el|il|o|a|l|des|du|do|da|del|della|di|ai|dos)$/.test(
      this.#word(from),
    )
      ? from + 1
      : from;
    return (
      this.#holiday(start) ??
      this.#relative(start) ??
      this.#weekday(start) ??
      this.#dayMonth(start) ??
      this.#monthDay(start)
    );
  }

  #shifted(anchor: string | null, days: number, from: number, to: number): Found<Day> {
    return this.#found(anchor === null ? null : plusDays(new Date(anchor), days), from, to);
  }

  /** "two days after Christmas" */
  #offsetFrom(from: number): Found<Day> | undefined {
    const amount = this.#amount(from);
    if (!amount) return undefined;
    const after = this.#words.after.at(this.#tokens, amount.to);
    const before = this.#words.before.at(this.#tokens, amount.to);
    const word = after ?? before;
    const anchor = word && this.#anchor(word.to);
    return anchor && this.#shifted(anchor.value.iso, after ? amount.value : -amount.value, from, anchor.to);
  }

  /** A number of days, from "two weeks". */
  #amount(from: number): Found<number> | undefined {
    const isOne = /^(a|an|ein|einen|einer|une|un|una|uma|um|een)$/.test(this.#word(from));
    const number = isOne
      ? { value: { value: 1 }, to: from + 1 }
      : numeralAt(this.#tokens, from, this.#language);
    const unit = number && this.#words.units.at(this.#tokens, number.to);
    return unit && number.value.value <= furthest
      ? { value: number.value.value * unit.value, from, to: unit.to }
      : undefined;
  }

  #holiday(from: number): Found<Day> | undefined {
    const holiday = this.#words.holidays.at(this.#tokens, from);
    if (!holiday) return undefined;
    const [month, day] = holiday.value.split('-').map(Number);
    return this.#inYear(undefined, month ?? 0, day ?? 0, from, holiday.to);
  }

  /** "in three days" and "three days from now" */
  #ahead(from: number): Found<Day> | undefined {
    if (this.#words.relative.at(this.#tokens, from)) return undefined;
    const start = this.#words.in.at(this.#tokens, from);
    const amount = this.#amount(start?.to ?? from);
    if (!amount) return undefined;
    const end = this.#words.fromNow.at(this.#tokens, amount.to);
    if (!start && !end) return undefined;
    const to = end?.to ?? amount.to;
    const today = this.#today;
    if (!today) return this.#found(null, from, to);
    const date =
      amount.value % 30 === 0 ? plusMonths(today, amount.value / 30) : plusDays(today, amount.value);
    return this.#found(date, from, to);
  }

  #relative(from: number): Found<Day> | undefined {
    const relative = this.#words.relative.at(this.#tokens, from);
    if (!relative) return undefined;
    return this.#found(this.#today && plusDays(this.#today, relative.value), from, relative.to);
  }

  /** A weekday with what stands around it: the coming one, or the one of next week. */
  #weekday(from: number): Found<Day> | undefined {
    const before = this.#words.next.at(this.#tokens, from);
    const weekday = this.#words.weekdays.at(this.#tokens, before?.to ?? from);
    if (!weekday) return undefined;
    const date = this.#fullDate(weekday.to);
    if (date) return { ...date, from };
    const after = before ? undefined : this.#words.next.at(this.#tokens, weekday.to);
    const later = this.#words.weekLater.at(this.#tokens, weekday.to);
    const to = later?.to ?? after?.to ?? weekday.to;
    const today = this.#today;
    if (!today) return this.#found(null, from, to);
    const ahead = (weekday.value - weekdayOf(today) + daysOfWeek) % daysOfWeek;
    const coming = plusDays(today, ahead === 0 ? daysOfWeek : ahead);
    if (later) return this.#found(plusDays(coming, daysOfWeek), from, to);
    const phrase = before ?? after;
    const isOfNextWeek = phrase && this.#isOfNextWeek(phrase.from, phrase.to);
    const ofNextWeek = plusDays(today, daysOfWeek - weekdayOf(today) + weekday.value);
    const weeks = phrase ? undefined : this.#weeksAhead(to);
    if (weeks) {
      const then = plusDays(today, weeks.value);
      return this.#found(plusDays(then, weekday.value - weekdayOf(then)), from, weeks.to);
    }
    const found = this.#found(isOfNextWeek ? ofNextWeek : coming, from, to);
    return phrase ? found : { ...found, value: { ...found.value, weekday: weekday.value } };
  }

  /** "Thursday in two weeks" */
  #weeksAhead(from: number): Found<number> | undefined {
    const start = this.#words.in.at(this.#tokens, from);
    const amount = start && this.#amount(start.to);
    return amount && amount.value % daysOfWeek === 0 && amount.value > 0 ? amount : undefined;
  }

  /** "Next Friday" is Friday of next week; in Romance languages only "of next week" says so, "próximo" is the coming one. */
  #isOfNextWeek(from: number, to: number): boolean {
    const isRomance = ['fr', 'es', 'it', 'pt'].includes(this.#language);
    const words = this.#tokens.slice(from, to).map(({ word }) => word);
    return (
      !isRomance ||
      words.some((word) => /^(semaine|semana|settimana)$/.test(word)) ||
      words.join(' ') === 'que viene' ||
      words.join(' ') === 'que vem'
    );
  }

  /** The date after a weekday: "Friday the 27th of November". */
  #fullDate(from: number): Found<Day> | undefined {
    if (!/^[\s,]*$/.test(this.#gap(from))) return undefined;
    return this.#numeric(from) ?? this.#monthDay(from) ?? this.#dayMonth(from) ?? this.#dayAlone(from);
  }

  /** "December 5th" */
  #monthDay(from: number): Found<Day> | undefined {
    if (this.#language !== 'en') return undefined;
    const month = this.#words.months.at(this.#tokens, from);
    if (!month) return undefined;
    const day = this.#dayNumber(this.#word(month.to) === 'the' ? month.to + 1 : month.to);
    if (!day) return undefined;
    const year = this.#year(day.to);
    return this.#inYear(year?.value, month.value, day.value, from, year?.to ?? day.to);
  }

  /** "the fifth of December 2026" and "5. Dezember" */
  #dayMonth(from: number): Found<Day> | undefined {
    const article = this.#words.the.at(this.#tokens, from);
    const day = this.#dayNumber(article?.to ?? from);
    if (!day) return undefined;
    const of = this.#words.of.at(this.#tokens, day.to);
    const month =
      this.#words.months.at(this.#tokens, of?.to ?? day.to) ?? this.#monthOrdinal(article, of?.to ?? day.to);
    if (!month) return undefined;
    const year = this.#year(month.to);
    return this.#inYear(year?.value, month.value, day.value, from, year?.to ?? month.to);
  }

  /** "am fünften zwölften" */
  #monthOrdinal(article: Found<true> | undefined, from: number): Found<number> | undefined {
    if (this.#language !== 'de' || !article) return undefined;
    const month = ordinalAt(this.#tokens, from, 'de');
    return month && month.value <= 12 ? month : undefined;
  }

  /** The number of a day, from 1 to 31. */
  #dayNumber(from: number): Found<number> | undefined {
    const ordinal = ordinalAt(this.#tokens, from, this.#language);
    if (ordinal) return ordinal.value <= 31 ? ordinal : undefined;
    const number = numeralAt(this.#tokens, from, this.#language);
    if (!number || number.value.value < 1 || number.value.value > 31) return undefined;
    const isMarked =
      /^(st|nd|rd|th|er|e|ste|de|o|a)$/.test(this.#word(number.to)) && this.#gap(number.to) === '';
    return { value: number.value.value, from, to: isMarked ? number.to + 1 : number.to };
  }

  #year(from: number): Found<number> | undefined {
    const start = /^(de|del|of|roku)$/.test(this.#word(from)) ? from + 1 : from;
    const said = this.#word(start);
    if (/^20\d\d$/.test(said)) return { value: Number(said), from, to: start + 1 };
    const number = numeralAt(this.#tokens, start, this.#language);
    return number && number.value.value >= 2000 && number.value.value < 2100
      ? { value: number.value.value, from, to: number.to }
      : undefined;
  }

  /** "the 27th", "am siebenundzwanzigsten", "el día 27": the next day of that number. */
  #dayAlone(from: number): Found<Day> | undefined {
    const article = this.#words.the.at(this.#tokens, from);
    const start = article?.to ?? from;
    const day = this.#dayNumber(start);
    if (!day || !this.#isDayAlone(article, start, day)) return undefined;
    // The 31st of June is not the next 31st.
    const next = /^(?:of|de|del|di)$/.test(this.#word(day.to)) ? day.to + 1 : day.to;
    if (this.#words.months.at(this.#tokens, next)) return undefined;
    const today = this.#today;
    if (!today) return this.#found(null, from, day.to);
    const inMonth = (months: number) =>
      calendarDay(today.getUTCFullYear(), today.getUTCMonth() + 1 + months, day.value) ??
      calendarDay(today.getUTCFullYear() + 1, 1, day.value);
    const thisMonth = inMonth(0);
    const date = thisMonth && thisMonth >= today ? thisMonth : inMonth(1);
    return date ? this.#found(date, from, day.to) : undefined;
  }

  /** Only an ordinal or "the day 27" is surely a day of the month. */
  #isDayAlone(article: Found<true> | undefined, start: number, day: Found<number>): boolean {
    const isLast = this.#tokens[day.to] === undefined || /[,.;!?]/.test(this.#gap(day.to));
    const hasDayWord = article !== undefined && /^(dia)$/.test(this.#word(start - 1));
    if (hasDayWord) return true;
    const isOrdinalWord = ordinalAt(this.#tokens, start, this.#language) !== undefined;
    if (this.#language === 'en' || this.#language === 'nl' || this.#language === 'de')
      return (
        article !== undefined &&
        day.value > 3 &&
        (isOrdinalWord || day.to > start + 1 || this.#gap(day.to).startsWith('.'))
      );
    if (this.#language === 'fr' || this.#language === 'es' || this.#language === 'it')
      return (
        article !== undefined &&
        !isOrdinalWord &&
        isLast &&
        day.value > 12 &&
        /^(le|el|il)$/.test(this.#word(start - 1))
      );
    return this.#language === 'pl' && isOrdinalWord && folded(this.#word(day.to - 1)).endsWith('ego');
  }
}

function plusMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  return moved;
}
