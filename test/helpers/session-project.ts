import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { openWebProject, type WebProject } from './web-project.ts';
import type { World } from './world.ts';

/** Greets, asks what the visitor wants, and books or connects. */
export const desk: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  variables: [{ id: 'day', type: 'text' }],
  steps: {
    hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'menu' } },
    menu: {
      kind: 'route',
      prompt: 'Book a table, or speak to a person?',
      options: [
        { id: 'book', title: 'Book a table', description: 'A reservation.', target: 'ask' },
        { id: 'person', title: 'A person', description: 'Somebody else.', target: 'connect' },
      ],
      on: { fallback: 'menu' },
    },
    ask: {
      kind: 'collect',
      prompt: 'For which date?',
      collect: [{ id: 'day', variableId: 'day', description: 'Date', required: true }],
      on: { next: 'bye' },
    },
    connect: {
      kind: 'transfer',
      line: 'I connect you.',
      destination: { kind: 'phoneNumber', value: '+12025550155' },
      on: { failed: 'bye' },
    },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
};

/** An event of a stream, with its name. */
export interface Streamed {
  readonly event: string;
  readonly [member: string]: unknown;
}

/** The session of one visitor. */
export interface Visit {
  readonly id: string;
  readonly roomUrl: string;
  readonly token: string;
  /** Sends a request with the token; another base serves it from another replica. */
  request(method: string, path: string, body?: unknown, more?: RequestOptions): Promise<Response>;
  /** Sends a message, expects 200, and returns the events. */
  say(text: string, messageId?: string, more?: RequestOptions): Promise<Streamed[]>;
  start(more?: RequestOptions): Promise<Streamed[]>;
  show(): Promise<ReturnType<typeof JSON.parse>>;
}

export interface RequestOptions {
  readonly base?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface SessionProject extends WebProject {
  /** A web agent for chats with a conversation of this design. */
  agentOf(design: Design, body?: Record<string, unknown>): Promise<string>;
  visit(webAgentId: string, origin?: string): Promise<Visit>;
}

export async function openSessionProject(world: World): Promise<SessionProject> {
  const project = await openWebProject(world);
  return {
    ...project,
    async agentOf(design, body = {}) {
      const conversationId = await project.newConversation();
      await project.store(conversationId, 1, design);
      return project.newWebAgent({ conversationId, scopes: ['chat'], ...body });
    },
    async visit(webAgentId, origin) {
      const { status, body } = await project.startSession(
        { webAgentId },
        origin === undefined ? {} : { key: project.publishableKey, origin },
      );
      expect(status, JSON.stringify(body)).toBe(201);
      return visitOf(body.roomUrl, body.token, origin);
    },
  };
}

/** The visit of whoever has this address and token. */
export function visitOf(roomUrl: string, token: string, origin?: string): Visit {
  const { origin: own, pathname } = new URL(roomUrl);
  const request: Visit['request'] = (method, path, body, { base = own, headers, signal } = {}) =>
    fetch(`${base}${pathname}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(origin !== undefined && { origin }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const stream = async (body: unknown, more?: RequestOptions) => {
    const response = await request('POST', '/messages', body, more);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return eventsIn(text);
  };
  return {
    id: pathname.split('/').at(-1) ?? '',
    roomUrl,
    token,
    request,
    say: (text, messageId, more) => stream({ text, messageId: messageId ?? randomUUID() }, more),
    start: (more) => stream({ start: true }, more),
    show: async () => (await request('GET', '')).json(),
  };
}

/** The events of a whole stream. */
export function eventsIn(text: string): Streamed[] {
  return text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
      return { event, ...(JSON.parse(data) as object) };
    });
}

/** What the agent says in these events. */
export const saidIn = (events: readonly Streamed[]) =>
  events.filter(({ event }) => event === 'say').map(({ text }) => text);
