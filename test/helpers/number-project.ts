import { expect } from 'vitest';
import type { NewProject } from '../../src/resources/projects/provisioning.ts';
import { created, type DesignProject, openDesignProject } from './design-project.ts';
import type { RestAnswer, World } from './world.ts';

/** A new project, and the calls that tests of phone numbers make in it. */
export interface NumberProject extends Omit<DesignProject, 'read'> {
  /** The path that lists and imports its numbers. */
  readonly numbers: string;
  /** Imports a number; the defaults are those of a valid external number. */
  importNumber(body?: Record<string, unknown>): Promise<RestAnswer>;
  /** Imports a number and returns its id. */
  newNumber(body?: Record<string, unknown>): Promise<string>;
  newFlow(): Promise<string>;
  read(id: string): Promise<RestAnswer['body']>;
  update(id: string, body: unknown): Promise<RestAnswer>;
  assignFlow(id: string, flowId: unknown): Promise<RestAnswer>;
  assignConversation(id: string, conversationId: unknown): Promise<RestAnswer>;
  remove(id: string): Promise<RestAnswer>;
  /** The entries of the trash, newest first. */
  trash(): Promise<{ id: string; kind: string; resourceId: string; name: string }[]>;
  restore(trashId: string | undefined): Promise<RestAnswer>;
}

export const trunk = { provider: 'sip', terminationUri: 'sip.example.com', transport: 'udp' };

let numbers = 0;

/** Returns a number that no other test uses. */
export function nextNumber(): string {
  numbers += 1;
  return `+1202555${String(1000 + numbers)}`;
}

export async function openNumberProject(
  world: World,
  options: Partial<NewProject> = {},
): Promise<NumberProject> {
  const project = await openDesignProject(world, options);
  const { call, projectId } = project;
  const at = (id: string) => `/v1/phone-numbers/${id}`;
  const trashRoute = `/v1/projects/${projectId}/trash`;
  const importNumber = (body: Record<string, unknown> = {}) =>
    call('POST', `/v1/projects/${projectId}/phone-numbers`, {
      name: 'Front desk',
      number: nextNumber(),
      type: 'external',
      externalPhoneFields: trunk,
      ...body,
    });
  return {
    ...project,
    numbers: `/v1/projects/${projectId}/phone-numbers`,
    importNumber,
    newNumber: async (body) => created(await importNumber(body)).id,
    newFlow: async () =>
      created(await call('POST', `/v1/projects/${projectId}/flows`, { name: 'Flow', flowSchema: {} })).id,
    async read(id) {
      const { status, body } = await call('GET', at(id));
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    },
    update: (id, body) => call('PATCH', at(id), body),
    assignFlow: (id, flowId) => call('PATCH', `${at(id)}/flow`, { flowId }),
    assignConversation: (id, conversationId) => call('PATCH', `/v1/numbers/${id}`, { conversationId }),
    remove: (id) => call('DELETE', at(id)),
    trash: async () => (await call('GET', trashRoute)).body.trash,
    restore: (trashId) => call('POST', `${trashRoute}/${trashId}/restore`),
  };
}
