import { hash } from 'node:crypto';
import { invalidRequest, ToolError } from '../platform/errors.ts';
import { LongText } from '../platform/long-text.ts';
import { accesses } from './access.ts';
import type { Caller } from './context.ts';
import type { SecretOutput, Tool } from './define.ts';
import type { Call, Invocation } from './invocation.ts';
import { isJsonObject } from './json.ts';
import { type JsonObject, without } from './result.ts';
import type { Claim, StoredResult } from './runtime.ts';

/**
 * True if the operation honours idempotency keys (`decisions#idempotency-keys`): a POST or PATCH that writes and returns a
 * value. All others ignore them: a stream cannot be stored, and visitors of a website share one credential.
 */
export function honoursIdempotencyKey({ rest: { method }, effect, results, special }: Tool): boolean {
  return (
    (method === 'POST' || method === 'PATCH') &&
    !effect.readOnly &&
    results.length === 0 &&
    special.browsers !== true
  );
}

/** What the idempotency key of a call claims; undefined without a key, or if the operation honours none. */
export function claimOf(tool: Tool, { idempotencyKey: key }: Call, caller: Caller): Claim | undefined {
  if (key === undefined || !honoursIdempotencyKey(tool)) return undefined;
  return { credential: credentialOf(caller), operation: tool.name, key };
}

/** The key and what it may do now: a token of an identity provider may stand for a key and do less. */
function credentialOf({ keyId, access }: Caller): string {
  return [keyId, ...accesses.filter((one) => access.has(one))].join(' ');
}

/** @throws ToolError `invalid_request` for a malformed key */
export function checkIdempotencyKey(tool: Tool, { idempotencyKey: key }: Call): void {
  if (key !== undefined && honoursIdempotencyKey(tool) && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw badIdempotencyKey('takes 1 to 255 printable ASCII characters');
}

/**
 * The value that an earlier call with the same key returned.
 * @param hashes of this call's input, as `inputHashes` returns them
 * @throws ToolError `invalid_request` if the earlier call had another input; `secret_shown_once` if its output held a secret
 */
export function replayed(tool: Tool, stored: StoredResult, hashes: readonly string[]): unknown {
  if (!hashes.includes(stored.inputHash)) throw badIdempotencyKey('was used before with another input');
  const { value } = stored;
  const { secretOutput } = tool.special;
  if (secretOutput && isJsonObject(value) && value[secretOutput.member] === null)
    throw shownOnce(tool, secretOutput, value);
  return value;
}

/** The output as it is stored for a retry: null stands for a secret. */
export function storedOutput({ special: { secretOutput } }: Tool, value: unknown): unknown {
  if (!secretOutput || !isJsonObject(value) || value[secretOutput.member] === undefined) return value;
  return { ...value, [secretOutput.member]: null };
}

function shownOnce(tool: Tool, { member, instead }: SecretOutput, value: JsonObject): ToolError {
  const message = `${tool.name} has succeeded with this idempotency key, and showed ${member} once, in the first response. ${instead}`;
  return new ToolError('secret_shown_once', message, {
    details: { result: without(value, [member]) },
    hint: instead,
  });
}

function badIdempotencyKey(problem: string): ToolError {
  return invalidRequest([{ in: 'body', path: '', message: `The idempotency key ${problem}.` }]);
}

/**
 * The hashes by which a retry is recognised; the first is the one to store. If the input holds a secret they are
 * keyed: short secrets can be guessed from a plain hash.
 */
export function inputHashes({ runtime, tool, raw, input }: Invocation): readonly [string, ...string[]] {
  // A name may have another record by the time of the retry, or none.
  const whole = JSON.stringify(hashedInput(raw.sent ?? input));
  return tool.special.secretInput === undefined ? [hash('sha256', whole)] : runtime.digests(whole);
}

/** The input of a change as its audit row may hash it: without the secret. */
export function recordedInput({ special: { secretInput } }: Tool, input: JsonObject): JsonObject {
  const hashed = hashedInput(input);
  return secretInput === undefined ? hashed : { ...hashed, [secretInput]: undefined };
}

function hashedInput(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, shortened(value)]));
}

/** Characters from which a text, such as a file, is hashed as it is, like a `LongText`: as JSON it would take three times as long. */
const longText = 262_144;

function shortened(value: unknown): unknown {
  if (value instanceof LongText) return value;
  return typeof value === 'string' && value.length > longText ? { sha256: hash('sha256', value) } : value;
}
