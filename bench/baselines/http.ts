// The limit of the REST rows: the smallest careful implementation on node:http and pg.
import { randomBytes } from 'node:crypto';
import { createFlow, findFlow, projectOf, writeVersion } from './database.ts';
import { send, serve, textOf } from './server.ts';

const oneFlow = /^\/v1\/flows\/([0-9a-z]+)$/;
const flowsOfProject = /^\/v1\/projects\/([0-9a-z]+)\/flows$/;
const versionsOfConversation = /^\/v1\/conversations\/([0-9a-z]+)\/versions$/;

interface Body {
  readonly name: string;
  readonly type?: string;
  readonly description?: string;
  readonly flowSchema: unknown;
}

serve(async (request, response) => {
  const { method, url = '', headers } = request;
  const projectId = await projectOf(headers.authorization);
  if (projectId === undefined) return send(response, 401, { error: 'unauthorized' });
  const conversationId = versionsOfConversation.exec(url)?.[1];
  if (method === 'POST' && conversationId !== undefined) {
    const { design } = JSON.parse(await textOf(request)) as { readonly design: unknown };
    return send(response, 201, await writeVersion(projectId, conversationId, design));
  }
  const flowId = oneFlow.exec(url)?.[1];
  if (method === 'GET' && flowId !== undefined) {
    const flow = await findFlow(projectId, flowId);
    if (flow) return send(response, 200, flow);
  } else if (method === 'POST' && flowsOfProject.exec(url)?.[1] === projectId) {
    const {
      name,
      type = 'simple',
      description = null,
      flowSchema,
    } = JSON.parse(await textOf(request)) as Body;
    const made = { id: newId('cfl'), versionId: newId('cfv'), name, type, description, flowSchema };
    return send(response, 201, await createFlow(projectId, made));
  }
  send(response, 404, { error: 'not found' });
});

/** Returns an id as long as Parley's that also sorts by time, so that the index costs the same. */
function newId(prefix: string): string {
  return prefix + Date.now().toString(32).padStart(10, '0') + randomBytes(8).toString('hex');
}
