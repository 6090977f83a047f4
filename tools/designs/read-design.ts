import * as v from 'valibot';
import { DesignOutline, outlineOf } from '../../src/design/outline.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { idMap } from '../../src/design/schema/values.ts';
import { ToolError } from '../../src/errors.ts';
import { numberOf, VersionNumber, VersionToRead } from '../../src/resources/conversations/schema.ts';
import { DesignDocument } from '../../src/resources/designs/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';
import type { JsonObject } from '../../src/tool/result.ts';

const maximumSteps = 250;

export const readDesign = defineTool({
  name: 'read_design',
  title: 'Read a design',
  description:
    'Reads the design of a conversation version: the outline (ids, kinds, exits and sizes), some steps, or everything. Start with the outline. list_conversation_versions shows the versions.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/design',
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    n: VersionToRead,
    steps: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1),
        v.maxLength(maximumSteps),
        v.description('Only these steps, by id.'),
      ),
    ),
    outline: v.exactOptional(v.pipe(v.boolean(), v.description('True: ids, kinds, exits and sizes only.'))),
  }),
  output: v.union([
    DesignDocument,
    v.strictObject({ n: VersionNumber, design: DesignDocument }),
    v.strictObject({ n: VersionNumber, steps: idMap(v.unknown()) }),
    v.strictObject({ n: VersionNumber, ...DesignOutline.entries }),
  ]),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  check: ({ steps, outline }) =>
    steps && outline ? [{ path: ['outline'], message: 'Cannot be combined with steps.' }] : [],
  mcp: {
    names: { n: 'version' },
    outputSchema: false,
    resource: {
      uri: 'parley://conversations/{conversationId}/versions/{version}/design',
      name: 'conversation-version-design',
      title: 'Design of a version',
      description: 'The cd/1 design of one version of a conversation.',
      completions: { n: { tool: 'list_conversation_versions', member: 'n' } },
    },
    shorten: (answer, input) => ({
      ...outlineIn(answer as JsonObject, input),
      truncated: true,
      hint: 'The whole design is too long for one response. Call read_design with steps to read some of them.',
    }),
  },
  async handler({ stores }, { conversationId, n: chosen, steps, outline }) {
    const n = await numberOf(stores, conversationId, chosen);
    const design = await loadDesign(stores, conversationId, n);
    if (outline) return { n, ...outlineOf(design) };
    if (steps) return { n, steps: selectedSteps(design, steps) };
    // Who asks for the newest or active version learns which one that is.
    return typeof chosen === 'number' ? design : { n, design };
  },
});

/** The outline of what this tool returned. */
function outlineIn(answer: JsonObject, { n, outline }: JsonObject): JsonObject {
  if (outline === true) return answer;
  return 'design' in answer
    ? { n: answer['n'], ...outlineOf(answer['design'] as Design) }
    : { n, ...outlineOf(answer as unknown as Design) };
}

function selectedSteps(design: Design, stepIds: readonly string[]): Design['steps'] {
  return Object.fromEntries(
    stepIds.map((stepId) => {
      const step = Object.hasOwn(design.steps, stepId) ? design.steps[stepId] : undefined;
      if (!step)
        throw new ToolError('not_found', `There is no step ${JSON.stringify(stepId)} in this version.`, {
          hint: 'read_design with outline shows the step ids.',
        });
      return [stepId, step];
    }),
  );
}
