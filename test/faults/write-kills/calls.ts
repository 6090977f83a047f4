import { toolNamed } from '../../contract/registry.ts';
import { bodyOf, type Input, partsOf, routeOf } from '../../contract/rest-request.ts';

const patience = 30_000;

export type Transport = 'REST' | 'MCP';

/** The response to a call that succeeded. */
export interface Acknowledgement {
  readonly requestId: string;
  /** The value as JSON text. Over REST, it is exactly what the audit row hashes, unless only MCP shows all of it. */
  readonly text: string;
  /** True if the audit row hashes more than the text. */
  readonly isWithoutSecret?: true;
}

/**
 * `refused` is the documented refusal while the database is away: 500 with Retry-After. `unanswered` means that no
 * response arrived. In both cases the caller cannot know whether the write was stored.
 */
export type Outcome = Acknowledgement | 'refused' | 'unanswered';

/** A call of one operation. */
export interface Call {
  readonly operation: string;
  readonly input: Input;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Sends a call to a replica.
 * @throws for any response other than a success and the documented refusal
 */
export async function send(base: string, key: string, transport: Transport, call: Call): Promise<Outcome> {
  const request = transport === 'REST' ? restRequest(call) : mcpRequest(call);
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(base + request.route, {
      method: request.method,
      headers: { authorization: `Bearer ${key}`, ...request.headers },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      signal: AbortSignal.timeout(patience),
    });
    text = await reply.text();
  } catch {
    return 'unanswered';
  }
  const requestId = reply.headers.get('x-request-id') ?? '';
  if ([500, 503].includes(reply.status) && reply.headers.has('retry-after')) return 'refused';
  if (reply.status === 409) return shownBefore(JSON.parse(text), requestId);
  if (reply.status >= 300) throw new Error(`${call.operation} returned ${reply.status}: ${text}`);
  if (transport === 'REST') return { requestId, text };
  const { isError, content } = mcpResult(text) ?? {};
  const result = content?.[0]?.text ?? text;
  if (content && !isError) return { requestId, text: result };
  if (/"(?:internal_error|agent_config_unavailable)"/.test(result)) return 'refused';
  if (result.includes('"secret_shown_once"')) return shownBefore(JSON.parse(result), requestId);
  throw new Error(`${call.operation} returned ${result}`);
}

/** The acknowledgement of a write whose first response, which had a secret, was lost. */
function shownBefore({ error }: { error: Input }, requestId: string): Acknowledgement {
  if (error['code'] !== 'secret_shown_once') throw new Error(JSON.stringify(error));
  const { result } = error['details'] as { result: Input };
  return { requestId, text: JSON.stringify(result), isWithoutSecret: true };
}

/** The result in a response of MCP: a JSON-RPC message, alone or as the last event of a stream. */
function mcpResult(text: string): { isError?: true; content: { text: string }[] } | undefined {
  const events = text.split('\n').filter((line) => line.startsWith('data: '));
  return JSON.parse(events.at(-1)?.slice('data: '.length) ?? text).result;
}

function restRequest({ operation, input, idempotencyKey }: Call) {
  const tool = toolNamed(operation);
  const parts = partsOf(tool, input);
  const body = bodyOf(tool, parts);
  return {
    method: tool.rest.method,
    route: routeOf(tool, parts),
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body,
  };
}

function mcpRequest({ operation, input, idempotencyKey }: Call) {
  const params = {
    name: operation,
    arguments: input,
    ...(idempotencyKey !== undefined && { _meta: { 'parley/idempotencyKey': idempotencyKey } }),
  };
  return {
    method: 'POST',
    route: '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  };
}
