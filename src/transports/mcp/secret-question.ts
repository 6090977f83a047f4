import { setTimeout as sleep } from 'node:timers/promises';
import type { McpTool } from '../../environment/mcp-view.ts';
import { checkValue, type RawInput } from '../../operation/input.ts';
import { isJsonObject } from '../../operation/json.ts';
import { type JsonObject, without } from '../../operation/result.ts';
import { invalidRequest, jsonPointer, tooManyAtOnce } from '../../platform/errors.ts';
import type { ProposedBinding } from '../../resources/secrets/request-store.ts';
import { type AskingCall, HeldCall, isReplyTo, refusal, stateOf } from './question.ts';

/** Requests for secrets of a project that may be open at once. */
const mostOpen = 20;
/** Milliseconds that one round waits for the person: clients give up on a request after 60 seconds. */
const roundTime = 45_000;
/** Milliseconds between two looks. */
const lookEvery = 1_000;

/** Inputs of a call that the person decides on the page, whatever the call says. */
const bindingInputs = ['hosts', 'headers', 'inUrl'] as const;

/** True if a call leaves out a secret that the person can enter on a page. */
export function leavesSecretToPage({ tool, call }: AskingCall, given: JsonObject): boolean {
  const { enteredOnPage } = tool.mcp;
  return call.shows.pages && (enteredOnPage?.isLeftOut(given) ?? false);
}

/** The input of such a call with a text in place of the secret, so that the rest of it can be checked. */
export function withPlaceholder({ mcp: { enteredOnPage } }: McpTool, raw: RawInput): RawInput {
  return enteredOnPage ? { ...raw, value: withValue(raw.value, enteredOnPage.at, '…') } : raw;
}

/** The page takes any secret, and the tool may take shorter ones. @throws ToolError `invalid_request`, without the value */
function checkedInput({ input: schema, check, name }: McpTool, input: JsonObject): JsonObject {
  const { problems } = checkValue(schema, input);
  const [problem] = problems.length > 0 ? problems : (check?.(input as never) ?? []);
  if (!problem) return input;
  const issue = { in: 'body', path: jsonPointer(problem.path), message: problem.message } as const;
  throw invalidRequest([issue], { hint: `Call ${name} again, for another page.` });
}

/** An input with a text at a place. */
function withValue(input: JsonObject, [name = '', ...members]: readonly string[], text: string): JsonObject {
  const inside = input[name];
  const value = members.length > 0 ? withValue(isJsonObject(inside) ? inside : {}, members, text) : text;
  return { ...input, [name]: value };
}

/**
 * Gets the secret of a call from the person behind the client, past the model: on a page of Parley, whose address the
 * client shows. A value that was entered for an earlier call of this key is used at once, so nothing is lost if a client gives up waiting.
 * @returns the input with the secret
 * @throws HeldCall until the person has entered it
 */
export async function withEnteredSecret(asking: AskingCall, input: JsonObject): Promise<JsonObject> {
  const { tool, call, caller, runtime } = asking;
  const { enteredOnPage } = tool.mcp;
  if (!enteredOnPage) throw new Error(`${tool.name} takes no secret from a page`);
  const words = enteredOnPage.called(input);
  const asked = isReplyTo(asking, words);
  const action = asked ? call.reply?.action : undefined;
  if (action === 'decline' || action === 'cancel') throw new HeldCall(refusal(asking, action));
  if (!(await isEntered())) {
    if (!asked) throw new HeldCall(await newQuestion());
    throw new HeldCall({ kind: 'wait', state: stateOf(asking, words) });
  }
  const taken = await runtime.write(caller, ({ stores }) => stores.secretRequests.take(caller.keyId, words));
  if (!taken) throw new HeldCall(await newQuestion());
  const place = taken.tokenHash.toString('hex');
  const value = runtime.services.open(caller, 'secret_requests', place, taken.sealedValue).toString();
  const bound = enteredOnPage.binds ? { ...without(input, bindingInputs), ...taken.binding } : input;
  if (value !== '') return checkedInput(tool, withValue(bound, enteredOnPage.at, value));
  // The placeholder must not become the value.
  const { [enteredOnPage.at[0]]: _, ...kept }: JsonObject = bound;
  return checkedInput(tool, kept);

  /** Looks once, and if the person has been asked, again until the round ends. */
  async function isEntered(): Promise<boolean> {
    const { secretRequests } = runtime.stores(caller);
    for (
      const end = performance.now() + roundTime;
      ;
      await sleep(lookEvery, undefined, { signal: call.signal })
    ) {
      if (await secretRequests.isEntered(caller.keyId, words)) return true;
      if (!asked || performance.now() > end) return false;
    }
  }

  async function newQuestion() {
    const { url, tokenHash } = runtime.services.mintSecretAddress();
    await runtime.write(caller, async ({ stores }) => {
      // The lock keeps others from creating one between counting and inserting.
      await stores.projects.hold();
      if ((await stores.secretRequests.countOpen()) >= mostOpen)
        throw tooManyAtOnce(
          'secretRequests',
          mostOpen,
          `${mostOpen} secrets of this project wait to be entered.`,
          600,
          'Enter one of them, or call again in ten minutes.',
        );
      const { hosts, headers, inUrl } = input;
      const proposed = { hosts, headers, inUrl } as ProposedBinding;
      await stores.secretRequests.create(
        caller.keyId,
        tokenHash,
        words,
        enteredOnPage?.binds ? proposed : undefined,
      );
    });
    const message = `Enter the ${words} on a page of Parley. The value goes to Parley only, past the model.`;
    return { kind: 'page', message, url, state: stateOf(asking, words) } as const;
  }
}
