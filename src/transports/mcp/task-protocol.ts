import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  type Server,
} from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import type { JsonObject } from '../../operation/result.ts';

/** The extension of MCP by which a call goes on after its response (SEP-2663). */
const tasksExtension = 'io.modelcontextprotocol/tasks';

/** What declares the extension, on both sides. */
export const tasksCapability = { extensions: { [tasksExtension]: {} } };

/** What a client of 2026-07-28 says of itself with each request. */
export function capabilitiesIn(envelope: object | undefined): ClientCapabilities | undefined {
  return (envelope as Readonly<Record<string, ClientCapabilities>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
}

/** True if the client of a request takes tasks. */
export function takesTasks(envelope: object | undefined): boolean {
  return capabilitiesIn(envelope)?.extensions?.[tasksExtension] !== undefined;
}

/** The methods on tasks. Each throws a ProtocolError for an unknown task. */
export interface TaskMethods {
  readonly get: (id: string, signal: AbortSignal) => Promise<JsonObject>;
  readonly cancel: (id: string, signal: AbortSignal) => Promise<void>;
}

const named = { params: z.object({ taskId: z.string().max(100) }) };

/** Serves the methods of the extension to clients that declare it. */
export function serveTasks(server: Server, { get, cancel }: TaskMethods): void {
  server.setRequestHandler('tasks/get', named, async ({ taskId }, { mcpReq }) => {
    requireExtension(mcpReq.envelope);
    return get(taskId, mcpReq.signal);
  });
  server.setRequestHandler('tasks/cancel', named, async ({ taskId }, { mcpReq }) => {
    requireExtension(mcpReq.envelope);
    await cancel(taskId, mcpReq.signal);
    return {};
  });
  // No task asks its client for anything, and responses to what was not asked are ignored.
  server.setRequestHandler('tasks/update', named, async ({ taskId }, { mcpReq }) => {
    requireExtension(mcpReq.envelope);
    await get(taskId, mcpReq.signal);
    return {};
  });
}

function requireExtension(envelope: object | undefined): void {
  if (!takesTasks(envelope))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: tasksCapability });
}
