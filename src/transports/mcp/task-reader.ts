import { randomUUID } from 'node:crypto';
import type { McpTool } from '../../environment/mcp-view.ts';
import { mayList, tighten } from '../../environment/selection.ts';
import type { Caller } from '../../operation/context.ts';
import type { JsonObject } from '../../operation/result.ts';
import { ToolError, toToolError, unauthorized } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Task } from '../../store/tasks.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { failure } from './call.ts';
import { publishedValue } from './publication.ts';
import { type CallToolResult, callToolResult, type Failure, failedResult, failureOf } from './result.ts';
import type { McpSession, OpenTasks } from './server.ts';
import { runningMessage, type TaskRuns, taskState } from './task-runs.ts';

/** What every read of a task needs. */
interface Reader {
  readonly caller: Caller;
  readonly runtime: ServerRuntime;
  readonly tool: McpTool;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/** Reads and cancels the tasks of the caller's key, on any replica. */
export function openTasks(tools: ReadonlyMap<string, McpTool>, runs: TaskRuns, log: Log): OpenTasks {
  const withTask = async <Result>(
    id: string,
    signal: AbortSignal,
    session: McpSession,
    use: (task: Task, reader: Reader) => Promise<Result>,
  ): Promise<Result | Failure> => {
    const requestId = session.requestId ?? randomUUID();
    let caller: Caller | undefined;
    try {
      caller = tighten(await session.caller(), session.selection);
      const runtime = await session.runtime();
      const admission = await runtime.admit(caller);
      if (admission?.refusal) throw admission.refusal;
      const keyStatus = session.keyStatus ?? (await runtime.keyStatus(caller));
      if (keyStatus?.keyStatus !== 'active') throw unauthorized();
      const task = await runtime.stores(caller).tasks.find(caller.keyId, id);
      const tool = task && tools.get(task.tool);
      if (!task || !tool || !mayList(caller, tool) || !mayRead(caller, task)) throw unknownTask(id);
      session.noteTool?.(tool.name);
      return await use(task, { caller, runtime, tool, signal, requestId });
    } catch (thrown) {
      return failure(thrown, { requestId, tool: 'tasks', caller, signal }, log);
    }
  };
  return {
    get: (id, signal, session) =>
      withTask(id, signal, session, async (task, reader) => ({ task: await detailed(task, reader) })),
    cancel: (id, signal, session) =>
      withTask(id, signal, session, async (task, { caller, runtime }) => {
        if (task.status !== 'working') return {};
        await runtime.write(caller, ({ stores }) => stores.tasks.end(id, 'cancelled', null));
        runs.cancel(id);
        return {};
      }),
    end: () => runs.end(),
  };
}

/** A result may hold what its call was allowed to see, so a token or an address with less access does not read it. */
function mayRead({ access }: Caller, task: Task): boolean {
  const held: ReadonlySet<string> = access;
  return (task.access ?? []).every((one) => held.has(one));
}

function unknownTask(id: string): ToolError {
  return new ToolError('not_found', `There is no task ${id} of this key.`, {
    hint: 'A task is kept for 24 hours. Call the tool again.',
  });
}

/** A task with its result or error. */
async function detailed(task: Task, reader: Reader): Promise<JsonObject> {
  const { tool } = reader;
  switch (task.status) {
    case 'completed':
      return completed(task, contentOf(task, reader) as CallToolResult);
    case 'failed': {
      const message = `The call of ${tool.name} was lost: its server stopped, or could not keep the result. Call it again.`;
      return { ...taskState(task, message), error: { code: -32_603, message } };
    }
    case 'cancelled':
      return taskState(
        task,
        task.isCall ? 'Cancelled' : 'Cancelled; what the call has started goes on by itself',
      );
    case 'working':
      return task.isCall ? taskState(task, runningMessage(tool, task)) : followed(task, reader);
  }
}

function completed(task: Task, result: CallToolResult): JsonObject {
  const state = taskState({ ...task, status: 'completed' }, result.isError ? 'Ended with an error' : 'Done');
  return { ...state, result: { ...result, resultType: 'complete' } };
}

/** A task whose work goes on by itself. The first read after its end keeps the result. */
async function followed(task: Task, reader: Reader): Promise<JsonObject> {
  const { caller, runtime } = reader;
  const state = await stateOfWork(contentOf(task, reader) as JsonObject, reader);
  if ('message' in state) return taskState(task, state.message);
  const sealed = runtime.services.seal(caller, 'tasks', task.id, JSON.stringify(state.result));
  await runtime.write(caller, ({ stores }) => stores.tasks.end(task.id, 'completed', sealed));
  return completed({ ...task, updatedAt: new Date() }, state.result);
}

/** How far the work is, or the result that the call has now. */
async function stateOfWork(
  value: JsonObject,
  { caller, runtime, tool, signal, requestId }: Reader,
): Promise<{ readonly message: string } | { readonly result: CallToolResult }> {
  const { background } = tool.mcp;
  if (!background) throw new Error(`${tool.name} starts no work`);
  try {
    const state = await background(value, runtime.stores(caller));
    if (!state.hasEnded) return { message: state.message };
    const ended = { kind: 'value', value: state.value } as const;
    const publish = (whole: unknown) => publishedValue(tool, { value: whole }, {}, false);
    return { result: await callToolResult(tool.name, ended, publish, signal, async () => undefined) };
  } catch (thrown) {
    const error = toToolError(thrown);
    if (error.status >= 500) throw thrown;
    return { result: failedResult(failureOf(error, requestId)) };
  }
}

/** What is stored with a task, decrypted. */
function contentOf({ id, sealedContent }: Task, { caller, runtime }: Reader): unknown {
  if (!sealedContent) throw new Error(`the task ${id} has no content`);
  return JSON.parse(runtime.services.open(caller, 'tasks', id, sealedContent).toString());
}
