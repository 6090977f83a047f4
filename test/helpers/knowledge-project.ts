import { expect } from 'vitest';
import type { NewProject } from '../../src/resources/projects/provisioning.ts';
import type { RestAnswer, Tenant, World } from './world.ts';

/** A project with a knowledge base, and calls for tests of knowledge. */
export interface KnowledgeProject extends Tenant {
  readonly knowledgeBaseId: string;
  call(method: string, route: string, body?: unknown): Promise<RestAnswer>;
  add(body: Record<string, unknown> | FormData): Promise<RestAnswer>;
  /** Adds a source and returns its id. */
  newSource(body?: Record<string, unknown>): Promise<string>;
  read(sourceId: string): Promise<RestAnswer['body']>;
  reindex(sourceId: string): Promise<RestAnswer>;
  remove(sourceId: string): Promise<RestAnswer>;
  trash(): Promise<{ id: string; kind: string; resourceId: string; name: string }[]>;
  restore(trashId: string | undefined): Promise<RestAnswer>;
  /** Waits until the source is no longer in progress, and returns it. */
  settled(sourceId: string): Promise<RestAnswer['body']>;
  /** The URL and text of each chunk of a source, in order. */
  found(sourceId: string): Promise<{ url: string; text: string }[]>;
}

/** The body of a request that adds a file. */
export const file = {
  type: 'file',
  name: 'Fares',
  fileName: 'fares.md',
  mimeType: 'text/markdown',
  contentBase64: Buffer.from('# Fares\n\nChildren under six travel free of charge on every line.\n').toString(
    'base64',
  ),
};

export async function openKnowledgeProject(
  world: World,
  project: Partial<NewProject> = {},
): Promise<KnowledgeProject> {
  const tenant = await world.tenant(project);
  const { projectId, key } = tenant;
  const call = (method: string, route: string, body?: unknown) => world.rest(method, route, { key, body });
  const made = await call('POST', `/v1/projects/${projectId}/knowledge-bases`, { name: 'Ferries' });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const knowledgeBaseId: string = made.body.id;
  const sources = `/v1/knowledge/${knowledgeBaseId}/sources`;
  const add = (body: Record<string, unknown> | FormData) => call('POST', sources, body);
  const read = async (sourceId: string) => (await call('GET', `${sources}/${sourceId}`)).body;
  return {
    ...tenant,
    knowledgeBaseId,
    call,
    add,
    async newSource(body = file) {
      const answer = await add(body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body.id;
    },
    read,
    reindex: (sourceId) => call('POST', `${sources}/${sourceId}/reindex`),
    remove: (sourceId) => call('DELETE', `${sources}/${sourceId}`),
    trash: async () => (await call('GET', `/v1/projects/${projectId}/trash`)).body.trash,
    restore: (trashId) => call('POST', `/v1/projects/${projectId}/trash/${trashId}/restore`),
    settled: (sourceId) =>
      expect
        .poll(() => read(sourceId), { timeout: 45_000, interval: 100 })
        .not.toMatchObject({ indexingStatus: 'inProgress' })
        .then(() => read(sourceId)),
    async found(sourceId) {
      const rows = await world.rows(
        'select url, text from knowledge_chunks where source_id = $1 order by url, position',
        [sourceId],
      );
      return rows as unknown as { url: string; text: string }[];
    },
  };
}
