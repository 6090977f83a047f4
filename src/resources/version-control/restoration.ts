import * as v from 'valibot';
import type { OwnTransactionContext } from '../../environment/context.ts';
import { storedDocument } from '../../operation/document.ts';
import { found } from '../../operation/found.ts';
import { Cuid } from '../../operation/reference.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import { simpleAgentErrors } from '../agent-profiles/simple-agent.ts';
import { numberOf, type VersionChoice, VersionNumber } from '../conversations/schema.ts';
import { putLive } from '../designs/activate-conversation.ts';
import { designLossInWords } from '../designs/activation-loss.ts';
import { designErrors } from '../designs/errors.ts';
import { greetingWarnings } from '../designs/greeting.ts';
import { lockNewest, readNewest } from '../designs/newest-version.ts';
import { prepareToStore } from '../designs/prepare.ts';
import { type Rules, rulesFor } from '../designs/rules.ts';
import { DesignWarning, EarlierWarnings } from '../designs/schema.ts';
import { loadDesign } from '../designs/stored-design.ts';
import { reportOf } from '../designs/written.ts';
import { activateFlow } from '../flows/activate-flow.ts';
import { flowLossInWords, readVersion } from '../flows/activation-loss.ts';
import { storedFlowSchema } from '../flows/format.ts';
import { changesIn } from '../flows/newest-version.ts';
import { lockVersion } from '../flows/version.ts';
import { Timestamp } from '../record/timestamp.ts';
import { tryScenarios } from '../scenarios/trial.ts';
import { Answers, activatedAtOnce } from '../versions/activation.ts';
import { inheritRejections } from '../versions/rejection.ts';

const Restored = v.strictObject({
  version: v.pipe(VersionNumber, v.description('The new version.')),
  restored: v.pipe(VersionNumber, v.description('The version that it repeats.')),
  createdAt: Timestamp,
  summary: v.pipe(v.array(v.string()), v.description('What differs from the version that was the newest.')),
  warnings: v.array(DesignWarning),
  earlierWarnings: EarlierWarnings,
  answers: v.exactOptional(Answers),
});

/** The new versions of a conversation, of a flow, or of both. */
export const RestoredVersions = v.strictObject({
  conversation: v.exactOptional(Restored),
  flow: v.exactOptional(
    v.strictObject({ ...Restored.entries, id: v.pipe(Cuid, v.description('Id of the new version.')) }),
  ),
});

/** The errors of restoring. */
export const restorationErrors = {
  ...designErrors,
  409: ['version_rejected'],
  413: ['payload_too_large'],
  422: [...designErrors[422], 'flow_schema_invalid', 'simple_agent_invalid'],
  501: ['not_yet_supported', 'unsupported_step'],
  503: [...designErrors[503], ...simpleAgentErrors[503]],
} as const;

/** Which version of a conversation, a flow, or both becomes the newest again. */
export interface Restoration {
  readonly conversationId?: string | undefined;
  readonly flowId?: string | undefined;
  /** A version, or the time right before which it was the newest. */
  readonly chosen: Chosen;
  readonly activate?: boolean | undefined;
}

/** A question that names what callers lose if what is restored goes live; undefined if they lose nothing. */
export async function restorationInWords(
  { stores }: Pick<OwnTransactionContext, 'stores'>,
  { conversationId, flowId, chosen, activate }: Restoration,
): Promise<string | undefined> {
  if (!activate) return undefined;
  const words = [
    conversationId && (await conversationInWords(stores, conversationId, chosen)),
    flowId && (await flowInWords(stores, flowId, chosen)),
  ];
  return words.filter((one) => one !== undefined).join('\n\n') || undefined;
}

/**
 * Stores old versions again as the newest ones, all of them or none.
 * @throws ToolError what {@link restorationErrors} lists
 */
export async function restore(
  context: OwnTransactionContext,
  { conversationId, flowId, chosen, activate }: Restoration,
) {
  const { stores, services, signal, write } = context;
  const design = conversationId && (await oldDesign(stores, conversationId, chosen));
  // The model is asked before the transaction starts, so that no lock waits for it.
  const newest = conversationId && (await readNewest(stores, conversationId));
  const rules = await rulesFor(
    { services, signal },
    design ? design.design : undefined,
    newest ? newest.design : undefined,
  );
  const trial =
    activate && conversationId && design
      ? await tryScenarios(context, conversationId, async () => design.design)
      : undefined;
  return write(async (stores) => {
    const conversation =
      conversationId && design && (await restoreDesign(stores, conversationId, design, { rules, activate }));
    const flow = flowId && (await restoreFlow(stores, flowId, chosen, activate));
    if (!activate) return { ...(conversation && { conversation }), ...(flow && { flow }) };
    return {
      ...(conversation && {
        conversation: {
          ...conversation,
          answers: await putLive(stores, conversationId, conversation.version, trial),
        },
      }),
      ...(flow && {
        flow: { ...flow, answers: (await activatedAtOnce(activateFlow(stores, flow.id))).answers },
      }),
    };
  });
}

type Chosen = VersionChoice | Date;
type OldDesign = Awaited<ReturnType<typeof oldDesign>>;

async function oldDesign(stores: Stores, conversationId: string, chosen: Chosen) {
  const restored =
    chosen instanceof Date
      ? await newestAt(stores, conversationId, chosen)
      : await numberOf(stores, conversationId, chosen);
  return { restored, design: await loadDesign(stores, conversationId, restored) };
}

async function newestAt(stores: Stores, conversationId: string, time: Date): Promise<number> {
  found(await stores.conversations.find(conversationId), 'conversation', conversationId);
  return (
    (await stores.conversationVersions.newestAt(conversationId, time)) ??
    nothingAt(time, callText('list_conversation_versions', { conversationId }))
  );
}

/** Stores an old design again as the newest version of its conversation. */
export async function restoreDesign(
  stores: Stores,
  conversationId: string,
  { restored, design: old }: OldDesign,
  { rules, activate }: { readonly rules: Rules; readonly activate: boolean | undefined },
) {
  const { design: newest } = await lockNewest(stores, conversationId);
  const checked = await prepareToStore(stores, old, newest, rules);
  const { design } = checked;
  const { n, createdAt } = await stores.conversationVersions.create(
    conversationId,
    storedDocument(design),
    null,
  );
  const handler = { kind: 'conversation', id: conversationId } as const;
  const rejected = await inheritRejections(
    stores,
    handler,
    { version: n, document: design },
    { builtOn: [restored], activate },
  );
  const report = reportOf(newest, checked);
  return {
    version: n,
    restored,
    createdAt,
    ...report,
    warnings: [...rejected, ...report.warnings],
  };
}

async function conversationInWords(stores: Stores, conversationId: string, chosen: Chosen) {
  const { restored, design } = await oldDesign(stores, conversationId, chosen);
  return designLossInWords(stores, conversationId, design, `version ${restored}, restored,`);
}

async function flowInWords(stores: Stores, flowId: string, chosen: Chosen) {
  const old = await readVersion(stores, flowId, await flowVersionAt(stores, flowId, chosen));
  return old && flowLossInWords(stores, flowId, old.flowSchema, `version ${old.version}, restored,`);
}

async function flowVersionAt(stores: Stores, flowId: string, chosen: Chosen): Promise<VersionChoice> {
  found(await stores.flows.find(flowId), 'flow', flowId);
  if (!(chosen instanceof Date)) return chosen;
  return (
    (await stores.flowVersions.newestAt(flowId, chosen)) ??
    nothingAt(chosen, callText('list_flow_versions', { flowId }))
  );
}

/** Stores an old version of a flow again as its newest one. */
export async function restoreFlow(
  stores: Stores,
  flowId: string,
  chosen: Chosen,
  activate: boolean | undefined,
) {
  const number = await flowVersionAt(stores, flowId, chosen);
  const { flow, base, newest } = await lockVersion(stores, flowId, number);
  const stored = storedFlowSchema(flow.type, base.flowSchema);
  const { id, version, createdAt } = found(await stores.flowVersions.create(flowId, stored), 'flow', flowId);
  const summary = changesIn(newest.flowSchema, base.flowSchema).map(
    ({ path, change }) => `${path} ${change}`,
  );
  const handler = { kind: 'flow', id: flowId } as const;
  const rejected = await inheritRejections(
    stores,
    handler,
    { version, document: base.flowSchema },
    { builtOn: [base.version], activate },
  );
  const warnings = [...rejected, ...greetingWarnings(base.flowSchema)];
  return { id, version, restored: base.version, createdAt, summary, warnings };
}

function nothingAt(time: Date, listing: string): never {
  throw new ToolError('not_found', `There was no version before ${time.toISOString()}.`, {
    hint: `${listing} shows when each version was made.`,
  });
}
