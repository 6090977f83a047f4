import type { Design } from '../schema/design.ts';
import { isSame, itemsById } from '../value.ts';
import { hookLines } from './hooks.ts';
import { stepLines } from './steps.ts';
import { memberLines, own, quoted } from './wording.ts';

/** The differences between two versions, one readable line each; empty if they are equal. */
export function summaryOf(from: Design, to: Design): string[] {
  const lines = [
    ...entryLines(from, to),
    ...stepLines(from, to),
    ...hookLines(from, to),
    ...listLines('variable', from.variables, to.variables),
    ...listLines('knowledge', from.knowledge, to.knowledge),
    ...listLines('integration', from.integrations, to.integrations),
    ...layoutLines(from, to),
  ];
  if (lines.length > 0 || isSame(from, to)) return lines;
  // The verdicts follow from the lines, so they are news only if no line has changed.
  return isSame(from.compliance, to.compliance)
    ? ['written differently, with the same meaning']
    : ['disclosure verdicts changed'];
}

function entryLines({ entry: from }: Design, { entry: to }: Design): string[] {
  const { stepId: before, ...others } = from;
  const { stepId: now, ...rest } = to;
  return [
    ...(before === now ? [] : [`calls now start at ${quoted(now)} instead of ${quoted(before)}`]),
    ...memberLines('entry', others, rest),
  ];
}

function listLines(noun: string, from: unknown = [], to: unknown = []): string[] {
  if (isSame(from, to)) return [];
  const [before, now] = [itemsById(from), itemsById(to)];
  // An imported design may have duplicate ids.
  if (!before || !now) return [`${noun}: list changed`];
  const lines = [
    ...[...before.keys()].flatMap((id) => (now.has(id) ? [] : [`${noun} ${quoted(id)} removed`])),
    ...[...now].flatMap(([id, item]) => {
      const old = before.get(id);
      return old ? memberLines(`${noun} ${quoted(id)}`, old, item) : [`${noun} ${quoted(id)} added`];
    }),
  ];
  return lines.length > 0 ? lines : [`${noun}: order changed`];
}

function layoutLines({ layout: from = {} }: Design, { layout: to = {} }: Design): string[] {
  const stepIds = new Set([...Object.keys(from), ...Object.keys(to)]);
  const moved = [...stepIds].filter((stepId) => !isSame(own(from, stepId), own(to, stepId))).length;
  return moved > 0 ? [`layout changed for ${moved === 1 ? '1 step' : `${moved} steps`}`] : [];
}
