import { mostProblems } from '../platform/errors.ts';
import { checkAddresses } from './checks/addresses.ts';
import { checkCalendarDates } from './checks/calendar-dates.ts';
import { checkCalendarHours, checkCalendarUses } from './checks/calendars.ts';
import { checkCommands } from './checks/commands.ts';
import { checkDeadEnds } from './checks/dead-ends.ts';
import { checkDisclosedFirst } from './checks/disclosed-first.ts';
import { checkDisclosure } from './checks/disclosure.ts';
import { checkDuplicates } from './checks/duplicates.ts';
import { checkHeaders } from './checks/headers.ts';
import { checkHookCycles } from './checks/hook-cycles.ts';
import { checkHookNodes } from './checks/hook-nodes.ts';
import { checkIntegrationRefs } from './checks/integration-refs.ts';
import { checkIntegrationKinds, checkIntegrationsExist } from './checks/integrations.ts';
import { checkKnowledge } from './checks/knowledge.ts';
import { checkLayout } from './checks/layout.ts';
import { warnOfLostCallers } from './checks/lost-callers.ts';
import { checkLostExits } from './checks/lost-exits.ts';
import { checkModels } from './checks/models.ts';
import { checkNames } from './checks/names.ts';
import { checkOpenings } from './checks/openings.ts';
import { checkPlanLimit } from './checks/plan-limit.ts';
import { checkReachability } from './checks/reachability.ts';
import { checkRecords } from './checks/records.ts';
import { checkRouteOptions } from './checks/route-options.ts';
import { warnOfSamples } from './checks/samples.ts';
import { checkSecrets } from './checks/secrets.ts';
import { checkSignatures } from './checks/signatures.ts';
import { checkSources } from './checks/sources.ts';
import { checkEmptyTargets, checkTargets } from './checks/targets.ts';
import { checkTransitions } from './checks/transitions.ts';
import { checkVariables } from './checks/variables.ts';
import { completeDesign } from './complete.ts';
import type { Facts } from './facts.ts';
import { designCodes, type Problem } from './problem.ts';
import type { Design } from './schema/design.ts';

const checks: readonly ((design: Design, facts: Facts) => Iterable<Problem>)[] = [
  checkRecords,
  checkTransitions,
  checkRouteOptions,
  checkLayout,
  checkIntegrationsExist,
  checkIntegrationKinds,
  checkDisclosure,
  checkPlanLimit,
  checkTargets,
  checkEmptyTargets,
  checkHookNodes,
  checkHookCycles,
  checkVariables,
  checkCommands,
  checkCalendarDates,
  checkKnowledge,
  checkModels,
  checkIntegrationRefs,
  checkCalendarHours,
  checkDuplicates,
  checkLostExits,
  checkReachability,
  checkCalendarUses,
  checkDeadEnds,
  checkOpenings,
  checkSources,
  checkNames,
  checkAddresses,
  checkHeaders,
  checkSecrets,
  checkSignatures,
  warnOfSamples,
];

/**
 * Runs every check, each until it has found 100 problems. Errors come first, in the order of codes that decides the status of a refused write
 * (`decisions#order-of-design-errors`); warnings follow.
 */
export function checkDesign(design: Design, facts: Facts): Problem[] {
  const problems = found(design, facts);
  // Rejected lines come first: their correction changes which calls are disclosed.
  if (!problems.some(({ code }) => code === 'ai_disclosure_required'))
    problems.push(...foundBy(warnOfDisclosure, design, facts));
  // With errors, the ways of calls are not known.
  if (!problems.some(({ severity }) => severity === 'error'))
    problems.push(...foundBy(warnOfLostCallers, design, facts));
  return ordered(problems);
}

/**
 * What the checks that found these problems find in another design, such as the version before. Only they run: all checks would
 * double the time of a check.
 */
export function foundAgain(problems: readonly Problem[], design: Design, facts: Facts): Problem[] {
  const again = new Set(problems.flatMap((problem) => checkOf.get(problem) ?? []));
  return [...again].flatMap((check) => foundBy(check, design, facts));
}

function* warnOfDisclosure(design: Design, facts: Facts): Generator<Problem> {
  yield* checkDisclosedFirst(completeDesign(design, facts), 'warning');
}

/** The errors alone, of which a refused write tells. They need no search of calls, which only warns. */
export function errorsOf(design: Design, facts: Facts): Problem[] {
  return ordered(found(design, facts).filter(({ severity }) => severity === 'error'));
}

function found(design: Design, facts: Facts): Problem[] {
  return checks.flatMap((check) => foundBy(check, design, facts));
}

type Check = (design: Design, facts: Facts) => Iterable<Problem>;

/** Which check has found a problem. */
const checkOf = new WeakMap<Problem, Check>();

function foundBy(check: Check, design: Design, facts: Facts): Problem[] {
  const problems = firstOf(check(design, facts));
  for (const problem of problems) checkOf.set(problem, check);
  return problems;
}

function ordered(problems: readonly Problem[]): Problem[] {
  const order: readonly string[] = designCodes;
  const rank = ({ severity, code }: Problem) => (severity === 'warning' ? order.length : order.indexOf(code));
  return problems.toSorted((one, other) => rank(one) - rank(other));
}

function firstOf(problems: Iterable<Problem>): Problem[] {
  const first: Problem[] = [];
  for (const found of problems) {
    first.push(found);
    if (first.length === mostProblems) break;
  }
  return first;
}
