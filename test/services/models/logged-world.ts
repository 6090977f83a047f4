import pino from 'pino';
import { expect } from 'vitest';
import { type ModelsConfig, oneProvider } from '../../../src/platform/config/models.ts';
import { describeError } from '../../../src/platform/log.ts';
import { hangs, openUpstream } from '../../helpers/upstream.ts';
import { openWorld, upstreamKey, type WorldOptions } from '../../helpers/world.ts';

/** The key of the second upstream. */
export const secondKey = 'sk-the-key-of-the-second-upstream';

/** Opens a world that records its log, with two upstreams. The second is the fallback of the model `safe`. */
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
    /** The tenant whose key the calls use. */
    tenant: () => tenant,
    /** Resets the world: a new project, upstreams that do not respond, no received requests, an empty log. */
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
    /** The lines of the log. */
    logged,

    /** Requests a chat completion. The caller reads the response. */
    chat(input: Record<string, unknown> | string, init: RequestInit = {}): Promise<Response> {
      return fetch(`${world.base}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
        body: typeof input === 'string' ? input : JSON.stringify({ messages: [{ role: 'user' }], ...input }),
        ...init,
      });
    },

    /** Requests speech. */
    speak(input: Record<string, unknown>, init: RequestInit = {}): Promise<Response> {
      return fetch(`${world.base}/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ input: 'Good morning.', ...input }),
        ...init,
      });
    },

    /** Requests a transcription of a form, or of bytes sent as a form. */
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

    /** Returns the recorded usage of the project: quantities by mode, metric and, if estimated, `estimated`. */
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

    /** Expects that neither the log nor `text` contains a key or an address of an upstream. */
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
