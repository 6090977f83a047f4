import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { McpTool } from '../../environment/mcp-view.ts';
import { tighten } from '../../environment/selection.ts';
import type { Caller } from '../../operation/context.ts';
import type { JsonObject, ToolResult } from '../../operation/result.ts';
import type { Log } from '../../platform/log.ts';
import type { Task, TaskStatus } from '../../store/tasks.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import type { CallTool, McpSession, StartedTask, ToolCall } from './server.ts';

/** Milliseconds after which a call becomes a task. Nobody minds waiting that long, and most calls have ended by then. */
const patience = 500;
/** Milliseconds between two words to the database that a call still runs. */
const renewInterval = 1_000;
/** Milliseconds between two looks of a client. */
const pollIntervalMs = 2_000;

/** A call that has become a task in this process. */
interface RunningCall {
  readonly task: Task;
  readonly caller: Caller;
  readonly runtime: ServerRuntime;
  /** Ends the call. */
  readonly work: AbortController;
}

/** A task as every result shows it (SEP-2663). */
export function taskState(task: Task, statusMessage: string): JsonObject {
  return {
    taskId: task.id,
    status: task.status,
    statusMessage,
    createdAt: task.createdAt.toISOString(),
    lastUpdatedAt: task.updatedAt.toISOString(),
    ttlMs: task.expiresAt.getTime() - task.createdAt.getTime(),
    pollIntervalMs,
  };
}

/** What a person reads of a call that runs. */
export function runningMessage({ title }: McpTool, { createdAt }: Task): string {
  return `${title}: ${Math.max(1, Math.round((Date.now() - createdAt.getTime()) / 1_000))} s so far`;
}

/**
 * The calls that this process runs as tasks. Every replica finds them in the database; this process renews their leases, and ends
 * those that were cancelled and those of revoked keys.
 */
export class TaskRuns {
  readonly #log: Log;
  readonly #running = new Map<string, RunningCall>();
  /** Resolve once their tasks have ended in the database. */
  readonly #finishing = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Runs a call. Returns a task if the call takes long and its client and tool allow it. */
  async run(call: ToolCall, session: McpSession, tool: McpTool | undefined, callTool: CallTool) {
    if (!call.takesTask || !tool?.mcp.mayBecomeTask) return callTool(call, session);
    const work = new AbortController();
    const leave = () => work.abort(call.signal.reason);
    if (call.signal.aborted) leave();
    call.signal.addEventListener('abort', leave);
    try {
      const result = callTool({ ...call, signal: work.signal }, session);
      const early = await Promise.race([result, sleep(patience, undefined, { ref: false })]);
      if (early) return early;
      const caller = tighten(await session.caller(), session.selection);
      const runtime = await session.runtime();
      const task = await createTask(runtime, caller, tool, null);
      if (!task) return await result;
      this.#hold({ task, caller, runtime, work }, result);
      return started(taskState(task, runningMessage(tool, task)));
    } finally {
      call.signal.removeEventListener('abort', leave);
    }
  }

  /** Makes a task of the work that a call has started, unless that has ended or there are too many tasks. */
  async follow(
    tool: McpTool,
    result: ToolResult,
    { caller, runtime }: { readonly caller: Caller; readonly runtime: ServerRuntime },
  ): Promise<StartedTask | undefined> {
    if (!tool.mcp.background || result.kind !== 'value') return undefined;
    const value = result.value as JsonObject;
    const { hasEnded, message } = await tool.mcp.background(value, runtime.stores(caller));
    const task = hasEnded ? undefined : await createTask(runtime, caller, tool, value);
    return task && started(taskState(task, message));
  }

  /** Ends the call of a task if it runs here. */
  cancel(id: string): void {
    this.#running.get(id)?.work.abort();
  }

  /** Ends all calls, whose tasks fail. */
  async end(): Promise<void> {
    for (const { work } of this.#running.values()) work.abort();
    await Promise.all(this.#finishing);
  }

  #hold(running: RunningCall, result: ReturnType<CallTool>): void {
    const { id } = running.task;
    this.#running.set(id, running);
    this.#timer ??= setInterval(() => void this.#renew(), renewInterval).unref();
    const finished = this.#finish(running, result)
      .catch(async (err: unknown) => {
        this.#log.error({ err, taskId: id }, 'the result of a task was not stored');
        await end(running, 'failed', null);
      })
      .catch((err: unknown) => this.#log.error({ err, taskId: id }, 'a task ends with its lease'))
      .finally(() => {
        this.#finishing.delete(finished);
        this.#running.delete(id);
        if (this.#running.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
      });
    this.#finishing.add(finished);
  }

  async #finish(running: RunningCall, result: ReturnType<CallTool>): Promise<void> {
    const { task, caller, runtime, work } = running;
    const whole = await result;
    if (work.signal.aborted) return end(running, 'failed', null);
    return end(running, 'completed', runtime.services.seal(caller, 'tasks', task.id, JSON.stringify(whole)));
  }

  /** A process has one runtime, which all its calls share. */
  async #renew(): Promise<void> {
    const held = [...this.#running.values()];
    const [first] = held;
    try {
      const named = held.map(({ task: { id }, caller: { projectId } }) => ({ id, projectId }));
      const renewed = new Set(await first?.runtime.renewTasks(named));
      for (const { task, work } of held) if (!renewed.has(task.id)) work.abort();
    } catch (err) {
      this.#log.warn({ err }, 'the leases of tasks were not renewed');
    }
  }
}

/** Ends a task in the database, unless it has been cancelled. */
function end({ task, caller, runtime }: RunningCall, status: TaskStatus, content: Buffer | null) {
  return runtime.write(caller, ({ stores }) => stores.tasks.end(task.id, status, content));
}

function started(task: JsonObject): StartedTask {
  return { kind: 'task', task };
}

/** Stores a task, before anybody hears of it. `value` is what the call returned, if the work goes on by itself. */
function createTask(
  runtime: ServerRuntime,
  caller: Caller,
  { name: tool }: McpTool,
  value: JsonObject | null,
): Promise<Task | undefined> {
  const id = randomUUID();
  const sealedContent = value && runtime.services.seal(caller, 'tasks', id, JSON.stringify(value));
  return runtime.write(caller, async ({ stores }) => {
    // The lock keeps others from creating one between counting and inserting.
    await stores.projects.hold();
    return stores.tasks.create({ id, keyId: caller.keyId, access: [...caller.access], tool, sealedContent });
  });
}
