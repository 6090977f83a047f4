import { isDatabaseUnable, ToolError, unauthorized } from '../errors.ts';
import { checkReferences, earlyKeyStatus, requireAccess, requireStatus } from './admission.ts';
import type { Caller } from './context.ts';
import type { Tool } from './define.ts';
import { checkIdempotencyKey } from './idempotency.ts';
import { parseInput, type RawInput } from './input.ts';
import type { Call } from './invocation.ts';
import { modes, runOpen } from './modes.ts';
import type { JsonObject, ToolResult } from './result.ts';
import type { Runtime } from './runtime.ts';

/**
 * Runs one operation. It is the only way to reach a handler, on every transport: access, input, key status and
 * project state, idempotency, transaction, handler, audit row, output. Errors come in the order of
 * `decisions#order-of-errors`, and no response leaves, not even an error, before the key's status was read.
 * @throws ToolError for every refusal; anything else is a failure of Parley.
 */
export async function invoke(runtime: Runtime, tool: Tool, call: Call): Promise<ToolResult> {
  try {
    return await (tool.access === 'none'
      ? invokeOpen(runtime, tool, call)
      : invokeAsCaller(runtime, tool, call));
  } catch (thrown) {
    const { unavailable } = tool.special;
    if (unavailable === undefined || !isDatabaseUnable(thrown)) throw thrown;
    throw new ToolError(unavailable, '', { cause: thrown, retryAfter: 1 });
  }
}

async function invokeOpen(runtime: Runtime, tool: Tool, call: Call): Promise<ToolResult> {
  const { input } = await readInput(tool, call);
  return runOpen(runtime, tool, call, input);
}

async function invokeAsCaller(runtime: Runtime, tool: Tool, call: Call): Promise<ToolResult> {
  const { caller } = call;
  if (!caller) throw unauthorized();
  const keyStatus = earlyKeyStatus(runtime, tool, call, caller);
  const checked = await admittedInput(tool, call, caller).catch(async (refusal: unknown) => {
    // A revoked key and a paused project outrank every other refusal.
    requireStatus(tool, await (keyStatus ?? runtime.keyStatus(caller)));
    throw refusal;
  });
  // Each mode requires the status before its result leaves, and checks the output.
  return modes[tool.transaction]({ runtime, tool, call, caller, keyStatus, ...checked });
}

/** The input of a call that its caller may make. */
async function admittedInput(tool: Tool, call: Call, caller: Caller) {
  requireAccess(tool, caller);
  const checked = await readInput(tool, call);
  checkIdempotencyKey(tool, call);
  checkReferences(tool, caller, checked.input);
  return checked;
}

async function readInput(tool: Tool, call: Call): Promise<{ raw: RawInput; input: JsonObject }> {
  const raw = await call.input();
  if (tool.special.beforeCheck) await tool.special.beforeCheck(raw.value);
  return { raw, input: parseInput(tool, raw, call.naming) };
}
