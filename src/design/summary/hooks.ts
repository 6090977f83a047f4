import { jsonPointer } from '../../platform/errors.ts';
import { calendarWords } from '../calendar-words.ts';
import { nodesOf, targetsOf } from '../exits.ts';
import type { Command, Design, HookNode, Target } from '../schema/design.ts';
import { isSame, type Members } from '../value.ts';
import { memberLines, own, quoted, type Way, wayLines } from './wording.ts';

/** One line for each changed hook node, then for the members of each hook. */
export function hookLines(from: Design, to: Design): string[] {
  const [before, now] = [nodesByPlace(from), nodesByPlace(to)];
  return [
    ...[...before].flatMap(([place, { phase, key }]) =>
      now.has(place) ? [] : [`hook node ${quoted(key)} removed from hooks.${phase}`],
    ),
    ...[...now].flatMap(([place, { phase, key }]) =>
      before.has(place) ? [] : [`hook node ${quoted(key)} added to hooks.${phase}`],
    ),
    ...[...now].flatMap(([place, { key, node }]) => {
      const old = before.get(place)?.node;
      return old && !isSame(old, node) ? changedNodeLines(key, old, node) : [];
    }),
    ...commandLines(from.hooks?.commands, to.hooks?.commands),
    ...(['before', 'after'] as const).flatMap((phase) =>
      memberLines(`hooks.${phase}`, withoutNodes(from.hooks?.[phase]), withoutNodes(to.hooks?.[phase])),
    ),
  ];
}

type Commands = NonNullable<Design['hooks']>['commands'];

function commandLines(from: Commands = {}, to: Commands = {}): string[] {
  const removed = Object.keys(from).filter((id) => !Object.hasOwn(to, id));
  return [
    ...removed.map((id) => `command ${quoted(id)} removed`),
    ...Object.entries(to).flatMap(([id, { next, ...members }]) => {
      const before = own(from, id) as Command | undefined;
      if (!before) return [`command ${quoted(id)} added`];
      const { next: oldNext, ...oldMembers } = before;
      const ways = (target: Command['next']) =>
        target ? [{ key: 'next', label: 'next', to: ending(target) }] : [];
      return [
        ...memberLines(`command ${quoted(id)}`, oldMembers, members),
        ...wayLines(`command ${quoted(id)}`, ways(oldNext), ways(next)),
      ];
    }),
  ];
}

function nodesByPlace(design: Design) {
  return new Map([...nodesOf(design)].map((found) => [jsonPointer(found.place), found]));
}

function withoutNodes(hook: Members = {}): Members {
  const { nodes: _, ...members } = hook;
  return members;
}

function changedNodeLines(key: string, before: HookNode, now: HookNode): string[] {
  const owner = `hook node ${quoted(key)}`;
  return [
    ...memberLines(owner, withoutTargets(before), withoutTargets(now)),
    ...calendarLines(owner, before, now),
    ...wayLines(owner, waysOf(before), waysOf(now)),
  ];
}

/** What calendar dates were and are, for each branch on one that was added or changed. */
function calendarLines(owner: string, before: HookNode, now: HookNode): string[] {
  const old = new Map(before.condition?.branches.map((branch) => [branch.id, whenOf(branch)]));
  return (now.condition?.branches ?? []).flatMap((branch) => {
    const [when, was] = [whenOf(branch), old.get(branch.id)];
    if (when === was || when === undefined) return [];
    const instead = was === undefined ? '' : ` instead of ${was}`;
    return [`branch ${quoted(branch.id)} of ${owner} is taken ${when}${instead}`];
  });
}

type Branch = NonNullable<HookNode['condition']>['branches'][number];

function whenOf(branch: Branch): string | undefined {
  return 'calendarDate' in branch ? calendarWords(branch.calendarDate) : undefined;
}

function waysOf(node: HookNode): Way[] {
  return targetsOf(node, []).map(({ place, label, target }) => ({
    key: `${place.length} ${label}`,
    label,
    to: ending(target),
  }));
}

function ending({ hookNode, step }: Target): string {
  if (hookNode !== undefined) return `hook node ${quoted(hookNode)}`;
  return step === undefined ? 'the end' : `step ${quoted(step)}`;
}

/** A hook node without its targets and calendar dates, which have their own lines. */
function withoutTargets({ next: _, condition, crmLookup, calendar, ...node }: HookNode): Members {
  const { onNotFound: __, ...lookup } = crmLookup ?? {};
  const { onTaken: _____, onNone: ______, ...use } = calendar ?? {};
  const { else: ___, branches = [], ...rest } = condition ?? {};
  return {
    ...node,
    ...(crmLookup && { crmLookup: lookup }),
    ...(calendar && { calendar: use }),
    ...(condition && {
      condition: { ...rest, branches: branches.map(withoutNext) },
    }),
  };
}

/** A branch without its target, and without its calendar date, which has a line in words. */
function withoutNext({ next: _, ...branch }: Branch): Members {
  if (!('calendarDate' in branch)) return branch;
  const { calendarDate: __, ...others } = branch;
  return others;
}
