import type { Design, Step } from '../design/schema/design.ts';
import { answersAside } from './aside.ts';
import type { Call } from './call.ts';
import { ownNumber, type Turn, type Wanted } from './call-state.ts';
import type { Json } from './json-value.ts';
import { linesIn } from './lines.ts';
import { asksIn, consentIn, correctedIn, rejectedIn, valuesIn } from './understood.ts';

export type Collect = Extract<Step, { kind: 'collect' }>;
type Item = Collect['collect'][number];

/** Replies in a row that bring nothing before the step fails, if the design says nothing. */
const defaultAttempts = 3;
/** Words of a turn that may bring more than what was asked for. A shorter one only answers. */
const wordsOfMore = 4;

/**
 * What the step does: asks for items (''), looks into what was said before it (`entering`), has read back (`readBack`), or has
 * asked what to change (`changing`).
 */
type Stage = '' | 'entering' | 'readBack' | 'changing';

/** Asks for the items of a collect step until every required one is known. */
export function enterCollect(call: Call, step: Collect): void {
  if (!asksForMore(call, step)) finishCollecting(call, step, 'known already');
  else if (step.collect.some(({ variableId }) => call.valueOf(variableId) === null)) ask(call, step);
  else if (call.history.some(({ who }) => who === 'caller'))
    read(call, step, { stage: 'entering', text: heardSoFar(call.history) });
  else ask(call, step);
}

/** False if the step has nothing to ask for: it knows what is required, and at least one item. */
function asksForMore(call: Call, step: Collect): boolean {
  const known = step.collect.filter((item) => isKnown(call, item)).length;
  return nextItem(call, step) !== undefined || (known === 0 && step.collect.length > 0);
}

/** The caller's turn; null: silence. */
export function heardByCollect(call: Call, step: Collect, text: string | null): void {
  if (text !== null) read(call, step, { stage: stageOf(call), text });
  else if (call.pauses()) {
    call.speak(linesIn(call.language).stillThere);
    askAgain(call, step);
  } else failOrRepeat(call, step);
}

/** A reading has finished; undefined: it has failed. */
export function collectFinished(call: Call, step: Collect, result: Json | undefined): void {
  const stage = stageOf(call);
  const hasNoted = note(call, step, result);
  if (rejects(call, step, result)) return;
  // "Friday at seven. Do you have vegan dishes?"
  const isOpening = call.history.filter(({ who }) => who === 'caller').length === 1;
  if (hasNoted && (stage !== 'entering' || isOpening) && asksIn(result) && answersAside(call)) return;
  switch (stage) {
    case 'entering':
      goOn(call, step);
      return;
    case 'readBack':
      if (hasNoted) goOn(call, step);
      else confirm(call, step, result);
      return;
    case 'changing':
      if (hasNoted) goOn(call, step);
      else if (consentIn(result) !== null && call.pauses()) finishCollecting(call, step, 'nothing to change');
      else tryAgain(call, step, result);
      return;
    case '':
      if (hasNoted) goOn(call, step);
      else if (asksIn(result) && answersAside(call)) return;
      else if (isMissing(call, step) || result === undefined || asksIn(result)) tryAgain(call, step, result);
      // The caller has passed over an item that is optional.
      else goOn(call, step);
  }
}

/** Asks again what the step waits for, such as after a reply to something else. */
export function askAgain(call: Call, step: Collect): void {
  switch (stageOf(call)) {
    case 'readBack':
      call.say(step.readBack);
      break;
    case 'changing':
      call.say(linesIn(call.language).change);
      break;
    case '':
    case 'entering': {
      const [asked] = askedItems(call, step);
      if (!nextItem(call, step) && !isAskedFor(call, step)) {
        finishCollecting(call, step, 'all collected');
        return;
      }
      const isBegun = step.collect.some((item) => isKnown(call, item));
      if (call.progress.asked.length === 0 && isBegun && nextItem(call, step)) {
        askForNext(call, step);
        return;
      }
      call.say(call.progress.asked.length === 0 || !asked ? step.prompt : questionFor(call, asked));
    }
  }
  call.listen();
}

/** True if the step waits for an item that is still missing. */
function isAskedFor(call: Call, { collect }: Collect): boolean {
  const { asked } = call.progress;
  return asked.length === 0
    ? collect.every((item) => !isKnown(call, item))
    : collect.some((item) => item.variableId === asked.at(-1) && !isKnown(call, item));
}

function stageOf({ progress }: Call): Stage {
  return progress.stage as Stage;
}

function read(call: Call, step: Collect, { stage, text }: { stage: Stage; text: string }): void {
  const today = call.moment?.date;
  const { here, history } = call;
  call.request(
    {
      kind: 'understand',
      reads: stage === 'readBack' || stage === 'changing' ? 'confirm' : 'collect',
      step: here,
      text,
      wanted: wantedBy(call, step, stage),
      ...(today !== undefined && { today }),
      history,
    },
    { stage },
  );
}

/** The items of the step, then what other steps have noted, which a caller may correct. */
function wantedBy(call: Call, step: Collect, stage: Stage): Wanted[] {
  const asked = new Set(itemsAskedFor(call, step, stage).map(({ variableId }) => variableId));
  const own = new Set(step.collect.map(({ variableId }) => variableId));
  return wantedOf(call, [...step.collect, ...itemsOf(call.design)], asked).filter(
    ({ variableId, value }) => own.has(variableId) || value !== undefined,
  );
}

/** The items, each variable once. */
function wantedOf(call: Call, items: readonly Item[], asked: ReadonlySet<string> = new Set()): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { variableId, description = variableId, expects } of items) {
    const value = call.valueOf(variableId) ?? undefined;
    if (wanted.has(variableId)) continue;
    wanted.set(variableId, {
      variableId,
      description,
      ...(expects !== undefined && { expects }),
      asked: asked.has(variableId),
      ...(value !== undefined && { value }),
    });
  }
  return [...wanted.values()];
}

/** What the turn may answer. Whoever is asked what to change may name any item. */
function itemsAskedFor(call: Call, step: Collect, stage: Stage): readonly Item[] {
  if (stage === 'changing') return step.collect;
  return stage === '' ? askedItems(call, step) : [];
}

/** What the last question was about: one item, or all that were missing when the prompt was said. */
function askedItems(call: Call, step: Collect): Item[] {
  const missing = step.collect.filter((item) => !isKnown(call, item));
  const last = call.progress.asked.at(-1);
  const asked = missing.filter(({ variableId }) => variableId === last);
  return asked.length > 0 ? asked : missing;
}

/** Notes the values that a reading brings. Returns false if it brings none. */
function note(call: Call, step: Collect, result: Json | undefined): boolean {
  const own = new Set(step.collect.map(({ variableId }) => variableId));
  // What was said before the step was corrected when it was said.
  const corrected = new Set(stageOf(call) === 'entering' ? [] : correctedIn(result));
  const isChanging = stageOf(call) === 'changing';
  return noteEach(call, result, (variableId) => {
    if (!isNoted(call, variableId)) return 'new';
    return corrected.has(variableId) || (isChanging && own.has(variableId)) ? 'corrected' : undefined;
  });
}

/** Notes what a reading corrects of what was noted before, at a step of another kind. Returns false if it corrects nothing. */
export function noteCorrections(call: Call, result: Json | undefined): boolean {
  const corrected = new Set(correctedIn(result));
  return noteEach(call, result, (variableId) =>
    isNoted(call, variableId) && corrected.has(variableId) ? 'corrected' : undefined,
  );
}

/** False for a value that was taken back, such as a time that a calendar has refused. */
function isNoted(call: Call, variableId: string): boolean {
  return (call.valueOf(variableId) ?? null) !== null;
}

/** @param takes as what a value is noted; undefined: not at all */
function noteEach(
  call: Call,
  result: Json | undefined,
  takes: (variableId: string) => 'new' | 'corrected' | undefined,
): boolean {
  const known = new Set(itemsOf(call.design).map(({ variableId }) => variableId));
  let hasNoted = false;
  // Only what the design collects: a model or a caller cannot set anything else.
  for (const [variableId, given] of Object.entries(valuesIn(result))) {
    const value = given === ownNumber ? call.valueOf('system.callerPhone') : given;
    if (!known.has(variableId) || value === undefined || value === null || value === '') continue;
    const taken = takes(variableId);
    if (taken === undefined) continue;
    call.set(variableId, value, taken === 'corrected');
    hasNoted = true;
  }
  return hasNoted;
}

/** What the call has noted before, for a step of another kind at which the caller may correct it. Empty if that is nothing. */
export function notedBefore(call: Call): { wanted?: readonly Wanted[]; today?: string } {
  const wanted = wantedOf(call, itemsOf(call.design)).filter(({ value }) => value !== undefined);
  const today = call.moment?.date;
  return wanted.length === 0 ? {} : { wanted, ...(today !== undefined && { today }) };
}

/** Says why a value cannot be noted, and asks for it again. Returns false if there is none, or if there were too many. */
function rejects(call: Call, step: Collect, result: Json | undefined): boolean {
  const [first] = rejectedIn(result).filter(({ variableId }) =>
    step.collect.some((item) => item.variableId === variableId),
  );
  const item = step.collect.find(({ variableId }) => variableId === first?.variableId);
  if (!first || !item) return false;
  if (first.why === 'tooMany') return leavesToPerson(call, step);
  if (!call.pauses()) return false;
  const { closed, incomplete, impossible } = linesIn(call.language);
  call.speak({ closed: closed(first.hours ?? ''), incomplete, impossible }[first.why]);
  call.say(questionFor(call, item));
  call.listen({ stage: isKnown(call, item) ? 'changing' : '', asked: askedLast(call, item) });
  return true;
}

/** More guests than the design takes are for a person. */
function leavesToPerson(call: Call, { on }: Collect): boolean {
  if (on.failed === undefined) return false;
  call.leaveToStep('failed', on.failed, 'more than the item takes');
  return true;
}

function askedLast(call: Call, { variableId }: Item): string[] {
  return [...call.progress.asked.filter((id) => id !== variableId), variableId];
}

function goOn(call: Call, step: Collect): void {
  call.progress = { ...call.progress, count: 0, pauses: 0 };
  if (call.progress.stage === 'entering' && step.collect.every((item) => !isKnown(call, item)))
    ask(call, step);
  else if (nextItem(call, step)) askForNext(call, step);
  else finishCollecting(call, step, 'all collected');
}

function ask(call: Call, step: Collect): void {
  call.say(step.prompt);
  call.listen({ stage: '' });
}

/** The next item to ask for alone: a required one, or one with a question that was not asked yet. */
function nextItem(call: Call, step: Collect): Item | undefined {
  const missing = step.collect.filter((item) => !isKnown(call, item));
  const { asked } = call.progress;
  return (
    missing.find(({ required }) => required === true) ??
    missing.find(({ variableId, question }) => question !== undefined && !asked.includes(variableId))
  );
}

function askForNext(call: Call, step: Collect): void {
  const item = nextItem(call, step);
  if (!item) return;
  call.say(questionFor(call, item));
  call.listen({ stage: '', asked: askedLast(call, item) });
}

function questionFor(call: Call, { variableId, question, description }: Item): string {
  if (question !== undefined) return question;
  const name = call.design.variables?.find(({ id }) => id === variableId)?.name ?? description ?? variableId;
  return linesIn(call.language).missing(name);
}

/** A reply has brought nothing. A question is answered; anything else counts as an attempt. */
function tryAgain(call: Call, step: Collect, result: Json | undefined): void {
  if (!asksIn(result) || !answersAside(call)) failOrRepeat(call, step);
}

function failOrRepeat(call: Call, step: Collect): void {
  const { maxAttempts = defaultAttempts } = step;
  const attempts = call.progress.count + 1;
  if (attempts < maxAttempts) {
    call.progress = { ...call.progress, count: attempts };
    if (stageOf(call) === '') repeatQuestion(call, step);
    else askAgain(call, step);
  } else if (!isMissing(call, step) && stageOf(call) === '')
    finishCollecting(call, step, 'all that is required');
  else if (step.on.failed === undefined) call.end('failed');
  else call.leaveToStep('failed', step.on.failed, `nothing after ${attempts} attempts`);
}

/** Asks for the missing item alone. A prompt whose items are all missing asks for nothing more, if no question is shorter. */
function repeatQuestion(call: Call, step: Collect): void {
  const next = nextItem(call, step);
  if (next?.question === undefined && step.collect.every((item) => !isKnown(call, item))) ask(call, step);
  else if (next) askForNext(call, step);
  else finishCollecting(call, step, 'all that is required');
}

/** Everything is known: reads it back, or leaves. */
function finishCollecting(call: Call, step: Collect, why: string): void {
  if (step.readBack === undefined) {
    call.leaveToStep('next', step.on.next, why);
    return;
  }
  call.say(step.readBack);
  call.listen({ stage: 'readBack', asked: [] });
}

function confirm(call: Call, step: Collect, result: Json | undefined): void {
  if (consentIn(result) === true) call.leaveToStep('next', step.on.next, 'the caller agreed');
  else if (consentIn(result) === false) {
    call.say(linesIn(call.language).change);
    call.listen({ stage: 'changing' });
  } else tryAgain(call, step, result);
}

function isMissing(call: Call, { collect }: Collect): boolean {
  return collect.some((item) => item.required === true && !isKnown(call, item));
}

function isKnown(call: Call, { variableId }: Item): boolean {
  return (call.valueOf(variableId) ?? null) !== null;
}

/** Remembered, because a turn would else look at every step of a large design. */
const itemsOfDesign = new WeakMap<Design, readonly Item[]>();

/** What the design collects anywhere. */
function itemsOf(design: Design): readonly Item[] {
  const known = itemsOfDesign.get(design);
  if (known) return known;
  const items = Object.values(design.steps).flatMap((step) => (step.kind === 'collect' ? step.collect : []));
  itemsOfDesign.set(design, items);
  return items;
}

function saysMore({ who, text }: Turn): boolean {
  return who === 'caller' && text.trim().split(/\s+/).length >= wordsOfMore;
}

/** All that the caller has said so far. It is empty if no turn can bring anything, so that no model has to read it. */
function heardSoFar(history: readonly Turn[]): string {
  return history.flatMap((turn) => (saysMore(turn) ? [turn.text] : [])).join('\n');
}
