import { JSONPatchTestFailure, type JSONValue, jsonpatch } from 'json-p3';
import { apply as applyMerge } from 'tiny-merge-patch';
import * as v from 'valibot';
import { idMap } from './schema/values.ts';
import { segmentsOf, valueAt } from './value.ts';

const maximumOperations = 1000;
/** What the copies of one patch may come to, in characters of JSON: each may double what the one before made. */
const maximumCopied = 262_144;

const Pointer = v.pipe(
  v.string(),
  v.maxLength(10_000),
  v.regex(
    /^(?:\/(?:[^~/]|~[01])*)*$/,
    'Expected a JSON pointer: empty, or segments that each start with a slash.',
  ),
);

/** A JSON Patch (RFC 6902); what an operation holds besides its own members is ignored. */
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

/** A JSON Merge Patch (RFC 7396) of an object. */
export const MergePatch = idMap(v.unknown());

export type JsonPatch = v.InferOutput<typeof JsonPatch>;
type Operation = JsonPatch[number];

/** What is wrong with a member of an operation. */
export interface OperationProblem {
  readonly index: number;
  readonly member: 'path' | 'from' | 'value';
  readonly message: string;
}

/** What the schema of a JSON Patch cannot say: members that an operation lacks, and pointers to a prototype. */
export function operationProblems(patch: JsonPatch): OperationProblem[] {
  return patch.flatMap((operation, index): OperationProblem[] => {
    const { op } = operation;
    const needed = op === 'remove' ? 'path' : op === 'move' || op === 'copy' ? 'from' : 'value';
    const missing = Object.hasOwn(operation, needed)
      ? []
      : [{ index, member: needed, message: 'Is required.' } as const];
    // The library would set a prototype there.
    const prototypes = (['path', 'from'] as const)
      .filter((member) => segmentsOf(operation[member] ?? '').includes('__proto__'))
      .map((member) => ({ index, member, message: 'Names a member called __proto__.' }));
    return [...missing, ...prototypes];
  });
}

/** What a JSON Patch made, or which operation could not be carried out, and why. */
export type Patched =
  | { readonly document: unknown }
  | { readonly operation: number; readonly message: string };

/** Applies a JSON Patch, all of it or nothing: the document is left as it was. */
export function applyPatch(document: unknown, patch: JsonPatch): Patched {
  let patched = structuredClone(document);
  let copied = 0;
  for (const [index, operation] of patch.entries()) {
    const { path, from } = operation;
    const missing = missingPlace(patched, operation);
    if (missing !== undefined) return { operation: index, message: `There is nothing at "${missing}".` };
    try {
      let step = operation;
      if (operation.op === 'copy' && from !== undefined) {
        const value = valueAt(patched, segmentsOf(from));
        copied += JSON.stringify(value).length;
        if (copied > maximumCopied)
          return { operation: index, message: 'The copies are too large together.' };
        step = { op: 'add', path, value };
      }
      // The library puts in the very value that it is given, and a later operation would change that too.
      patched = jsonpatch.apply([structuredClone(step) as never], patched as JSONValue);
    } catch (error) {
      return { operation: index, message: failureOf(error, operation) };
    }
  }
  return { document: patched };
}

/** Applies a JSON Merge Patch: what is null goes, lists are replaced. */
export function applyMergePatch(document: unknown, patch: Readonly<Record<string, unknown>>): unknown {
  return applyMerge(document, patch);
}

/** The first place that has to be there and is not. Own members only, and none of the library's extensions. */
function missingPlace(document: unknown, { op, path, from }: Operation): string | undefined {
  if (from !== undefined && (op === 'move' || op === 'copy') && isNothing(document, from)) return from;
  if (op === 'remove' || op === 'replace' || op === 'test')
    return isNothing(document, path) ? path : undefined;
  const parent = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  return isNothing(document, parent) ? parent : undefined;
}

function isNothing(document: unknown, pointer: string): boolean {
  return valueAt(document, segmentsOf(pointer)) === undefined;
}

function failureOf(error: unknown, { op, path }: Operation): string {
  if (error instanceof JSONPatchTestFailure) return `The value at "${path}" is another.`;
  const reason = error instanceof Error ? error.message.replace(/ \(\w+:\d+\)$/, '') : 'it failed';
  return `Cannot ${op} at "${path}": ${reason}.`;
}
