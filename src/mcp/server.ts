import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { toToolError } from '../errors.ts';
import { isSecurityEvent, type Log, noteSecurityEvent } from '../log.ts';
import type { Build, Caller } from '../tool/context.ts';
import type { Tool } from '../tool/define.ts';
import { holdToLimit } from '../tool/input.ts';
import { invoke } from '../tool/invoke.ts';
import { inputJsonSchema, outputJsonSchema } from '../tool/json-schema.ts';
import type { Runtime } from '../tool/runtime.ts';
import { mayList, type Selection, selectTools, type Toolsets, tighten } from '../tool/selection.ts';
import { inputOf, publishedValue } from './publication.ts';
import { errorResult, toolResult } from './result.ts';

/** What the MCP adapter is handed; it imports no operation. */
export interface McpOptions {
  readonly toolsets: Toolsets;
  readonly build: Build;
  readonly log: Log;
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

/**
 * Makes the servers of a registry. Every schema is converted here, once; one that cannot be stops the start.
 * The low-level Server: REST and MCP then fail with the same codes and words, and a call costs half.
 */
export function mcpServers({ toolsets, build, log }: McpOptions): (session: McpSession) => Server {
  const descriptions = new Map(
    Object.values(toolsets)
      .flat()
      .map((tool) => [tool, describeTool(tool)] as const),
  );
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  return (session) => {
    const selected = selectTools(toolsets, session.selection);
    const server = new Server(
      { name: 'parley', title: 'Parley', version: build.version },
      { capabilities: { tools: {} }, instructions, jsonSchemaValidator },
    );
    server.setRequestHandler('tools/list', async () => {
      const caller = tighten(await session.listedFor(), session.selection);
      const tools = selected.filter((tool) => mayList(caller, tool));
      return { tools: tools.flatMap((tool) => descriptions.get(tool) ?? []) };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = selected.find(({ name }) => name === params.name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      session.noteTool?.(tool.name);
      const requestId = session.requestId ?? randomUUID();
      const key = mcpReq._meta?.[idempotencyMeta];
      const token = mcpReq._meta?.progressToken;
      let caller: Caller | undefined;
      try {
        if (tool.access !== 'none') caller = tighten(await session.caller(), session.selection);
        const sent = params.arguments ?? {};
        const given = inputOf(tool, sent);
        const answer = await invoke(await session.runtime(), tool, {
          caller,
          requestId,
          input: () => {
            // By their length as UTF-8, as a body in REST is.
            holdToLimit(tool, Buffer.byteLength(JSON.stringify(sent)));
            return given;
          },
          naming: 'tool',
          // What is no text is refused as an empty key is.
          idempotencyKey: key === undefined || typeof key === 'string' ? key : '',
          signal: mcpReq.signal,
        });
        if (tool.securityEvent)
          noteSecurityEvent(log, { event: tool.name, requestId, tool: tool.name, caller });
        const publish = (value: unknown) => publishedValue(tool, value, given.value, given.included);
        return await toolResult(tool.name, answer, publish, mcpReq.signal, async (event, progress) => {
          if (token === undefined) return;
          const message = JSON.stringify(event);
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken: token, progress, message },
          });
        });
      } catch (thrown) {
        const error = toToolError(thrown);
        if (error.status >= 500 && error.status !== 501)
          log.error({ requestId, tool: tool.name, err: error.cause ?? error }, 'call failed');
        if (isSecurityEvent(error.code, tool.name))
          noteSecurityEvent(log, { event: error.code, requestId, tool: tool.name, caller });
        return errorResult(error, requestId);
      }
    });
    return server;
  };
}

/** A tool as `tools/list` shows it. */
export function describeTool(tool: Tool) {
  const { readOnly, destructive, idempotent } = tool.effect;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputJsonSchema(tool),
    ...(tool.mcp.outputSchema !== false &&
      tool.results.length === 0 && { outputSchema: outputJsonSchema(tool) }),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: tool.mcp.openWorld ?? false,
    },
  };
}
