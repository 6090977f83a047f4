import { randomUUID } from 'node:crypto';
import { toToolError } from '../errors.ts';
import { isSecurityEvent, type Log, logSecurityEvent } from '../log.ts';
import type { Caller } from '../tool/context.ts';
import type { Tool } from '../tool/define.ts';
import { holdToLimit } from '../tool/input.ts';
import { invoke } from '../tool/invoke.ts';
import type { JsonObject } from '../tool/result.ts';
import { type Toolsets, tighten, toolsOf } from '../tool/selection.ts';
import { inputOf, publishedValue } from './publication.ts';
import { type CallToolResult, callToolResult, type Failure, failureOf } from './result.ts';
import type { CallTool, McpSession } from './server.ts';

/** Runs the calls of a registry's tools; whatever fails is a result that says so. */
export function toolCaller(toolsets: Toolsets, log: Log): CallTool {
  const tools = new Map(toolsOf(toolsets).map((tool) => [tool.name, tool]));
  return async (call, session): Promise<CallToolResult> => {
    const requestId = session.requestId ?? randomUUID();
    let caller: Caller | undefined;
    try {
      const tool = tools.get(call.name);
      if (!tool) throw new Error(`${call.name} is listed, but not in the registry`);
      if (tool.access !== 'none') caller = tighten(await session.caller(), session.selection);
      const { idempotencyKey: key } = call;
      const given = inputOf(tool, call.arguments);
      const answer = await invoke(await session.runtime(), tool, {
        caller,
        keyStatus: session.keyStatus,
        requestId,
        input: () => {
          // By their length as UTF-8, as a body in REST is.
          holdToLimit(tool, Buffer.byteLength(JSON.stringify(call.arguments)));
          return given;
        },
        naming: 'tool',
        // What is no text is refused as an empty key is.
        idempotencyKey: key === undefined || typeof key === 'string' ? key : '',
        signal: call.signal,
      });
      if (tool.special.securityEvent)
        logSecurityEvent(log, { event: tool.name, requestId, tool: tool.name, caller });
      const publish = (value: unknown, json?: string) =>
        publishedValue(tool, { value, json }, given.value, given.included);
      return await callToolResult(tool.name, answer, publish, call.signal, call.progress);
    } catch (thrown) {
      const told = failure(thrown, { requestId, tool: call.name, caller }, log);
      return { content: [{ type: 'text', text: JSON.stringify(told) }], isError: true };
    }
  };
}

/** A read that is no call of a tool: its input comes from an address, and its answer goes out whole. */
export interface Read {
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/**
 * The value that an operation answers.
 * @throws what `invoke` throws.
 */
export async function answerValue(
  { tool, input, signal, requestId }: Read,
  session: McpSession,
): Promise<unknown> {
  const caller = tighten(await session.caller(), session.selection);
  const answer = await invoke(await session.runtime(), tool, {
    caller,
    keyStatus: session.keyStatus,
    requestId,
    input: () => ({ value: input, issues: [] }),
    naming: 'tool',
    idempotencyKey: undefined,
    signal,
  });
  if (answer.kind !== 'value') throw new Error(`${tool.name} answers no value`);
  return answer.value;
}

/** What the client is told of something that failed; ours goes to the log with its cause. */
export function failure(
  thrown: unknown,
  { requestId, tool, caller }: { requestId: string; tool: string; caller?: Caller | undefined },
  log: Log,
): Failure {
  const error = toToolError(thrown);
  if (error.status >= 500 && error.status !== 501)
    log.error({ requestId, tool, err: error.cause ?? error }, 'call failed');
  if (isSecurityEvent(error.code, tool))
    logSecurityEvent(log, { event: error.code, requestId, tool, caller });
  return failureOf(error, requestId);
}
