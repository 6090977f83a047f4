import * as v from 'valibot';
import { checkDesign } from '../../src/design/check.ts';
import { completeDesign } from '../../src/design/complete.ts';
import { outsideNames } from '../../src/design/facts.ts';
import { type Problem, problem } from '../../src/design/problem.ts';
import { Design } from '../../src/design/schema/design.ts';
import { usablePart } from '../../src/design/usable.ts';
import { jsonPointer } from '../../src/errors.ts';
import { VersionNumber } from '../../src/resources/conversations/schema.ts';
import {
  changed,
  changeInputs,
  changesOnMcp,
  exactlyOneOf,
  holdToSize,
  patchProblems,
} from '../../src/resources/designs/change.ts';
import { disclosureOf } from '../../src/resources/designs/disclosure.ts';
import { newestNow } from '../../src/resources/designs/newest.ts';
import { factsOf } from '../../src/resources/designs/saving.ts';
import { DesignDocument, DesignProblem, designOnMcp } from '../../src/resources/designs/schema.ts';
import { designOf } from '../../src/resources/designs/version.ts';
import { defineTool, type InputProblem } from '../../src/tool/define.ts';
import { checkValue } from '../../src/tool/input.ts';
import { ref } from '../../src/tool/reference.ts';
import { mostProblems } from '../../src/tool/structure.ts';

export const validateDesign = defineTool({
  name: 'validate_design',
  title: 'Validate a design',
  description:
    'Checks a design as write_design would, or a change as edit_design would, and tells every problem at once, each with a hint; nothing is written. Warnings do not keep it from being written.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/designs/validate',
    from: { conversationId: 'path:id', design: 'body', patch: 'body', merge: 'body', version: 'body' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    design: v.exactOptional(v.pipe(v.unknown(), v.description('The design, right or wrong.'))),
    ...changeInputs,
    version: v.exactOptional(
      v.pipe(VersionNumber, v.description('What patch or merge changes; default the newest.')),
    ),
  }),
  output: v.strictObject({
    valid: v.boolean(),
    problems: v.array(DesignProblem),
    design: v.pipe(v.nullable(DesignDocument), v.description('As it would be stored; null unless valid.')),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { inputs: { design: designOnMcp, ...changesOnMcp }, leavesOut: 'design' },
  check: ({ design, patch, merge, version }) => [
    ...exactlyOneOf(['design', 'patch', 'merge'], { design, patch, merge }),
    ...patchProblems({ patch }),
    ...(design !== undefined && version !== undefined
      ? [{ path: ['version'] as const, message: 'Goes with patch or merge only.' }]
      : []),
  ],
  async handler({ stores, services, signal }, { conversationId, design, version, ...change }) {
    const { newestVersion, base: newest } = await newestNow(stores, conversationId);
    const base =
      design === undefined ? await designOf(stores, conversationId, version ?? newestVersion) : newest;
    const made = design === undefined ? changed(base, change) : { document: design };
    if ('failed' in made) return refused([failedOperation(made.failed)]);
    const sent = made.document;
    const misshapen = checkValue(Design, sent).problems;
    const places = misshapen.map(({ path }) => path);
    const checked = misshapen.length === 0 ? (sent as Design) : usablePart(sent, places);
    // Of a design with so many there may be more, which nothing has taken out.
    if (!checked || misshapen.length >= mostProblems) return refused(misshapen.map(shapeProblem));
    if (design === undefined && misshapen.length === 0) holdToSize(checked);
    const disclosure = await disclosureOf({ services, signal }, checked, base);
    const facts = factsOf(await stores.namedRecords.find(outsideNames(checked)), base, disclosure);
    const problems = checkDesign(checked, facts);
    const errors = problems.filter(({ severity }) => severity === 'error');
    // What a wrong step leads to is not known, so warnings could be about nothing.
    if (misshapen.length > 0) return refused([...misshapen.map(shapeProblem), ...errors]);
    if (errors.length > 0) return refused(problems);
    return { valid: true, problems, design: completeDesign(checked, facts) };
  },
});

function refused(problems: Problem[]) {
  return { valid: false, problems: problems.slice(0, mostProblems), design: null };
}

function failedOperation({ path, message }: InputProblem): Problem {
  const hint = 'read_design shows what is there; every operation sees what those before it made.';
  return problem('invalid_request', [], `${jsonPointer(path)}: ${message}`, hint);
}

function shapeProblem({ path, message }: { path: readonly (string | number)[]; message: string }): Problem {
  const hint = `describe_design shows the format${path[0] === 'hooks' || path[0] === 'steps' ? ' of each kind' : ''}.`;
  return problem('invalid_request', path, message, hint);
}
