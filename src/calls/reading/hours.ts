import { weekdaysIn } from './dates.ts';
import { languagesOf } from './language-guess.ts';
import { phrases, type Token, tokensOf } from './words.ts';

/**
 * The opening days in the description of an item, such as "A date within the opening hours: Tuesday to Sunday, noon to 2 pm".
 */

const ranges = phrases('to|through|thru|until|till|bis|à|au|a|hasta|al|tot|t m|até|do|fino a|–');
const closedWords = phrases(
  'closed|except|geschlossen|ruhetag|außer|fermé|sauf|cerrado|excepto|chiuso|tranne|gesloten|behalve|fechado|encerrado|exceto|nieczynne|zamknięte|oprócz',
);
const daysOfWeek = 7;

/** The hours as the description says them; undefined if it says none. */
export function hoursOf(description: string): string | undefined {
  const at = description.indexOf(':');
  const said = at < 0 ? '' : description.slice(at + 1).trim();
  return /\d/.test(said) ? said : undefined;
}

/** The weekdays (Monday is 0) on which it is open; undefined if the hours name none. */
export function openDays(hours: string): ReadonlySet<number> | undefined {
  const tokens = tokensOf(hours);
  const [language = 'en'] = languagesOf(tokens);
  const named = weekdaysIn(tokens, language);
  if (named.length === 0) return undefined;
  const closedAt = tokens.findIndex((_, index) => closedWords.has(tokens, index));
  const [open, closed] = [new Set<number>(), new Set<number>()];
  for (const [index, { value, from }] of named.entries()) {
    const days = closedAt >= 0 && from > closedAt ? closed : open;
    const before = named[index - 1];
    if (before && isRange(tokens, before.to, from))
      for (const day of daysFrom(before.value, value)) days.add(day);
    days.add(value);
  }
  if (open.size === 0) for (const day of daysFrom(0, daysOfWeek - 1)) open.add(day);
  return new Set([...open].filter((day) => !closed.has(day)));
}

/** "Monday to Friday", "Mo-Fr" */
function isRange(tokens: readonly Token[], from: number, to: number): boolean {
  if (from === to) return /[-–—]/.test(tokens[to]?.gap ?? '');
  return ranges.at(tokens, from)?.to === to;
}

function daysFrom(first: number, last: number): number[] {
  const count = ((last - first + daysOfWeek) % daysOfWeek) + 1;
  return Array.from({ length: count }, (_, index) => (first + index) % daysOfWeek);
}
