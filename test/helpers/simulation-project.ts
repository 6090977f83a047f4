import { expect } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { type DesignProject, openDesignProject } from './design-project.ts';
import type { RestAnswer, World } from './world.ts';

/** Looks up an order before the call, asks what the caller wants, and books or connects. */
export const shop: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  variables: [
    { id: 'orderState', type: 'text' },
    { id: 'day', type: 'text' },
    { id: 'callback', type: 'text' },
  ],
  knowledge: [{ id: 'faq', kind: 'knowledgeBase', knowledgeBaseId: 'c1kb7w2abc' }],
  steps: {
    hello: {
      kind: 'greeting',
      introLine: 'Hello, I am an AI assistant. Your order is {{orderState}}.',
      on: { next: 'menu' },
    },
    menu: {
      kind: 'route',
      prompt: 'Book a table, ask something, or speak to a person?',
      options: [
        { id: 'book', title: 'Book a table', description: 'A reservation.', target: 'ask' },
        { id: 'question', title: 'Question', description: 'Opening hours.', target: 'answer' },
        { id: 'person', title: 'A person', description: 'Somebody else.', target: 'connect' },
      ],
    },
    ask: {
      kind: 'collect',
      prompt: 'For which date, and what is your phone number?',
      collect: [
        { id: 'day', variableId: 'day', description: 'Date', required: true },
        { id: 'callback', variableId: 'callback', description: 'Phone number', required: true },
      ],
      on: { next: 'bye' },
    },
    answer: {
      kind: 'answer',
      instruction: 'Answer from the opening hours.',
      knowledgeIds: ['faq'],
      on: { next: 'bye', noAnswer: 'connect' },
    },
    connect: {
      kind: 'transfer',
      destination: { kind: 'phoneNumber', value: '+12025550155' },
      on: { failed: 'bye' },
    },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
  hooks: {
    before: {
      rootNodeId: 'lookup',
      nodes: {
        lookup: {
          id: 'lookup',
          fetch: {
            url: 'https://shop.example/orders?phone={{callerPhone}}',
            method: 'GET',
            headers: { authorization: 'Bearer {{secret.SHOP_KEY}}' },
            responseMappings: [
              { id: 'state', variableId: 'orderState', path: 'state', defaultValue: 'unknown' },
            ],
          },
          next: { step: 'hello' },
        },
      },
    },
    after: {
      entryPoints: { bye: 'log' },
      nodes: {
        log: {
          id: 'log',
          webhook: {
            url: 'https://shop.example/calls',
            payload: [
              { id: 'd', key: 'day', source: 'variable', variableId: 'day' },
              { id: 's', key: 'seconds', source: 'variable', systemVariable: 'callDurationSeconds' },
            ],
          },
        },
      },
    },
  },
};

export interface SimulationProject extends DesignProject {
  /** A conversation whose newest version is the design. */
  conversationOf(design: Design): Promise<string>;
  simulate(conversationId: string, body?: unknown): Promise<RestAnswer>;
  /** Simulates, expects 200, and returns the body. */
  played(conversationId: string, body?: unknown): Promise<RestAnswer['body']>;
}

/** A project with the secret that the shop needs. */
export async function openSimulationProject(world: World): Promise<SimulationProject> {
  const project = await openDesignProject(world);
  const { call, projectId } = project;
  await call('PATCH', `/v1/projects/${projectId}/secrets/SHOP_KEY`, {
    value: 'the key of the shop',
    hosts: ['shop.example'],
  });
  const simulate = (conversationId: string, body: unknown = {}) =>
    call('POST', `/v1/conversations/${conversationId}/simulations`, body);
  return {
    ...project,
    async conversationOf(design) {
      const conversationId = await project.newConversation();
      await project.store(conversationId, 1, design);
      return conversationId;
    },
    simulate,
    async played(conversationId, body) {
      const { status, body: played } = await simulate(conversationId, body);
      expect(status, JSON.stringify(played)).toBe(200);
      return played;
    },
  };
}
