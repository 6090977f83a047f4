import {
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import type { Caller } from '../tool/context.ts';
import type { JsonObject } from '../tool/result.ts';
import type { Runtime } from '../tool/runtime.ts';
import { mayList, type Selection, selectTools, tighten } from '../tool/selection.ts';
import type { Listing } from './listing.ts';
import type { ToolResult } from './result.ts';

/** What a server needs. It runs no call itself: who lists tools need not load what runs them. */
export interface McpOptions {
  readonly listing: Listing;
  readonly version: string;
  readonly callTool: CallTool;
}

/** Runs one call; it never throws. */
export type CallTool = (call: ToolCall, session: McpSession) => Promise<ToolResult>;

/** A call of a tool that is listed. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** As it came. */
  readonly idempotencyKey: unknown;
  readonly signal: AbortSignal;
  /** Tells the client of an event on the way to the answer, where it asked for that. */
  readonly progress: (event: JsonObject, index: number) => Promise<void>;
}

/** Who is at the other end of one server: of one HTTP request, or of one stdio connection. */
export interface McpSession {
  readonly selection: Selection;
  /** Whose tools are listed; needs no database where that is known without. */
  listedFor(): Caller | Promise<Caller>;
  /** Whose calls are run. */
  caller(): Caller | Promise<Caller>;
  runtime(): Runtime | Promise<Runtime>;
  /** The id of the transport's request, where it has one. */
  readonly requestId?: string;
  /** Told which tool is called, for the log. */
  noteTool?(name: string): void;
}

/** The key under `_meta` that carries an idempotency key. */
const idempotencyMeta = 'parley/idempotencyKey';

const instructions = `Parley manages voice and chat agents: flows and their versions, and what belongs to a project.
Start with list_projects: most tools want its projectId. List before you read: ids come from list_ tools.
Drafts and what is live are apart: creating a version changes nothing for callers; activating it does.
To change a flow: list_flow_versions (limit 1), create_flow_version with the whole configuration, then activate_flow_version. To undo, activate the older version.
To change a conversation: read_design (outline first), validate_design, write_design with baseVersion, then activate_conversation_version. describe_design shows the format of a design.
Deleting moves to the trash: list_trash, restore_deleted.
An error names every problem at once in error.details.issues, and a hint says what to call next.`;

/** For forms that a server sends to its clients: Parley sends none, and the SDK's own takes long to load. */
const noValidator: jsonSchemaValidator = {
  getValidator() {
    throw new Error('there is no validator of forms');
  },
};

/**
 * Makes the servers of a listing.
 * The low-level Server: REST and MCP then fail with the same codes and words, and a call costs half.
 */
export function mcpServers({ listing, version, callTool }: McpOptions): (session: McpSession) => Server {
  return (session) => {
    const selected = selectTools(listing, session.selection);
    const server = new Server(
      { name: 'parley', title: 'Parley', version },
      { capabilities: { tools: {} }, instructions, jsonSchemaValidator: noValidator },
    );
    server.setRequestHandler('tools/list', async () => {
      const caller = tighten(await session.listedFor(), session.selection);
      return { tools: selected.filter((tool) => mayList(caller, tool)).map(({ shown }) => shown) };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const { name, arguments: given = {} } = params;
      if (!selected.some((tool) => tool.name === name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
      session.noteTool?.(name);
      const token = mcpReq._meta?.progressToken;
      return callTool(
        {
          name,
          arguments: given,
          idempotencyKey: mcpReq._meta?.[idempotencyMeta],
          signal: mcpReq.signal,
          async progress(event, index) {
            if (token === undefined) return;
            const params = { progressToken: token, progress: index, message: JSON.stringify(event) };
            await mcpReq.notify({ method: 'notifications/progress', params });
          },
        },
        session,
      );
    });
    return server;
  };
}
