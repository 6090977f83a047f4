import { hash } from 'node:crypto';
import type { ToolError } from '../platform/errors.ts';
import { afterStatus, requireStatus } from './admission.ts';
import { changeOf } from './change.ts';
import type {
  KeyStatus,
  OpenContext,
  OutsideContext,
  OwnTransactionContext,
  ToolContext,
} from './context.ts';
import type { Tool, Transaction } from './define.ts';
import { outputText } from './document.ts';
import { claimOf, inputHashes, recordedInput, replayed, storedOutput } from './idempotency.ts';
import type { Call, Invocation } from './invocation.ts';
import { checkOutput, resultOf } from './output.ts';
import type { JsonObject, ToolResult, ValueResult } from './result.ts';
import type { Ledger, Runtime } from './runtime.ts';

/** Every mode: it runs the handler, and returns the checked result of a call whose key and project allow it. */
export const modes: Readonly<Record<Transaction, (invocation: Invocation) => Promise<ToolResult>>> = {
  async read(invocation) {
    const { tool, input } = invocation;
    const { keyStatus, stores } = readStores(invocation);
    const result = runHandler(tool, contextOf(invocation, stores), input);
    return resultOf(tool, await afterStatus(tool, keyStatus, result));
  },

  async snapshot(invocation) {
    const { runtime, tool, caller, input } = invocation;
    const keyStatus = keyStatusOf(invocation);
    const result = runtime.snapshot(caller, (stores) =>
      runHandler(tool, contextOf(invocation, stores), input),
    );
    return resultOf(tool, await afterStatus(tool, keyStatus, result));
  },

  async write(invocation) {
    const { runtime, tool, caller, input } = invocation;
    return runtime.write(caller, ({ stores, ledger, keyStatus }) => {
      // The handler begins before the status is known, and its changes are rolled back if the key may not make them.
      const status = invocation.keyStatus ?? keyStatus();
      const work = () => runHandler(tool, contextOf(invocation, stores), input);
      return afterStatus(tool, status, change(invocation, ledger, work));
    });
  },

  /** The handler waits for something outside: no connection is held until it asks for its write. */
  async own(invocation) {
    const { runtime, tool, caller, input } = invocation;
    requireStatus(tool, await keyStatusOf(invocation));
    const replay = await replayOf(invocation);
    if (replay) return replay;
    let written: ValueResult | undefined;
    const context: OwnTransactionContext = {
      ...contextOf(invocation, runtime.stores(caller)),
      async write<Output>(work: (stores: object) => Promise<Output>): Promise<Output> {
        if (written) throw new Error(`${tool.name} writes twice`);
        written = await runtime.write(caller, ({ stores, ledger }) =>
          change(invocation, ledger, () => work(stores)),
        );
        return written.value as Output;
      },
    };
    const result = await runHandler(tool, context, input);
    if (!written) return resultOf(tool, result);
    if (written.value !== result) throw new Error(`${tool.name} returns other than what it wrote`);
    return written;
  },

  /** Everything that the handler changes is outside. */
  async none(invocation) {
    const { tool, call, raw, input } = invocation;
    const { keyStatus, stores } = readStores(invocation);
    let found: unknown;
    if (tool.special.lookup) found = await afterStatus(tool, keyStatus, lookUp(tool, stores, input));
    else requireStatus(tool, await keyStatus);
    const { bytes, fields } = raw;
    const outside: OutsideContext = {
      ...contextOf(invocation, stores),
      bytes,
      fields,
      found,
      trace: call.trace,
    };
    return resultOf(tool, await runHandler(tool, outside, input));
  },
};

/** Runs an operation without authentication: it has neither a caller nor stores. */
export async function runOpen(
  { build }: Runtime,
  tool: Tool,
  { signal, requestId }: Call,
  input: JsonObject,
): Promise<ToolResult> {
  return resultOf(tool, await runHandler(tool, { build, signal, requestId }, input));
}

/**
 * Ends a call whose input has a name without a record: with the result of an earlier call with the same idempotency key,
 * which may be why the name is gone, else with the refusal.
 */
export async function refuseName(invocation: Invocation, refusal: ToolError): Promise<ToolResult> {
  const replay = await replayOfAllowed(invocation);
  if (replay) return replay;
  throw refusal;
}

/**
 * The stored result of an earlier call with the same idempotency key, if there is one.
 * @throws ToolError if the key or its project does not allow the call
 */
export async function replayOfAllowed(invocation: Invocation): Promise<ValueResult | undefined> {
  requireStatus(invocation.tool, await keyStatusOf(invocation));
  return replayOf(invocation);
}

/** Makes a change with the records that belong in its transaction: the idempotency key's and the audit row. */
async function change(
  invocation: Invocation,
  ledger: Ledger,
  work: () => Promise<unknown>,
): Promise<ValueResult> {
  const { tool, call, caller, input } = invocation;
  const claim = claimOf(tool, call, caller);
  if (claim) {
    const hashes = inputHashes(invocation);
    const stored = await ledger.claim(claim, hashes[0]);
    if (stored) return { kind: 'value', value: replayed(tool, stored, hashes) };
  }
  const value = checkOutput(tool, await work());
  const json = outputText(value);
  ledger.audit({
    keyId: caller.keyId,
    operation: tool.name,
    requestId: call.requestId,
    inputHash: hash('sha256', JSON.stringify(recordedInput(tool, input))),
    outputHash: hash('sha256', json),
    ...changeOf(tool, input, value),
  });
  if (claim) {
    const kept = storedOutput(tool, value);
    ledger.settle(claim, kept === value ? json : outputText(kept));
  }
  return { kind: 'value', value, json };
}

/** The stored result of an earlier call with the same idempotency key, if there is one. */
async function replayOf(invocation: Invocation): Promise<ValueResult | undefined> {
  const { runtime, tool, call, caller } = invocation;
  const claim = claimOf(tool, call, caller);
  const stored = claim && (await runtime.storedResult(caller, claim));
  return stored && { kind: 'value', value: replayed(tool, stored, inputHashes(invocation)) };
}

function keyStatusOf({ runtime, caller, keyStatus }: Invocation): Promise<KeyStatus | undefined> {
  return keyStatus ?? runtime.keyStatus(caller);
}

/** Stores for reading; the status, unless it was requested before, goes along with their first point read. */
function readStores({ runtime, caller, keyStatus }: Invocation) {
  return keyStatus ? { keyStatus, stores: runtime.stores(caller) } : runtime.read(caller);
}

function contextOf({ runtime, call, caller }: Invocation, stores: object): ToolContext {
  const { build, services } = runtime;
  const { signal, requestId, origin } = call;
  return { build, services, signal, requestId, origin, caller, stores };
}

/** Asynchronous, so that a lookup that throws at once rejects like any other. */
async function lookUp(tool: Tool, stores: object, input: JsonObject): Promise<unknown> {
  return tool.special.lookup?.(stores as never, input as never);
}

/** Asynchronous, so that a handler that throws at once rejects like any other. */
async function runHandler(
  tool: Tool,
  context: OpenContext | ToolContext,
  input: JsonObject,
): Promise<unknown> {
  try {
    return await tool.handler(context as never, input as never);
  } catch (thrown) {
    // knex commits a transaction whose work rejects with undefined.
    throw thrown instanceof Error
      ? thrown
      : new Error(`${tool.name} threw something that is not an Error`, { cause: thrown });
  }
}
