import * as v from 'valibot';
import { type Problem, problem } from '../../src/design/problem.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { InputProblem } from '../../src/operation/define.ts';
import { ref } from '../../src/operation/reference.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { callText, jsonPointer } from '../../src/platform/errors.ts';
import { numberOf, versionChoice } from '../../src/resources/conversations/schema.ts';
import {
  applyEdit,
  editInputs,
  editInputsOnMcp,
  exactlyOneOf,
  patchProblems,
} from '../../src/resources/designs/edit.ts';
import { readNewest } from '../../src/resources/designs/newest-version.ts';
import { designOnMcp } from '../../src/resources/designs/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import {
  CheckedDesign,
  invalid,
  Validation,
  validation,
  validationErrors,
} from '../../src/resources/designs/validation.ts';
import type { Stores } from '../../src/store/stores.ts';
import { validateNewDesign } from './validate-new-design.ts';

export const validateDesign = defineTool({
  name: 'validate_design',
  title: 'Validate a design',
  description:
    'Checks a whole design, or an edit of a version, and returns every problem at once, each with a hint. Writes nothing. A new design needs no conversationId. Errors prevent a write; warnings do not.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/designs/validate',
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    design: v.exactOptional(CheckedDesign),
    ...editInputs,
    version: v.exactOptional(versionChoice('The version that patch or merge changes; default newest.')),
  }),
  output: Validation,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: validationErrors,
  mcp: {
    openWorld: true,
    inputs: { design: designOnMcp, ...editInputsOnMcp },
    leavesOut: ['design'],
    covers: [validateNewDesign],
  },
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
  async handler(context, { conversationId, design, version, ...edit }) {
    const { caller, stores, services } = context;
    const base =
      conversationId === undefined ? undefined : await baseOf(stores, conversationId, design, version);
    await services.turn(caller);
    // Without a base there is a design: `check` holds an edit to a conversation.
    const edited = design === undefined && base ? applyEdit(base, edit) : { document: design };
    if ('failed' in edited) return invalid([failedOperation(edited.failed, { conversationId, version })]);
    return validation(context, { document: edited.document, base, isEdited: design === undefined });
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

function failedOperation({ path, message }: InputProblem, at: JsonObject): Problem {
  const hint = `${callText('read_design', at)} shows the design. Each operation works on the result of the operations before it.`;
  return problem('invalid_request', [], `${jsonPointer(path)}: ${message}`, hint);
}
