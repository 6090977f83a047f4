import type { Design } from '../../src/design/schema/design.ts';
import { patientDesk } from '../designs/patient-desk.ts';
import { realDesign } from '../designs/real-designs.ts';
import { createChatAgent } from '../helpers/chat-visits.ts';
import type { Laboratory } from '../helpers/laboratory.ts';
import type { Tenant } from '../helpers/world.ts';
import { openConnection } from './mixed-connection.ts';
import { openErrands } from './mixed-errands.ts';

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

/** In each turn, a client makes every kind of call but drawings and uploads, which take a hundred times as long. */
const turns = 10;

/** A client that calls the server in a loop. */
export interface MixedClient {
  /** Makes each kind of call once or more. */
  round(): Promise<void>;
  /** Calls so far. */
  readonly calls: number;
  close(): void;
}

/** Opens clients with a flow, a conversation, a knowledge base and a chat each, in one project. */
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
  const webAgentId = await createChatAgent(laboratory, base, tenant, patientDesk);
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      openClient(base, tenant, webAgentId, [...designs.slice(index % 8), ...designs.slice(0, index % 8)]),
    ),
  );
}

async function openClient(
  base: string,
  tenant: Tenant,
  webAgentId: string,
  designs: readonly Design[],
): Promise<MixedClient> {
  let turn = 0;
  const design = () => designs[turn % designs.length] as Design;
  let edits = 0;
  const { projectId } = tenant;
  const connection = openConnection(base, tenant.key);
  const { send, rest, mcp } = connection;
  const errands = await openErrands(connection, tenant, webAgentId);

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
        await errands.chat();
        await errands.search();
      }
      await draw();
      await errands.upload();
    },
    get calls() {
      return connection.calls;
    },
    close: connection.close,
  };
}
