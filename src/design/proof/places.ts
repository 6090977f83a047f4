import { ruleOnDisclosure } from '../../disclosure/index.ts';
import { disclosureLineOf } from '../disclosure-lines.ts';
import type { Design, HookNode, Step } from '../schema/design.ts';
import type { CallPlace, Calls } from './call.ts';
import type { PlaceSelector } from './properties.ts';

/** Tells whether a property is about a place. */
export type PlaceTest = (place: CallPlace) => boolean;

export function placesWhere({ places }: Calls, test: PlaceTest): ReadonlySet<number> {
  return new Set(places.flatMap((place, index) => (test(place) ? [index] : [])));
}

export function selected({ step, hookNode, kind, action }: PlaceSelector): PlaceTest {
  return (place) => {
    if (place.at === 'step') return place.id === step || place.step.kind === kind;
    return place.id === hookNode || (action !== undefined && place.node[action] !== undefined);
  };
}

export function variablesAsked(place: CallPlace): string[] {
  if (place.at !== 'step' || place.step.kind !== 'collect') return [];
  return place.step.collect.map(({ variableId }) => variableId);
}

/** True for a step that asks for a variable; for any variable if none is given. */
export function asksFor(variable: string | undefined): PlaceTest {
  return (place) => {
    const asked = variablesAsked(place);
    return variable === undefined ? asked.length > 0 : asked.includes(variable);
  };
}

export function collects(place: CallPlace): boolean {
  return place.at === 'step' && place.step.kind === 'collect';
}

export function isConsent(place: CallPlace): boolean {
  return place.at === 'step' && place.step.kind === 'recordingConsent';
}

/** True for a step whose line discloses the AI, by its stored verdict or else by the rule. */
export function discloses(place: CallPlace, { compliance }: Design): boolean {
  if (place.at !== 'step') return false;
  const line = disclosureLineOf(place.step);
  if (line === undefined) return false;
  const verdicts = compliance?.aiDisclosure ?? {};
  const verdict = Object.hasOwn(verdicts, place.id) ? verdicts[place.id] : undefined;
  return verdict?.checkedText === line ? verdict.status === 'approved' : ruleOnDisclosure(line).discloses;
}

/** What a step does that no caller may meet before the AI is disclosed, as the end of a sentence. */
const deeds: Partial<Record<Step['kind'], string>> = {
  recordingConsent: 'asks to record',
  collect: 'collects',
  answer: 'answers with a model',
  appointment: 'uses a calendar',
  transfer: 'transfers the call',
};

/** What a place does that no caller may meet before the AI is disclosed; undefined if nothing. */
export function deedOf(place: CallPlace): string | undefined {
  if (place.at !== 'step') return sendsRecord(place.node) ? 'sends a transcript or recording' : undefined;
  const { step } = place;
  if (step.kind === 'message') return step.mode === 'generated' ? 'lets a model speak' : undefined;
  return deeds[step.kind];
}

/** System variables that contain what was said. */
const recorded = /transcript|recording/i;

/** True for a hook node that sends a transcript or a recording. */
export function writesTranscript(place: CallPlace): boolean {
  return place.at !== 'step' && sendsRecord(place.node);
}

function sendsRecord({ crmWrite, webhook, fetch }: HookNode): boolean {
  const { includeTranscript = false, includeRecordingUrl = false } = crmWrite?.logCall ?? {};
  const items = [...(webhook?.payload ?? []), ...(fetch?.body ?? [])];
  return (
    includeTranscript ||
    includeRecordingUrl ||
    items.some(({ systemVariable }) => systemVariable !== undefined && recorded.test(systemVariable))
  );
}
