import type * as v from 'valibot';
import type { Design } from '../../design/schema/design.ts';
import { starterDesign } from '../../design/starter.ts';
import { ruleOnDisclosure } from '../../disclosure/index.ts';
import type { Caller } from '../../operation/context.ts';
import { storedDocument } from '../../operation/document.ts';
import type { Stores } from '../../store/stores.ts';
import { type Conversation, designNotYetSupported, lockAgent } from '../conversations/schema.ts';
import { countLimited, requireWithinPlan } from '../projects/plan-limits.ts';
import { inheritRejections } from '../versions/rejection.ts';
import { prepareToActivate, prepareToStore } from './prepare.ts';
import type { Rules } from './rules.ts';
import type { DesignWarning } from './schema.ts';
import { brief } from './written.ts';

interface NewConversation {
  readonly name: string;
  readonly description: string | null;
  readonly kind: 'simple' | 'advanced';
  readonly agentId: string | null;
  /** Without one, a conversation of kind advanced gets a greeting that discloses the AI. */
  readonly design: Design | undefined;
  /** The version that the design was copied from: its unchanged lines keep the verdicts on disclosure. */
  readonly base?: Design | undefined;
  /** True if the design holds samples, which must not go live: the greeting does, and the design is a draft. */
  readonly isTrial: boolean;
}

interface Created {
  readonly conversation: v.InferOutput<typeof Conversation>;
  /** The version that holds the design. */
  readonly version: number;
  readonly warnings: v.InferOutput<typeof DesignWarning>[];
}

/**
 * Creates a conversation, in a transaction. Its version 1 is active at once.
 * @param rules what `rulesFor` has returned for the design and its base
 * @throws ToolError if the plan allows no more, the agent profile is gone, or the design has errors
 */
export async function storeConversation(
  stores: Stores,
  { access }: Pick<Caller, 'access'>,
  { name, description, kind, agentId, design, base, isTrial }: NewConversation,
  rules: Rules,
): Promise<Created> {
  const project = await stores.projects.hold();
  await lockAgent(stores, agentId);
  if (kind === 'simple' && design !== undefined) throw designNotYetSupported();
  const count = await countLimited(stores, project.plan, 'conversations');
  const lockPlan = () => requireWithinPlan(project.plan, 'conversations', count, count + 1);
  const { design: prepared, warnings } = isTrial
    ? await prepareToStore(
        stores,
        starterDesign,
        undefined,
        { ...rules, disclosure: ruleOnDisclosure },
        lockPlan,
      )
    : await prepareToStore(stores, design ?? starterDesign, base, rules, lockPlan);
  // Version 1 is active at once.
  const references = await prepareToActivate(stores, prepared);
  const { isAnyRejected, ...conversation } = await stores.conversations.create({
    name,
    description,
    kind,
    agentId,
    design: kind === 'simple' ? null : storedDocument(prepared),
    references,
    isApproved: access.has('publish'),
  });
  const handler = { kind: 'conversation', id: conversation.id } as const;
  if (isTrial && design !== undefined) {
    const draft = await prepareToStore(stores, design, base ?? prepared, rules);
    const { n } = await stores.conversationVersions.create(
      conversation.id,
      storedDocument(draft.design),
      'samples',
    );
    const rejected = await inheritRejections(stores, handler, { version: n, document: draft.design });
    return { conversation, version: n, warnings: [...rejected, ...brief(draft.warnings)] };
  }
  const rejected =
    design === undefined || !isAnyRejected
      ? []
      : await inheritRejections(stores, handler, { version: 1, document: prepared });
  // Nobody has written the starter, so its warnings wait for the first edit of their steps.
  const shown = design === undefined ? [] : brief(warnings);
  return { conversation, version: 1, warnings: [...rejected, ...shown] };
}
