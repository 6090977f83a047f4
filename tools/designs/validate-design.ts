import * as v from 'valibot';
import { checkDesign } from '../../src/design/check.ts';
import { completeDesign } from '../../src/design/complete.ts';
import { type Problem, problem } from '../../src/design/problem.ts';
import { Design } from '../../src/design/schema/design.ts';
import { usablePart } from '../../src/design/usable.ts';
import { defineTool } from '../../src/tool/define.ts';
import { checkValue } from '../../src/tool/input.ts';
import { ref } from '../../src/tool/reference.ts';
import { mostProblems } from '../../src/tool/structure.ts';
import { disclosureOf } from './disclosure.ts';
import { newestNow } from './newest.ts';
import { factsOf } from './saving.ts';
import { DesignDocument, DesignProblem, designOnMcp } from './schema.ts';

export const validateDesign = defineTool({
  name: 'validate_design',
  title: 'Validate a design',
  description:
    'Checks a design as write_design would and tells every problem at once, each with a hint; nothing is written. Warnings do not keep it from being written.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/designs/validate',
    from: { conversationId: 'path:id', design: 'body' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    design: v.pipe(v.unknown(), v.description('The design, right or wrong.')),
  }),
  output: v.strictObject({
    valid: v.boolean(),
    problems: v.array(DesignProblem),
    design: v.pipe(v.nullable(DesignDocument), v.description('As it would be stored; null unless valid.')),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { inputs: { design: designOnMcp }, leavesOut: 'design' },
  async handler({ stores, services, signal }, { conversationId, design: sent }) {
    const { base } = await newestNow(stores, conversationId);
    const misshapen = checkValue(Design, sent).problems;
    const places = misshapen.map(({ path }) => path);
    const checked = misshapen.length === 0 ? (sent as Design) : usablePart(sent, places);
    // Of a design with so many there may be more, which nothing has taken out.
    if (!checked || misshapen.length >= mostProblems) return refused(misshapen.map(shapeProblem));
    const disclosure = await disclosureOf({ services, signal }, checked, base);
    const facts = await factsOf(stores, checked, base, disclosure);
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

function shapeProblem({ path, message }: { path: readonly (string | number)[]; message: string }): Problem {
  const hint = `describe_design shows the format${path[0] === 'hooks' || path[0] === 'steps' ? ' of each kind' : ''}.`;
  return problem('invalid_request', path, message, hint);
}
