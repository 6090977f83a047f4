import { isDatabaseUnable, isOutcomeUnknown, ToolError, unauthorized } from '../platform/errors.ts';
import { activeTracing, inSpan } from '../platform/tracing/spans.ts';
import {
  checkReferences,
  earlyKeyStatus,
  requireAccess,
  requireAdmission,
  requireInputAccess,
  requireStatus,
} from './admission.ts';
import type { Caller } from './context.ts';
import type { Tool } from './define.ts';
import { checkIdempotencyKey } from './idempotency.ts';
import { parseInput, type RawInput } from './input.ts';
import type { Call, TakeTurn } from './invocation.ts';
import { modes, refuseName, replayOfAllowed, runOpen } from './modes.ts';
import type { JsonObject, ToolResult } from './result.ts';
import type { Runtime } from './runtime.ts';

/**
 * Runs one operation. It is the only way to reach a handler, on every transport: access, input, key status and
 * project state, idempotency, transaction, handler, audit row, output. Errors come in the order of
 * `decisions#order-of-errors`, and no response leaves, not even an error, before the key's status was read.
 * @throws ToolError for every refusal; anything else is a failure of Parley.
 */
export function invoke(runtime: Runtime, tool: Tool, call: Call): Promise<ToolResult> {
  if (!activeTracing()) return run(runtime, tool, call);
  const { requestId, caller } = call;
  const attributes = {
    'parley.operation': tool.name,
    'parley.request_id': requestId,
    'parley.project_id': caller?.projectId,
  };
  return inSpan({ name: tool.name, kind: 'internal', attributes }, () => run(runtime, tool, call));
}

async function run(runtime: Runtime, tool: Tool, call: Call): Promise<ToolResult> {
  try {
    return await (tool.access === 'none'
      ? invokeOpen(runtime, tool, call)
      : invokeAsCaller(runtime, tool, call));
  } catch (thrown) {
    throw documentedFailure(tool, thrown);
  }
}

/**
 * What a call of an operation throws: the operation's own code for a database that fails, if it has one. Such a code may say
 * that nothing was written, so it does not stand for a commit that nobody has confirmed.
 */
export function documentedFailure({ special: { unavailable } }: Tool, thrown: unknown): unknown {
  if (unavailable === undefined || !isDatabaseUnable(thrown) || isOutcomeUnknown(thrown)) return thrown;
  return new ToolError(unavailable, '', { cause: thrown, retryAfter: 1 });
}

async function invokeOpen(runtime: Runtime, tool: Tool, call: Call): Promise<ToolResult> {
  const { input } = await readInput(tool, call, async () => undefined);
  return runOpen(runtime, tool, call, input);
}

async function invokeAsCaller(runtime: Runtime, tool: Tool, call: Call): Promise<ToolResult> {
  const { caller } = call;
  if (!caller) throw unauthorized();
  const keyStatus = earlyKeyStatus(runtime, tool, call, caller);
  const checked = await admittedInput(runtime, tool, call, caller).catch(async (refusal: unknown) => {
    // A revoked key and a paused project outrank every other refusal.
    requireStatus(tool, await (keyStatus ?? runtime.keyStatus(caller)));
    throw refusal;
  });
  const invocation = { runtime, tool, call, caller, keyStatus, ...checked };
  const { unknownName } = checked.raw;
  if (unknownName) return refuseName(invocation, unknownName);
  if (call.beforeChange) {
    const replay = await replayOfAllowed(invocation);
    if (replay) return replay;
    const input = await call.beforeChange(checked.input);
    return modes[tool.transaction]({ ...invocation, input });
  }
  // Each mode requires the status before its result leaves, and checks the output.
  return modes[tool.transaction](invocation);
}

/** The input of a call that its caller may make. */
async function admittedInput(runtime: Runtime, tool: Tool, call: Call, caller: Caller) {
  requireAccess(tool, caller);
  const admission = runtime.admit(caller, call.client);
  if (admission) requireAdmission(call, await admission);
  const checked = await readInput(tool, call, () => runtime.services.turn(caller));
  requireInputAccess(tool, caller, checked.input);
  checkIdempotencyKey(tool, call);
  checkReferences(tool, caller, checked.input);
  return checked;
}

async function readInput(
  tool: Tool,
  call: Call,
  turn: TakeTurn,
): Promise<{ raw: RawInput; input: JsonObject }> {
  const raw = await call.input(turn);
  if (tool.special.beforeCheck) await tool.special.beforeCheck(raw.value);
  return { raw, input: parseInput(tool, raw, call.naming) };
}
