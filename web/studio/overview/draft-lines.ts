import type { Design } from '../../api/operations.ts';
import { changesBetween, type FieldChange, type PartChange } from '../../versions/design-changes.ts';
import { linesOf } from '../../versions/step-lines.ts';
import { differencesBetween } from '../flows/flow-fields.ts';

/** A change of a draft, short enough for a list of drafts. */
export interface DraftLine {
  readonly key: string;
  /** What it changes, such as "Reception · Puts through to". */
  readonly place: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** True for new words that callers hear, a phone number, a greeting, and what is collected: a list never leaves these out. */
  readonly isImportant: boolean;
}

/** Characters of a value that a line shows. */
const longestValue = 80;

/** What a newer design changes, the important changes first. */
export function linesOfDesigns(live: Design, draft: Design): DraftLine[] {
  return importantFirst(
    newPartsFirst(live, draft).flatMap((part) => {
      const design = part.change === 'removed' ? live : draft;
      const collects = isAboutCallers(design, part);
      const lines = part.fields.map((field): DraftLine => {
        const isImportant = collects || hasPhoneNumber(field) || importantPlaces.test(field.place);
        return lineOf(`${part.key}/${field.place}`, `${part.name} · ${field.label}`, field, isImportant);
      });
      if (part.change === 'changed') return lines;
      const about = part.about ? ` (${part.about})` : '';
      const heard = part.change === 'added' ? wordsOf(draft, part) : undefined;
      const heading: DraftLine = {
        key: part.key,
        place: `${part.name}${about} is ${part.change === 'added' ? 'new' : 'gone'}`,
        before: undefined,
        after: short(heard),
        isImportant: collects || heard !== undefined,
      };
      // The heading says enough about a part that is new or gone, except for a number.
      const others = lines.filter(
        ({ isImportant, after }) => isImportant && !collects && after !== heading.after,
      );
      return [heading, ...others];
    }),
  );
}

/** The differences between two designs, first the parts that callers do not know yet. */
function newPartsFirst(live: Design, draft: Design): PartChange[] {
  return changesBetween(live, draft).toSorted(
    (one, other) => Number(other.change === 'added') - Number(one.change === 'added'),
  );
}

/** What a newer configuration of a flow changes, the important changes first. */
export function linesOfFlows(live: unknown, draft: unknown): DraftLine[] {
  return importantFirst(
    differencesBetween(live, draft).map((difference) => {
      const { key, place } = difference;
      return lineOf(key, place, difference, importantMembers.test(key) || hasPhoneNumber(difference));
    }),
  );
}

/** Places in a step that say where a call is put through to, and what is collected. */
const importantPlaces = /^(?:destination|collect)(?:\/|$)/;

/** Members of a flow's configuration that callers notice most. */
const importantMembers = /^(?:greeting|questions|handoff)(?:[/#]|$)/;

/** True for a greeting, a question, and a variable that holds what was collected. */
function isAboutCallers(design: Design, { key }: PartChange): boolean {
  const [top, id = ''] = key.split('/');
  const kind = top === 'steps' ? design.steps[id]?.kind : undefined;
  return top === 'variables' || kind === 'greeting' || kind === 'collect';
}

/** What callers hear first at a step; undefined if it says nothing. */
function wordsOf(design: Design, { stepId = '' }: PartChange): string | undefined {
  const step = design.steps[stepId];
  return step && linesOf(stepId, step).find(({ label }) => /^(?:Says|Asks)/.test(label))?.text;
}

const phoneNumber = /\+[1-9]\d{5,14}/;

function hasPhoneNumber(change: Pick<FieldChange, 'before' | 'after'> | undefined): boolean {
  return phoneNumber.test(change?.before ?? '') || phoneNumber.test(change?.after ?? '');
}

function lineOf(
  key: string,
  place: string,
  { before, after }: Pick<FieldChange, 'before' | 'after'>,
  isImportant: boolean,
): DraftLine {
  return { key, place, before: short(before), after: short(after), isImportant };
}

function short(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text === '') return 'empty';
  const characters = Array.from(text);
  return characters.length <= longestValue ? text : `${characters.slice(0, longestValue - 1).join('')}…`;
}

function importantFirst(lines: readonly DraftLine[]): DraftLine[] {
  return lines.toSorted((one, other) => Number(other.isImportant) - Number(one.isImportant));
}
