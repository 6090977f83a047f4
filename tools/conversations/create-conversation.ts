import * as v from 'valibot';
import { checkSamples } from '../../src/design/checks/samples.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { idMap, Text } from '../../src/design/schema/values.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { choiceProblems, chosenDesign, TemplateKey } from '../../src/resources/catalogue/template-choice.ts';
import {
  AgentReference,
  Conversation,
  ConversationDescription,
  ConversationName,
} from '../../src/resources/conversations/schema.ts';
import { designErrors } from '../../src/resources/designs/errors.ts';
import { furtherProblemsIn } from '../../src/resources/designs/further-problems.ts';
import { storeConversation } from '../../src/resources/designs/new-conversation.ts';
import { rulesFor } from '../../src/resources/designs/rules.ts';
import {
  DesignDocument,
  DesignWarning,
  designHintAt,
  designOnMcp,
} from '../../src/resources/designs/schema.ts';
import { leftOut, readPlayable } from '../../src/resources/playable/compiled-version.ts';

/** Leaves out the bounds of the keys: some MCP clients do not support `propertyNames`. */
const templateFieldsOnMcp = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Values by field key; required ones must be given.',
};

/** True if samples or gaps are left to fill: the design waits as a draft. */
function isUnfinished({
  templateSamples,
  design,
}: {
  templateSamples?: boolean | undefined;
  design?: Design | undefined;
}): boolean {
  const [gap] = design === undefined ? [] : checkSamples(design);
  return templateSamples === true || gap !== undefined;
}

export const createConversation = defineTool({
  name: 'create_conversation',
  title: 'Create a conversation',
  description:
    'Creates a conversation from a design, a template (list_templates) or a flow, or with a greeting that discloses the AI. Version 1 is active at once, unless the design has [[gaps]].',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/conversations', status: 201 },
  input: v.strictObject({
    projectId: ref('project'),
    name: ConversationName,
    description: v.optional(v.pipe(ConversationDescription, v.description('What the conversation is for.'))),
    kind: v.optional(
      v.pipe(v.picklist(['simple', 'advanced']), v.description('simple: without a design.')),
      'advanced',
    ),
    agentId: v.optional(AgentReference),
    design: v.exactOptional(DesignDocument),
    templateKey: v.exactOptional(
      v.pipe(TemplateKey, v.description('From list_templates; in place of design.')),
    ),
    templateFields: v.exactOptional(v.pipe(idMap(Text), v.description(templateFieldsOnMcp.description))),
    templateSamples: v.exactOptional(
      v.pipe(v.boolean(), v.description('Fill missing fields with samples, as a draft.')),
    ),
    flowId: v.exactOptional(v.pipe(ref('flow'), v.description('A flow to copy.'))),
  }),
  output: v.strictObject({
    ...Conversation.entries,
    version: v.exactOptional(
      v.pipe(v.number(), v.description('The draft with the design, if that is unfinished.')),
    ),
    warnings: v.exactOptional(v.array(DesignWarning)),
  }),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'own' },
  errors: { ...designErrors, 403: ['plan_limit_exceeded'] },
  mcp: {
    link: ({ id }, choice) => `/conversations/${String(id)}${isUnfinished(choice) ? '/changes' : ''}`,
    openWorld: true,
    inputs: { design: designOnMcp, templateFields: templateFieldsOnMcp },
    hintAt: designHintAt,
    furtherProblems: ({ design }, context) => furtherProblemsIn(context, design, { isFirst: true }),
  },
  check: ({ flowId, ...input }) => [
    ...choiceProblems(input),
    ...(flowId !== undefined && (input.design !== undefined || input.templateKey !== undefined)
      ? [{ path: ['flowId'] as const, message: 'Cannot be combined with design or templateKey.' }]
      : []),
  ],
  async handler(
    { services, caller, signal, stores: reading, write },
    { name, description = null, kind, agentId = null, flowId, ...choice },
  ) {
    const flow = flowId === undefined ? undefined : await readPlayable(reading, flowId, 'active');
    const design = flow?.design ?? chosenDesign(choice);
    const isTrial = isUnfinished({ ...choice, design });
    const rules = await rulesFor({ services, signal }, design, undefined);
    const made = { name, description, kind, agentId, design, isTrial };
    return write(async (stores) => {
      const { conversation, version, warnings } = await storeConversation(stores, caller, made, rules);
      const all = [...warnings, ...leftOut(flow?.meaningless ?? [])];
      return {
        ...conversation,
        ...(isTrial && { version }),
        ...(all.length > 0 && { warnings: all }),
      };
    });
  },
});
