import { JSONPatchTestFailure, type JSONValue, jsonpatch } from 'json-p3';
import { apply as applyMerge } from 'tiny-merge-patch';
import * as v from 'valibot';
import { idMap } from './schema/values.ts';
import { segmentsOf, valueAt } from './value.ts';

const maximumOperations = 1000;
/** Characters of JSON that all copies of one patch may add: each copy can double the result of the one before. */
const maximumCopied = 262_144;

const Pointer = v.pipe(
  v.string(),
  v.maxLength(10_000),
  v.regex(
    /^(?:\/(?:[^~/]|~[01])*)*$/,
    'Expected a JSON pointer: empty, or segments that each start with a slash.',
  ),
);

/** A JSON Patch (RFC 6902). Other members of an operation are ignored. */
export const JsonPatch = v.pipe(
  v.array(
    v.looseObject({
      op: v.picklist(['add', 'remove', 'replace', 'move', 'copy', 'test']),
      path: Pointer,
      from: v.exactOptional(Pointer),
      value: v.exactOptional(v.unknown()),
    }),
  ),
  v.maxLength(maximumOperations),
);

export const MergePatch = idMap(v.unknown());

export type JsonPatch = v.InferOutput<typeof JsonPatch>;
type Operation = JsonPatch[number];

export interface OperationProblem {
  readonly index: number;
  readonly member: 'path' | 'from' | 'value';
  readonly message: string;
}

/** Checks that the schema cannot express: members that an operation requires, and pointers to a prototype. */
export function operationProblems(patch: JsonPatch): OperationProblem[] {
  return patch.flatMap((operation, index): OperationProblem[] => {
    const { op } = operation;
    const required = op === 'remove' ? 'path' : op === 'move' || op === 'copy' ? 'from' : 'value';
    const missing = Object.hasOwn(operation, required)
      ? []
      : [{ index, member: required, message: `Is required for ${op}.` } as const];
    // json-p3 would set the prototype of an object.
    const prototypes = (['path', 'from'] as const)
      .filter((member) => segmentsOf(operation[member] ?? '').includes('__proto__'))
      .map((member) => ({ index, member, message: 'Must not contain __proto__.' }));
    return [...missing, ...prototypes];
  });
}

/** The patched document, or the index of the operation that failed and why. */
export type Patched =
  | { readonly document: unknown }
  | { readonly operation: number; readonly message: string };

/** Applies a JSON Patch to a copy of the document. */
export function applyPatch(document: unknown, patch: JsonPatch): Patched {
  let patched = structuredClone(document);
  let copied = 0;
  for (const [index, operation] of patch.entries()) {
    const { path, from } = operation;
    const missing = missingPlace(patched, operation);
    if (missing !== undefined) return { operation: index, message: `"${missing}" does not exist.` };
    try {
      let step = operation;
      if (operation.op === 'copy' && from !== undefined) {
        const value = valueAt(patched, segmentsOf(from));
        copied += JSON.stringify(value).length;
        if (copied > maximumCopied)
          return {
            operation: index,
            message: `The copies of a patch may add at most ${maximumCopied} characters of JSON together.`,
          };
        step = { op: 'add', path, value };
      }
      // json-p3 inserts the value itself, so that a later operation would change the patch too.
      patched = jsonpatch.apply([structuredClone(step) as never], patched as JSONValue);
    } catch (error) {
      return { operation: index, message: failureOf(error, operation) };
    }
  }
  return { document: patched };
}

/** Applies a JSON Merge Patch (RFC 7396): null removes a member, and lists are replaced. */
export function applyMergePatch(document: unknown, patch: Readonly<Record<string, unknown>>): unknown {
  return applyMerge(document, patch);
}

/**
 * The first pointer of an operation that must exist and does not. It is checked here, because json-p3 also finds inherited
 * members and supports extensions such as `#name`.
 */
function missingPlace(document: unknown, { op, path, from }: Operation): string | undefined {
  if (from !== undefined && (op === 'move' || op === 'copy') && isMissing(document, from)) return from;
  if (op === 'remove' || op === 'replace' || op === 'test')
    return isMissing(document, path) ? path : undefined;
  const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  return isMissing(document, parent) ? parent : undefined;
}

function isMissing(document: unknown, pointer: string): boolean {
  return valueAt(document, segmentsOf(pointer)) === undefined;
}

function failureOf(error: unknown, { op, path }: Operation): string {
  if (error instanceof JSONPatchTestFailure) return `The value at "${path}" is not the value of this test.`;
  const reason = error instanceof Error ? error.message.replace(/ \(\w+:\d+\)$/, '') : 'unknown error';
  return `Cannot ${op} at "${path}": ${reason}.`;
}
