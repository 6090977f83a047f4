import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/client';
import { ApiError } from '../api/api-error.ts';
import type { Api, Input, OperationName } from '../api/client.ts';
import type { HostBridge } from './host-bridge.ts';

type Values = Readonly<Record<string, unknown>>;
/** The result of a tool. */
export type ToolResult = CallToolResult;

/** What the tools call the inputs of the operations that the page uses. */
const inputNames: Readonly<Record<string, string>> = { id: 'conversationId', n: 'version' };

/** The tools for operations that MCP covers with another one. */
const toolNames: Readonly<Record<string, string>> = {
  draw_flow: 'draw_design',
  read_flow_design: 'read_design',
};

/** Only `status` 0 has a meaning to the components: that it helps to try again. A tool's error has no status. */
const refused = 400;

/** The API of the Studio over the host, which calls the tools with the key of its own connection. */
export function apiOverHost(bridge: HostBridge): Api {
  const callTool = async (name: OperationName, input: object, signal?: AbortSignal): Promise<ToolResult> => {
    const params = { name: toolNames[name] ?? name, arguments: argumentsOf(input) };
    const result = (await asking(bridge, 'tools/call', params, signal)) as ToolResult;
    if (result.isError) throw toolError(textOf(result));
    return result;
  };
  return {
    async call<Name extends OperationName>(name: Name, input: Input<Name>, signal?: AbortSignal) {
      // As a resource, a design is never shortened.
      if (name === 'read_design' && bridge.capabilities.serverResources)
        return readDesign(bridge, input as Input<'read_design'>, signal);
      const { structuredContent, ...result } = await callTool(name, input, signal);
      const value = (structuredContent ?? JSON.parse(textOf(result))) as Values;
      if (value['truncated'] === true)
        throw refusal(`The host shows only a part of what ${name} returns, because it is too long.`);
      return namedAsInRest(value);
    },
    async fetch(name, input, signal) {
      const { content } = await callTool(name, input, signal);
      for (const block of content) {
        if (block.type === 'resource' && 'text' in block.resource)
          return responseOf(block.resource.text, block.resource.mimeType);
        if (block.type === 'image') {
          const bytes = Uint8Array.from(atob(block.data), (character) => character.charCodeAt(0));
          return responseOf(bytes, block.mimeType);
        }
      }
      return responseOf(textOf({ content }), 'application/json');
    },
  };
}

async function readDesign(
  bridge: HostBridge,
  { id, n }: Input<'read_design'>,
  signal?: AbortSignal,
): Promise<unknown> {
  const uri = `parley://conversations/${id}/versions/${n}/design`;
  const { contents } = (await asking(bridge, 'resources/read', { uri }, signal)) as ReadResourceResult;
  const [content] = contents;
  if (!content || !('text' in content)) throw refusal('The host returned no design.');
  return JSON.parse(content.text);
}

function argumentsOf(input: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input)
      // On MCP, the details of records are always there.
      .filter(([name, value]) => value !== undefined && name !== 'details')
      .map(([name, value]) => [inputNames[name] ?? name, value]),
  );
}

/** The value; in a list of versions, their numbers have the name that REST gives to them. */
function namedAsInRest(value: Values): Values {
  const renamed = (record: Values) =>
    'version' in record && !('n' in record) ? { ...record, n: record['version'] } : record;
  const { versions } = value;
  return Array.isArray(versions) ? { ...value, versions: versions.map(renamed) } : value;
}

/** Rejects with ApiError if the host refuses or does not respond. */
async function asking(
  bridge: HostBridge,
  method: string,
  params: Values,
  signal?: AbortSignal,
): Promise<unknown> {
  try {
    return await bridge.request(method, params, signal);
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw refusal(`The host did not let the page ask Parley: ${reason}`, thrown);
  }
}

/** The text of a result's first block. */
export function textOf({ content }: Pick<ToolResult, 'content'>): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

/** The error of a failed tool, which is text (docs/mcp.md, Errors). */
export function toolError(text: string): ApiError {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string; details?: Values } };
    return new ApiError({ status: refused, ...error });
  } catch {
    // The host has written the text.
    return refusal(text === '' ? 'The host says only that the call failed.' : text);
  }
}

function refusal(message: string, cause?: unknown): ApiError {
  return new ApiError({ status: refused, code: 'refused', message }, { cause });
}

function responseOf(body: string | Uint8Array<ArrayBuffer>, type = 'text/plain'): Response {
  return new Response(body, { headers: { 'content-type': type } });
}
