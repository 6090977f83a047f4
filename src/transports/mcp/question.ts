import { hash, randomUUID } from 'node:crypto';
import type { McpTool } from '../../environment/mcp-view.ts';
import type { Caller } from '../../operation/context.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import type { CallToolResult } from './result.ts';
import type { Question, ToolCall } from './server.ts';

/** Milliseconds in which a person may reply. */
const replyTime = 600_000;

/** Ends a call before it changes anything: with a question to the person behind the client, or with its refusal. */
export class HeldCall extends Error {
  override readonly name = 'HeldCall';
  readonly outcome: Question | CallToolResult;

  constructor(outcome: Question | CallToolResult) {
    super('The call waits for a person.');
    this.outcome = outcome;
  }
}

/** A call that may ask the person behind its client. */
export interface AskingCall {
  readonly tool: McpTool;
  readonly call: ToolCall;
  readonly caller: Caller;
  readonly runtime: ServerRuntime;
  readonly requestId: string;
}

/** What a question was about, as the client carries it. It is signed, so that a client cannot change it. */
interface AskedAbout {
  readonly key: string;
  readonly tool: string;
  /** SHA-256 of the arguments. */
  readonly input: string;
  /** SHA-256 of what the person was asked. */
  readonly words: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly id: string;
}

/** The state of a question for the client to carry. The server keeps nothing, so any replica takes the reply. */
export function stateOf(asking: AskingCall, words: string): string {
  const asked: AskedAbout = { ...about(asking, words), until: Date.now() + replyTime, id: randomUUID() };
  const content = Buffer.from(JSON.stringify(asked)).toString('base64url');
  return `${content}.${asking.runtime.services.sign(asking.caller, signedText(content))}`;
}

/** True if the client replies to this question of this very call, in time. */
export function isReplyTo(asking: AskingCall, words: string): boolean {
  const asked = openState(asking);
  if (!asked || asked.until <= Date.now()) return false;
  const expected = about(asking, words);
  return (['key', 'tool', 'input', 'words'] as const).every((member) => asked[member] === expected[member]);
}

/** The id of the question to which the client replies; undefined if it replies to none. */
export function idOfQuestion(asking: AskingCall): string | undefined {
  return openState(asking)?.id;
}

function about({ tool, call, caller }: AskingCall, words: string) {
  return {
    key: caller.keyId,
    tool: tool.name,
    input: hash('sha256', JSON.stringify(call.arguments)),
    words: hash('sha256', words),
  };
}

/** Undefined for a state that this installation did not sign for the project. */
function openState({ call: { reply }, caller, runtime: { services } }: AskingCall): AskedAbout | undefined {
  const [content = '', signature = '', ...more] = reply?.state.split('.') ?? [];
  if (more.length > 0 || !services.isSigned(caller, signedText(content), signature)) return undefined;
  return JSON.parse(Buffer.from(content, 'base64url').toString()) as AskedAbout;
}

/** Keeps the signature apart from those of other texts. */
function signedText(content: string): string {
  return `question ${content}`;
}

/** The result for a person who says no: an error, so that the model does not take it for success. */
export function refusal({ tool, requestId }: AskingCall, action: 'decline' | 'cancel'): CallToolResult {
  const code = action === 'decline' ? 'declined' : 'cancelled';
  const message =
    action === 'decline'
      ? 'The person who was asked declined. Nothing was changed.'
      : 'The person who was asked did not decide. Nothing was changed.';
  const hint = `Do not call ${tool.name} again unless the person asks for it.`;
  const text = JSON.stringify({ error: { code, message, requestId }, hint });
  return { content: [{ type: 'text', text }], isError: true };
}
