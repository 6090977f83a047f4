import * as v from 'valibot';
import { changesBetween } from '../../src/design/changes.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { invalidRequest, jsonPointer } from '../../src/errors.ts';
import { VersionNumber } from '../../src/resources/conversations/schema.ts';
import {
  type Change,
  changed,
  changeInputs,
  changesOnMcp,
  exactlyOneOf,
  holdToSize,
  patchProblems,
  shapeProblems,
} from '../../src/resources/designs/change.ts';
import { disclosureOf } from '../../src/resources/designs/disclosure.ts';
import { mergedDesign } from '../../src/resources/designs/merging.ts';
import { holdNewest, type Newest, newestNow, versionConflict } from '../../src/resources/designs/newest.ts';
import { savedDesign } from '../../src/resources/designs/saving.ts';
import { DesignChange, Tag, VersionWithDesign } from '../../src/resources/designs/schema.ts';
import { designOf } from '../../src/resources/designs/version.ts';
import { defineTool, type InputProblem } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const editDesign = defineTool({
  name: 'edit_design',
  title: 'Edit a design',
  description:
    'Changes part of version n and stores the result as the next version, inactive. Where n is not the newest: onConflict refuse tells what changed since, merge keeps both changes or names the fields in conflict, branch starts from n as it is. validate_design takes the same change.',
  rest: {
    method: 'PATCH',
    path: '/v1/conversations/{id}/versions/{n}/design',
    from: {
      conversationId: 'path:id',
      n: 'path',
      patch: 'body',
      merge: 'body',
      tag: 'body',
      onConflict: 'body',
    },
    status: 201,
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    n: VersionNumber,
    ...changeInputs,
    tag: v.exactOptional(Tag),
    onConflict: v.optional(
      v.pipe(v.picklist(['refuse', 'merge', 'branch']), v.description('Where n is not the newest.')),
      'refuse',
    ),
  }),
  output: v.strictObject({ ...VersionWithDesign.entries, changes: v.array(DesignChange) }),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'own' },
  mcp: { inputs: changesOnMcp, leavesOut: 'design' },
  check: ({ patch, merge }) => [
    ...exactlyOneOf(['patch', 'merge'], { patch, merge }),
    ...patchProblems({ patch }),
  ],
  async handler(
    { stores, services, signal, write },
    { conversationId, n, patch, merge, tag = null, onConflict },
  ) {
    const old = await designOf(stores, conversationId, n);
    const yours = edited(old, { patch, merge });
    const next = (newest: Newest) =>
      onConflict === 'merge' && newest.newestVersion !== n
        ? { design: mergedDesign(n, old, newest, yours), base: newest.base }
        : { design: yours, base: old };
    const foreseen = services.confirmDisclosure && next(await newestNow(stores, conversationId));
    const disclosure = await disclosureOf({ services, signal }, foreseen?.design, foreseen?.base);
    return write(async (stores) => {
      const newest = await holdNewest(stores, conversationId);
      const { design, base } = next(newest);
      holdToSize(design);
      const saved = await savedDesign(stores, design, base, disclosure);
      if (onConflict === 'refuse' && newest.newestVersion !== n) throw refusedOldVersion(n, old, newest);
      const version = await stores.conversationVersions.create(conversationId, JSON.stringify(saved), tag);
      return { ...version, changes: changesBetween(base, saved), design: saved };
    });
  },
});

function refusedOldVersion(n: number, old: Design, newest: Newest) {
  const { newestVersion } = newest;
  return versionConflict(
    { baseVersion: n, old, newest },
    `Version ${newestVersion} is the newest, not ${n}.`,
    `Call again with n ${newestVersion}, or with onConflict merge to keep both changes; diff_designs shows what was written since.`,
  );
}

/** A design with the change made. */
function edited(old: Design, change: Change): Design {
  const made = changed(old, change);
  if ('failed' in made) throw refused([made.failed]);
  const problems = shapeProblems(made.document, change);
  if (problems.length > 0) throw refused(problems);
  return made.document as Design;
}

const maximumIssues = 100;

function refused(problems: readonly InputProblem[]) {
  const [first, ...more] = problems
    .slice(0, maximumIssues)
    .map(({ path, message }) => ({ in: 'body', path: jsonPointer(path), message }) as const);
  if (!first) throw new Error('a refusal without a problem');
  return invalidRequest([first, ...more], {
    hint: 'Nothing was written. read_design shows what is there; validate_design checks a change without writing.',
  });
}
