import { randomUUID } from 'node:crypto';
import type { McpTool, SettlingContext } from '../../environment/mcp-view.ts';
import { tighten, toolsOf } from '../../environment/selection.ts';
import type { Toolsets } from '../../environment/toolsets.ts';
import type { Caller } from '../../operation/context.ts';
import { largeInput, requireWithinLimit } from '../../operation/input.ts';
import { invoke } from '../../operation/invoke.ts';
import { longInputs, releaseLongTexts, withLongTexts } from '../../operation/long-input.ts';
import type { JsonObject, ToolResult } from '../../operation/result.ts';
import { toToolError } from '../../platform/errors.ts';
import { isSecurityEvent, type Log, logSecurityEvent } from '../../platform/log.ts';
import { LongText } from '../../platform/long-text.ts';
import { clientLeft, type RequestMetrics } from '../http/request-metrics.ts';
import { confirmed, isConfirmed } from './confirmation.ts';
import { withIds } from './names.ts';
import { inputOf, publishedValue } from './publication.ts';
import { HeldCall, idOfQuestion } from './question.ts';
import { type CallToolResult, callToolResult, type Failure, failedResult, failureOf } from './result.ts';
import { leavesSecretToPage, withEnteredSecret, withPlaceholder } from './secret-question.ts';
import type { CallTool, McpSession, Question, StartedTask, ToolCall } from './server.ts';
import type { TaskRuns } from './task-runs.ts';

/** The status in metrics of a call that waits for a person, or that the person refused. */
const heldStatus = 202;

/** Runs the calls of a registry's tools; a failure becomes a result with `isError`. */
export function toolCaller(toolsets: Toolsets, runs: TaskRuns, log: Log, metrics?: RequestMetrics): CallTool {
  const tools = new Map(toolsOf(toolsets).map((tool) => [tool.name, tool]));
  const callTool: CallTool = async (call, session): Promise<CallToolResult | Question | StartedTask> => {
    const requestId = session.requestId ?? randomUUID();
    const began = performance.now();
    let caller: Caller | undefined;
    let status = 0;
    try {
      const tool = tools.get(call.name);
      if (!tool) throw new Error(`${call.name} is listed, but not in the registry`);
      if (tool.access !== 'none') caller = tighten(await session.caller(), session.selection);
      // Anything but text is refused like an empty key.
      const key =
        call.idempotencyKey === undefined || typeof call.idempotencyKey === 'string'
          ? call.idempotencyKey
          : '';
      const raw = inputOf(tool, call.arguments, caller?.projectId);
      const runtime = await session.runtime();
      const asking = caller && { tool, call, caller, runtime, requestId };
      const isSecretLeftOut = asking !== undefined && leavesSecretToPage(asking, raw.value);
      const ask = isSecretLeftOut ? withEnteredSecret : confirmed;
      let ids = raw.value;
      const invoked = await invoke(runtime, tool, {
        caller,
        keyStatus: session.keyStatus,
        requestId,
        async input(turn) {
          const size = sizeOf(call.arguments);
          requireWithinLimit(tool, size);
          if (size > largeInput) await turn();
          const whole = isSecretLeftOut ? withPlaceholder(tool, raw) : raw;
          if (!caller) return raw;
          const resolved = await withIds(tool, whole, { runtime, caller, tools });
          ids = resolved.value;
          return resolved;
        },
        naming: 'tool',
        idempotencyKey: key,
        signal: call.signal,
        ...(asking &&
          (isSecretLeftOut || isConfirmed(asking)) && {
            idempotencyKey: key ?? idOfQuestion(asking),
            beforeChange: (input) => ask(asking, input),
          }),
      });
      const result = caller
        ? await settled(tool, invoked, raw.value, { call, stores: runtime.stores(caller) })
        : invoked;
      if (tool.special.securityEvent)
        logSecurityEvent(log, { event: tool.name, requestId, tool: tool.name, caller });
      const task =
        caller && call.takesTask ? await runs.follow(tool, result, { caller, runtime }) : undefined;
      if (task) {
        ({ status } = tool.rest);
        return task;
      }
      const publish = (value: unknown, json?: string) =>
        publishedValue(tool, { value, json }, raw.value, raw.included, (made) => {
          const page = tool.mcp.link?.(made, ids);
          return page === undefined ? undefined : runtime.services.studioLink(page);
        });
      const progress = (event: JsonObject, index: number) => call.progress(messageOf(tool, event), index);
      const sent = await callToolResult(tool.name, result, publish, call.signal, progress);
      ({ status } = tool.rest);
      return sent;
    } catch (thrown) {
      if (thrown instanceof HeldCall) {
        status = heldStatus;
        return thrown.outcome;
      }
      ({ status } = toToolError(thrown));
      const failed = failure(thrown, { requestId, tool: call.name, caller, signal: call.signal }, log);
      const tool = tools.get(call.name);
      const hint = hintFor(tool, call.arguments, failed);
      const problems = caller && (await hiddenProblems(tool, call.arguments, failed, caller, session));
      const shown = { ...failed, hint, ...(problems && { problems }) };
      return failedResult(shown);
    } finally {
      releaseLongTexts(call.arguments);
      metrics?.callEnds({
        operation: call.name,
        transport: 'mcp',
        status: call.signal.aborted ? clientLeft : status,
        began,
      });
    }
  };
  return (sent, session) => {
    const tool = tools.get(sent.name);
    const call = tool && session.longTexts ? withFiles(tool, sent, session.longTexts) : sent;
    return runs.run(call, session, tool, callTool);
  };
}

/** The call with the long texts for which its arguments have tokens. */
function withFiles(tool: McpTool, call: ToolCall, longTexts: ReadonlyMap<string, LongText>): ToolCall {
  const long = [...longInputs(tool).keys()];
  return { ...call, arguments: withLongTexts(call.arguments, long, longTexts) };
}

/** Bytes of the arguments as JSON in UTF-8, like a body in REST. Long texts are ASCII, or count less than they take. */
function sizeOf(sent: JsonObject): number {
  const members = Object.entries(sent);
  const long = members.flatMap(([, value]) => (value instanceof LongText ? value.length : []));
  const short = members.map(([name, value]) => [name, value instanceof LongText ? '' : value]);
  return (
    Buffer.byteLength(JSON.stringify(Object.fromEntries(short))) +
    long.reduce((sum, length) => sum + length, 0)
  );
}

/** The result once what the call started has ended, if the tool waits for that. */
async function settled(
  tool: McpTool,
  result: ToolResult,
  input: JsonObject,
  { call, stores }: { readonly call: ToolCall; readonly stores: SettlingContext['stores'] },
): Promise<ToolResult> {
  const { settle } = tool.mcp;
  if (!settle || result.kind !== 'value') return result;
  let events = 0;
  const progress = (event: JsonObject) => call.progress(messageOf(tool, event), ++events);
  const value = await settle(result.value as JsonObject, input, { stores, signal: call.signal, progress });
  return { kind: 'value', value };
}

/** What a person reads of an event; undefined if the event says nothing. */
function messageOf({ mcp: { progressMessage } }: McpTool, event: JsonObject): string | undefined {
  return progressMessage?.(event) || undefined;
}

/** The hint of a failure; that of the tool for inputs that do not match its schema, if it has one. */
function hintFor(tool: McpTool | undefined, sent: JsonObject, { error, hint }: Failure): string {
  const { issues = [] } = (error.details ?? {}) as { issues?: readonly { readonly path: string }[] };
  const [first] = issues;
  if (error.code !== 'invalid_request' || !first) return hint;
  return tool?.mcp.hintAt?.(first.path.split('/').slice(1), sent) ?? hint;
}

/** The problems that a refused input has besides those of the refusal; undefined if there are none. */
async function hiddenProblems(
  tool: McpTool | undefined,
  sent: JsonObject,
  { error, problems }: Failure,
  caller: Caller,
  session: McpSession,
): Promise<Failure['problems']> {
  if (error.code !== 'invalid_request' || problems || !tool?.mcp.furtherProblems) return problems;
  const runtime = await session.runtime();
  await runtime.services.turn(caller);
  const further = await tool.mcp.furtherProblems(sent, { stores: runtime.stores(caller), caller });
  return further.length > 0 ? further : undefined;
}

/** A read of a resource: its input comes from an address, and its value is returned whole. */
export interface Read {
  readonly tool: McpTool;
  /** Every operation by its name. */
  readonly tools: ReadonlyMap<string, McpTool>;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** The value that an operation returns. Throws what `invoke` throws. */
export async function answerValue(
  read: Read,
  session: McpSession,
  metrics?: RequestMetrics,
): Promise<unknown> {
  const { tool, signal } = read;
  const began = performance.now();
  let status: number = tool.rest.status;
  try {
    return await runRead(read, session);
  } catch (thrown) {
    ({ status } = toToolError(thrown));
    throw thrown;
  } finally {
    metrics?.callEnds({
      operation: tool.name,
      transport: 'mcp',
      status: signal.aborted ? clientLeft : status,
      began,
    });
  }
}

async function runRead(
  { tool, tools, input, signal, requestId }: Read,
  session: McpSession,
): Promise<unknown> {
  const caller = tighten(await session.caller(), session.selection);
  const runtime = await session.runtime();
  const result = await invoke(runtime, tool, {
    caller,
    keyStatus: session.keyStatus,
    requestId,
    input: () => withIds(tool, { value: input, issues: [] }, { runtime, caller, tools }),
    naming: 'tool',
    idempotencyKey: undefined,
    signal,
  });
  if (result.kind !== 'value') throw new Error(`${tool.name} returns no value`);
  return result.value;
}

/** A call or read that failed. */
interface Failed {
  readonly requestId: string;
  readonly tool: string;
  readonly caller?: Caller | undefined;
  readonly signal: AbortSignal;
}

/** The failure to send to the client; a 5xx also goes to the log, with its cause, unless the client cancelled. */
export function failure(thrown: unknown, { requestId, tool, caller, signal }: Failed, log: Log): Failure {
  const error = toToolError(thrown);
  if (signal.aborted) log.info({ requestId, tool }, 'call cancelled');
  else if (error.status >= 500 && error.status !== 501)
    log.error({ requestId, tool, err: error.cause ?? error }, 'call failed');
  if (isSecurityEvent(error.code, tool))
    logSecurityEvent(log, { event: error.code, requestId, tool, caller });
  return failureOf(error, requestId);
}
