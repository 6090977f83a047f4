import { saveScenarios } from '../../../tools/scenarios/save-scenarios.ts';
import { parseArguments } from '../command.ts';
import { readScenarios, withOperations } from '../scenario-calls.ts';

export const usage = 'CONVERSATION FILE';
export const summary = 'Creates or replaces scenarios of a conversation from a file';
export const details = `FILE is what scenarios pull writes: {"scenarios": […]} as save_scenarios takes them; - reads it from stdin.
Scenarios that FILE does not name stay. They are played on the newest version; exit status 1 if one fails.`;

export async function run(args: readonly string[]): Promise<void> {
  const [conversationId = '', file = ''] = parseArguments(args, {}, ['CONVERSATION', 'FILE']).positionals;
  const input = readScenarios(file);
  await withOperations(async (call) => {
    const { scenarios } = await call(saveScenarios, { conversationId, ...input });
    for (const { name, holds, created } of scenarios as {
      name: string;
      holds: boolean;
      created: boolean;
    }[]) {
      process.stdout.write(`${holds ? 'passes' : 'FAILS '}  ${name} (${created ? 'new' : 'replaced'})\n`);
      if (!holds) process.exitCode = 1;
    }
  });
}
