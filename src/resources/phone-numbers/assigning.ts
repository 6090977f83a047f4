import type { Handler, NamedHandler, PhoneNumber } from '../../store/phone-numbers.ts';
import type { Stores } from '../../store/stores.ts';
import { found } from '../../tool/found.ts';
import { holdHandler } from './schema.ts';

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
  await holdHandler(stores, wanted);
  const before = found(await stores.phoneNumbers.hold(numberId), 'phoneNumber', numberId);
  const { handler } = before;
  const stays = wanted ? handler?.kind === kind && handler.id === id : handler?.kind !== kind;
  if (stays) return { number: before, replaced: null };
  const number = found(await stores.phoneNumbers.assign(numberId, wanted), 'phoneNumber', numberId);
  return { number, replaced: handler };
}
