import * as v from 'valibot';
import { applyMergePatch, applyPatch, JsonPatch, MergePatch, operationProblems } from '../../design/patch.ts';
import { Design } from '../../design/schema/design.ts';
import { jsonPointer, payloadTooLarge } from '../../errors.ts';
import type { InputProblem } from '../../tool/define.ts';
import { checkValue } from '../../tool/input.ts';
import { jsonProblems } from '../../tool/json.ts';

/** The most that a design may come to, in bytes of JSON: what a request that writes it whole may hold. */
const maximumBytes = 262_144;

/** Inputs that change a design: one of them. */
export const changeInputs = {
  patch: v.exactOptional(v.pipe(JsonPatch, v.description('JSON Patch (RFC 6902).'))),
  merge: v.exactOptional(
    v.pipe(MergePatch, v.description('JSON Merge Patch (RFC 7396): null removes, lists are replaced.')),
  ),
};

/** How MCP shows them: models know both formats. */
export const changesOnMcp = {
  patch: { type: 'array', items: { type: 'object' }, description: 'JSON Patch (RFC 6902).' },
  merge: { type: 'object', description: 'JSON Merge Patch, such as {"steps": {"a": {"text": "Hi"}}}.' },
};

/** A change of a design, as it was sent. */
export interface Change {
  readonly patch?: v.InferOutput<typeof JsonPatch> | undefined;
  readonly merge?: v.InferOutput<typeof MergePatch> | undefined;
}

/** What a schema cannot say of a patch. */
export function patchProblems({ patch = [] }: Change): InputProblem[] {
  return operationProblems(patch).map(({ index, member, message }) => ({
    path: ['patch', index, member],
    message,
  }));
}

/** Refuses what is not exactly one of these inputs. */
export function exactlyOneOf(
  names: readonly string[],
  input: Readonly<Record<string, unknown>>,
): InputProblem[] {
  const sent = names.filter((name) => input[name] !== undefined);
  if (sent.length === 1) return [];
  const [first = ''] = names;
  if (sent.length === 0) return [{ path: [first], message: `One of ${names.join(', ')} is required.` }];
  return sent.slice(1).map((name) => ({ path: [name], message: `Cannot be combined with ${sent[0]}.` }));
}

/** A changed document, or the operation that could not be carried out. */
export type Changed = { readonly document: unknown } | { readonly failed: InputProblem };

/** Makes a change of a design; whether a design comes of it is not checked. */
export function changed(design: Design, { patch, merge }: Change): Changed {
  if (merge) return { document: applyMergePatch(design, merge) };
  const made = applyPatch(design, patch ?? []);
  if ('operation' in made) return { failed: { path: ['patch', made.operation], message: made.message } };
  // Moves put deep into deep; what walks through the document afterwards may not be able to.
  const [problem] = jsonProblems(made.document);
  return problem ? { failed: { path: ['patch'], message: problem.message } } : made;
}

/** What is wrong with the shape of a changed document, each told at the part of the change that did it. */
export function shapeProblems(document: unknown, { patch, merge }: Change): InputProblem[] {
  return checkValue(Design, document).problems.map(({ path, message }) => {
    if (merge) return { path: ['merge', ...path], message };
    const pointer = `${jsonPointer(path)}/`;
    const isAbout = (place: string) => pointer.startsWith(`${place}/`) || `${place}/`.startsWith(pointer);
    const operation = (patch ?? []).findLastIndex(
      (step) => isAbout(step.path) || (step.op === 'move' && isAbout(step.from ?? '')),
    );
    const at = operation === -1 ? [] : [operation];
    return {
      path: ['patch', ...at],
      message: `Would leave ${jsonPointer(path) || 'the design'} wrong: ${message}`,
    };
  });
}

const encoder = new TextEncoder();

/**
 * Refuses a design that is too large to be written whole; what the service adds to it does not count.
 * @throws ToolError `payload_too_large`
 */
export function holdToSize({ compliance: _, ...design }: Design): void {
  if (encoder.encode(JSON.stringify(design)).length > maximumBytes) throw payloadTooLarge(maximumBytes);
}
