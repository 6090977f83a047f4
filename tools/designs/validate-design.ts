import * as v from 'valibot';
import { checkDesign } from '../../src/design/check.ts';
import { completeDesign } from '../../src/design/complete.ts';
import { outsideNames } from '../../src/design/facts.ts';
import { formatHint } from '../../src/design/format-hint.ts';
import { type Problem, problem } from '../../src/design/problem.ts';
import { Design } from '../../src/design/schema/design.ts';
import { usablePart } from '../../src/design/usable.ts';
import { jsonPointer, mostProblems } from '../../src/errors.ts';
import { numberOf, versionChoice } from '../../src/resources/conversations/schema.ts';
import { confirmDisclosures } from '../../src/resources/designs/disclosure-confirmation.ts';
import {
  applyEdit,
  editInputs,
  editInputsOnMcp,
  exactlyOneOf,
  holdToSize,
  patchProblems,
} from '../../src/resources/designs/edit.ts';
import { readNewest } from '../../src/resources/designs/newest-version.ts';
import { factsOf } from '../../src/resources/designs/prepare.ts';
import { DesignDocument, DesignProblem, designOnMcp } from '../../src/resources/designs/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import type { Stores } from '../../src/store/stores.ts';
import { defineTool, type InputProblem } from '../../src/tool/define.ts';
import { checkShape, checkValue } from '../../src/tool/input.ts';
import { ref } from '../../src/tool/reference.ts';

export const validateDesign = defineTool({
  name: 'validate_design',
  title: 'Validate a design',
  description:
    'Checks a whole design, or an edit of a version, and returns every problem at once, each with a hint. Writes nothing. A new design needs no conversationId. Call it before write_design or edit_design. Errors prevent a write; warnings do not.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/designs/validate',
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    design: v.exactOptional(v.pipe(v.unknown(), v.description('The design to check, valid or not.'))),
    ...editInputs,
    version: v.exactOptional(versionChoice('The version that patch or merge changes; default newest.')),
  }),
  output: v.strictObject({
    valid: v.boolean(),
    problems: v.array(DesignProblem),
    design: v.pipe(v.nullable(DesignDocument), v.description('As it would be stored; null unless valid.')),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'], 503: ['validation_unavailable'] },
  mcp: { openWorld: true, inputs: { design: designOnMcp, ...editInputsOnMcp }, leavesOut: 'design' },
  check: ({ conversationId, design, patch, merge, version }) => [
    ...(conversationId === undefined && design === undefined
      ? [{ path: ['conversationId'] as const, message: 'Is required for patch and merge.' }]
      : []),
    ...exactlyOneOf(['design', 'patch', 'merge'], { design, patch, merge }),
    ...patchProblems({ patch }),
    ...(design !== undefined && version !== undefined
      ? [{ path: ['version'] as const, message: 'Can be combined with patch or merge only.' }]
      : []),
  ],
  async handler({ caller, stores, services, signal }, { conversationId, design, version, ...edit }) {
    const base =
      conversationId === undefined ? undefined : await baseOf(stores, conversationId, design, version);
    await services.turn(caller);
    // Without a base there is a design: `check` holds an edit to a conversation.
    const edited = design === undefined && base ? applyEdit(base, edit) : { document: design };
    if ('failed' in edited) return invalid([failedOperation(edited.failed)]);
    const { document } = edited;
    // An edit may nest deeper than its parts, which were checked as JSON.
    const check = design === undefined ? checkValue : checkShape;
    const shapeProblems = check(Design, document).problems;
    const places = shapeProblems.map(({ path }) => path);
    const checked = shapeProblems.length === 0 ? (document as Design) : usablePart(document, places);
    // At the maximum the list may be incomplete, so `checked` may still have an invalid shape.
    const shapeProblem = shapeProblemIn(document);
    if (!checked || shapeProblems.length >= mostProblems) return invalid(shapeProblems.map(shapeProblem));
    if (design === undefined && shapeProblems.length === 0) holdToSize(checked);
    const disclosure = await confirmDisclosures({ services, signal }, checked, base);
    const facts = factsOf(await stores.namedRecords.find(outsideNames(checked)), base, disclosure);
    await services.turn(caller);
    const problems = checkDesign(checked, facts);
    const errors = problems.filter(({ severity }) => severity === 'error');
    // No warnings here: the exits of an invalid step are unknown, so "unreachable" would be a guess.
    if (shapeProblems.length > 0) return invalid([...shapeProblems.map(shapeProblem), ...errors]);
    if (errors.length > 0) return invalid(problems);
    return { valid: true, problems: problems.slice(0, mostProblems), design: completeDesign(checked, facts) };
  },
});

/** The version that an edit changes, and for a whole design the newest. */
async function baseOf(
  stores: Stores,
  conversationId: string,
  design: unknown,
  version: Parameters<typeof numberOf>[2] | undefined,
): Promise<Design> {
  const { newestVersion, design: newest } = await readNewest(stores, conversationId);
  if (design !== undefined) return newest;
  return loadDesign(stores, conversationId, await numberOf(stores, conversationId, version ?? newestVersion));
}

function invalid(problems: Problem[]) {
  return { valid: false, problems: problems.slice(0, mostProblems), design: null };
}

function failedOperation({ path, message }: InputProblem): Problem {
  const hint =
    'read_design shows the current design. Each operation works on the result of the operations before it.';
  return problem('invalid_request', [], `${jsonPointer(path)}: ${message}`, hint);
}

function shapeProblemIn(document: unknown) {
  return ({ path, message }: { path: readonly (string | number)[]; message: string }): Problem =>
    problem('invalid_request', path, message, formatHint(document, path));
}
