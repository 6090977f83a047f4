import * as v from 'valibot';
import { callText, ToolError } from '../../src/errors.ts';
import { Activate, Answers, activateAccess, activatedAtOnce } from '../../src/resources/activation.ts';
import { simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { designLossInWords } from '../../src/resources/conversations/activating.ts';
import {
  numberOf,
  type VersionChoice,
  VersionNumber,
  versionChoice,
} from '../../src/resources/conversations/schema.ts';
import { putLive } from '../../src/resources/designs/activate.ts';
import { confirmDisclosures } from '../../src/resources/designs/disclosure-confirmation.ts';
import { exactlyOneOf } from '../../src/resources/designs/edit.ts';
import { designErrors } from '../../src/resources/designs/errors.ts';
import { holdNewest, readNewest } from '../../src/resources/designs/newest-version.ts';
import { prepareToStore } from '../../src/resources/designs/prepare.ts';
import { DesignWarning } from '../../src/resources/designs/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { reportOf } from '../../src/resources/designs/written.ts';
import { activateFlow } from '../../src/resources/flows/activate.ts';
import { flowLossInWords, readVersion } from '../../src/resources/flows/activating.ts';
import { storedFlowSchema } from '../../src/resources/flows/format.ts';
import { greetingWarnings } from '../../src/resources/flows/greeting.ts';
import { changesIn } from '../../src/resources/flows/newest-version.ts';
import { holdVersion } from '../../src/resources/flows/version.ts';
import { warnOfRejected } from '../../src/resources/rejection.ts';
import { Moment, momentOf, Timestamp } from '../../src/resources/timestamp.ts';
import type { Stores } from '../../src/store/stores.ts';
import { defineTool } from '../../src/tool/define.ts';
import { documentText } from '../../src/tool/document.ts';
import { found } from '../../src/tool/found.ts';
import { Cuid, ref } from '../../src/tool/reference.ts';

const Restored = v.strictObject({
  version: v.pipe(VersionNumber, v.description('The new version.')),
  restored: v.pipe(VersionNumber, v.description('The version that it repeats.')),
  createdAt: Timestamp,
  summary: v.pipe(v.array(v.string()), v.description('What differs from the version that was the newest.')),
  warnings: v.array(DesignWarning),
  answers: v.exactOptional(Answers),
});

export const restoreVersion = defineTool({
  name: 'restore_version',
  title: 'Restore a version',
  description:
    'Undoes changes: stores an old version of a conversation or flow again as the newest one, a draft unless activate is true.',
  rest: { method: 'POST', path: '/v1/version-restorations', status: 201 },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    flowId: v.exactOptional(ref('flow')),
    version: v.exactOptional(versionChoice('The version to restore.')),
    before: v.exactOptional(
      v.pipe(Moment, v.description('Instead of version: a time, to restore what was the newest then.')),
    ),
    activate: Activate,
  }),
  output: v.strictObject({
    conversation: v.exactOptional(Restored),
    flow: v.exactOptional(
      v.strictObject({ ...Restored.entries, id: v.pipe(Cuid, v.description('Id of the new version.')) }),
    ),
  }),
  access: 'draft',
  inputAccess: { activate: activateAccess },
  effect: { readOnly: false, destructive: true, idempotent: false, transaction: 'own' },
  errors: {
    ...designErrors,
    409: ['version_rejected'],
    413: ['payload_too_large'],
    422: [...designErrors[422], 'flow_schema_invalid', 'simple_agent_invalid'],
    501: ['not_yet_supported', 'unsupported_step'],
    503: [...designErrors[503], ...simpleAgentErrors[503]],
  },
  mcp: { openWorld: true },
  check: ({ conversationId, flowId, version, before }) => [
    ...(conversationId === undefined && flowId === undefined
      ? [{ path: ['conversationId'] as const, message: 'One of conversationId, flowId is required.' }]
      : []),
    ...exactlyOneOf(['version', 'before'], { version, before }),
    ...(before !== undefined && momentOf(before) === undefined
      ? [{ path: ['before'] as const, message: 'Expected a time of the years 1970 to 9999.' }]
      : []),
  ],
  async consequences({ stores }, { conversationId, flowId, version, before, activate }) {
    if (!activate) return undefined;
    const chosen = version ?? new Date(Number(momentOf(before ?? '')));
    const words = [
      conversationId && (await conversationInWords(stores, conversationId, chosen)),
      flowId && (await flowInWords(stores, flowId, chosen)),
    ];
    return words.filter((one) => one !== undefined).join('\n\n') || undefined;
  },
  async handler({ stores, services, signal, write }, { conversationId, flowId, version, before, activate }) {
    const chosen = version ?? new Date(Number(momentOf(before ?? '')));
    const design = conversationId && (await oldDesign(stores, conversationId, chosen));
    // The model is asked before the transaction starts, so that no lock waits for it.
    const newest = conversationId && (await readNewest(stores, conversationId));
    const disclosure = await confirmDisclosures(
      { services, signal },
      design ? design.design : undefined,
      newest ? newest.design : undefined,
    );
    return write(async (stores) => {
      const conversation =
        conversationId &&
        design &&
        (await restoreDesign(stores, conversationId, design, { disclosure, activate }));
      const flow = flowId && (await restoreFlow(stores, flowId, chosen, activate));
      if (!activate) return { ...(conversation && { conversation }), ...(flow && { flow }) };
      return {
        ...(conversation && {
          conversation: {
            ...conversation,
            answers: await putLive(stores, conversationId, conversation.version),
          },
        }),
        ...(flow && {
          flow: { ...flow, answers: (await activatedAtOnce(activateFlow(stores, flow.id))).answers },
        }),
      };
    });
  },
});

type Chosen = VersionChoice | Date;
type OldDesign = Awaited<ReturnType<typeof oldDesign>>;
type Disclosure = Awaited<ReturnType<typeof confirmDisclosures>>;

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

async function restoreDesign(
  stores: Stores,
  conversationId: string,
  { restored, design: old }: OldDesign,
  { disclosure, activate }: { readonly disclosure: Disclosure; readonly activate: boolean | undefined },
) {
  const { design: newest } = await holdNewest(stores, conversationId);
  const { design, warnings } = await prepareToStore(stores, old, newest, disclosure);
  const { n, createdAt } = await stores.conversationVersions.create(
    conversationId,
    documentText(design),
    null,
  );
  const handler = { kind: 'conversation', id: conversationId } as const;
  const rejected = await stores.rejections.find(handler, [restored]);
  const { summary, warnings: listed } = reportOf(newest, design, warnings);
  return {
    version: n,
    restored,
    createdAt,
    summary,
    warnings: [...warnOfRejected(handler, rejected, activate), ...listed],
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

async function restoreFlow(stores: Stores, flowId: string, chosen: Chosen, activate: boolean | undefined) {
  const number = await flowVersionAt(stores, flowId, chosen);
  const { flow, base, newest } = await holdVersion(stores, flowId, number);
  const stored = storedFlowSchema(flow.type, base.flowSchema);
  const { id, version, createdAt } = found(await stores.flowVersions.create(flowId, stored), 'flow', flowId);
  const summary = changesIn(newest.flowSchema, base.flowSchema).map(
    ({ path, change }) => `${path} ${change}`,
  );
  const handler = { kind: 'flow', id: flowId } as const;
  const rejected = await stores.rejections.find(handler, [base.version]);
  const warnings = [...warnOfRejected(handler, rejected, activate), ...greetingWarnings(base.flowSchema)];
  return { id, version, restored: base.version, createdAt, summary, warnings };
}

function nothingAt(time: Date, listing: string): never {
  throw new ToolError('not_found', `There was no version before ${time.toISOString()}.`, {
    hint: `${listing} shows when each version was made.`,
  });
}
