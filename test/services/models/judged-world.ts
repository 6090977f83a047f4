import pino from 'pino';
import { expect } from 'vitest';
import { describeError } from '../../../src/platform/log.ts';
import { type ConfirmDisclosure, modelDisclosure } from '../../../src/services/models/disclosure.ts';
import { completes, openUpstream, type Received } from '../../helpers/upstream.ts';
import { openWorld, type Tenant } from '../../helpers/world.ts';

export const upstreamKey = 'sk-zq7-the-key-of-the-upstream';

/** Opens a world that asks a model about disclosures. The test decides how its server reacts. */
export async function openJudgedWorld() {
  const upstream = await openUpstream();

  /** Returns a model with an empty cache. */
  const newModel = (more: { baseUrl?: string; timeLimit?: number } = {}): ConfirmDisclosure =>
    modelDisclosure({ apiKey: upstreamKey, baseUrl: upstream.baseUrl, model: 'judge', ...more });
  let confirm = newModel();
  const logged: string[] = [];
  const log = pino(
    { serializers: { err: describeError } },
    { write: (line: string) => void logged.push(line) },
  );
  const world = await openWorld({ log, confirmDisclosure: (lines, signal) => confirm(lines, signal) });
  return {
    ...world,
    upstream,
    /** The lines of the log. */
    logged,
    newModel,
    /** Replaces the model. */
    useModel(model: ConfirmDisclosure): void {
      confirm = model;
    },

    /** Creates a project, and returns the calls that concern designs. */
    async project() {
      const tenant: Tenant = await world.tenant();
      const { key, projectId } = tenant;
      const call = (method: string, route: string, body?: unknown) =>
        world.rest(method, route, { key, ...(body !== undefined && { body }) });
      const conversations = `/v1/projects/${projectId}/conversations`;
      return {
        ...tenant,
        call,
        create: (design: unknown) => call('POST', conversations, { name: 'C', design }),
        write: (id: string, design: unknown) => call('POST', `/v1/conversations/${id}/versions`, { design }),
        validate: (id: string, design: unknown) =>
          call('POST', `/v1/conversations/${id}/designs/validate`, { design }),

        /** Creates a conversation with the default greeting, about which Parley asks no model. Returns its id. */
        async newConversation(): Promise<string> {
          const { status, body } = await call('POST', conversations, { name: 'C' });
          expect(status, JSON.stringify(body)).toBe(201);
          return body.id;
        },

        /** Counts the rows of each table that an operation on designs could write. */
        async rowCounts(): Promise<unknown> {
          const tables = ['conversations', 'conversation_versions', 'audit_log', 'idempotency_keys'];
          const counts = tables.map(
            (table) => `(select count(*)::int from ${table} where project_id = $1) as ${table}`,
          );
          return (await world.rows(`select ${counts.join(', ')}`, [projectId]))[0];
        },
      };
    },

    async close(): Promise<void> {
      await world.close();
      upstream.close();
    },
  };
}

export type JudgedWorld = Awaited<ReturnType<typeof openJudgedWorld>>;
export type JudgedProject = Awaited<ReturnType<JudgedWorld['project']>>;

/** Returns the lines that a request asks about. */
export function linesIn({ body }: Received): { index: number; text: string }[] {
  return JSON.parse(body.messages[1].content).lines;
}

/** Reacts with a verdict on each line of the request. */
export function judges(judge: (text: string) => { discloses: boolean; reason: string }) {
  return completes((request) =>
    JSON.stringify({ verdicts: linesIn(request).map(({ index, text }) => ({ index, ...judge(text) })) }),
  );
}

export const approves = judges(() => ({ discloses: true, reason: 'says that an AI speaks' }));
export const rejects = judges(() => ({ discloses: false, reason: 'sounds like a joke' }));

let branch = 0;

/** Returns a line that passes the rule and that no test has used before. */
export function newLine(): string {
  return `Hello and welcome to branch ${++branch}. I am the AI assistant of the clinic.`;
}

/** Returns a design with a greeting and, if `consent` is given, a line that asks for consent to record. */
export function designOf(introLine: string, consent?: string) {
  return {
    schemaVersion: 'cd/1',
    entry: { stepId: 'hello' },
    steps: {
      hello: { kind: 'greeting', introLine, on: { next: consent === undefined ? 'end' : 'consent' } },
      ...(consent !== undefined && {
        consent: { kind: 'recordingConsent', line: consent, on: { next: 'end' } },
      }),
      end: { kind: 'end' },
    },
  };
}
