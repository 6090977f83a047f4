import { isList, isObject } from '../design/value.ts';
import type { Rejected } from './call-state.ts';
import type { Json } from './json-value.ts';

/**
 * What an effect has brought, by the step that asked. A model, a script or a client may send anything: what is not of the
 * expected shape counts as not understood.
 */

/** null: unclear. */
export function consentIn(result: Json | undefined): boolean | null {
  const { consent } = membersOf(result);
  return typeof consent === 'boolean' ? consent : null;
}

/** null: none. */
export function optionIn(result: Json | undefined): string | null {
  const { option } = membersOf(result);
  return typeof option === 'string' ? option : null;
}

export function valuesIn(result: Json | undefined): Readonly<Record<string, Json>> {
  const { values } = membersOf(result);
  return isObject(values) ? (values as Readonly<Record<string, Json>>) : {};
}

/** The variables whose values change what was noted before. */
export function correctedIn(result: Json | undefined): readonly string[] {
  const { corrected } = membersOf(result);
  return isList(corrected) ? corrected.filter((id) => typeof id === 'string') : [];
}

/** What the turn gives and cannot be noted. */
export function rejectedIn(result: Json | undefined): readonly Rejected[] {
  const { rejected } = membersOf(result);
  return isList(rejected) ? rejected.filter((one) => isRejected(one)) : [];
}

function isRejected(value: unknown): value is Rejected {
  const { variableId, why, hours = '' } = isObject(value) ? value : {};
  return (
    typeof variableId === 'string' &&
    typeof hours === 'string' &&
    ['incomplete', 'impossible', 'closed', 'tooMany'].includes(String(why))
  );
}

/** True if the caller asks something. */
export function asksIn(result: Json | undefined): boolean {
  return membersOf(result)['asks'] === true;
}

/** True if a turn that was not answered is no question either. */
export function saysNothing(result: Json | undefined): boolean {
  return membersOf(result)['asks'] === false;
}

/** What the caller asks for in place of an answer; null: nothing. */
export function commandIn(result: Json | undefined): string | null {
  const { command } = membersOf(result);
  return typeof command === 'string' ? command : null;
}

export function answerIn(result: Json | undefined): { answered: boolean; text: string; done: boolean } {
  const { answered, text, done } = membersOf(result);
  return { answered: answered === true, text: typeof text === 'string' ? text : '', done: done === true };
}

export function textIn(result: Json | undefined): string | undefined {
  const { text } = membersOf(result);
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

export function passagesIn(result: Json | undefined): readonly string[] {
  return Array.isArray(result) ? result.filter((passage) => typeof passage === 'string') : [];
}

function membersOf(result: Json | undefined): Readonly<Record<string, unknown>> {
  return isObject(result) ? result : {};
}
