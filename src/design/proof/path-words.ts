import { calendarWords } from '../calendar-words.ts';
import { disclosureLineOf } from '../disclosure-lines.ts';
import { isCommandExit, stepOf } from '../exits.ts';
import type { Design, Step } from '../schema/design.ts';

/** A place on a path, and the exit by which a call leaves it; null at the end. */
export interface PathStep {
  readonly at: 'step' | 'before' | 'after';
  readonly id: string;
  /** The exit, route option or branch that the call takes; null at the end of the path. */
  readonly exit: string | null;
}

/** Places of a path that are told from its beginning and from its end, so that a call takes about 150 tokens. */
const [mostFirst, mostLast] = [3, 3];
/** Characters of a name, and of a text: of each if the path is short, and if it is not. */
const [longestName, longestText, longestOfMany] = [40, 80, 45];

/**
 * A path as a person hears it: a line for each place, with what the call says there and what the caller does. Of a long
 * path, the places in the middle are counted only.
 */
export function pathInWords(design: Design, path: readonly PathStep[]): string[] {
  const longest = path.length > 3 ? longestOfMany : longestText;
  const told = (places: readonly PathStep[]) => places.map((place) => placeInWords(design, place, longest));
  const between = path.length - mostFirst - mostLast;
  if (between <= 1) return told(path);
  return [...told(path.slice(0, mostFirst)), `${between} more places`, ...told(path.slice(-mostLast))];
}

/** A step with the line that discloses the AI there. */
export function disclosureInWords(design: Design, stepId: string): string {
  const step = stepOf(design, stepId);
  return `${nameOf(stepId, step?.name)} says ${quoted((step && disclosureLineOf(step)) ?? '', longestText)}`;
}

function placeInWords(design: Design, { at, id, exit }: PathStep, longest: number): string {
  if (at !== 'step') {
    const node = design.hooks?.[at]?.nodes[id];
    const branch = node?.condition?.branches.find((one) => one.id === exit);
    const when =
      branch && 'calendarDate' in branch ? ` (${cut(calendarWords(branch.calendarDate), longest)})` : '';
    const taken =
      exit === null || exit === 'next' || exit === 'end' ? '' : `, by ${quoted(exit, longestName)}${when}`;
    return `${at} the call: ${nameOf(id, node?.name)}${taken}`;
  }
  const step = stepOf(design, id);
  if (!step) throw new TypeError(`there is no step ${id}`);
  const deed = deedInWords(step, longest);
  return [`${nameOf(id, step.name)} ${deed}`, exit === null ? '' : exitInWords(step, exit)]
    .filter((part) => part !== '')
    .join('; ');
}

const calendarDeeds = {
  freeTimes: 'looks for free times',
  book: 'books an appointment',
  move: 'moves the appointment',
  cancel: 'cancels the appointment',
} as const;

/** What a caller hears at a step. */
function deedInWords(step: Step, longest: number): string {
  const says = (text: string | undefined, otherwise: string, verb = 'says') =>
    text === undefined || text === '' ? otherwise : `${verb} ${quoted(text, longest)}`;
  switch (step.kind) {
    case 'greeting':
      return says(step.introLine, 'says nothing');
    case 'recordingConsent':
      return says(step.line, 'asks to record', 'asks');
    case 'message':
      return step.mode === 'generated'
        ? 'says something in the words of a model'
        : says(step.text, 'says nothing');
    case 'collect':
      return says(step.prompt, 'asks', 'asks');
    case 'route':
      return says(step.prompt, 'listens', 'asks');
    case 'answer':
      return 'answers with a model';
    case 'appointment':
      return `${says(step.line, '')} ${calendarDeeds[step.calendar.action]}`.trim();
    case 'transfer':
      return `${says(step.line, '')} transfers to ${cut(step.destination.value, longestName)}`.trim();
    case 'end':
      return says(step.line, 'ends the call');
  }
}

/** What leads from a step to the next place; empty if nothing else could. */
function exitInWords(step: Step, exit: string): string {
  if (exit === 'hangs up') return 'the caller hangs up';
  if (isCommandExit(exit)) return `the caller ${cut(exit, longestName)}`;
  switch (step.kind) {
    case 'recordingConsent':
      return exit === 'next' ? 'the caller agrees' : 'the caller declines';
    case 'collect':
      return exit === 'next' ? 'the caller answers' : 'no answer is understood';
    case 'route': {
      const option = step.options.find(({ id }) => id === exit);
      return option
        ? `the caller chooses ${quoted(option.title ?? option.id, longestName)}`
        : 'no option fits';
    }
    case 'answer':
      return exit === 'next' ? '' : 'it has no answer';
    case 'appointment':
      if (exit === 'next') return '';
      return exit === 'taken' ? 'the time is taken' : 'the calendar has nothing';
    case 'transfer':
      return exit === 'transferred' ? 'the transfer succeeds' : 'the transfer fails';
    case 'greeting':
    case 'message':
    case 'end':
      return '';
  }
}

/** The id of a place, before it its name if that says more. */
function nameOf(id: string, name: string | undefined): string {
  const shown = cut(id, longestName);
  return name === undefined || name.toLowerCase() === id.toLowerCase()
    ? shown
    : `${cut(name, longestName)} (${shown})`;
}

function quoted(text: string, longest: number): string {
  return JSON.stringify(cut(text, longest));
}

/** A text on one line, and at most so long. */
function cut(text: string, longest: number): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  if (characters.length <= longest) return characters.join('');
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`;
}
