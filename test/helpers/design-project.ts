import { expect } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { newId } from '../../src/platform/id.ts';
import type { NewProject } from '../../src/resources/projects/provisioning.ts';
import type { RestAnswer, Tenant, World } from './world.ts';

/** A problem that validation returns. */
export interface Problem {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly stepId: string;
  readonly message: string;
  readonly hint: string;
}

/** A new project, and calls for tests of conversations and designs. */
export interface DesignProject extends Tenant {
  call(method: string, route: string, body?: unknown): Promise<RestAnswer>;
  create(body?: Record<string, unknown>): Promise<RestAnswer>;
  /** Creates a conversation and returns its id. */
  newConversation(body?: Record<string, unknown>): Promise<string>;
  /** Designs are untyped, because tests send invalid ones. */
  write(conversationId: string, design: unknown, more?: Record<string, unknown>): Promise<RestAnswer>;
  validate(conversationId: string, design: unknown): Promise<RestAnswer>;
  /** The problems that validation returns; expects 200. */
  problems(conversationId: string, design: unknown): Promise<Problem[]>;
  read(conversationId: string, n: number | string, query?: string): Promise<RestAnswer>;
  activate(conversationId: string, n: number | string): Promise<RestAnswer>;
  /** Version summaries, newest first. */
  versions(conversationId: string): Promise<{ n: number; tag: string; isActive: boolean }[]>;
  /** Replaces the stored design of a version, without any checks. */
  store(conversationId: string, n: number, design: unknown): Promise<void>;
}

export async function openDesignProject(
  world: World,
  options: Partial<NewProject> = {},
): Promise<DesignProject> {
  const tenant = await world.tenant(options);
  const { projectId, key } = tenant;
  const call = (method: string, route: string, body?: unknown) => world.rest(method, route, { key, body });
  const at = (conversationId: string) => `/v1/conversations/${conversationId}`;
  const create = (body: Record<string, unknown> = {}) =>
    call('POST', `/v1/projects/${projectId}/conversations`, { name: 'Reception', ...body });
  const validate = (conversationId: string, design: unknown) =>
    call('POST', `${at(conversationId)}/designs/validate`, { design });
  return {
    ...tenant,
    call,
    create,
    newConversation: async (body) => created(await create(body)).id,
    write: (conversationId, design, more = {}) =>
      call('POST', `${at(conversationId)}/versions`, { design, ...more }),
    validate,
    async problems(conversationId, design) {
      const { status, body } = await validate(conversationId, design);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.problems;
    },
    read: (conversationId, n, query = '') =>
      call('GET', `${at(conversationId)}/versions/${n}/design${query}`),
    activate: (conversationId, n) => call('POST', `${at(conversationId)}/versions/${n}/activate`),
    async versions(conversationId) {
      const { status, body } = await call('GET', `${at(conversationId)}/versions`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.versions;
    },
    async store(conversationId, n, design) {
      await world.rows(
        'update conversation_versions set design = $4 where project_id = $1 and conversation_id = $2 and n = $3',
        [projectId, conversationId, n, JSON.stringify(design)],
      );
    },
  };
}

/** Expects 201 and returns the body. */
export function created({ status, body }: RestAnswer): RestAnswer['body'] {
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** Expects an error with this status and code, and returns it. */
export function refused({ status, body }: RestAnswer, expected: number, code: string): RestAnswer['body'] {
  expect({ status, code: body.error?.code }, JSON.stringify(body).slice(0, 2000)).toStrictEqual({
    status: expected,
    code,
  });
  return body.error;
}

/** A copy with another name for its first step, so that the two designs differ. */
export function renamed(design: Design, name: string): Design {
  const [[stepId, step] = ['', undefined]] = Object.entries(design.steps);
  if (!step) throw new Error('the design has no steps');
  return { ...design, steps: { ...design.steps, [stepId]: { ...step, name } } };
}

/** Inserts an integration and returns its id. */
export async function newIntegration(
  world: World,
  { projectId, key }: Tenant,
  kind = 'crm',
): Promise<string> {
  const body = { kind, provider: 'hubspot', name: 'CRM', credentials: { accessToken: 'a token' } };
  return created(await world.rest('POST', `/v1/projects/${projectId}/integrations`, { key, body })).id;
}

/** Inserts a knowledge base and returns its id. */
export async function newKnowledgeBase(world: World, { projectId }: Tenant): Promise<string> {
  const id = newId('knowledgeBase');
  await world.rows(`insert into knowledge_bases (project_id, id, name) values ($1, $2, 'FAQ')`, [
    projectId,
    id,
  ]);
  return id;
}
