import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { simulateConversation } from '../../../tools/simulations/simulate-conversation.ts';
import { isJsonObject } from '../../operation/json.ts';
import type { JsonObject } from '../../operation/result.ts';
import { codeOf, ToolError } from '../../platform/errors.ts';
import type { SimulationReport } from '../../resources/simulations/schema.ts';
import { callTool } from '../call-tool.ts';
import { CommandError, parseArguments, UsageError } from '../command.ts';
import { withCore } from '../open-core.ts';

export const usage = 'CONVERSATION [--script FILE | --talk] [--json]';
export const summary = 'Plays a call with a conversation, and stores nothing';
export const details = `CONVERSATION is an id from list_conversations; its newest version is played.
FILE holds a turn of the caller on each line, or the input of simulate_conversation as JSON; - reads it from stdin.
--talk lets you be the caller. The path is shown next to what is said. An empty line is a silence, /back takes a turn
back, and the end of the input hangs up. --json prints the response as JSON.
Exit status 1 if an expectation does not hold.`;

const options = { script: { type: 'string' }, talk: { type: 'boolean' }, json: { type: 'boolean' } } as const;

type Simulate = (input: JsonObject) => Promise<SimulationReport>;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, options, ['CONVERSATION']);
  const { script, talk, json } = values;
  if (talk === true && (script !== undefined || json === true))
    throw new UsageError('--talk cannot be combined with --script or --json.');
  const input = typeof script === 'string' ? readScript(script) : {};
  await withCore(async (core, config) => {
    const simulate: Simulate = async (more) => {
      const value = { ...more, conversationId: positionals[0] ?? '' };
      const result = await callTool(core, config, simulateConversation, value, { requestId: randomUUID() });
      if (result.kind !== 'value') throw new TypeError('a simulation returns a value');
      return result.value as SimulationReport;
    };
    try {
      if (talk === true) await talkWith(simulate);
      else show(await simulate(input), json === true);
    } catch (error) {
      throw error instanceof ToolError ? new CommandError(messageOf(error)) : error;
    }
  });
}

/** The input of a simulation: a file of JSON as it is, any other as one turn a line. */
function readScript(file: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${codeOf(error)}).`);
  }
  if (!text.trimStart().startsWith('{')) {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    return { caller: { script: lines } };
  }
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is not JSON.`);
  }
  if (!isJsonObject(input)) throw new CommandError(`${file} holds no JSON object.`);
  return input;
}

function show(report: SimulationReport, asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(report)}\n`);
  else {
    showTurns(report);
    const parts = Object.entries(report.coverage);
    print(`Covered: ${parts.map(([name, { seen, all }]) => `${seen} of ${all} ${name}`).join(', ')}.`);
    for (const { holds, found, decidedAt: _, ...expectation } of report.expectations)
      print(`${holds ? 'holds' : 'FAILS'}  ${JSON.stringify(expectation)}: ${found}`);
  }
  if (report.expectations.some(({ holds }) => !holds)) process.exitCode = 1;
}

/** Lets the person at the terminal be the caller, one turn at a time. */
async function talkWith(simulate: Simulate): Promise<void> {
  const { stdin: input, stdout: output } = process;
  const terminal = createInterface({ input, output, terminal: input.isTTY, prompt: '> ' });
  const lines = terminal[Symbol.asyncIterator]();
  let isOpen = true;
  terminal.once('close', () => {
    isOpen = false;
  });
  /** The next line; undefined at the end of the input. */
  const nextLine = async (): Promise<string | undefined> => {
    // The input may end while its last lines still wait.
    if (isOpen) terminal.prompt();
    const { done, value } = await lines.next();
    return done ? undefined : value;
  };
  try {
    let report = await simulate({});
    showTurns(report);
    const states: string[] = [];
    while (!report.ended) {
      if (report.state === null) throw new CommandError('The call has grown too large to go on.');
      states.push(report.state);
      let line = await nextLine();
      for (; line === '/back'; line = await nextLine()) {
        if (states.length > 1) states.pop();
        print(`Before turn ${states.length}.`);
      }
      const turn = line === undefined ? { hangUp: true } : line.trim() === '' ? { silent: true } : line;
      report = await simulate({ state: states.at(-1), caller: { script: [turn] } });
      showTurns(report);
    }
  } finally {
    terminal.close();
  }
}

/** What was said, each line with its step, then the path and what went wrong. */
function showTurns({ transcript, path, notes, ended }: SimulationReport): void {
  const width = Math.max(0, ...transcript.map(({ step }) => step.length));
  for (const { who, text, step } of transcript) print(`${step.padEnd(width)}  ${who}: ${text}`);
  const places = path.map(
    ({ step, hookNode, exit }) => `${step ?? hookNode ?? ''}${exit === null ? '' : ` (${exit})`}`,
  );
  if (places.length > 0) print(`Path: ${places.join(' > ')}`);
  for (const note of notes) print(`Note: ${note}`);
  if (ended) print(`Ended: ${ended.reason}${ended.step === null ? '' : `, at ${ended.step}`}`);
}

function messageOf({ message, details }: ToolError): string {
  const { issues } = (details ?? {}) as { issues?: { path: string; message: string }[] };
  return issues ? issues.map(({ path, message: problem }) => `${path}: ${problem}`).join(' ') : message;
}

/** Prints one line. A terminal acts on control characters, and a caller may have said some. */
function print(line: string): void {
  process.stdout.write(`${line.replaceAll(/\p{Cc}/gu, ' ')}\n`);
}
