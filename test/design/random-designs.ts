import fc from 'fast-check';
import { canBeTaken } from '../../src/design/calendars.ts';
import { calendarActions } from '../../src/design/schema/calendar.ts';
import type { CalendarDate } from '../../src/design/schema/calendar-date.ts';
import type { Design, Step, Target } from '../../src/design/schema/design.ts';

const stepIds = ['a', 'b', 'c', 'd'] as const;
const nodeIds = ['n', 'm'] as const;
const stepId = fc.constantFrom(...stepIds);
const disclosing = 'Hello, I am an AI assistant.';

const calendarAction = fc.constantFrom(...calendarActions);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ introLine: fc.option(fc.constant(disclosing), { nil: null }), next: stepId }).map(
    ({ introLine, next }): Step => ({
      kind: 'greeting',
      ...(introLine !== null && { introLine }),
      on: { next },
    }),
  ),
  fc.tuple(stepId, fc.option(stepId)).map(
    ([next, declined]): Step => ({
      kind: 'recordingConsent',
      line: disclosing,
      on: { next, ...(declined !== null && { declined }) },
    }),
  ),
  fc.tuple(stepId, fc.option(stepId), fc.constantFrom('x', 'y')).map(
    ([next, failed, variableId]): Step => ({
      kind: 'collect',
      prompt: '?',
      collect: [{ id: 'i', variableId }],
      on: { next, ...(failed !== null && { failed }) },
    }),
  ),
  fc.tuple(fc.option(stepId), fc.option(stepId)).map(
    ([target, fallback]): Step => ({
      kind: 'route',
      options: [{ id: 'o', title: 'O', description: 'O', ...(target !== null && { target }) }],
      ...(fallback !== null && { on: { fallback } }),
    }),
  ),
  fc.tuple(stepId, fc.option(stepId)).map(
    ([next, noAnswer]): Step => ({
      kind: 'answer',
      instruction: 'Answer.',
      on: { next, ...(noAnswer !== null && { noAnswer }) },
    }),
  ),
  fc
    .tuple(stepId, fc.constantFrom('exact' as const, 'generated' as const))
    .map(([next, mode]): Step => ({ kind: 'message', text: 'Please hold.', mode, on: { next } })),
  fc.tuple(calendarAction, stepId, fc.option(stepId), stepId).map(
    ([action, next, taken, none]): Step => ({
      kind: 'appointment',
      calendar: { integrationRef: 'diary', action, timeSource: { variableId: 'x' } },
      on: { next, none, ...(taken !== null && canBeTaken({ action }) && { taken }) },
    }),
  ),
  fc.option(stepId).map(
    (failed): Step => ({
      kind: 'transfer',
      destination: { kind: 'phoneNumber', value: '+12025550143' },
      ...(failed !== null && { on: { failed } }),
    }),
  ),
  fc.constant<Step>({ kind: 'end' }),
);

const anyTarget = (nodes: readonly string[]): fc.Arbitrary<Target> =>
  fc.oneof(
    fc.constant({}),
    fc.constant({ end: true }),
    stepId.map((step) => ({ step })),
    fc.constantFrom(...nodes).map((hookNode) => ({ hookNode })),
  );

/** Conditions on the moment of a call, by letters. `X` is one on a variable, which a call may meet at any moment. */
export const calendarDates: Readonly<Record<string, CalendarDate>> = {
  A: { on: ['12-24'] },
  B: { from: '12-20', to: '01-06' },
  C: { weekdays: ['saturday', 'sunday'] },
  D: { between: ['22:00', '06:00'] },
  E: { openingHours: 'closed' },
  F: { on: ['2026-12-24', '2026-12-25'], openingHours: 'open' },
};

/** A moment, with the letters of the conditions that hold then. Written by hand, with a calendar. */
export interface DatedMoment {
  readonly date: string;
  readonly time: string;
  readonly isOpen: boolean;
  readonly holding: string;
}

/** One moment for each way in which the conditions hold together. */
export const datedMoments: readonly DatedMoment[] = [
  ['2026-03-02', ''],
  ['2026-03-07', 'C'],
  ['2026-12-24', 'AB'],
  ['2027-12-24', 'AB'],
  ['2028-12-24', 'ABC'],
  ['2026-12-25', 'B'],
  ['2026-12-28', 'B'],
  ['2027-01-02', 'BC'],
].flatMap(([date = '', always = '']) =>
  (['09:30', '23:00'] as const).flatMap((time) =>
    [true, false].map((isOpen) => {
      const isFirstChristmas = date === '2026-12-24' || date === '2026-12-25';
      const letters = [time === '23:00' && 'D', !isOpen && 'E', isFirstChristmas && isOpen && 'F'];
      return { date, time, isOpen, holding: always + letters.filter((letter) => letter !== false).join('') };
    }),
  ),
);

/** The moments that a design tells apart; one if it looks at none. */
export function momentsApart(design: Design): DatedMoment[] {
  const asked = [design.hooks?.before, design.hooks?.after]
    .flatMap((hook) => Object.values(hook?.nodes ?? {}))
    .flatMap(({ condition }) => condition?.branches ?? [])
    .map(({ id }) => id);
  const apart = new Map(
    datedMoments.map((moment) => [asked.map((id) => moment.holding.includes(id)).join(), moment]),
  );
  return [...apart.values()];
}

const anyBranches = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'X'), {
  minLength: 1,
  maxLength: 3,
});

const anyCondition = fc
  .record({ letters: anyBranches, targets: fc.array(anyTarget(nodeIds), { minLength: 3, maxLength: 3 }) })
  .chain(({ letters, targets }) =>
    anyTarget(nodeIds).map((otherwise) => ({
      mode: 'logic' as const,
      branches: letters.map((id, index) => {
        const calendarDate = calendarDates[id];
        const frame = { id, label: id, next: targets[index] ?? {} };
        return calendarDate
          ? { ...frame, calendarDate }
          : { ...frame, predicate: { variable: { variableId: 'x' }, operator: 'exists' as const } };
      }),
      else: otherwise,
    })),
  );

const anyNode = (id: string) =>
  fc
    .record({
      next: fc.option(anyTarget(nodeIds)),
      condition: fc.option(anyCondition),
      onNotFound: fc.option(anyTarget(nodeIds)),
      action: calendarAction,
      onTaken: fc.option(anyTarget(nodeIds)),
      // Calls with many uses of calendars take long to explore.
      onNone: fc.option(anyTarget(nodeIds), { freq: 1 }),
      transcript: fc.boolean(),
    })
    .map(({ next, condition, onNotFound, action, onTaken, onNone, transcript }) => ({
      id,
      ...(condition === null ? next !== null && { next } : { condition }),
      ...(onNotFound !== null && {
        crmLookup: { integrationRef: 'crm', matchBy: [], fieldMappings: [], onNotFound },
      }),
      ...(onNone !== null && {
        calendar: {
          integrationRef: 'diary',
          action,
          onNone,
          ...(onTaken !== null && canBeTaken({ action }) && { onTaken }),
        },
      }),
      ...(transcript && {
        crmWrite: {
          integrationRef: 'crm',
          contactIdSource: { variableId: 'x' },
          operations: ['log_call' as const],
          logCall: { includeTranscript: true, includeSummary: false, includeRecordingUrl: false },
        },
      }),
    }));

const anyNodes = fc.record({ n: anyNode('n'), m: anyNode('m') });

const anyCommand = fc
  .option(
    fc.oneof(
      fc.constant({ end: true }),
      stepId.map((step) => ({ step })),
    ),
  )
  .map((next) => (next === null ? {} : { next }));

const anyCommands = fc.record({
  person: fc.option(anyCommand),
  stop: fc.option(anyCommand),
  gas: fc.option(anyCommand.map((command) => ({ ...command, description: 'Smells gas.' }))),
});

/** Any design of four steps, with or without hooks. */
export const anyDesign: fc.Arbitrary<Design> = fc
  .record({
    steps: fc.record({ a: anyStep, b: anyStep, c: anyStep, d: anyStep }),
    commands: fc.option(anyCommands),
    before: fc.option(anyNodes),
    after: fc.option(
      fc.record({ nodes: anyNodes, entered: fc.constantFrom('done', 'b', null), hangUp: fc.boolean() }),
    ),
  })
  .map(({ steps, commands, before, after }) => ({
    schemaVersion: 'cd/1' as const,
    entry: { stepId: 'a' },
    steps,
    hooks: {
      ...(commands && {
        commands: Object.fromEntries(
          Object.entries(commands).flatMap(([id, command]) => (command === null ? [] : [[id, command]])),
        ),
      }),
      ...(before && { before: { rootNodeId: 'n', nodes: before } }),
      ...(after && {
        after: {
          nodes: after.nodes,
          ...(after.entered !== null && { entryPoints: { [after.entered]: 'n' } }),
          ...(after.hangUp && { prematureHangupNodeId: 'm' }),
        },
      }),
    },
  }));

/**
 * The ways on from a place such as `step a`, for calls that began at a moment; `over` is the end. Written from the
 * documentation, not from the code.
 */
export function waysOn(
  design: Design,
  place: string,
  { holding }: Pick<DatedMoment, 'holding'>,
): [exit: string, to: string][] {
  const [at = '', id = ''] = place.split(' ');
  const entered = Object.keys(design.hooks?.after?.entryPoints ?? {});
  const over = entered.includes('done') || entered.includes(id) ? 'after n' : 'over';
  if (at === 'step') {
    const step = design.steps[id];
    const ways: [string, string][] = [];
    if (step?.kind === 'greeting') ways.push(['next', `step ${step.on.next}`]);
    if (step?.kind === 'recordingConsent')
      ways.push(['next', `step ${step.on.next}`], ['declined', `step ${step.on.declined ?? step.on.next}`]);
    if (step?.kind === 'collect')
      ways.push(['next', `step ${step.on.next}`], ['failed', `step ${step.on.failed ?? step.on.next}`]);
    if (step?.kind === 'route') {
      const fallback = step.on?.fallback;
      const target = step.options[0]?.target ?? fallback;
      ways.push(['o', target === undefined ? over : `step ${target}`]);
      if (fallback !== undefined) ways.push(['fallback', `step ${fallback}`]);
    }
    if (step?.kind === 'answer')
      ways.push(['next', `step ${step.on.next}`], ['noAnswer', `step ${step.on.noAnswer ?? step.on.next}`]);
    if (step?.kind === 'appointment') {
      ways.push(['next', `step ${step.on.next}`], ['none', `step ${step.on.none}`]);
      if (step.on.taken !== undefined) ways.push(['taken', `step ${step.on.taken}`]);
    }
    if (step?.kind === 'message') ways.push(['next', `step ${step.on.next}`]);
    if (step?.kind === 'transfer') {
      ways.push(['transferred', over]);
      if (step.on?.failed !== undefined) ways.push(['failed', `step ${step.on.failed}`]);
    }
    if (step?.kind === 'end') ways.push(['end', over]);
    if (step && ['recordingConsent', 'collect', 'route', 'answer'].includes(step.kind))
      for (const [command, { next }] of Object.entries(design.hooks?.commands ?? {})) {
        if (next?.step !== undefined) ways.push([`asks for ${command}`, `step ${next.step}`]);
        else if (next !== undefined || command === 'stop') ways.push([`asks for ${command}`, over]);
      }
    if (design.hooks?.after?.prematureHangupNodeId) ways.push(['hangs up', 'after m']);
    return ways;
  }
  const hook = at === 'before' ? design.hooks?.before : design.hooks?.after;
  const node = hook?.nodes[id];
  const leads = (exit: string, target: Target): [string, string] => {
    if (target.step !== undefined) return [exit, `step ${target.step}`];
    if (target.hookNode !== undefined) return [exit, `${at} ${target.hookNode}`];
    return [exit, at === 'before' ? 'step a' : 'over'];
  };
  const notFound = node?.crmLookup?.onNotFound;
  const { onTaken, onNone } = node?.calendar ?? {};
  const lost = [
    ...(notFound ? [leads('onNotFound', notFound)] : []),
    ...(onTaken ? [leads('onTaken', onTaken)] : []),
    ...(onNone ? [leads('onNone', onNone)] : []),
  ];
  if (!node?.condition) return [node?.next ? leads('next', node.next) : leads('end', {}), ...lost];
  const ways: [string, string][] = [];
  for (const { id: letter, next } of node.condition.branches) {
    if (letter === 'X') ways.push(leads(letter, next));
    else if (holding.includes(letter)) return [...ways, leads(letter, next), ...lost];
  }
  return [...ways, leads('else', node.condition.else), ...lost];
}

export const firstPlace = (design: Design) => (design.hooks?.before ? 'before n' : 'step a');

/** True for a place whose line discloses the AI. */
export function isDisclosing(design: Design, place: string): boolean {
  const step = design.steps[place.startsWith('step ') ? place.slice(5) : ''];
  return (step?.kind === 'greeting' && step.introLine !== undefined) || step?.kind === 'recordingConsent';
}

/** True for a hook node that writes a transcript. */
export function writes(design: Design, place: string): boolean {
  const [at = '', id = ''] = place.split(' ');
  const hook = at === 'before' ? design.hooks?.before : at === 'after' ? design.hooks?.after : undefined;
  return hook?.nodes[id]?.crmWrite !== undefined;
}

/** True for a place that no call may reach before the AI is disclosed. */
export function needsDisclosure(design: Design, place: string): boolean {
  const step = design.steps[place.startsWith('step ') ? place.slice(5) : ''];
  return (
    ['collect', 'answer', 'appointment', 'transfer'].includes(step?.kind ?? '') ||
    (step?.kind === 'message' && step.mode === 'generated') ||
    writes(design, place)
  );
}
