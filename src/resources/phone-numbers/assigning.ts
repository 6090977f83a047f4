import { shortName } from '../../design/problem.ts';
import { found } from '../../operation/found.ts';
import type { JsonObject } from '../../operation/result.ts';
import { callText } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import type { Handler } from '../versions/handler.ts';
import { lockHandler } from './schema.ts';
import type { NamedHandler, PhoneNumber } from './store.ts';

/**
 * Makes a flow or a conversation the handler of a number. Null removes a handler of that kind and keeps one of the
 * other kind.
 * @returns the number, and the handler that was replaced
 * @throws ToolError `not_found` for the number, the flow or the conversation
 */
export async function assign(
  stores: Stores,
  numberId: string,
  kind: Handler['kind'],
  id: string | null,
): Promise<{ number: PhoneNumber; replaced: NamedHandler | null }> {
  const wanted = id === null ? null : { kind, id };
  await lockHandler(stores, wanted);
  const before = found(await stores.phoneNumbers.hold(numberId), 'phoneNumber', numberId);
  const { handler } = before;
  const stays = wanted ? handler?.kind === kind && handler.id === id : handler?.kind !== kind;
  if (stays) return { number: before, replaced: null };
  const number = found(await stores.phoneNumbers.assign(numberId, wanted), 'phoneNumber', numberId);
  return { number, replaced: handler };
}

/** Warns that a number which now has a handler takes no calls. Returns one warning or none. */
export function disabledWarnings({ id, status, handler }: JsonObject): readonly object[] {
  if (handler === null || status !== 'disabled') return [];
  const enable = callText('update_phone_number', { phoneNumberId: id, status: 'enabled' });
  return [{ message: 'The number is disabled: it takes no calls.', hint: `${enable} lets calls through.` }];
}

/**
 * What `assign` is about to replace, in words; undefined if nothing answers the number now, or nothing changes.
 * @param id undefined leaves the number as it is
 */
export async function reassignmentInWords(
  stores: Stores,
  numberId: string,
  kind: Handler['kind'],
  id: string | null | undefined,
): Promise<string | undefined> {
  const number = await stores.phoneNumbers.find(numberId);
  const handler = number?.handler;
  if (id === undefined || !handler || (id === null ? handler.kind !== kind : handler.id === id))
    return undefined;
  const next = id === null ? undefined : await stores.uses.record(id);
  if (id !== null && !next) return undefined;
  return `Change who answers ${number.number} (${shortName(number.name)})? ${handlersInWords(handler, next)}`;
}

/** Who answers now, and from now on. */
export function handlersInWords(before: NamedRecord, after: NamedRecord | undefined): string {
  const next = after ? `From now on, ${called(after)} answers instead.` : 'From now on, nobody answers.';
  return `Now it is ${called(before)}. ${next}`;
}

/** What disabling a number takes away from its callers, in words; undefined if nobody answers them now. */
export async function disablingInWords(stores: Stores, numberId: string): Promise<string | undefined> {
  const number = await stores.phoneNumbers.find(numberId);
  if (number?.status !== 'enabled' || !number.handler) return undefined;
  return `Disable ${number.number} (${shortName(number.name)})? Its callers no longer reach ${called(number.handler)}.`;
}

/** A flow or a conversation. */
interface NamedRecord {
  readonly kind: string;
  readonly name: string;
}

function called({ kind, name }: NamedRecord): string {
  return `the ${kind} ${shortName(name)}`;
}
