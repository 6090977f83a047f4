import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { callText } from '../../src/platform/errors.ts';
import { simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import {
  applyEdit,
  type Edit,
  editInputs,
  exactlyOneOf,
  invalidEdit,
  patchProblems,
} from '../../src/resources/designs/edit.ts';
import { greetingWarnings } from '../../src/resources/designs/greeting.ts';
import { DesignChange, DesignWarning } from '../../src/resources/designs/schema.ts';
import { activateFlow } from '../../src/resources/flows/activate-flow.ts';
import { flowLossInWords, readVersion } from '../../src/resources/flows/activation-loss.ts';
import { replaceOnce, TextReplacement } from '../../src/resources/flows/edit.ts';
import { furtherVersionProblems, storedFlowSchema } from '../../src/resources/flows/format.ts';
import { changesIn, mergeWithNewest, oldVersion } from '../../src/resources/flows/newest-version.ts';
import { FlowVersion } from '../../src/resources/flows/schema.ts';
import { type LockedVersion, lockVersion } from '../../src/resources/flows/version.ts';
import {
  Activate,
  Answers,
  activateAccess,
  activatedAtOnce,
} from '../../src/resources/versions/activation.ts';
import { flowDraftPage } from '../../src/resources/versions/draft-link.ts';
import { inheritRejections } from '../../src/resources/versions/rejection.ts';

export const editFlow = defineTool({
  name: 'edit_flow',
  title: 'Edit a flow',
  description:
    'Changes part of a version of a flow and stores the result as the next one, a draft unless activate is true: replace changes a text, patch or merge the rest.',
  rest: { method: 'PATCH', path: '/v1/flows/{flowId}/versions/{version}/schema', status: 201 },
  input: v.strictObject({
    flowId: ref('flow'),
    version: versionChoice('The version to change.'),
    ...editInputs,
    replace: v.exactOptional(TextReplacement),
    onConflict: v.optional(
      v.pipe(
        v.picklist(['refuse', 'merge']),
        v.description('If the version is not the newest: merge keeps what was written since.'),
      ),
      'refuse',
    ),
    activate: Activate,
  }),
  output: v.strictObject({
    ...FlowVersion.entries,
    changes: v.array(DesignChange),
    warnings: v.array(DesignWarning),
    answers: v.exactOptional(Answers),
  }),
  access: 'draft',
  inputAccess: { activate: activateAccess },
  effect: { readOnly: false, destructive: true, idempotent: false },
  errors: {
    ...simpleAgentErrors,
    409: ['version_conflict', 'version_rejected'],
    413: ['payload_too_large'],
    422: ['flow_schema_invalid', 'simple_agent_invalid'],
  },
  mcp: {
    inputs: {
      patch: { type: 'array', items: { type: 'object' }, description: 'JSON Patch (RFC 6902).' },
      merge: { type: 'object', description: 'JSON Merge Patch, such as {"greeting": "Hi"}.' },
      replace: {
        type: 'object',
        description: '{find, with}: a text that occurs once, and what to write there.',
      },
    },
    link: flowDraftPage,
    leavesOut: ['flowSchema'],
    furtherProblems: furtherVersionProblems('merge'),
  },
  check: ({ patch, merge, replace }) => [
    ...exactlyOneOf(['patch', 'merge', 'replace'], { patch, merge, replace }),
    ...patchProblems({ patch }),
  ],
  async consequences({ stores }, { flowId, version, activate, ...edit }) {
    if (!activate) return undefined;
    const [base, newest] = await Promise.all([
      readVersion(stores, flowId, version),
      readVersion(stores, flowId, 'newest'),
    ]);
    return base && newest && flowLossInWords(stores, flowId, nextOf(base, newest, edit), 'this edit');
  },
  async handler({ stores }, { flowId, version, activate, ...edit }) {
    const { flow, base, newest } = await lockVersion(stores, flowId, version);
    const next = nextOf(base, newest, edit);
    const stored = storedFlowSchema(flow.type, next);
    const written = found(await stores.flowVersions.create(flowId, stored), 'flow', flowId);
    const handler = { kind: 'flow', id: flowId } as const;
    const builtOn = edit.onConflict === 'merge' ? [base.version, newest.version] : [base.version];
    const rejected = await inheritRejections(
      stores,
      handler,
      { version: written.version, document: next },
      { builtOn, activate },
    );
    const shown = activate ? await activatedAtOnce(activateFlow(stores, written.id)) : written;
    return {
      ...shown,
      changes: changesIn(newest.flowSchema, next),
      warnings: [...rejected, ...greetingWarnings(next)],
    };
  },
});

interface FlowEdit extends Edit {
  readonly replace?: v.InferOutput<typeof TextReplacement>;
  readonly onConflict: 'refuse' | 'merge';
}

/**
 * The configuration after an edit of a version.
 * @throws ToolError `invalid_request` for an edit that does not fit, `version_conflict`
 */
function nextOf(
  base: LockedVersion['base'],
  newest: LockedVersion['newest'],
  { patch, merge, replace, onConflict }: FlowEdit,
): unknown {
  const edited = replace
    ? replaceOnce(base.flowSchema, replace)
    : applyEdit(base.flowSchema, { patch, merge });
  if ('failed' in edited)
    throw invalidEdit(
      [edited.failed],
      `Nothing was written. ${callText('get_flow_version', { versionId: base.id })} shows the configuration.`,
    );
  if (newest.version === base.version) return edited.document;
  if (onConflict === 'refuse') throw oldVersion(base, newest);
  return mergeWithNewest(base, newest, edited.document);
}
