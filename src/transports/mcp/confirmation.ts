import type { JsonObject } from '../../operation/result.ts';
import { type AskingCall, HeldCall, isReplyTo, refusal, stateOf } from './question.ts';

/** True if the client can ask a person, and the operation has something to ask. */
export function isConfirmed({ tool, call }: AskingCall): boolean {
  return call.shows.forms && tool.consequences !== undefined;
}

/**
 * Asks the person to agree to what a call is about to do, in words that are read again after the reply: if they have
 * changed meanwhile, the person is asked again.
 * @returns the input
 * @throws HeldCall unless the person has agreed, or there is nothing to ask
 */
export async function confirmed(asking: AskingCall, input: JsonObject): Promise<JsonObject> {
  const { tool, call, caller, runtime } = asking;
  const words = await tool.consequences?.({ stores: runtime.stores(caller), caller }, input as never);
  if (words === undefined) return input;
  const action = isReplyTo(asking, words) ? call.reply?.action : undefined;
  if (action === undefined)
    throw new HeldCall({ kind: 'form', message: words, state: stateOf(asking, words) });
  if (action !== 'accept') throw new HeldCall(refusal(asking, action));
  return input;
}
