import { callText } from '../../platform/errors.ts';
import { isValueName, textParts } from '../placeholders.ts';
import { type Place, type Problem, warning } from '../problem.ts';
import { type CallPlace, type Calls, callsOf } from '../proof/call.ts';
import { type Monitor, type PathPlace, shortestViolation } from '../proof/search.ts';
import { shownCall } from '../proof/shown-call.ts';
import type { CalendarUse } from '../schema/calendar.ts';
import type { Design, HookNode, Step } from '../schema/design.ts';
import { systemVariableNames } from '../system-variables.ts';
import { variableIdsOf } from '../variables.ts';
import { claimsAct } from './claim-words.ts';

/** Warns about faults that callers notice, each with the shortest call that shows it. Expects a design without errors. */
export function* warnOfLostCallers(design: Design): Generator<Problem> {
  const calls = callsOf(design);
  yield* itemsWithoutWayOut(design, calls);
  yield* questionsWithoutSource(design, calls);
  yield* linesWithGaps(design, calls);
  yield* claimsWithoutAct(calls);
}

/** A required item that a caller cannot or will not give, if the step has no end for that. */
function* itemsWithoutWayOut(design: Design, calls: Calls): Generator<Problem> {
  for (const [stepId, step] of Object.entries(design.steps)) {
    if (step.kind !== 'collect') continue;
    const required = step.collect.find((item) => item.required === true);
    if (!required) continue;
    const { failed } = step.on;
    const fault =
      failed === undefined
        ? 'is hung up on without a word: the step has no exit failed'
        : isCaught(calls, stepId, failed) &&
          'comes back here whatever they say: no way on from failed ends the call';
    const call = fault && callTo(calls, stepId);
    if (!call) continue;
    yield warning(
      ['steps', stepId, 'on'],
      `A caller who does not give ${required.variableId} ${fault}. ${call}`,
      `Lead failed to a step that helps or says goodbye, such as ${callText('edit_design', { merge: { steps: { [stepId]: { on: { failed: '…' } } } } })}, or make the item optional.`,
    );
  }
}

/** True if every call that goes on at `target` comes back to the step, unless the caller hangs up. */
function isCaught(calls: Calls, stepId: string, target: string): boolean {
  const start = indexOf(calls, target);
  if (start === undefined) return false;
  const own = indexOf(calls, stepId);
  const ends = (place: number) =>
    (calls.moves[place] ?? []).some(({ to, hangUp }) => !hangUp && (to === undefined || to === 'closings'));
  const enter: Monitor['enter'] = (_, place) => {
    if (place === own) return 'safe';
    return ends(place) || calls.places[place]?.at === 'after' ? 'violated' : 0;
  };
  return shortestViolation({ ...calls, starts: [start] }, { states: 1, enter }) === undefined;
}

/** An answer step that has nothing to answer from: neither a model nor the rule may say anything else. */
function* questionsWithoutSource(design: Design, calls: Calls): Generator<Problem> {
  for (const [stepId, step] of Object.entries(design.steps)) {
    if (step.kind !== 'answer') continue;
    const { facts = '', knowledgeIds = [] } = step;
    const call = facts.trim() === '' && knowledgeIds.length === 0 && callTo(calls, stepId);
    if (!call) continue;
    yield warning(
      ['steps', stepId],
      `This step has neither facts nor knowledgeIds, so it can answer no question. ${call}`,
      'Add facts, a line for each, or the ids of entries of knowledge.',
    );
  }
}

/** A placeholder in a line that a call can come to before anything has set the variable. */
function* linesWithGaps(design: Design, calls: Calls): Generator<Problem> {
  const set = variableIdsOf({ ...design, variables: [] });
  for (const [name, places] of Map.groupBy(placeholdersIn(calls), (found) => found.name)) {
    const variable = name.split('.', 1)[0] ?? name;
    // What nothing in the design sets has its value from elsewhere, or is unknown, of which another check warns.
    if (systemVariableNames.includes(variable) || !set.has(variable)) continue;
    const lines = new Map(places.map((found) => [found.place, found.at]));
    const path = shortestViolation(calls, {
      states: 1,
      enter: (_, place) => (lines.has(place) ? 'violated' : 0),
      leave: (state, place, { label }) =>
        sets(calls.places[place], variable, label) || endsBy(calls.places[place], label) ? 'safe' : state,
    });
    const at = lines.get(path?.at(-1)?.place ?? -1);
    if (!path || !at) continue;
    yield warning(
      at,
      `{{${name}}} may be empty in this line. The shortest call: ${shownCall(path, calls)}.`,
      'Ask for it on every way here, with required: true, or write the line without it.',
    );
  }
}

/** True if a call that leaves a place by this exit has a value of the variable. A request may fail; then its mappings decide. */
function sets(place: CallPlace | undefined, name: string, exit: string): boolean {
  if (!place) return false;
  if (place.at === 'step') {
    if (place.step.kind === 'appointment') return calendarSets(place.step.calendar, name, exit);
    return (
      place.step.kind === 'collect' &&
      exit === 'next' &&
      place.step.collect.some(({ variableId, required }) => variableId === name && required === true)
    );
  }
  const { setVariable, webhook, fetch, crmLookup, calendar } = place.node;
  if (calendar && calendarSets(calendar, name, exit)) return true;
  const mapped = [...(fetch?.responseMappings ?? []), ...(crmLookup?.fieldMappings ?? [])];
  return (
    setVariable?.variableId === name ||
    webhook?.responseVariableId === name ||
    mapped.some(({ variableId }) => variableId === name)
  );
}

/** True if a use of a calendar that ends with this exit brings the variable: free times if it offers any, the rest once it is done. */
function calendarSets(use: CalendarUse, name: string, exit: string): boolean {
  const isTaken = exit === 'taken' || exit === 'onTaken';
  const isDone = exit === 'next';
  return (
    use.outcomeVariableId === name ||
    (use.offeredVariableId === name && (isTaken || (isDone && use.action === 'freeTimes'))) ||
    (isDone && use.action !== 'freeTimes' && (use.startVariableId === name || use.bookingVariableId === name))
  );
}

/** True if a call that leaves a place by this exit is over. The proof assumes that it goes on at `next`. */
function endsBy(place: CallPlace | undefined, exit: string): boolean {
  if (place?.at !== 'step' || place.step.kind !== 'collect') return false;
  return exit === 'failed' && place.step.on.failed === undefined;
}

interface PlacedName {
  readonly name: string;
  readonly place: number;
  readonly at: Place;
}

function placeholdersIn({ places }: Calls): PlacedName[] {
  return places.flatMap((place, index) =>
    place.at !== 'step'
      ? []
      : Object.entries(linesOf(place.step)).flatMap(([member, text]) =>
          [...textParts(text)].flatMap(({ name }) =>
            isValueName(name) ? [{ name, place: index, at: ['steps', place.id, member] }] : [],
          ),
        ),
  );
}

/** What a step says as it is, by its members. What a model says, and what is said after an answer, is left out. */
function linesOf(step: Step): Readonly<Record<string, string>> {
  const { introLine, line, prompt, text } = step as Readonly<Record<string, unknown>>;
  const said = { introLine, line, prompt, ...(!('mode' in step && step.mode === 'generated') && { text }) };
  return Object.fromEntries(
    Object.entries(said).flatMap(([member, one]) => (typeof one === 'string' ? [[member, one]] : [])),
  );
}

/** A line that says that something was booked or sent, in a design that books and sends nothing. */
function* claimsWithoutAct(calls: Calls): Generator<Problem> {
  const isDone = calls.places.some((place) =>
    place.at === 'step' ? place.step.kind === 'appointment' : acts(place.node),
  );
  if (isDone) return;
  for (const place of calls.places) {
    if (place.at !== 'step') continue;
    // A prompt asks, and its step has not done anything yet.
    const { prompt: _, ...lines } = linesOf(place.step);
    const claim = Object.entries(lines).find(([, text]) => claimsAct(text));
    const call = claim && callTo(calls, place.id);
    if (!call) continue;
    yield warning(
      ['steps', place.id, claim[0]],
      `This line says that something has been booked or sent, and nothing in the design books or sends anything. ${call}`,
      'Add a step of kind appointment, or a node of hooks that does it (webhook, fetch, sendSms, crmWrite or calendar), or say what will really happen, such as "I have noted it".',
    );
  }
}

/** True for a node that can book or send something. */
function acts({
  id: _,
  name: __,
  next: ___,
  condition: ____,
  setVariable: _____,
  crmLookup: ______,
  fetch,
  ...blocks
}: HookNode) {
  return fetch?.method === 'POST' || Object.keys(blocks).length > 0;
}

/** The shortest call that comes to a step, as a sentence; undefined if none does. */
function callTo(calls: Calls, stepId: string): string | undefined {
  const wanted = indexOf(calls, stepId);
  const path: PathPlace[] | undefined = shortestViolation(calls, {
    states: 1,
    enter: (_, place) => (place === wanted ? 'violated' : 0),
  });
  return path && `The shortest call: ${shownCall(path, calls)}.`;
}

function indexOf({ places }: Calls, stepId: string): number | undefined {
  const index = places.findIndex(({ at, id }) => at === 'step' && id === stepId);
  return index === -1 ? undefined : index;
}
