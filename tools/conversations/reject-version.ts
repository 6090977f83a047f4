import * as v from 'valibot';
import { callText, ToolError } from '../../src/errors.ts';
import { VersionNumber, versionChoice, versionNotFound } from '../../src/resources/conversations/schema.ts';
import { exactlyOneOf } from '../../src/resources/designs/edit.ts';
import { flowVersionNotFound } from '../../src/resources/flows/version.ts';
import { Rejection } from '../../src/resources/version-history.ts';
import type { Handler } from '../../src/store/phone-numbers.ts';
import type { Stores } from '../../src/store/stores.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { Cuid, ref } from '../../src/tool/reference.ts';

export const rejectVersion = defineTool({
  name: 'reject_version',
  title: 'Reject a version',
  description: 'Says that a draft must not go live: it waits no longer, and activating it is refused.',
  rest: { method: 'POST', path: '/v1/version-rejections' },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    flowId: v.exactOptional(ref('flow')),
    version: versionChoice('Number of the version.'),
    reason: v.exactOptional(
      v.pipe(v.string(), v.minLength(1), v.maxCodePoints(1000), v.description('For its author.')),
    ),
    undo: v.exactOptional(v.pipe(v.boolean(), v.description('True takes it back.'))),
  }),
  output: v.strictObject({
    conversationId: v.exactOptional(Cuid),
    flowId: v.exactOptional(Cuid),
    version: VersionNumber,
    rejection: v.nullable(Rejection),
    summary: v.pipe(v.array(v.string()), v.description('What was done.')),
  }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: { 409: ['in_use'] },
  check: ({ conversationId, flowId, reason, undo }) => [
    ...exactlyOneOf(['conversationId', 'flowId'], { conversationId, flowId }),
    ...(undo && reason !== undefined
      ? [{ path: ['reason'] as const, message: 'Leave it out with undo.' }]
      : []),
  ],
  async handler({ stores }, { conversationId, flowId = '', version: chosen, reason = null, undo }) {
    const of: Handler =
      conversationId === undefined
        ? { kind: 'flow', id: flowId }
        : { kind: 'conversation', id: conversationId };
    const { newestVersion, activeVersion } = await hold(stores, of);
    const version = chosen === 'newest' ? newestVersion : chosen === 'active' ? activeVersion : chosen;
    if (version > newestVersion)
      throw (of.kind === 'flow' ? flowVersionNotFound : versionNotFound)(of.id, version);
    const shown = { [`${of.kind}Id`]: of.id, version };
    const [before] = await stores.rejections.find(of, [version]);
    if (undo) {
      await stores.rejections.takeBack(of, version);
      return { ...shown, rejection: null, summary: [before ? 'rejection taken back' : 'was not rejected'] };
    }
    if (version === activeVersion) throw await refuseLive(stores, of, version);
    // A repetition leaves who rejected it first, and when.
    const isRepeated = before?.rejection.reason === reason;
    const rejection = isRepeated ? before.rejection : await stores.rejections.reject(of, version, reason);
    return { ...shown, rejection, summary: [reason === null ? 'rejected' : `rejected: ${reason}`] };
  },
});

/** Locks a flow or conversation, so that nobody makes one of its versions live meanwhile. */
async function hold(stores: Stores, { kind, id }: Handler) {
  return kind === 'flow'
    ? found(await stores.flowVersions.holdFlow(id), 'flow', id)
    : found(await stores.conversations.hold(id), 'conversation', id);
}

async function refuseLive(stores: Stores, { kind, id }: Handler, version: number): Promise<ToolError> {
  const { name } = found(await (kind === 'flow' ? stores.flows : stores.conversations).find(id), kind, id);
  const [activate, of] =
    kind === 'flow'
      ? ['activate_flow_version', { flowId: id }]
      : ['activate_conversation_version', { conversationId: id }];
  return new ToolError('in_use', `Version ${version} is live, so it cannot be rejected.`, {
    details: { references: [{ kind, id, name }] },
    hint: `Make another version live first: ${callText(activate, { ...of, version: '…' })}.`,
  });
}
