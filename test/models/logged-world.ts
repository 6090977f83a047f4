import pino from 'pino';
import { expect } from 'vitest';
import { type ModelsConfig, oneProvider } from '../../src/config/models.ts';
import { describeError } from '../../src/log.ts';
import { hangs, openUpstream } from '../helpers/upstream.ts';
import { openWorld, upstreamKey, type WorldOptions } from '../helpers/world.ts';

/** A second upstream's key, by which it is told from the first. */
export const secondKey = 'sk-the-key-of-the-second-upstream';

/** A world whose log can be read, with two upstreams: what the first does not answer goes to the second. */
export async function openLoggedWorld(upstreamLimits: WorldOptions['upstreamLimits'] = {}) {
  const [first, second] = await Promise.all([openUpstream(), openUpstream()]);
  const logged: string[] = [];
  const log = pino(
    { serializers: { err: describeError } },
    { write: (line: string) => void logged.push(line) },
  );
  const one = { name: 'first', baseUrl: first.baseUrl, key: upstreamKey };
  const other = { name: 'second', baseUrl: second.baseUrl, key: secondKey };
  const names = { chat: 'small', speech: 'speech', transcription: 'transcription' };
  const chat: ModelsConfig['chat'] = {
    models: new Map([
      ['small', [{ provider: one, model: 'small-1' }]],
      [
        'safe',
        [
          { provider: one, model: 'small-1' },
          { provider: other, model: 'other-1' },
        ],
      ],
      ['large', [{ provider: other, model: 'large-1' }]],
    ]),
    auto: [
      { reasoning: ['high', 'xhigh'], tier: undefined, model: 'large' },
      { reasoning: undefined, tier: ['batch'], model: 'safe' },
      { reasoning: undefined, tier: undefined, model: 'small' },
    ],
    others: undefined,
  };
  const models = { ...oneProvider(one, names), chat, speech: chat, transcription: chat };
  const world = await openWorld({ log, models, upstreamLimits });
  let tenant = await world.tenant();
  return {
    ...world,
    /** Whose key the calls have. */
    tenant: () => tenant,
    /** As it was at the start: another project, upstreams that do nothing, nothing received or logged. */
    async renew(): Promise<void> {
      tenant = await world.tenant();
      logged.length = 0;
      for (const upstream of [first, second]) {
        upstream.received.length = 0;
        upstream.reacts(hangs);
      }
    },
    first,
    second,
    /** Lines of the log so far. */
    logged,

    /** A request as a client makes it; its answer is not read yet. */
    chat(input: Record<string, unknown> | string, init: RequestInit = {}): Promise<Response> {
      return fetch(`${world.base}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
        body: typeof input === 'string' ? input : JSON.stringify({ messages: [{ role: 'user' }], ...input }),
        ...init,
      });
    },

    /** The same for speech. */
    speak(input: Record<string, unknown>, init: RequestInit = {}): Promise<Response> {
      return fetch(`${world.base}/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ input: 'Good morning.', ...input }),
        ...init,
      });
    },

    /** A transcription of a form, or of bytes that say that they are one. */
    transcribe(body: FormData | Buffer | string, init: RequestInit = {}): Promise<Response> {
      return fetch(`${world.base}/v1/audio/transcriptions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.key}`,
          ...(!(body instanceof FormData) && { 'content-type': 'multipart/form-data; boundary=limit' }),
        },
        body: body instanceof Buffer ? new Uint8Array(body) : body,
        ...init,
      });
    },

    /** What was noted of the project's usage, as `metric quantity`. */
    async recordedUsage(): Promise<Record<string, number>> {
      const rows = await world.rows(
        `select service, mode, metric, estimated, sum(quantity)::float8 as quantity from usage_events
          where project_id = $1 group by service, mode, metric, estimated`,
        [tenant.projectId],
      );
      return Object.fromEntries(
        rows.map(({ mode, metric, estimated, quantity }) => [
          [mode, metric, ...(estimated ? ['estimated'] : [])].join(' '),
          quantity as number,
        ]),
      );
    },

    /** That nothing that was logged, nor this text, tells what belongs to the upstreams. */
    expectNoSecrets(text: string): void {
      for (const secret of [upstreamKey, secondKey, first.baseUrl, second.baseUrl])
        for (const where of [text, logged.join('')])
          for (const part of [secret, secret.replace('http://', '').replace('/v1', '')])
            expect(where).not.toContain(part);
    },

    async close(): Promise<void> {
      await world.close();
      first.close();
      second.close();
    },
  };
}

export type LoggedWorld = Awaited<ReturnType<typeof openLoggedWorld>>;
