import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { toolsets } from '../../../tools/index.ts';
import { toolsOf } from '../../environment/selection.ts';
import { isJsonObject } from '../../operation/json.ts';
import type { JsonObject, ToolResult } from '../../operation/result.ts';
import { errorAnswer, toToolError } from '../../platform/errors.ts';
import { openLog } from '../../platform/log.ts';
import { callTool } from '../call-tool.ts';
import { parseArguments, UsageError } from '../command.ts';
import { withCore } from '../open-core.ts';

export const usage = "TOOL [--input '{…}' | --input -] [--idempotency-key K]";
export const summary = 'Calls one tool, such as list_flows';
export const details = `--input is a JSON object with the tool's parameters; - reads it from stdin. Without it, {}.
The result goes to stdout. An error goes to stderr as JSON, with exit status 1.
--idempotency-key makes a repetition of the same call within 24 hours return the first result.`;

export async function run(args: readonly string[]): Promise<void> {
  const options = { input: { type: 'string' }, 'idempotency-key': { type: 'string' } } as const;
  const { values, positionals } = parseArguments(args, options, ['TOOL']);
  const [word = ''] = positionals;
  const tool = toolsOf(toolsets).find(({ name }) => name === word);
  if (!tool) {
    const known = toolsOf(toolsets).map(({ name }) => name);
    const message = `There is no tool ${word}.`;
    throw new UsageError(`${message} The tools are ${known.join(', ')}.`, { message, word, known });
  }
  const value = readInput(typeof values['input'] === 'string' ? values['input'] : '{}');
  const idempotencyKey = values['idempotency-key'];
  await withCore(async (core, config) => {
    const requestId = randomUUID();
    try {
      const answer = await callTool(core, config, tool, value, {
        requestId,
        idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
      });
      await print(answer);
    } catch (thrown) {
      if (thrown instanceof Error && thrown.name === 'CommandError') throw thrown;
      const error = toToolError(thrown);
      if (error.status >= 500 && error.status !== 501)
        openLog({ buffered: false }).error({ requestId, err: error.cause ?? error }, 'call failed');
      process.stderr.write(`${JSON.stringify(errorAnswer(error, requestId).body)}\n`);
      process.exitCode = 1;
    }
  });
}

function readInput(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text === '-' ? readFileSync(0, 'utf8') : text);
  } catch {
    throw new UsageError('--input is not JSON.');
  }
  if (!isJsonObject(value)) throw new UsageError('--input takes a JSON object.');
  return value;
}

/** Writes a value or events as lines of JSON, and bytes unchanged. */
async function print(answer: ToolResult): Promise<void> {
  const printLine = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`);
  if (answer.kind === 'value') printLine(answer.value);
  else if (answer.kind === 'events')
    for (;;) {
      const { done, value } = await answer.events.next();
      printLine(value);
      // Also if the reader of a pipe has left.
      if (done || process.stdout.destroyed) return;
    }
  else if (answer.body instanceof Uint8Array) process.stdout.write(answer.body);
  else
    for await (const part of answer.body) {
      // The reader of a pipe has left.
      if (process.stdout.destroyed) return;
      process.stdout.write(part);
    }
}
