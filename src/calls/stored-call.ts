import { isList, isObject, type Members } from '../design/value.ts';
import {
  type CallState,
  callFormat,
  endReasons,
  longestHistory,
  type PendingEffect,
  type Position,
  type Progress,
  type Turn,
  type Waiting,
} from './call-state.ts';
import { isJson, type Json } from './json-value.ts';

/** A call in an unknown format: a newer release has stored it. */
export class UnknownCallFormat extends Error {
  override readonly name = 'UnknownCallFormat';
}

/** The formats that {@link readCallState} reads. */
export const readableFormats: readonly string[] = [callFormat, 'rt/2', 'rt/1'];

/**
 * Reads the state of a call as it was stored, in the present format or in an earlier one (docs/runtime.md#stored-calls).
 * @throws UnknownCallFormat for any other format, and TypeError for a state that is not of its format
 */
export function readCallState(stored: unknown): CallState {
  if (!isObject(stored)) throw new TypeError('The stored state of a call is not an object.');
  switch (stored['format']) {
    case callFormat:
      return stateIn(stored);
    case 'rt/2':
      return stateIn(withoutPauses(stored));
    case 'rt/1':
      // Early builds stored calls without readings.
      return stateIn(withoutPauses({ readings: 0, ...stored }));
    default:
      throw new UnknownCallFormat(
        `The stored state of a call has the format ${JSON.stringify(stored['format'])}. This release reads ${readableFormats.slice(0, -1).join(', ')} and ${readableFormats.at(-1)}.`,
      );
  }
}

/** A state of a format in which steps did not remember pauses, and asked for all items at once. */
function withoutPauses(state: Members): Members {
  return { ...state, progress: { pauses: 0, aside: '', asked: [], ...objectIn(state, 'progress') } };
}

function stateIn(state: Members): CallState {
  const history = isList(state['history']) ? state['history'].slice(-longestHistory) : undefined;
  if (!history?.every(isTurn)) throw malformed('history');
  return {
    format: callFormat,
    position: orNull(state, 'position', positionIn),
    waiting: orNull(state, 'waiting', waitingIn),
    variables: valuesIn(state, 'variables'),
    system: valuesIn(state, 'system'),
    history,
    turns: numberIn(state, 'turns'),
    seconds: numberIn(state, 'seconds'),
    moves: numberIn(state, 'moves'),
    readings: numberIn(state, 'readings'),
    effects: numberIn(state, 'effects'),
    progress: progressIn(objectIn(state, 'progress')),
    ended: orNull(state, 'ended', endIn),
  };
}

const places = ['step', 'before', 'after'] as const satisfies readonly Position['at'][];

function positionIn(position: Members): Position {
  return { at: oneOf(places, position, 'at'), id: textIn(position, 'id') };
}

const pendingKinds = [
  'understand',
  'search',
  'request',
  'sms',
  'crmLookup',
  'crmWrite',
  'calendar',
  'transfer',
] as const satisfies readonly PendingEffect['kind'][];

function waitingIn(waiting: Members): Waiting {
  if (oneOf(['caller', 'effect'], waiting, 'for') === 'caller') return { for: 'caller' };
  return { for: 'effect', id: textIn(waiting, 'id'), kind: oneOf(pendingKinds, waiting, 'kind') };
}

function progressIn(progress: Members): Progress {
  return {
    count: numberIn(progress, 'count'),
    pauses: numberIn(progress, 'pauses'),
    aside: textIn(progress, 'aside'),
    asked: textsIn(progress, 'asked'),
    stage: textIn(progress, 'stage'),
    block: numberIn(progress, 'block'),
    texts: valuesIn(progress, 'texts'),
  };
}

function endIn(ended: Members): NonNullable<CallState['ended']> {
  const step = ended['step'] === null ? null : textIn(ended, 'step');
  return { reason: oneOf(endReasons, ended, 'reason'), step };
}

function isTurn(value: unknown): value is Turn {
  return (
    isObject(value) &&
    (value['who'] === 'agent' || value['who'] === 'caller') &&
    typeof value['text'] === 'string'
  );
}

function orNull<Value>(members: Members, name: string, read: (member: Members) => Value): Value | null {
  return members[name] === null ? null : read(objectIn(members, name));
}

function objectIn(members: Members, name: string): Members {
  const member = members[name];
  if (!isObject(member)) throw malformed(name);
  return member;
}

function valuesIn(members: Members, name: string): Readonly<Record<string, Json>> {
  const values = members[name];
  if (!isJson(values) || !isObject(values)) throw malformed(name);
  return values;
}

function textIn(members: Members, name: string): string {
  const text = members[name];
  if (typeof text !== 'string') throw malformed(name);
  return text;
}

function textsIn(members: Members, name: string): readonly string[] {
  const texts = members[name];
  if (!isList(texts) || !texts.every((text) => typeof text === 'string')) throw malformed(name);
  return texts;
}

function numberIn(members: Members, name: string): number {
  const number = members[name];
  if (typeof number !== 'number') throw malformed(name);
  return number;
}

function oneOf<const Known extends string>(known: readonly Known[], members: Members, name: string): Known {
  const found = known.find((one) => one === members[name]);
  if (found === undefined) throw malformed(name);
  return found;
}

function malformed(name: string): TypeError {
  return new TypeError(`The stored state of a call has no valid ${name}.`);
}
