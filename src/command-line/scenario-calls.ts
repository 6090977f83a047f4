import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Tool } from '../operation/define.ts';
import { isJsonObject } from '../operation/json.ts';
import type { JsonObject } from '../operation/result.ts';
import { codeOf, ToolError } from '../platform/errors.ts';
import { callTool } from './call-tool.ts';
import { CommandError } from './command.ts';
import { withCore } from './open-core.ts';

/** Calls an operation, and returns its value. */
export type CallOperation = (tool: Tool, input: JsonObject) => Promise<JsonObject>;

/** Opens Parley for calls of operations. A refusal becomes the message of the command. */
export function withOperations(work: (call: CallOperation) => Promise<void>): Promise<void> {
  return withCore(async (core, config) => {
    try {
      await work(async (tool, input) => {
        const result = await callTool(core, config, tool, input, { requestId: randomUUID() });
        if (result.kind !== 'value') throw new TypeError(`${tool.name} returns no value`);
        return result.value as JsonObject;
      });
    } catch (error) {
      throw error instanceof ToolError ? new CommandError(messageOf(error)) : error;
    }
  });
}

/** Reads a file of scenarios: the input of save_scenarios. */
export function readScenarios(file: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${codeOf(error)}).`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is not JSON.`);
  }
  if (!isJsonObject(value) || !Array.isArray(value['scenarios']))
    throw new CommandError(`${file} has no list "scenarios".`);
  return { scenarios: value['scenarios'] };
}

function messageOf({ message, details }: ToolError): string {
  const { issues } = (details ?? {}) as { issues?: { path: string; message: string }[] };
  return issues ? issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ') : message;
}
