import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { errorStatus } from '../../../src/platform/errors.ts';
import { httpServer, type ServerLimits } from '../../../src/transports/http/server.ts';
import { restApp } from '../../../src/transports/rest/app.ts';
import { toolsets } from '../../../tools/index.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';
import { exchangeRaw, type RawAnswer, type RawExchange, type RawOptions } from './raw-socket.ts';

/** The sender of a case: a key, and a flow of its project. */
export interface Sender {
  readonly key: string;
  readonly projectId: string;
  readonly flowId: string;
}

/** Bytes that a client sends, and the statuses that it must get, in order. */
export interface EdgeCase {
  /** Completes the title "returns the expected statuses for …". */
  readonly name: string;
  readonly send: (sender: Sender) => string | Buffer | readonly (string | Buffer)[];
  /** Empty if the connection closes without a response; `silence` then gives the reason. */
  readonly statuses: readonly number[];
  readonly silence?: string;
  /** True if the server must close afterwards. Not checked if undefined. */
  readonly closes?: boolean;
  readonly options?: Omit<RawOptions, 'answers'>;
}

/** Opens a server for the cases of one file. It checks every response, and counts them at the end. */
export function edgeServer(theme: string) {
  let world: World;
  let tenant: Tenant;
  let sender: Sender;
  let cases = 0;
  const ids = new Set<string>();
  const rejections: unknown[] = [];
  const noteRejection = (reason: unknown) => void rejections.push(reason);
  beforeAll(async () => {
    process.on('unhandledRejection', noteRejection);
    world = await openWorld();
    tenant = await world.tenant();
    const { projectId, key } = tenant;
    const body = { name: 'Flow', flowSchema: {} };
    const { body: flow } = await world.rest('POST', `/v1/projects/${projectId}/flows`, { key, body });
    sender = { key, projectId, flowId: flow.id };
  });
  afterAll(async () => {
    process.off('unhandledRejection', noteRejection);
    await world?.close();
    console.log(
      `edge, ${theme}: ${cases} cases, ${ids.size} answers, ${rejections.length} unhandled rejections`,
    );
  });
  const checkAnswer = (answer: RawAnswer, bodiless = false) => {
    const id = checkedId(answer, bodiless);
    expect(ids).not.toContain(id);
    ids.add(id);
  };
  const checkAlive = async (port: number) => {
    const { answers } = await exchangeRaw(port, [healthz], { answers: 1 });
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(rejections).toEqual([]);
    cases += 1;
  };
  return {
    get world() {
      return world;
    },
    get sender() {
      return sender;
    },
    get port() {
      return Number(new URL(world.base).port);
    },
    checkAnswer,
    checkAlive,

    /** Plays one case and checks every received byte against the contract. */
    async play(edge: EdgeCase, port = Number(new URL(world.base).port)): Promise<RawExchange> {
      const sent = edge.send(sender);
      const pieces = typeof sent === 'string' || Buffer.isBuffer(sent) ? [sent] : sent;
      const wanted = edge.statuses.length;
      const untilClosed = wanted === 0 || edge.closes === true;
      const seen = await exchangeRaw(port, pieces, {
        ...edge.options,
        ...(!untilClosed && { answers: wanted }),
      });
      for (const answer of seen.answers) checkAnswer(answer, edge.options?.bodiless);
      expect(seen.answers.map(({ status }) => status)).toEqual(edge.statuses);
      expect(seen.rest.toString('latin1')).toBe('');
      if (wanted === 0) expect(edge.silence, 'the reason for no response').toBeTruthy();
      if (edge.closes !== undefined || wanted === 0) expect(seen.closed).toBe(edge.closes ?? true);
      await checkAlive(port);
      return seen;
    },
  };
}

/** Checks a response: JSON, a request id, and an error code of the closed list. Returns its id. */
function checkedId({ status, headers, body }: RawAnswer, bodiless: boolean): string {
  const [id = '', ...more] = headers.get('x-request-id') ?? [];
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(more).toEqual([]);
  expect(headers.get('content-type')).toEqual(['application/json; charset=utf-8']);
  expect(headers.get('cache-control')).toEqual(['no-store']);
  expect(status).toBeLessThan(500);
  if (bodiless) return id;
  const value = JSON.parse(body.toString('utf8')) as { error?: Record<string, unknown> };
  if (status < 300) {
    expect(value).not.toHaveProperty('error');
    return id;
  }
  const { code, message, requestId, details, ...unknown } = value.error ?? {};
  expect(Object.keys(value)).toEqual(['error']);
  expect(unknown).toEqual({});
  expect(requestId).toBe(id);
  expect(message).toMatch(/./);
  expect(errorStatus).toHaveProperty(String(code), status);
  if (code === 'invalid_request')
    expect(details).toMatchObject({
      issues: expect.arrayContaining([
        {
          in: expect.stringMatching(/^(?:body|params|querystring)$/),
          path: expect.any(String),
          message: expect.any(String),
        },
      ]),
    });
  return id;
}

export const healthz = 'GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n';

/** A request with a key. `headers` follow the usual ones. */
export function get(target: string, key: string, headers = '', method = 'GET'): string {
  return `${method} ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`;
}

/** A JSON body with its true length. */
export function post(
  target: string,
  key: string,
  body: string | Buffer,
  headers = 'Content-Type: application/json\r\n',
): Buffer {
  const bytes = Buffer.from(body);
  const head = get(target, key, `${headers}Content-Length: ${bytes.length}\r\n`, 'POST');
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

/** Creates a flow from any bytes. */
export function postFlow(body: string | Buffer, headers?: string) {
  return ({ key, projectId }: Sender) => post(`/v1/projects/${projectId}/flows`, key, body, headers);
}

/** The head of a request that creates a flow. The body follows. */
export function flowHead({ key, projectId }: Sender, headers: string): string {
  return get(`/v1/projects/${projectId}/flows`, key, `Content-Type: application/json\r\n${headers}`, 'POST');
}

/** Requests in one write. */
export const joined =
  (...parts: (string | Buffer | ((sender: Sender) => string | Buffer))[]) =>
  (sender: Sender) =>
    Buffer.concat(
      parts.map((part) => {
        const made = typeof part === 'function' ? part(sender) : part;
        return typeof made === 'string' ? Buffer.from(made, 'latin1') : made;
      }),
    );

/** Opens another server on the same database with its own limits. Its sockets count the bytes read. */
export async function openSecondServer({ core }: World, limits: Partial<ServerLimits> = {}) {
  const log = pino({ level: 'silent' });
  const { runtime, authenticate } = core;
  const app = restApp({ toolsets, runtime, authenticate, log });
  const sockets: Socket[] = [];
  const server = httpServer(app.callback(), log, limits).listen(0, '127.0.0.1');
  server.on('connection', (socket: Socket) => sockets.push(socket));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port, sockets, close };
}
