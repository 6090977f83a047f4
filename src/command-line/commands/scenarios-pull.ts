import { writeFileSync } from 'node:fs';
import { getScenario } from '../../../tools/scenarios/get-scenario.ts';
import { listScenarios } from '../../../tools/scenarios/list-scenarios.ts';
import { codeOf } from '../../platform/errors.ts';
import { mostScenarios } from '../../resources/scenarios/schema.ts';
import { CommandError, parseArguments } from '../command.ts';
import { withOperations } from '../scenario-calls.ts';

export const usage = 'CONVERSATION FILE';
export const summary = 'Writes the scenarios of a conversation to a file';
export const details = `FILE is JSON that scenarios push reads; - writes it to stdout. Keep it next to your code.
An existing FILE is replaced.`;

export async function run(args: readonly string[]): Promise<void> {
  const [conversationId = '', file = ''] = parseArguments(args, {}, ['CONVERSATION', 'FILE']).positionals;
  await withOperations(async (call) => {
    const listed = await call(listScenarios, { conversationId, limit: mostScenarios });
    const scenarios: unknown[] = [];
    for (const { id } of (listed['scenarios'] as { id: string; name: string }[]).toSorted(byName)) {
      const {
        id: _id,
        updatedAt: _updatedAt,
        results: _results,
        ...scenario
      } = await call(getScenario, { scenarioId: id });
      scenarios.push(scenario);
    }
    const text = `${JSON.stringify({ scenarios }, null, 2)}\n`;
    if (file === '-') process.stdout.write(text);
    else write(file, text);
  });
}

/** Orders scenarios by name, so that a file changes only if one of them does. */
function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${codeOf(error)}).`);
  }
}
