import * as v from 'valibot';
import { idMap, Text } from '../../src/design/schema/values.ts';
import { starterDesign } from '../../src/design/starter.ts';
import { ruleOnDisclosure } from '../../src/disclosure/index.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { storedDocument } from '../../src/operation/document.ts';
import { ref } from '../../src/operation/reference.ts';
import { choiceProblems, chosenDesign, TemplateKey } from '../../src/resources/catalogue/template-choice.ts';
import {
  AgentReference,
  Conversation,
  ConversationDescription,
  ConversationName,
  designNotYetSupported,
  lockAgent,
} from '../../src/resources/conversations/schema.ts';
import { confirmDisclosures } from '../../src/resources/designs/disclosure-confirmation.ts';
import { designErrors } from '../../src/resources/designs/errors.ts';
import { furtherProblemsIn } from '../../src/resources/designs/further-problems.ts';
import { prepareToActivate, prepareToStore } from '../../src/resources/designs/prepare.ts';
import {
  DesignDocument,
  DesignWarning,
  designHintAt,
  designOnMcp,
} from '../../src/resources/designs/schema.ts';
import { brief } from '../../src/resources/designs/written.ts';
import { countLimited, requireWithinPlan } from '../../src/resources/projects/plan-limits.ts';
import { inheritRejections } from '../../src/resources/versions/rejection.ts';

/** Leaves out the bounds of the keys: some MCP clients do not support `propertyNames`. */
const templateFieldsOnMcp = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Values by field key; required ones must be given.',
};

export const createConversation = defineTool({
  name: 'create_conversation',
  title: 'Create a conversation',
  description:
    'Creates a conversation from a design, from a template (list_templates), or with a greeting that discloses the AI. Its version 1 is active at once. To change it later: edit_design or write_design, then activate_conversation_version.',
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
  }),
  output: v.strictObject({ ...Conversation.entries, warnings: v.exactOptional(v.array(DesignWarning)) }),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'own' },
  errors: { ...designErrors, 403: ['plan_limit_exceeded'] },
  mcp: {
    openWorld: true,
    inputs: { design: designOnMcp, templateFields: templateFieldsOnMcp },
    hintAt: designHintAt,
    furtherProblems: ({ design }, context) => furtherProblemsIn(context, design, { isFirst: true }),
  },
  check: choiceProblems,
  async handler(
    { services, caller, signal, write },
    { name, description = null, kind, agentId = null, ...choice },
  ) {
    const design = chosenDesign(choice);
    const isTrial = choice.templateSamples === true;
    const disclosure = await confirmDisclosures({ services, signal }, design, undefined);
    return write(async (stores) => {
      const project = await stores.projects.hold();
      await lockAgent(stores, agentId);
      if (kind === 'simple' && design !== undefined) throw designNotYetSupported();
      const count = await countLimited(stores, project.plan, 'conversations');
      const lockPlan = () => requireWithinPlan(project.plan, 'conversations', count, count + 1);
      const { design: prepared, warnings } = await prepareToStore(
        stores,
        isTrial ? starterDesign : (design ?? starterDesign),
        undefined,
        isTrial ? ruleOnDisclosure : disclosure,
        lockPlan,
      );
      // Version 1 is active at once.
      const references = await prepareToActivate(stores, prepared);
      const stored = kind === 'simple' ? null : storedDocument(prepared);
      const isApproved = caller.access.has('publish');
      const made = { name, description, kind, agentId, design: stored, references, isApproved };
      const { isAnyRejected, ...conversation } = await stores.conversations.create(made);
      const handler = { kind: 'conversation', id: conversation.id } as const;
      const rejected =
        design === undefined || isTrial || !isAnyRejected
          ? []
          : await inheritRejections(stores, handler, { version: 1, document: prepared });
      if (isTrial && design !== undefined) {
        // Samples must not go live, so the starter does, and the template is a draft.
        const draft = await prepareToStore(stores, design, prepared, disclosure);
        const { n } = await stores.conversationVersions.create(
          conversation.id,
          storedDocument(draft.design),
          'samples',
        );
        const found = await inheritRejections(stores, handler, { version: n, document: draft.design });
        return { ...conversation, warnings: [...found, ...brief(draft.warnings)] };
      }
      const all = [...rejected, ...brief(warnings)];
      return all.length > 0 ? { ...conversation, warnings: all } : conversation;
    });
  },
});
