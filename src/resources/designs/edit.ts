import * as v from 'valibot';
import { formatHint } from '../../design/format-hint.ts';
import {
  applyMergePatch,
  applyPatch,
  JsonPatch,
  MergePatch,
  operationProblems,
  placeInMergePatch,
  removal,
} from '../../design/patch.ts';
import type { Place } from '../../design/problem.ts';
import { Design } from '../../design/schema/design.ts';
import { idMap, Text } from '../../design/schema/values.ts';
import { textProblems, withTexts } from '../../design/spoken-texts.ts';
import type { InputProblem } from '../../operation/define.ts';
import { checkShape } from '../../operation/input.ts';
import { jsonProblems } from '../../operation/json.ts';
import {
  callText,
  type ErrorProblem,
  invalidRequest,
  jsonPointer,
  mostProblems,
  payloadTooLarge,
  type ToolError,
} from '../../platform/errors.ts';
import { furtherProblems } from './further-problems.ts';

/** Bytes of JSON: an edited design must still fit into one request (`decisions#body-limits`). */
export const largestDesign = 262_144;

/** Exactly one of these must be given; see {@link exactlyOneOf}. */
export const editInputs = {
  patch: v.exactOptional(v.pipe(JsonPatch, v.description('JSON Patch (RFC 6902).'))),
  merge: v.exactOptional(
    v.pipe(
      MergePatch,
      v.description(
        'JSON Merge Patch (RFC 7396); lists of items with ids merge by id, and {id, $remove: true} removes an item.',
      ),
    ),
  ),
};

/** Short schemas of {@link editInputs} for MCP: models know both formats. */
export const editInputsOnMcp = {
  patch: { type: 'array', items: { type: 'object' }, description: 'JSON Patch (RFC 6902).' },
  merge: {
    type: 'object',
    description:
      'JSON Merge Patch, such as {"steps": {"a": {"text": "Hi"}}}. Lists merge by id ({"id": "x", "$remove": true} removes); patch replaces a list.',
  },
};

/** New texts by their pointers, as `read_design` lists them with `texts`. */
export const Texts = idMap(Text);

/** A short schema of {@link Texts} for MCP: some clients do not support `propertyNames`. */
export const textsOnMcp = { type: 'object', description: 'By pointer, as read_design lists them.' };

export interface Edit {
  readonly patch?: v.InferOutput<typeof JsonPatch> | undefined;
  readonly merge?: v.InferOutput<typeof MergePatch> | undefined;
  readonly texts?: v.InferOutput<typeof Texts> | undefined;
}

/** Checks of a patch that its schema cannot express. */
export function patchProblems({ patch = [] }: Edit): InputProblem[] {
  return operationProblems(patch).map(({ index, member, message }) => ({
    path: ['patch', index, member],
    message,
  }));
}

/** A problem unless exactly one of these inputs is present. */
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

/** 400 `invalid_request` for an edit that fails or whose result is invalid. */
export function invalidEdit(
  problems: readonly InputProblem[],
  hint: string,
  further: readonly ErrorProblem[] = [],
): ToolError {
  const [first, ...more] = problems
    .slice(0, mostProblems)
    .map(({ path, message }) => ({ in: 'body', path: jsonPointer(path), message }) as const);
  if (!first) throw new TypeError('no problems');
  return invalidRequest([first, ...more], { hint, problems: further });
}

/** The edited document, or the operation that failed. */
export type Edited = { readonly document: unknown } | { readonly failed: InputProblem };

/** Applies an edit. The result may no longer be a valid design; see {@link shapeProblems}. */
export function applyEdit(design: unknown, { patch, merge }: Edit): Edited {
  if (merge) return { document: applyMergePatch(design, merge) };
  const patched = applyPatch(design, patch ?? []);
  if ('operation' in patched)
    return { failed: { path: ['patch', patched.operation], message: patched.message } };
  // Repeated moves can nest a document deeper than later checks could walk.
  const [problem] = jsonProblems(patched.document);
  return problem ? { failed: { path: ['patch'], message: problem.message } } : patched;
}

/** A problem of an edit, with its place in the edited design. */
interface ShapeProblem extends InputProblem {
  readonly place: Place;
}

/** Checks what {@link applyEdit} makes of `base` against the schema. Each path names the part of the edit that caused the problem. */
function shapeProblems(base: Design, document: unknown, { patch = [], merge }: Edit): ShapeProblem[] {
  const places = patch.map(({ op, path, from = '' }) => [`${path}/`, op === 'move' ? `${from}/` : undefined]);
  return checkShape(Design, document).problems.map(({ path, message }) => {
    if (merge)
      return { place: path, ...mergeProblem(path, message, placeInMergePatch(base, merge, document, path)) };
    const pointer = `${jsonPointer(path)}/`;
    const overlaps = (place: string | undefined) =>
      place !== undefined && (pointer.startsWith(place) || place.startsWith(pointer));
    const index = places.findLastIndex((changed) => changed.some(overlaps));
    return {
      place: path,
      path: index === -1 ? ['patch'] : ['patch', index],
      message: `Makes ${jsonPointer(path) || 'the design'} invalid: ${message}`,
    };
  });
}

/** A problem of a merge patch's result, told at the place of the patch that causes it. */
function mergeProblem(
  path: readonly (string | number)[],
  message: string,
  place: readonly (string | number)[],
): InputProblem {
  const isRemoval = path.at(-1) === removal;
  return {
    path: ['merge', ...place],
    message: isRemoval ? 'The list has no item with this id to remove.' : message,
  };
}

/**
 * The design that an edit of a version makes.
 * @throws ToolError `invalid_request` if the edit fails or does not leave a valid design
 */
export function editedDesign(
  old: Design,
  edit: Edit,
  at: { readonly conversationId: string; readonly version: number },
): Design {
  if (edit.texts) return translatedDesign(old, edit.texts, at);
  const edited = applyEdit(old, edit);
  if ('failed' in edited)
    throw invalidEdit(
      [edited.failed],
      `Nothing was written. ${callText('read_design', at)} shows the design.`,
    );
  const problems = shapeProblems(old, edited.document, edit);
  const [first] = problems;
  if (first)
    throw invalidEdit(
      problems,
      `Nothing was written. ${formatHint(edited.document, first.place)}`,
      furtherProblems(edited.document, { base: old }),
    );
  return edited.document as Design;
}

/**
 * The design with new texts.
 * @throws ToolError `invalid_request` for a pointer to no text that callers hear, and for other placeholders
 */
export function translatedDesign(
  old: Design,
  texts: Readonly<Record<string, string>>,
  at: { readonly conversationId: string; readonly version: number },
): Design {
  const problems = textProblems(old, texts).map(
    ({ pointer, message }): InputProblem => ({
      path: ['texts', pointer],
      message,
    }),
  );
  if (problems.length > 0)
    throw invalidEdit(
      problems,
      `Nothing was written. ${callText('read_design', { ...at, texts: true })} lists the texts.`,
    );
  return withTexts(old, texts) as Design;
}

const encoder = new TextEncoder();
/** UTF-8 takes at most as many bytes for a character of JavaScript. */
const mostBytesPerCharacter = 3;

/** The most bytes that a design can take after an edit. Only a copy adds more than the edit itself contains. */
export function mostBytesAfter(bytes: number, edit: Edit): number {
  if (edit.patch?.some(({ op }) => op === 'copy')) return Number.POSITIVE_INFINITY;
  return bytes + JSON.stringify(edit).length * mostBytesPerCharacter;
}

/**
 * Rejects an edited design that exceeds the body limit of a write. `compliance`, which the service adds, does not count.
 * @param mostBytes the bytes that the design takes at most, if that is known: few of them need not be counted
 * @throws ToolError `payload_too_large`
 */
export function requireSize(
  { compliance: _, ...design }: Design,
  mostBytes = Number.POSITIVE_INFINITY,
): void {
  if (mostBytes <= largestDesign) return;
  const text = JSON.stringify(design);
  if (text.length * mostBytesPerCharacter <= largestDesign) return;
  if (encoder.encode(text).length > largestDesign) throw payloadTooLarge(largestDesign);
}
