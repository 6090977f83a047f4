import * as v from 'valibot';
import type { InputProblem } from '../../operation/define.ts';
import { found } from '../../operation/found.ts';
import { Cuid } from '../../operation/reference.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import {
  type VersionChoice,
  VersionNumber,
  versionChoice,
  versionNotFound,
} from '../conversations/schema.ts';
import { flowVersionNotFound } from '../flows/version.ts';
import type { Handler } from '../versions/handler.ts';
import { liftRejections, rejectVersion } from '../versions/rejection.ts';
import { Rejection } from '../versions/version-history.ts';

/** What rejects a version of a flow or conversation, besides its id. */
export const rejectionInputs = {
  version: versionChoice('Number of the version.'),
  reason: v.exactOptional(
    v.pipe(v.string(), v.minLength(1), v.maxCodePoints(1000), v.description('For its author.')),
  ),
  undo: v.exactOptional(v.pipe(v.boolean(), v.description('True takes it back.'))),
};

/** The version, and whether it is rejected now. */
export const JudgedVersion = v.strictObject({
  conversationId: v.exactOptional(Cuid),
  flowId: v.exactOptional(Cuid),
  version: VersionNumber,
  rejection: v.nullable(Rejection),
  summary: v.pipe(v.array(v.string()), v.description('What was done.')),
});

interface Judgement {
  readonly version: VersionChoice;
  readonly reason?: string | undefined;
  readonly undo?: boolean | undefined;
}

/** A rejection that is taken back has no reason. */
export function reasonProblems({ reason, undo }: Omit<Judgement, 'version'>): InputProblem[] {
  return undo && reason !== undefined ? [{ path: ['reason'], message: 'Leave it out with undo.' }] : [];
}

/**
 * Rejects a version. With `undo`, takes its rejection back, and lifts those of earlier versions for it and for later ones.
 * @throws ToolError `not_found`; `in_use` for the version that is live
 */
export async function judgeVersion(
  stores: Stores,
  of: Handler,
  { version: chosen, reason = null, undo }: Omit<Judgement, 'reason'> & { readonly reason?: string | null },
) {
  const { newestVersion, activeVersion } = await hold(stores, of);
  const version = chosen === 'active' ? activeVersion : typeof chosen === 'number' ? chosen : newestVersion;
  if (version > newestVersion)
    throw (of.kind === 'flow' ? flowVersionNotFound : versionNotFound)(of.id, version);
  const shown = { [`${of.kind}Id`]: of.id, version };
  const { rejection: before } = await stores.rejections.of(of, version);
  if (undo) {
    if (before) await stores.rejections.takeBack(of, version);
    const lifted = await liftRejections(stores, of, version);
    const summary = [
      ...(before ? ['rejection taken back'] : []),
      ...lifted.map(
        (one) => `version ${version} and later ones are freed from the rejection of version ${one.version}`,
      ),
    ];
    return { ...shown, rejection: null, summary: summary.length > 0 ? summary : ['was not rejected'] };
  }
  if (version === activeVersion) throw await refuseLive(stores, of, version);
  // A repetition leaves who rejected it first, and when.
  const isRepeated = before?.reason === reason;
  const rejection = isRepeated ? before : await rejectVersion(stores, of, { version, activeVersion, reason });
  return { ...shown, rejection, summary: [reason === null ? 'rejected' : `rejected: ${reason}`] };
}

/** Locks a flow or conversation, so that nobody makes one of its versions live meanwhile. */
async function hold(stores: Stores, { kind, id }: Handler) {
  return kind === 'flow'
    ? found(await stores.flowVersions.lockNumberedFlow(id), 'flow', id)
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
