import type { SystemValues, Understood } from '../../calls/call-state.ts';
import { type Expectation, expectationIssues } from '../../calls/expectations.ts';
import type { Json } from '../../calls/json-value.ts';
import type { Mock, ScriptedTurn, Simulation } from '../../calls/simulate.ts';
import type { CalendarMock } from '../../calls/simulated-calendar.ts';
import { calendarUsesOf } from '../../design/calendars.ts';
import { nodesOf } from '../../design/exits.ts';
import type { Design, HookNode } from '../../design/schema/design.ts';
import {
  type SystemVariableName,
  systemVariableNames,
  systemVariables,
} from '../../design/system-variables.ts';
import { isList } from '../../design/value.ts';
import { variableIdsOf } from '../../design/variables.ts';
import { closest } from '../../platform/closest.ts';
import { callText, type Issue, invalidRequest, jsonPointer } from '../../platform/errors.ts';
import { localTimeAt } from '../../platform/local-time.ts';
import type { ProjectTime } from '../project-time/opening-hours.ts';
import type { DesignHome } from '../record/design-owner.ts';
import type { Caller, Mocks } from './schema.ts';
import { simulatedStart, startIssues } from './start.ts';

/** What a simulation and a stored scenario say of a call. */
export interface CallInput {
  readonly caller?: Caller | undefined;
  readonly mocks?: Mocks | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly channel?: string | undefined;
  readonly now?: string | undefined;
  readonly expect?: readonly Expectation[] | undefined;
}

/**
 * Makes the simulation that the engine plays.
 * @param time that of the project, which decides on the date and whether the project is open.
 * @param hint says where to find the ids of the design.
 * @throws ToolError `invalid_request` with everything that the input names and the design does not have
 */
export function preparedSimulation(
  design: Design,
  input: CallInput,
  time: ProjectTime,
  hint?: string,
): Simulation {
  const { caller, mocks = {}, channel = 'phone', expect = [] } = input;
  const issues = [
    ...unknownMocks(design, mocks),
    ...unknownVariables(design, input.variables ?? {}),
    ...startIssues(input).map(({ name, message }) => ({ path: jsonPointer(['variables', name]), message })),
    ...expectationIssues(design, expect).map(({ path, message }) => ({ path: `/expect${path}`, message })),
  ].map(({ path, message }): Issue => ({ in: 'body', path, message }));
  const [first, ...more] = issues;
  if (first) throw invalidRequest([first, ...more], hint === undefined ? {} : { hint });
  const given = Object.entries(input.variables ?? {}) as [string, Json][];
  return {
    script: (caller?.script ?? []).map(turnOf),
    opening: caller?.opening as readonly Understood[] | undefined,
    channel,
    system: {
      ...systemAtStart(channel),
      ...simulatedStart(input, time),
      ...Object.fromEntries(given.filter(([name]) => isSystem(name))),
    },
    variables: Object.fromEntries(given.filter(([name]) => !isSystem(name))),
    ...responsesOf(mocks),
    calendars: calendarsOf(design, mocks, time.timeZone),
    passages: passagesOf(design, mocks),
    transfers: transfersOf(mocks),
  };
}

/** A hint that names the call which shows the ids of a version. A design that is not stored has no version. */
export function idsHint(owner: DesignHome, version: number | null): string {
  if (version === null) return 'The ids are those of the design that you sent.';
  return `${callText('read_design', { ...owner, version, outline: true })} shows the ids.`;
}

/** The system variables that a call has from the start: the examples of their list. */
export function systemAtStart(channel: string): SystemValues {
  const isCall = channel === 'phone';
  const known = systemVariables.filter(
    ({ name, available }) =>
      available === 'from the start' && (isCall || (name !== 'callerPhone' && name !== 'calledNumber')),
  );
  return Object.fromEntries(known.map(({ name, example }) => [name, example]));
}

function isSystem(name: string): name is SystemVariableName {
  return systemVariables.some((one) => one.name === name);
}

function turnOf(turn: NonNullable<Caller['script']>[number]): ScriptedTurn {
  if (typeof turn === 'string') return { text: turn };
  const { text, understood, hangUp } = turn;
  if (hangUp) return { hangUp };
  return text === undefined
    ? { silent: true }
    : { text, understood: understood as Understood | readonly Understood[] | undefined };
}

/** The responses and contacts of hook nodes. A mock may have both: a node may look up a contact and send a request. */
function responsesOf({ nodes = {} }: Mocks): Pick<Simulation, 'requests' | 'contacts'> {
  const mocks = Object.entries(nodes);
  return {
    requests: Object.fromEntries(
      mocks.flatMap(([id, { status, body, contact, fail }]): [string, Mock][] => {
        if (fail !== undefined) return [[id, { fail }]];
        // A contact alone says nothing about a request.
        if (contact !== undefined && status === undefined && body === undefined) return [];
        const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
        return [[id, { status: status ?? 200, body: text }]];
      }),
    ),
    contacts: Object.fromEntries(
      mocks.flatMap(([id, { contact }]) => (contact === undefined ? [] : [[id, contact as Contact]])),
    ),
  };
}

/**
 * What each use of a calendar has. A mock names a use or the calendar itself, for all uses that have no mock of their own. A
 * time with an offset is meant as one of the project's zone.
 */
function calendarsOf(
  design: Design,
  { calendars = {} }: Mocks,
  timeZone: string,
): Readonly<Record<string, CalendarMock>> {
  const clock = (time: string) => {
    const moment = /(?:Z|[+-]\d{2}:\d{2})$/.test(time) ? new Date(time) : undefined;
    // No clock shows a time that does not exist, so that nothing is free then.
    if (!moment || Number.isNaN(moment.getTime())) return time.slice(0, minutesOfClock);
    const { date, time: at } = localTimeAt(moment, timeZone);
    return `${date}T${at}`;
  };
  return Object.fromEntries(
    calendarUsesOf(design).flatMap(({ id, use }) => {
      const mock = [id, use.integrationRef].find((name) => Object.hasOwn(calendars, name));
      const given = mock === undefined ? undefined : calendars[mock];
      return given === undefined ? [] : [[id, isList(given) ? given.map(clock) : given]];
    }),
  );
}

/** Characters of 2026-12-02T09:00. */
const minutesOfClock = 16;

function transfersOf({ transfers }: Mocks): Simulation['transfers'] {
  return typeof transfers === 'object'
    ? Object.fromEntries(Object.entries(transfers).map(([step, result]) => [step, result === 'succeed']))
    : transfers !== 'fail';
}

type Contact = Readonly<Record<string, Json>> | null;

/** Passages by the id of their knowledge base; a mock names the id that the design gives it. */
function passagesOf({ knowledge = [] }: Design, { knowledge: mocked = {} }: Mocks) {
  return Object.fromEntries(
    knowledge.flatMap(({ id, knowledgeBaseId }) =>
      Object.hasOwn(mocked, id) ? [[knowledgeBaseId, mocked[id] ?? []]] : [],
    ),
  );
}

interface Named {
  readonly path: string;
  readonly message: string;
}

/** Mocks that name nothing in the design. */
function unknownMocks(
  design: Design,
  { nodes = {}, knowledge = {}, calendars = {}, transfers }: Mocks,
): Named[] {
  const sending = [...nodesOf(design)].flatMap(({ key, node }) => (reachesOut(node) ? [key] : []));
  return [
    ...unknownNames('hook node that requests something', Object.keys(nodes), sending, ['mocks', 'nodes']),
    ...unknownNames(
      'knowledge',
      Object.keys(knowledge),
      (design.knowledge ?? []).map(({ id }) => id),
      ['mocks', 'knowledge'],
    ),
    ...unknownNames(
      'use of a calendar, nor a calendar that is used,',
      Object.keys(calendars),
      calendarUsesOf(design).flatMap(({ id, use }) => [id, use.integrationRef]),
      ['mocks', 'calendars'],
    ),
    ...unknownNames(
      'transfer step',
      typeof transfers === 'object' ? Object.keys(transfers) : [],
      Object.entries(design.steps).flatMap(([id, { kind }]) => (kind === 'transfer' ? [id] : [])),
      ['mocks', 'transfers'],
    ),
  ];
}

function reachesOut({ webhook, fetch, crmLookup, crmWrite, sendSms }: HookNode): boolean {
  return [webhook, fetch, crmLookup, crmWrite, sendSms].some((block) => block !== undefined);
}

function unknownVariables(design: Design, variables: Readonly<Record<string, unknown>>): Named[] {
  return unknownNames(
    'variable',
    Object.keys(variables),
    [...variableIdsOf(design), ...systemVariableNames],
    ['variables'],
  );
}

function unknownNames(
  what: string,
  names: readonly string[],
  known: readonly string[],
  at: readonly string[],
): Named[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = closest({ word: name, known });
      const hint = nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
      return {
        path: jsonPointer([...at, name]),
        message: `The design has no ${what} ${JSON.stringify(name)}.${hint}`,
      };
    });
}
