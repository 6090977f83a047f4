import { hash, randomUUID } from 'node:crypto';
import type { Caller } from '../tool/context.ts';
import type { Tool } from '../tool/define.ts';
import type { JsonObject } from '../tool/result.ts';
import type { Runtime } from '../tool/runtime.ts';
import type { CallToolResult } from './result.ts';
import type { Question, ToolCall } from './server.ts';

/** Milliseconds in which a person may agree. */
const answerTime = 600_000;

/** Ends a call before it changes anything: with a question to the person behind the client, or with its refusal. */
export class HeldCall extends Error {
  override readonly name = 'HeldCall';
  readonly outcome: Question | CallToolResult;

  constructor(outcome: Question | CallToolResult) {
    super('The call waits for a person, who has not agreed yet.');
    this.outcome = outcome;
  }
}

/** What the person was asked about, as the client carries it; signed, so that a client cannot change it. */
interface AskedAbout {
  readonly key: string;
  readonly tool: string;
  /** SHA-256 of the arguments. */
  readonly input: string;
  /** SHA-256 of the words that the person read. */
  readonly words: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly id: string;
}

/** A call that may ask for confirmation. */
export interface ConfirmedCall {
  readonly tool: Tool;
  readonly call: ToolCall;
  readonly caller: Caller;
  readonly runtime: Runtime;
  readonly requestId: string;
}

/**
 * Asks the person to agree to what a call is about to do, in words that are read again after the answer: if they have
 * changed meanwhile, the person is asked again. The server keeps nothing in between, so any replica continues the call.
 * @throws HeldCall unless the person has agreed, or there is nothing to ask
 */
export async function confirm(
  { tool, call, caller, runtime, requestId }: ConfirmedCall,
  input: JsonObject,
): Promise<void> {
  const words = await tool.consequences?.({ stores: runtime.stores(caller), caller }, input as never);
  if (words === undefined) return;
  const about = {
    key: caller.keyId,
    tool: tool.name,
    input: hash('sha256', JSON.stringify(call.arguments)),
    words: hash('sha256', words),
  };
  const { reply } = call;
  const asked = reply && openState(runtime, caller, reply.state);
  const isSame =
    asked !== undefined &&
    asked.until > Date.now() &&
    (['key', 'tool', 'input', 'words'] as const).every((member) => asked[member] === about[member]);
  if (!isSame || reply?.action === undefined) {
    const state = { ...about, until: Date.now() + answerTime, id: randomUUID() };
    throw new HeldCall({ kind: 'form', message: words, state: seal(runtime, caller, state) });
  }
  if (reply.action !== 'accept') throw new HeldCall(refusal(tool, reply.action, requestId));
}

/** The id under which a confirmed call happens at most once, if it is the answer to a question. */
export function idOfConfirmation({ call: { reply }, caller, runtime }: ConfirmedCall): string | undefined {
  return reply && openState(runtime, caller, reply.state)?.id;
}

function seal({ services }: Runtime, caller: Caller, asked: AskedAbout): string {
  const content = Buffer.from(JSON.stringify(asked)).toString('base64url');
  return `${content}.${services.sign(caller, signedText(content))}`;
}

/** Undefined for a state that this installation did not sign for the project. */
function openState({ services }: Runtime, caller: Caller, state: string): AskedAbout | undefined {
  const [content = '', signature = '', ...more] = state.split('.');
  if (more.length > 0 || !services.isSigned(caller, signedText(content), signature)) return undefined;
  return JSON.parse(Buffer.from(content, 'base64url').toString()) as AskedAbout;
}

/** Keeps the signature apart from those of other texts. */
function signedText(content: string): string {
  return `confirmation ${content}`;
}

/** The result for a person who says no: an error, so that the model does not take it for success. */
function refusal(tool: Tool, action: 'decline' | 'cancel', requestId: string): CallToolResult {
  const code = action === 'decline' ? 'declined' : 'cancelled';
  const message =
    action === 'decline'
      ? 'The person who was asked declined. Nothing was changed.'
      : 'The person who was asked did not decide. Nothing was changed.';
  const hint = `Do not call ${tool.name} again unless the person asks for it.`;
  const text = JSON.stringify({ error: { code, message, requestId }, hint });
  return { content: [{ type: 'text', text }], isError: true };
}
