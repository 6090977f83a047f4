import { proposing } from '../../calls/propose.ts';
import type { ScriptedTurn, Simulation } from '../../calls/simulate.ts';
import type { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import { Pieces } from '../effects/pieces.ts';
import { systemAtStart } from '../simulations/prepare.ts';
import { mostScenarios, type Scenario } from './schema.ts';

/** The tag of scenarios that were derived from a design. */
const proposedTag = 'proposed';

/** Derives scenarios from a design, in the form in which callers write them. They expect what the call does now. */
export async function proposedScenarios({ services, caller, signal }: ToolContext, design: Design) {
  const pieces = new Pieces(async () => {
    await services.turn(caller);
    signal.throwIfAborted();
  });
  const { scenarios, coverage, missed } = await pieces.run(proposing(design, mostScenarios));
  const written = scenarios.map(({ name, simulation, ended }): Scenario => {
    const step = ended?.step ?? null;
    return {
      name,
      tags: [proposedTag],
      ...contentOf(simulation),
      expect: [
        ...(ended === null ? [] : [{ ends: { reason: ended.reason } }]),
        ...(step === null ? [] : [{ reaches: { step } }]),
      ],
    };
  });
  return { scenarios: written, coverage, missed };
}

/** A simulation of the engine as callers write it: the reverse of `preparedSimulation`. */
function contentOf(simulation: Simulation): Pick<Scenario, 'caller' | 'mocks' | 'variables' | 'channel'> {
  const { script, opening, channel, system, variables = {}, calendars, transfers } = simulation;
  const usual: Readonly<Record<string, unknown>> = systemAtStart(channel);
  // The weekday follows from the date.
  const told = Object.entries(system).filter(
    ([name, value]) => usual[name] !== value && name !== 'callWeekday',
  );
  const given = { ...variables, ...Object.fromEntries(told) };
  const nodes = nodeMocks(simulation);
  const mocks = {
    ...(Object.keys(nodes).length > 0 && { nodes }),
    ...(calendars !== undefined && { calendars: calendarMocks(calendars) }),
    ...(transfers !== undefined && { transfers: transferMocks(transfers) }),
  };
  return {
    caller: {
      script: script.map(turnOf),
      ...(opening && { opening: opening.map((one) => ({ ...one })) }),
    },
    ...(Object.keys(mocks).length > 0 && { mocks }),
    ...(Object.keys(given).length > 0 && { variables: given }),
    ...(channel !== 'phone' && { channel }),
  };
}

function turnOf(turn: ScriptedTurn): Record<string, unknown> {
  return { ...turn };
}

function nodeMocks({ requests = {}, contacts = {} }: Simulation) {
  const ids = new Set([...Object.keys(requests), ...Object.keys(contacts)]);
  return Object.fromEntries(
    [...ids].map((id) => [
      id,
      {
        ...(Object.hasOwn(requests, id) && requests[id]),
        ...(Object.hasOwn(contacts, id) && { contact: contacts[id] ?? null }),
      },
    ]),
  );
}

function calendarMocks(calendars: NonNullable<Simulation['calendars']>) {
  return Object.fromEntries(
    Object.entries(calendars).map(([id, mock]) => [id, typeof mock === 'string' ? mock : [...mock]]),
  );
}

function transferMocks(transfers: NonNullable<Simulation['transfers']>) {
  const word = (succeeds: boolean) => (succeeds ? ('succeed' as const) : ('fail' as const));
  if (typeof transfers === 'boolean') return word(transfers);
  return Object.fromEntries(Object.entries(transfers).map(([step, succeeds]) => [step, word(succeeds)]));
}
