import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { toolsets } from '../../tools/index.ts';
import { errorAnswer, toToolError } from '../errors.ts';
import { openLog } from '../log.ts';
import { holdToLimit } from '../tool/input.ts';
import { invoke } from '../tool/invoke.ts';
import { isJsonObject } from '../tool/json.ts';
import type { JsonObject, ToolResult } from '../tool/result.ts';
import { toolsOf } from '../tool/selection.ts';
import { parseArguments, UsageError } from './command.ts';
import { identify, withCore } from './open.ts';

export const usage = "TOOL [--input '{…}' | --input -] [--idempotency-key K]";

/** `parley call`: runs one operation; its answer goes to stdout, an error to stderr with exit status 1. */
export async function run(args: readonly string[]): Promise<void> {
  const options = { input: { type: 'string' }, 'idempotency-key': { type: 'string' } } as const;
  const { values, positionals } = parseArguments(args, options, ['TOOL']);
  const tool = toolsOf(toolsets).find(({ name }) => name === positionals[0]);
  if (!tool) {
    const names = toolsOf(toolsets).map(({ name }) => name);
    throw new UsageError(`there is no tool ${positionals[0]}; there are ${names.join(', ')}`);
  }
  const value = readInput(typeof values['input'] === 'string' ? values['input'] : '{}');
  const idempotencyKey = values['idempotency-key'];
  await withCore(async (core, config) => {
    const requestId = randomUUID();
    try {
      const answer = await invoke(core.runtime, tool, {
        caller: tool.access === 'none' ? undefined : (await identify(core, config)).caller,
        requestId,
        input: () => {
          holdToLimit(tool, Buffer.byteLength(JSON.stringify(value)));
          return { value, issues: [] };
        },
        naming: 'tool',
        idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
        signal: new AbortController().signal,
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
    throw new UsageError('--input is not JSON');
  }
  if (!isJsonObject(value)) throw new UsageError('--input takes a JSON object');
  return value;
}

/** A value and events as JSON lines, bytes as they are. */
async function print(answer: ToolResult): Promise<void> {
  const line = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`);
  if (answer.kind === 'value') line(answer.value);
  else if (answer.kind === 'events')
    for (;;) {
      const { done, value } = await answer.events.next();
      line(value);
      if (done) return;
    }
  else if (answer.body instanceof Uint8Array) process.stdout.write(answer.body);
  else for await (const part of answer.body) process.stdout.write(part);
}
