import { Agent, request } from 'node:http';
import type { Design } from '../../src/design/schema/design.ts';
import { realDesign } from '../designs/real-designs.ts';
import type { Laboratory } from './laboratory.ts';

/** The designs of the clients: 9 to 42 steps. */
const designNames = [
  'clinic',
  'bank-hotline',
  'hotel-group',
  'restaurant',
  'debt-reminder',
  'public-office',
  'event-tickets',
  'car-workshop',
];
const protocolVersion = '2026-07-28';

/** In each turn, a client makes every kind of call but drawing, which takes a hundred times as long. */
const turns = 10;

/** A client that calls the server in a loop. */
export interface MixedClient {
  /** Makes each kind of call once or more. */
  round(): Promise<void>;
  /** Calls so far. */
  readonly calls: number;
  close(): void;
}

/** Opens clients with a flow and a conversation each, in one project. */
export async function openClients(
  base: string,
  laboratory: Laboratory,
  count: number,
): Promise<MixedClient[]> {
  const tenant = await laboratory.tenant({ plan: 'enterprise' });
  const world = {
    rows: (sql: string, values: unknown[] = []) =>
      laboratory.rows<Record<string, unknown>>(sql.replaceAll(/\$\d/g, '?'), values),
  };
  const designs: Design[] = [];
  for (const name of designNames) designs.push(await realDesign(world, tenant, name));
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      openClient({ base, ...tenant }, [...designs.slice(index % 8), ...designs.slice(0, index % 8)]),
    ),
  );
}

async function openClient(
  { base, key, projectId }: { base: string; key: string; projectId: string },
  designs: readonly Design[],
): Promise<MixedClient> {
  let turn = 0;
  const design = () => designs[turn % designs.length] as Design;
  const agent = new Agent({ keepAlive: true });
  let calls = 0;
  let edits = 0;

  /** Sends a request and returns the body. Throws if the response is not 2xx. */
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const { status, text } = await exchange(agent, `${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (status > 299) throw new Error(`${method} ${path} returned ${status} ${text}`);
    calls++;
    return text;
  };
  const rest = async (method: string, path: string, body?: unknown) =>
    JSON.parse(await send(method, path, body)) as { id: string; version: number };
  const mcp = async (method: string, params: { name?: string; arguments?: object } = {}) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': protocolVersion,
      'io.modelcontextprotocol/clientInfo': { name: 'mixed-load', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
    const text = await send('POST', '/mcp', message, {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    });
    const { result } = JSON.parse(text) as { result?: { isError?: boolean } };
    if (!result || result.isError) throw new Error(`${method} ${params.name ?? ''} returned ${text}`);
  };

  const flows = `/v1/projects/${projectId}/flows`;
  const newFlow = () =>
    rest('POST', flows, { name: 'Hours', type: 'simple', flowSchema: { language: 'en' } });
  const { id: flowId } = await newFlow();
  const flow = `/v1/flows/${flowId}`;
  const created = await rest('POST', `/v1/projects/${projectId}/conversations`, {
    name: 'Reception',
    kind: 'advanced',
    design: design(),
  });
  const conversationId = created.id;
  const conversation = `/v1/conversations/${conversationId}`;
  let newest = 1;
  const version = () => `${conversation}/versions/${newest}`;
  /** Renames the first step. */
  const edit = () => ({ merge: { steps: { [design().entry.stepId]: { name: `Edit ${++edits}` } } } });

  const read = async () => {
    await send('GET', flow);
    await send('GET', `${flow}/versions`);
    await send('GET', `${conversation}/versions`);
    await send('GET', `${version()}/design`);
    await send('GET', flow);
    await send('GET', flows);
    await send('GET', conversation);
    await send('GET', `${version()}/design?outline=true`);
  };
  const write = async () => {
    await newFlow();
    const { id: versionId } = await rest('POST', `${flow}/versions`, { flowSchema: { language: 'de' } });
    await send('POST', `/v1/flow-versions/${versionId}/activate`);
    await send('PATCH', flow, { description: `Version ${versionId}` });
    ({ version: newest } = await rest('POST', `${conversation}/versions`, { design: design() }));
    ({ version: newest } = await rest('PATCH', `${version()}/design`, edit()));
  };
  const examine = async () => {
    await send('POST', `${conversation}/designs/validate`, { design: design() });
    await send('POST', `${conversation}/designs/prove`, { version: newest });
  };
  const draw = async () => {
    await send('GET', `${version()}/diagram?format=svg`);
    await send('GET', `${version()}/diagram?format=png`);
  };
  const callTools = async () => {
    await mcp('tools/list');
    await mcp('tools/call', { name: 'get_flow', arguments: { flowId } });
    await mcp('tools/call', {
      name: 'read_design',
      arguments: { conversationId, version: newest, outline: true },
    });
    await mcp('tools/call', {
      name: 'edit_design',
      arguments: { conversationId, version: newest++, ...edit() },
    });
    await mcp('tools/call', { name: 'prove_design', arguments: { conversationId } });
  };
  return {
    async round() {
      for (let done = 0; done < turns; done++) {
        turn++;
        await read();
        await write();
        await read();
        await callTools();
        await examine();
      }
      await draw();
    },
    get calls() {
      return calls;
    },
    close: () => agent.destroy(),
  };
}

function exchange(
  agent: Agent,
  url: string,
  { method, headers, body = '' }: { method: string; headers: Record<string, string>; body?: string },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers }, (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
