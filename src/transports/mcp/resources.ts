import { randomUUID } from 'node:crypto';
import type { McpTool } from '../../environment/mcp-view.ts';
import { toolsOf } from '../../environment/selection.ts';
import type { Toolsets } from '../../environment/toolsets.ts';
import { textAs } from '../../operation/placement.ts';
import { referenceKinds } from '../../operation/reference.ts';
import type { JsonObject } from '../../operation/result.ts';
import { ToolError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { RequestMetrics } from '../http/request-metrics.ts';
import { answerValue, failure, toolCaller } from './call.ts';
import type { ValueSource } from './prompt.ts';
import {
  type Calls,
  type CompletedValues,
  type CompleteInput,
  type Completion,
  type McpSession,
  noValues,
  type ReadResource,
} from './server.ts';
import { openTasks } from './task-reader.ts';
import { TaskRuns } from './task-runs.ts';

/** The most values that MCP allows in a completion. */
const maximumCompletions = 100;

/** Everything that a server needs from a registry. */
export function callsOf(toolsets: Toolsets, log: Log, metrics?: RequestMetrics): Calls {
  const valuesOf = valueLister(toolsets, log, metrics);
  const runs = new TaskRuns(log);
  return {
    callTool: toolCaller(toolsets, runs, log, metrics),
    tasks: openTasks(toolsByName(toolsets), runs, log),
    readResource: resourceReader(toolsets, log, metrics),
    completeInput: inputCompleter(valuesOf, toolsets),
    completeArgument: valuesOf,
  };
}

/** Reads the resources of a registry: each is the whole output of an operation, or one member of it. */
function resourceReader(toolsets: Toolsets, log: Log, metrics?: RequestMetrics): ReadResource {
  const tools = toolsByName(toolsets);
  return async ({ name, variables, signal }, session) => {
    const requestId = session.requestId ?? randomUUID();
    try {
      const tool = toolNamed(tools, name);
      const { input = {}, member } = tool.mcp.resource ?? {};
      const given: JsonObject = { ...input };
      for (const [name, text] of Object.entries(variables)) given[name] = textAs(tool, name, text);
      const call = { tool, tools, input: given, signal, requestId };
      const value = await answerValue(call, session, metrics);
      const shown = member === undefined ? value : (value as JsonObject)[member];
      if (shown === null)
        throw new ToolError('not_found', 'There is nothing to show here.', { hint: `${name} says why.` });
      return { text: JSON.stringify(shown) };
    } catch (thrown) {
      return failure(thrown, { requestId, tool: name, signal }, log);
    }
  };
}

/** Completes the inputs in a resource's address from the list of their values. */
function inputCompleter(valuesOf: ValuesOf, toolsets: Toolsets): CompleteInput {
  const tools = toolsByName(toolsets);
  return ({ name, input, ...completion }, session) => {
    const tool = toolNamed(tools, name);
    return valuesOf({ ...completion, source: sourceOf(tool, input) }, session);
  };
}

/** Completes a value from the list that holds it. */
type ValuesOf = (
  completion: Completion & { readonly source: ValueSource | undefined },
  session: McpSession,
) => Promise<CompletedValues>;

/** Lists the values of a source that begin with a text, or whose record's name does: among the newest 1,000. */
function valueLister(toolsets: Toolsets, log: Log, metrics?: RequestMetrics): ValuesOf {
  const tools = toolsByName(toolsets);
  return async ({ source, text, known, signal }, session) => {
    if (!source) return noValues;
    const requestId = session.requestId ?? randomUUID();
    try {
      const list = toolNamed(tools, source.tool);
      const { projectId } = await session.caller();
      const filled = Object.entries(source.filledBy ?? {}).map(
        ([input, name]) => [input, known[name]] as const,
      );
      const given = [...Object.entries({ ...known, projectId, limit: 1000 }), ...filled];
      const taken = given.filter(
        ([input, value]) => value !== undefined && Object.hasOwn(list.input.entries, input),
      );
      const call = { tool: list, tools, input: Object.fromEntries(taken), signal, requestId };
      const answer = (await answerValue(call, session, metrics)) as JsonObject;
      const items = answer[list.mcp.pages?.items ?? ''] as Readonly<Record<string, string | number>>[];
      const wanted = text.toLowerCase();
      const begins = (shown: string | number = '') => `${shown}`.toLowerCase().startsWith(wanted);
      const values = items
        .filter((item) => begins(item[source.member]) || begins(item['name']))
        .map((item) => String(item[source.member]));
      const distinct = [...new Set(values)];
      return {
        values: distinct.slice(0, maximumCompletions),
        total: distinct.length,
        hasMore: distinct.length > maximumCompletions || answer['nextCursor'] !== undefined,
      };
    } catch (thrown) {
      // If the list fails, clients expect no completions; the failure is in the log.
      failure(thrown, { requestId, tool: source.tool, signal }, log);
      return noValues;
    }
  };
}

function toolsByName(toolsets: Toolsets): ReadonlyMap<string, McpTool> {
  return new Map(toolsOf(toolsets).map((tool) => [tool.name, tool]));
}

function toolNamed(tools: ReadonlyMap<string, McpTool>, name: string): McpTool {
  const tool = tools.get(name);
  if (!tool) throw new Error(`${name} is listed, but not in the registry`);
  return tool;
}

/** The tool that lists the values of an input, and their member in each item. */
function sourceOf({ references, mcp }: McpTool, name: string): ValueSource | undefined {
  const reference = references.find(({ path }) => path.length === 1 && path[0] === name);
  return reference
    ? { tool: referenceKinds[reference.name].listedBy, member: 'id' }
    : mcp.resource?.completions?.[name];
}
