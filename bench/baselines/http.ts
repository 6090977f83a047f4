// The limit of the REST rows: the smallest careful implementation on node:http and pg.
import { type Profile, replaceProfile } from './agent-profiles.ts';
import { auditedTransaction, callerOf, inTransaction, type Transact } from './database.ts';
import { editDesign, type Replacement, writeVersion } from './designs.ts';
import { activateFlowVersion, createFlow, createFlowVersion, findFlow, type NewFlow } from './flows.ts';
import { mintKey, type NewKey } from './keys.ts';
import { send, serve, textOf } from './server.ts';

interface Route {
  readonly method: string;
  /** Its groups are the ids in the path. */
  readonly pattern: RegExp;
  readonly status: number;
  /** Returns undefined if there is no such record. `body` is the text of the request; `audited` runs transactions. */
  answer(projectId: string, ids: readonly string[], body: string, audited: Transact): unknown;
}

const routes: readonly Route[] = [
  {
    method: 'GET',
    pattern: /^\/v1\/flows\/([0-9a-z]+)$/,
    status: 200,
    answer: (projectId, [flowId = '']) => findFlow(projectId, flowId),
  },
  {
    method: 'POST',
    pattern: /^\/v1\/projects\/([0-9a-z]+)\/flows$/,
    status: 201,
    async answer(projectId, [named], body) {
      if (named !== projectId) return undefined;
      const { flow } = await createFlow(inTransaction, projectId, JSON.parse(body) as NewFlow);
      return flow;
    },
  },
  {
    method: 'POST',
    pattern: /^\/v1\/flows\/([0-9a-z]+)\/versions$/,
    status: 201,
    answer(projectId, [flowId = ''], body, audited) {
      const { flowSchema } = JSON.parse(body) as { readonly flowSchema: unknown };
      return createFlowVersion(audited, projectId, flowId, flowSchema);
    },
  },
  {
    method: 'POST',
    pattern: /^\/v1\/flow-versions\/([0-9a-z]+)\/activate$/,
    status: 200,
    answer: (projectId, [versionId = ''], _body, audited) =>
      activateFlowVersion(audited, projectId, versionId),
  },
  {
    method: 'POST',
    pattern: /^\/v1\/conversations\/([0-9a-z]+)\/versions$/,
    status: 201,
    answer(projectId, [conversationId = ''], body) {
      const { design } = JSON.parse(body) as { readonly design: unknown };
      return writeVersion(projectId, conversationId, design);
    },
  },
  {
    method: 'PATCH',
    pattern: /^\/v1\/conversations\/([0-9a-z]+)\/versions\/(\d+)\/design$/,
    status: 201,
    answer(projectId, [conversationId = '', n], body, audited) {
      const { patch } = JSON.parse(body) as { readonly patch: readonly Replacement[] };
      return editDesign(audited, projectId, conversationId, Number(n), patch);
    },
  },
  {
    method: 'POST',
    pattern: /^\/v1\/projects\/([0-9a-z]+)\/keys$/,
    status: 201,
    answer: (projectId, [named], body, audited) =>
      named === projectId ? mintKey(audited, projectId, JSON.parse(body) as NewKey) : undefined,
  },
  {
    method: 'PUT',
    pattern: /^\/v1\/agent-profiles\/([0-9a-z]+)$/,
    status: 200,
    answer: (projectId, [id = ''], body, audited) =>
      replaceProfile(audited, projectId, id, JSON.parse(body) as Profile),
  },
];

serve(async (request, response) => {
  const caller = await callerOf(request.headers.authorization);
  if (caller === undefined) return send(response, 401, { error: 'unauthorized' });
  const { method, url = '' } = request;
  for (const { method: expected, pattern, status, answer } of routes) {
    const match = method === expected && pattern.exec(url);
    if (!match) continue;
    // A GET has no body to wait for.
    const body = method === 'GET' ? '' : await textOf(request);
    const audited = auditedTransaction(caller, pattern.source, body);
    const record = await answer(caller.projectId, match.slice(1), body, audited);
    return record === undefined
      ? send(response, 404, { error: 'not found' })
      : send(response, status, record);
  }
  send(response, 404, { error: 'not found' });
});
