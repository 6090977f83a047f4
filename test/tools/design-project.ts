import { expect } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { newId } from '../../src/id.ts';
import type { NewProject } from '../../src/store/operators.ts';
import type { RestAnswer, Tenant, World } from '../helpers/world.ts';

/** A problem as validation tells it. */
export interface Problem {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly path: string;
  readonly stepId: string;
  readonly message: string;
  readonly hint: string;
}

/** A project of its own, and the calls that tests of conversations and designs make in it. */
export interface DesignProject extends Tenant {
  call(method: string, route: string, body?: unknown): Promise<RestAnswer>;
  create(body?: Record<string, unknown>): Promise<RestAnswer>;
  /** The id of a new conversation. */
  newConversation(body?: Record<string, unknown>): Promise<string>;
  /** Designs are untyped: tests send wrong ones. */
  write(conversationId: string, design: unknown, more?: Record<string, unknown>): Promise<RestAnswer>;
  validate(conversationId: string, design: unknown): Promise<RestAnswer>;
  /** What validation says of a design; it has to answer 200. */
  problems(conversationId: string, design: unknown): Promise<Problem[]>;
  read(conversationId: string, n: number | string, query?: string): Promise<RestAnswer>;
  activate(conversationId: string, n: number | string): Promise<RestAnswer>;
  /** Version summaries, newest first. */
  versions(conversationId: string): Promise<{ n: number; tag: string; isActive: boolean }[]>;
  /** Puts a design, which no operation would take, in place of a version's own. */
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

/** The body of an answer that has to be 201. */
export function created({ status, body }: RestAnswer): RestAnswer['body'] {
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** The error of an answer that has to have this status and code. */
export function refused({ status, body }: RestAnswer, expected: number, code: string): RestAnswer['body'] {
  expect({ status, code: body.error?.code }, JSON.stringify(body).slice(0, 2000)).toStrictEqual({
    status: expected,
    code,
  });
  return body.error;
}

/** The same design with another text in its `help` or first step that has one, so that it is another one. */
export function renamed(design: Design, name: string): Design {
  const [[stepId, step] = ['', undefined]] = Object.entries(design.steps);
  if (!step) throw new Error('a design without steps');
  return { ...design, steps: { ...design.steps, [stepId]: { ...step, name } } };
}

/** An integration of a project. */
export async function newIntegration(
  world: World,
  { projectId, key }: Tenant,
  kind = 'crm',
): Promise<string> {
  const body = { kind, provider: 'hubspot', name: 'CRM', credentials: { accessToken: 'a token' } };
  return created(await world.rest('POST', `/v1/projects/${projectId}/integrations`, { key, body })).id;
}

/** A knowledge base of a project; no operation makes one yet. */
export async function newKnowledgeBase(world: World, { projectId }: Tenant): Promise<string> {
  const id = newId('knowledgeBase');
  await world.rows(`insert into knowledge_bases (project_id, id, name) values ($1, $2, 'FAQ')`, [
    projectId,
    id,
  ]);
  return id;
}
