import type { Design } from '../api/operations.ts';
import { changesBetween } from './design-changes.ts';
import { exitsOf, exitWord, kindName, optionName, type Step, stepName } from './step-lines.ts';

/** Numbers of at least seven digits, and email or SIP addresses. */
const reachable = /\+?\d(?:[ ().-]{0,2}\d){6,}|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/** What callers would notice most if it is wrong, as sentences: numbers, ways, greetings, questions, dead ends and hosts. */
export function weightyChanges(before: Design, after: Design): readonly string[] {
  return [
    ...transferChanges(before, after),
    ...newAddresses(before, after),
    ...exitChanges(before, after),
    ...lostPlaces(before, after),
    ...collectChanges(before, after),
    ...hostChanges(before, after),
    ...greetingChanges(before, after),
  ];
}

function transferChanges(before: Design, after: Design): string[] {
  return Object.entries(after.steps).flatMap(([id, step]) => {
    if (step.kind !== 'transfer') return [];
    const name = stepName(after, id);
    const { value } = step.destination;
    const old = before.steps[id];
    if (old?.kind !== 'transfer') return [`${name} is a new transfer: it puts callers through to ${value}.`];
    return [
      ...(old.destination.value === value
        ? []
        : [`${name} puts callers through to ${value}. Before, it was ${old.destination.value}.`]),
      ...(old.on?.failed !== undefined && step.on?.failed === undefined
        ? [
            `If nobody answers at ${name}, the call ends. Before, it went on with ${stepName(before, old.on.failed)}.`,
          ]
        : []),
    ];
  });
}

/** Numbers and addresses in changed texts that the older text did not have. */
function newAddresses(before: Design, after: Design): string[] {
  return changesBetween(before, after).flatMap(({ key, name, fields }) =>
    fields
      // The rest of a design repeats what its steps say, such as the line that discloses the AI.
      .filter(({ place }) => key !== '' && place !== 'destination/value')
      .flatMap(({ before: old = '', after: now = '' }) =>
        (now.match(reachable) ?? [])
          .filter((found) => !old.includes(found))
          .map((found) => `${name} has another number or address: ${found}.`),
      ),
  );
}

/** Ways out of a step that are gone or lead somewhere else. */
function exitChanges(before: Design, after: Design): string[] {
  return Object.entries(before.steps).flatMap(([id, old]) => {
    const step = after.steps[id];
    if (!step) return [];
    const now = targetsOf(step);
    return [...targetsOf(old)].flatMap(([exit, { isOption, to: was }]) => {
      const is = now.get(exit)?.to;
      if (is === was || (is !== undefined && isOnTheWay(before, after, is, was))) return [];
      const name = stepName(after, id);
      const place = stepName(before, was);
      if (isOption) {
        const option = optionName(old, exit.slice('option '.length));
        return is === undefined
          ? [`At ${name}, callers can no longer choose ${option}. It led to ${place}.`]
          : [`At ${name}, ${option} now leads to ${stepName(after, is)}. Before, it led to ${place}.`];
      }
      // A transfer that lost this exit is among the changed transfers.
      if (is === undefined && step.kind === 'transfer' && exit === 'failed') return [];
      const situation = situationAt(name, exit, step);
      return is === undefined
        ? [`${situation}, the call no longer goes on with ${place}.`]
        : [`${situation}, the call now goes on with ${stepName(after, is)}. Before, it was ${place}.`];
    });
  });
}

interface Way {
  readonly isOption: boolean;
  readonly to: string;
}

/** Where each exit and option of a step leads, by names that no exit and option share. */
function targetsOf(step: Step): ReadonlyMap<string, Way> {
  const ways = new Map<string, Way>();
  if (step.kind === 'route')
    for (const { id, target } of step.options)
      if (target !== undefined) ways.set(`option ${id}`, { isOption: true, to: target });
  if ('on' in step)
    for (const [exit, to] of Object.entries<string | undefined>(step.on ?? {}))
      if (to !== undefined) ways.set(exit, { isOption: false, to });
  return ways;
}

/** True if the exit leads to a new step, which goes on to the place where the exit led before. */
function isOnTheWay(before: Design, after: Design, id: string, to: string): boolean {
  const step = after.steps[id];
  return !(id in before.steps) && step !== undefined && exitsOf(step).some((exit) => exit.to === to);
}

function situationAt(name: string, exit: string, step: Step): string {
  if (exit === 'next') return `After ${name}`;
  if (exit === 'failed' && step.kind === 'transfer') return `If nobody answers at ${name}`;
  return `At ${name}, in the case “${exitWord(exit)}”`;
}

/** Steps of the older version that a call can no longer reach. */
function lostPlaces(before: Design, after: Design): string[] {
  const [old, now] = [reachableSteps(before), reachableSteps(after)];
  return [...old].flatMap((id) => {
    const step = before.steps[id];
    if (now.has(id) || !step || step.kind === 'end') return [];
    return [`Callers no longer get to ${stepName(before, id)} (${kindName(step.kind)}).`];
  });
}

function reachableSteps({ entry, steps, hooks }: Design): ReadonlySet<string> {
  const found = new Set<string>();
  // A condition before the call may choose the step at which it begins.
  const starts = Object.values(hooks?.before?.nodes ?? {}).flatMap(({ condition, next }) =>
    [next, condition?.else, ...(condition?.branches ?? []).map((branch) => branch.next)].flatMap(
      (target) => target?.step ?? [],
    ),
  );
  const open = [entry.stepId, ...starts];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const step: Step | undefined = steps[id];
    if (found.has(id) || !step) continue;
    found.add(id);
    open.push(...exitsOf(step).map(({ to }) => to));
  }
  return found;
}

function collectChanges(before: Design, after: Design): string[] {
  const [old, now] = [collected(before), collected(after)];
  return [
    ...[...old].filter(([id]) => !now.has(id)).map(([, name]) => `The agent no longer asks for ${name}.`),
    ...[...now].filter(([id]) => !old.has(id)).map(([, name]) => `The agent now asks for ${name}.`),
  ];
}

/** What callers are asked for: the ids of variables and their names. */
function collected(design: Design): ReadonlyMap<string, string> {
  const names = new Map((design.variables ?? []).map(({ id, name }) => [id, name]));
  return new Map(
    [...reachableSteps(design)].flatMap((id) => {
      const step = design.steps[id];
      return step?.kind === 'collect'
        ? step.collect.map(({ variableId }) => [variableId, names.get(variableId) ?? variableId] as const)
        : [];
    }),
  );
}

function hostChanges(before: Design, after: Design): string[] {
  const old = hostsOf(before);
  return [...hostsOf(after)]
    .filter((host) => !old.has(host))
    .map((host) => `Data goes to another server: ${host}.`);
}

/** The hosts that the hooks of a design send requests to. */
function hostsOf({ hooks }: Design): ReadonlySet<string> {
  const nodes = Object.values({ ...hooks?.before?.nodes, ...hooks?.after?.nodes });
  return new Set(
    nodes
      .flatMap(({ webhook, fetch }) => [webhook?.url, fetch?.url])
      .flatMap((url) => (url === undefined ? [] : (/^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? url))),
  );
}

function greetingChanges(before: Design, after: Design): string[] {
  return Object.entries(after.steps).flatMap(([id, step]) => {
    const old = before.steps[id];
    return step.kind === 'greeting' &&
      (old?.kind === 'greeting' ? old.introLine : undefined) !== step.introLine
      ? [`Callers are greeted with other words: “${step.introLine}”`]
      : [];
  });
}
