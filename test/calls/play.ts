import { type Simulation, type SimulationRun, simulate } from '../../src/calls/simulate.ts';
import type { Design, HookNode, Step } from '../../src/design/schema/design.ts';

/** A design that starts at its first step. */
export function designOf(steps: Readonly<Record<string, Step>>, more: Partial<Design> = {}): Design {
  const [stepId = ''] = Object.keys(steps);
  return { schemaVersion: 'cd/1', entry: { stepId }, steps, ...more };
}

/** Hook nodes by their ids. */
export function nodesOf(...nodes: HookNode[]): Record<string, HookNode> {
  return Object.fromEntries(nodes.map((node) => [node.id, node]));
}

/** Plays a design over the telephone. A text of the script is a turn. */
export function play(
  design: Design,
  script: readonly (string | Simulation['script'][number])[],
  more: Partial<Simulation> = {},
): SimulationRun {
  const turns = script.map((turn) => (typeof turn === 'string' ? { text: turn } : turn));
  return simulate(design, {
    script: turns,
    channel: 'phone',
    system: { callerPhone: '+12025550143' },
    ...more,
  });
}

/** What was said, a line each: `agent: …` or `caller: …`. */
export function said({ transcript }: SimulationRun): string[] {
  return transcript.map(({ who, text }) => `${who}: ${text}`);
}

/** The places of the call, each with the exit that it took: `welcome next`. */
export function walked({ path }: SimulationRun): string[] {
  return path.map(({ id, exit }) => (exit === null ? id : `${id} ${exit}`));
}
