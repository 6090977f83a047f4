import { hash } from 'node:crypto';
import { invalidRequest, type ToolError } from '../errors.ts';
import type { Tool } from './define.ts';
import type { Call, Invocation } from './invocation.ts';
import type { JsonObject } from './result.ts';
import type { StoredResult } from './runtime.ts';

/**
 * True if the operation honours idempotency keys (`decisions#idempotency-keys`): a POST or PATCH that writes and returns a
 * value. All others ignore them: a stream cannot be stored.
 */
function honoursIdempotencyKey({ rest: { method }, effect, results }: Tool): boolean {
  return (method === 'POST' || method === 'PATCH') && !effect.readOnly && results.length === 0;
}

/** The idempotency key of a call, if the operation honours one. */
export function idempotencyKeyOf(tool: Tool, call: Call): string | undefined {
  return honoursIdempotencyKey(tool) ? call.idempotencyKey : undefined;
}

/** @throws ToolError `invalid_request` for a malformed key */
export function checkIdempotencyKey(tool: Tool, call: Call): void {
  const key = idempotencyKeyOf(tool, call);
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw badIdempotencyKey('takes 1 to 255 printable ASCII characters');
}

/**
 * The value that an earlier call with the same key returned.
 * @param hashes of this call's input, as `inputHashes` returns them
 * @throws ToolError `invalid_request` if the earlier call had another input
 */
export function replayed(stored: StoredResult, hashes: readonly string[]): unknown {
  if (!hashes.includes(stored.inputHash)) throw badIdempotencyKey('was used before with another input');
  return stored.value;
}

function badIdempotencyKey(problem: string): ToolError {
  return invalidRequest([{ in: 'body', path: '', message: `The idempotency key ${problem}.` }]);
}

/**
 * The hashes by which a retry is recognised; the first is the one to store. If the input holds a secret they are
 * keyed: short secrets can be guessed from a plain hash.
 */
export function inputHashes({ runtime, tool, call, raw, input }: Invocation): readonly [string, ...string[]] {
  // A name may have another record by the time of the retry, or none.
  const whole = JSON.stringify(hashedInput(tool, call, raw.sent ?? input));
  return tool.special.secretInput === undefined ? [hash('sha256', whole)] : runtime.digests(whole);
}

/** The input of a change as its audit row may hash it: without the secret. */
export function recordedInput(tool: Tool, call: Call, input: JsonObject): JsonObject {
  const { secretInput } = tool.special;
  const hashed = hashedInput(tool, call, input);
  return secretInput === undefined ? hashed : { ...hashed, [secretInput]: undefined };
}

function hashedInput({ special }: Tool, { origin }: Call, input: JsonObject): JsonObject {
  return {
    ...Object.fromEntries(Object.entries(input).map(([name, value]) => [name, shortened(value)])),
    // A page of another origin never gets the response that was for this one.
    ...(special.browsers && { origin }),
  };
}

/** Characters from which a text, such as a file, is hashed as it is: as JSON it would take three times as long. */
const longText = 262_144;

function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.length > longText ? { sha256: hash('sha256', value) } : value;
}
