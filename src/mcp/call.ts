import { randomUUID } from 'node:crypto';
import { toToolError } from '../errors.ts';
import { isSecurityEvent, type Log, noteSecurityEvent } from '../log.ts';
import type { Caller } from '../tool/context.ts';
import { holdToLimit } from '../tool/input.ts';
import { invoke } from '../tool/invoke.ts';
import { type Toolsets, tighten, toolsOf } from '../tool/selection.ts';
import { inputOf, publishedValue } from './publication.ts';
import { errorResult, type ToolResult, toolResult } from './result.ts';
import type { CallTool } from './server.ts';

/** Runs the calls of a registry's tools; whatever fails is a result that says so. */
export function toolCaller(toolsets: Toolsets, log: Log): CallTool {
  const tools = new Map(toolsOf(toolsets).map((tool) => [tool.name, tool]));
  return async (call, session): Promise<ToolResult> => {
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
      if (tool.securityEvent)
        noteSecurityEvent(log, { event: tool.name, requestId, tool: tool.name, caller });
      const publish = (value: unknown) => publishedValue(tool, value, given.value, given.included);
      return await toolResult(tool.name, answer, publish, call.signal, call.progress);
    } catch (thrown) {
      const error = toToolError(thrown);
      if (error.status >= 500 && error.status !== 501)
        log.error({ requestId, tool: call.name, err: error.cause ?? error }, 'call failed');
      if (isSecurityEvent(error.code, call.name))
        noteSecurityEvent(log, { event: error.code, requestId, tool: call.name, caller });
      return errorResult(error, requestId);
    }
  };
}
