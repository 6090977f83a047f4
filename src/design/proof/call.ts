import {
  commandExit,
  commandExitsOf,
  endsOpenly,
  entriesOf,
  exitsOf,
  hears,
  stepOf,
  targetsOf,
} from '../exits.ts';
import type { Design, HookNode, HookPhase, Step, Target } from '../schema/design.ts';

/** A place where a call can be: a step, or a node of a hook. */
export type CallPlace =
  | { readonly at: 'step'; readonly id: string; readonly step: Step }
  | { readonly at: HookPhase; readonly id: string; readonly node: HookNode };

export interface Move {
  /** An exit, a route option, a branch, or one of `end`, `transferred` and `hangs up`. */
  readonly label: string;
  /** Index of the next place; undefined if the call is over, `closings` if it goes on at each of them. */
  readonly to: number | 'closings' | undefined;
  /** The caller hangs up. This can happen at every step, but no design can rely on it. */
  readonly hangUp: boolean;
  /** The index of the branch of a condition; that of `else` follows the last one. Undefined for any other exit. */
  readonly branch: number | undefined;
}

/**
 * Every way that a call can take through a design. A call starts with the hook `before`, at its root or at an entry
 * point. It goes through steps and ends with the hook `after`, at the entry point that has the id of the last step. An
 * exit that a step leaves out leads where `next` leads; a step without exits ends the call. At a step that hears the caller,
 * each command of the design is an exit too.
 */
export interface Calls {
  readonly places: readonly CallPlace[];
  readonly starts: readonly number[];
  readonly moves: readonly (readonly Move[])[];
  /** Where every call goes on that is over. A design of 256 KiB has 31 million moves if each end lists them. */
  readonly closings: readonly number[];
}

/** The ways of calls through a design. References to unknown steps and nodes are left out. */
export function callsOf(design: Design): Calls {
  const { before, after } = design.hooks ?? {};
  const places: CallPlace[] = [];
  const index = new Map<string, number>();
  const add = (place: CallPlace) => index.set(keyOf(place.at, place.id), places.push(place) - 1);
  for (const [id, step] of Object.entries(design.steps)) add({ at: 'step', id, step });
  for (const [id, node] of Object.entries(before?.nodes ?? {})) add({ at: 'before', id, node });
  for (const [id, node] of Object.entries(after?.nodes ?? {})) add({ at: 'after', id, node });
  const known = (at: CallPlace['at'], ids: readonly string[]) =>
    ids.flatMap((id) => index.get(keyOf(at, id)) ?? []);

  const entries = known(
    'step',
    entriesOf(design).map(({ stepId }) => stepId),
  );
  const roots = known('before', before?.rootNodeId === undefined ? [] : [before.rootNodeId]);
  const hangUps = known(
    'after',
    after?.prematureHangupNodeId === undefined ? [] : [after.prematureHangupNodeId],
  );
  // An entry point whose key is a step id runs if the call ended there. Any other entry point always runs.
  const closings = Object.entries(after?.entryPoints ?? {}).flatMap(([key, id]) =>
    known('after', [id]).map((node) => ({ key, node })),
  );
  const always = closings.flatMap(({ key, node }) => (stepOf(design, key) ? [] : [node]));
  const closingOf = new Map(closings.map(({ key, node }) => [key, node]));
  const over = (stepId: string): readonly Move['to'][] => {
    const own = closingOf.get(stepId);
    const shared = always.length > 0 ? (['closings'] as const) : [];
    return own === undefined ? (always.length > 0 ? shared : [undefined]) : [own, ...shared];
  };

  const lead = (from: string, label: string, stepId: string | undefined) =>
    stepId === undefined
      ? over(from).map((to) => move(label, to))
      : known('step', [stepId]).map((to) => move(label, to));
  const commandWays = commandWaysOf(design);
  const afterTarget = (
    phase: HookPhase,
    { hookNode, step, end }: Target,
  ): readonly (number | undefined)[] => {
    if (end === true || (hookNode === undefined && step === undefined))
      return phase === 'before' ? entries : [undefined];
    return step === undefined ? known(phase, [hookNode ?? '']) : known('step', [step]);
  };
  const movesOf = (place: CallPlace): Move[] => {
    if (place.at === 'step') {
      const moves = waysOn(design, place.id, place.step).flatMap(({ label, stepId }) =>
        lead(place.id, label, stepId),
      );
      const commanded = hears(place.step)
        ? commandWays.flatMap(({ label, stepId }) => lead(place.id, label, stepId))
        : [];
      return [...moves, ...commanded, ...hangUps.map((to) => ({ ...move('hangs up', to), hangUp: true }))];
    }
    const targets = targetsOf(place.node, []);
    const end = { label: 'end', target: { end: true }, branch: undefined };
    const ways = endsOpenly(place.node) ? [...targets, end] : targets;
    return ways.flatMap(({ label, target, branch }) =>
      afterTarget(place.at, target).map((to) => ({ ...move(label, to), branch })),
    );
  };
  return {
    places,
    starts: [
      ...new Set([
        ...(roots.length > 0 ? roots : entries),
        ...known('before', Object.values(before?.entryPoints ?? {})),
      ]),
    ],
    moves: places.map(movesOf),
    closings: always,
  };
}

function keyOf(at: CallPlace['at'], id: string): string {
  return `${at} ${id}`;
}

function move(label: string, to: Move['to']): Move {
  return { label, to, hangUp: false, branch: undefined };
}

/** The ways that commands open at every step that hears the caller. */
function commandWaysOf(design: Design): { label: string; stepId: string | undefined }[] {
  const ends = Object.entries(design.hooks?.commands ?? {}).flatMap(([id, { next }]) =>
    next?.end === true || (id === 'stop' && next === undefined)
      ? [{ label: commandExit(id), stepId: undefined }]
      : [],
  );
  return [...commandExitsOf(design), ...ends];
}

/** Exits that a step may leave out. They lead where `next` leads. */
const implied: Partial<Record<Step['kind'], string>> = {
  recordingConsent: 'declined',
  collect: 'failed',
  answer: 'noAnswer',
};

/** The ways on from a step; a way without a step id ends the call. */
function waysOn(design: Design, stepId: string, step: Step): { label: string; stepId: string | undefined }[] {
  const ways: { label: string; stepId: string | undefined }[] = exitsOf(stepId, step);
  if (step.kind === 'route') {
    const fallback = step.on?.fallback;
    const open = step.options.filter(({ target }) => target === undefined);
    ways.push(...open.map(({ id }) => ({ label: id, stepId: fallback })));
  }
  if (step.kind === 'transfer') ways.push({ label: 'transferred', stepId: undefined });
  if (step.kind === 'end') ways.push({ label: 'end', stepId: undefined });
  const missing = implied[step.kind];
  const next = ways.find(({ label }) => label === 'next');
  if (missing !== undefined && next && !ways.some(({ label }) => label === missing))
    ways.push({ label: missing, stepId: next.stepId });
  return ways.filter(({ stepId: to }) => to === undefined || stepOf(design, to) !== undefined);
}
