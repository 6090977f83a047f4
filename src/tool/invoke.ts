import { hash } from 'node:crypto';
import * as v from 'valibot';
import { invalidRequest, isDatabaseUnable, jsonPointer, ToolError, unauthorized } from '../errors.ts';
import type { Stores } from '../store/stores.ts';
import type { Caller, OpenContext, OutsideContext, OwnTransactionContext, ToolContext } from './context.ts';
import type { Tool } from './define.ts';
import { notFound } from './found.ts';
import { messageOf, type Naming, parseInput, pathOf, type RawInput } from './input.ts';
import { idsAt, isKind } from './reference.ts';
import { Bytes, EventStream, type JsonObject, Relay, type ToolResult, type ValueResult } from './result.ts';
import type { KeyStatus, Ledger, Runtime, StoredResult } from './runtime.ts';

/** One call of one operation, as an adapter hands it over. */
export interface Call {
  /** Undefined for operations of access `none` only. */
  readonly caller: Caller | undefined;
  readonly requestId: string;
  /** Reads the input; asked only when the access is granted. May throw 413. */
  readonly input: () => RawInput | Promise<RawInput>;
  /** In whose words issues name their place. */
  readonly naming: Naming;
  readonly idempotencyKey: string | undefined;
  /** The origin of the web page that calls, where there is one. */
  readonly origin?: string | undefined;
  /** The trace that it belongs to, where its caller says so (W3C Trace Context, `traceparent`). */
  readonly trace?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The only way to run a handler: access, project state, input, idempotency, transaction, handler, audit row,
 * output, in the order of refusals of `decisions` 1. Nothing is answered, not even a refusal, before the
 * status of the key was read.
 * @throws ToolError for every refusal; anything else that is thrown is a failure of ours.
 */
export function invoke(runtime: Runtime, tool: Tool, call: Call): Promise<ToolResult> {
  const { unavailable } = tool;
  const answer = answerTo(runtime, tool, call);
  if (unavailable === undefined) return answer;
  return answer.catch((thrown: unknown) => {
    throw isDatabaseUnable(thrown)
      ? new ToolError(unavailable, '', { cause: thrown, retryAfter: 1 })
      : thrown;
  });
}

async function answerTo(runtime: Runtime, tool: Tool, call: Call): Promise<ToolResult> {
  if (tool.access === 'none') {
    const input = parseInput(tool, await call.input(), call.naming);
    const { requestId, signal } = call;
    return answerOf(tool, await handle(tool, { build: runtime.build, signal, requestId }, input));
  }
  const { caller } = call;
  if (!caller) throw unauthorized();
  const { transaction = tool.effect.readOnly ? 'read' : 'write' } = tool.effect;
  // Asked before the input is there, where the answer is what the call would wait for next.
  const asked = transaction === 'none' && !tool.lookup ? runtime.keyStatus(caller) : undefined;
  // It may be awaited after something else has failed.
  asked?.catch(() => undefined);
  let input: Record<string, unknown>;
  let there: RawInput;
  try {
    requireAccess(tool, caller);
    if (tool.prepare) await tool.prepare();
    const given = call.input();
    there = given instanceof Promise ? await given : given;
    input = parseInput(tool, there, call.naming);
    checkIdempotencyKey(tool, call);
    checkReferences(tool, caller, input);
  } catch (refused) {
    admit(tool, await (asked ?? runtime.keyStatus(caller)));
    throw refused;
  }
  const { build, services } = runtime;
  const { requestId, origin, signal } = call;
  const common = { build, services, signal, requestId, origin, caller };
  switch (transaction) {
    case 'read': {
      const { keyStatus, stores } = runtime.read(caller);
      return answerOf(tool, await admitted(tool, keyStatus, handle(tool, { ...common, stores }, input)));
    }
    case 'snapshot': {
      const keyStatus = runtime.keyStatus(caller);
      const result = runtime.snapshot(caller, (stores) => handle(tool, { ...common, stores }, input));
      return answerOf(tool, await admitted(tool, keyStatus, result));
    }
    case 'write': {
      const keyStatus = runtime.keyStatus(caller);
      // It is awaited in the transaction; a BEGIN that fails first must not leave it unhandled.
      keyStatus.catch(() => undefined);
      return runtime.write(caller, async (stores, ledger) => {
        admit(tool, await keyStatus);
        const work = () => handle(tool, { ...common, stores }, input);
        return change(runtime, tool, call, caller, input, ledger, work);
      });
    }
    case 'none': {
      const { keyStatus, stores } = asked
        ? { keyStatus: asked, stores: runtime.stores(caller) }
        : runtime.read(caller);
      const found = await admitted(tool, keyStatus, lookUp(tool, stores, input));
      const { bytes, fields } = there;
      const outside: OutsideContext = { ...common, stores, bytes, fields, found, trace: call.trace };
      return answerOf(tool, await handle(tool, outside, input));
    }
    case 'own':
      admit(tool, await runtime.keyStatus(caller));
      return ownTransaction(runtime, tool, call, caller, input);
  }
}

/** A change with all that belongs into its transaction: the idempotency record and the audit row. */
async function change(
  runtime: Runtime,
  tool: Tool,
  call: Call,
  caller: Caller,
  input: Readonly<Record<string, unknown>>,
  ledger: Ledger,
  work: () => Promise<unknown>,
): Promise<ValueResult> {
  const key = idempotencyKeyOf(tool, call);
  if (key !== undefined) {
    const known = knownBy(runtime, tool, call, input);
    const stored = await ledger.claim(tool.name, key, known[0]);
    if (stored) return { kind: 'value', value: replay(stored, known) };
  }
  const value = checkOutput(tool, await work());
  const json = JSON.stringify(value);
  const { keyId } = caller;
  await ledger.audit({
    keyId,
    operation: tool.name,
    requestId: call.requestId,
    inputHash: hash('sha256', JSON.stringify(told(tool, call, input))),
    outputHash: hash('sha256', json),
  });
  if (key !== undefined) await ledger.settle(tool.name, key, value, tool.secretAnswer);
  return { kind: 'value', value, json };
}

/** A handler that waits for something outside: no connection is held until it asks for its write. */
async function ownTransaction(
  runtime: Runtime,
  tool: Tool,
  call: Call,
  caller: Caller,
  input: Record<string, unknown>,
): Promise<ToolResult> {
  const key = idempotencyKeyOf(tool, call);
  const stored = key === undefined ? undefined : await runtime.storedResult(caller, tool.name, key);
  if (stored) return { kind: 'value', value: replay(stored, knownBy(runtime, tool, call, input)) };
  let written: ValueResult | undefined;
  const context: OwnTransactionContext = {
    build: runtime.build,
    services: runtime.services,
    signal: call.signal,
    origin: call.origin,
    requestId: call.requestId,
    caller,
    stores: runtime.stores(caller),
    async write<Output>(work: (stores: Stores) => Promise<Output>): Promise<Output> {
      if (written) throw new Error(`${tool.name} writes twice`);
      written = await runtime.write(caller, (stores, ledger) =>
        change(runtime, tool, call, caller, input, ledger, () => work(stores)),
      );
      return written.value as Output;
    },
  };
  const result = await handle(tool, context, input);
  if (!written) return answerOf(tool, result);
  if (written.value !== result) throw new Error(`${tool.name} answers other than what it wrote`);
  return written;
}

/** In this tick, so that it goes along with the question for the keyStatus. */
async function lookUp(tool: Tool, stores: Stores, input: Record<string, unknown>): Promise<unknown> {
  return tool.lookup?.(stores, input as never);
}

/** Asynchronous, so that a handler that throws at once rejects like any other. */
async function handle(
  tool: Tool,
  context: OpenContext | ToolContext,
  input: Record<string, unknown>,
): Promise<unknown> {
  try {
    return await tool.handler(context as never, input as never);
  } catch (thrown) {
    // A transaction that is rejected with nothing would count as committed.
    throw thrown instanceof Error
      ? thrown
      : new Error(`${tool.name} threw what is no error`, { cause: thrown });
  }
}

/** 403 where the key's type or access does not allow the operation. */
function requireAccess(tool: Tool, caller: Caller): void {
  if (tool.access === 'none') return;
  if (caller.keyType === 'publishable' && !tool.publishableKeys)
    throw new ToolError('forbidden', `A publishable key cannot call ${tool.name}.`);
  if (!caller.access.has(tool.access))
    throw new ToolError(
      'forbidden',
      `${tool.name} needs the access "${tool.access}"; this key has ${[...caller.access].join(', ') || 'none'}.`,
    );
}

/** 401 where the key is revoked, 403 where the project's state forbids the operation. */
function admit(tool: Tool, keyStatus: KeyStatus | undefined): void {
  if (keyStatus?.keyStatus !== 'active') throw unauthorized();
  if (!tool.projectStatus.includes(keyStatus.projectStatus))
    throw new ToolError('forbidden', `The project is ${keyStatus.projectStatus}; ${tool.name} is refused.`);
}

/** The result, or its failure, once the keyStatus allows to say either. */
async function admitted(
  tool: Tool,
  keyStatus: Promise<KeyStatus | undefined>,
  result: Promise<unknown>,
): Promise<unknown> {
  // It may fail before the keyStatus is known; whether that is said is decided then.
  result.catch(() => undefined);
  admit(tool, await keyStatus);
  return result;
}

/** The key, where the operation heeds one (`decisions` 1): POST and PATCH that write. */
function idempotencyKeyOf(tool: Tool, call: Call): string | undefined {
  const { method } = tool.rest;
  return (method === 'POST' || method === 'PATCH') && !tool.effect.readOnly ? call.idempotencyKey : undefined;
}

function checkIdempotencyKey(tool: Tool, call: Call): void {
  const key = idempotencyKeyOf(tool, call);
  if (key === undefined) return;
  if (tool.results.length > 0)
    throw badIdempotencyKey('is not accepted where the answer is a stream or bytes');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw badIdempotencyKey('takes 1 to 255 printable ASCII characters');
}

function badIdempotencyKey(what: string): ToolError {
  return invalidRequest([{ in: 'body', path: '', message: `The idempotency key ${what}.` }]);
}

function replay(stored: StoredResult, known: readonly string[]): unknown {
  if (!known.includes(stored.inputHash)) throw badIdempotencyKey('was used before with another input');
  return stored.answer;
}

/** 404, without a query, for an id of another kind and for another project's. */
function checkReferences(tool: Tool, caller: Caller, input: unknown): void {
  for (const { path, name, isBuiltIn } of tool.references)
    for (const id of idsAt(input, path))
      if (name === 'project' ? id !== caller.projectId : !isKind(id, name) && !isBuiltIn(id))
        throw notFound(name, id);
}

function answerOf(tool: Tool, result: unknown): ToolResult {
  const kind = kindOfResult(result);
  if (kind !== 'value' && !tool.results.includes(kind)) throw new Error(`${tool.name} answers with ${kind}`);
  if (result instanceof EventStream) return { kind: 'events', events: checkedEvents(tool, result.events) };
  if (result instanceof Bytes) {
    const { contentType, body, length } = result;
    return { kind: 'bytes', contentType, body, length };
  }
  if (result instanceof Relay) {
    const { contentType, body, interpret, events } = result;
    return {
      kind: 'relay',
      contentType,
      body,
      interpret: (whole) => checkOutput(tool, interpret(whole)),
      events: events && ((body) => checkedEvents(tool, events(body))),
    };
  }
  return { kind: 'value', value: checkOutput(tool, result) };
}

function kindOfResult(result: unknown): ToolResult['kind'] {
  if (result instanceof EventStream) return 'events';
  if (result instanceof Bytes) return 'bytes';
  return result instanceof Relay ? 'relay' : 'value';
}

async function* checkedEvents(tool: Tool, events: AsyncGenerator<JsonObject, unknown, undefined>) {
  return checkOutput(tool, yield* events);
}

/** The value, which has to be exactly what the definition promises: a member too many is our failure. */
function checkOutput(tool: Tool, value: unknown): unknown {
  const checked = v.safeParse(tool.output, value);
  if (checked.success) return checked.output;
  const issues = checked.issues.map((issue) => `${jsonPointer(pathOf(issue))} ${messageOf(issue)}`);
  throw new Error(`${tool.name} answers what its output schema refuses: ${issues.join('; ')}`);
}

/** A text of so many characters, such as a file, is hashed as it is: as JSON it would take three times as long. */
const longText = 262_144;

/** The input without what is kept secret: not even a hash of that may lie about, since short ones can be guessed. */
function told({ secretInput, cors }: Tool, { origin }: Call, input: Readonly<Record<string, unknown>>) {
  return {
    ...Object.fromEntries(Object.entries(input).map(([name, value]) => [name, shortened(value)])),
    ...(secretInput !== undefined && { [secretInput]: undefined }),
    // What a page of one origin was answered is not repeated to a page of another.
    ...(cors && { origin }),
  };
}

/** By which hashes a retry is known, the one to store first: of the whole input, and by secret keys where it has a secret. */
function knownBy(
  runtime: Runtime,
  tool: Tool,
  call: Call,
  input: Readonly<Record<string, unknown>>,
): readonly [string, ...string[]] {
  const whole = JSON.stringify(told({ ...tool, secretInput: undefined }, call, input));
  return tool.secretInput === undefined ? [hash('sha256', whole)] : runtime.digests(whole);
}

function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.length > longText ? { sha256: hash('sha256', value) } : value;
}
