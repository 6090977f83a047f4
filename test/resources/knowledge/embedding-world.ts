import { createHash } from 'node:crypto';
import pino from 'pino';
import { expect, vi } from 'vitest';
import { startIndexing } from '../../../src/command-line/start-indexing.ts';
import { type ModelsConfig, oneProvider } from '../../../src/platform/config/models.ts';
import { describeError } from '../../../src/platform/log.ts';
import { embeds } from '../../helpers/openai-wire.ts';
import { openUpstream, type Reaction } from '../../helpers/upstream.ts';
import { openVectorDatabase } from '../../helpers/vector-database.ts';
import { openTestCore, openWorld, upstreamKey, type WorldOptions } from '../../helpers/world.ts';

/** Subjects of texts. No two of the words share a stem or are synonyms. */
const concepts = [
  ['berth', 'bunk', 'sleep', 'slumber', 'nap'],
  ['galley', 'hungry', 'starving', 'stew'],
  ['anchor', 'moor', 'quay', 'pier'],
  ['gale', 'storm', 'windy', 'tempest'],
];

export const conceptDimensions = 32;

/** The sum of a text's concepts, with a small share of each other word. */
export function conceptVector(text: string): number[] {
  const vector = Array.from({ length: conceptDimensions }, () => 0.001);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const concept = concepts.findIndex((words) => words.includes(word));
    const hash = createHash('sha256').update(word).digest();
    const at = concept >= 0 ? concept : concepts.length + (hash.readUInt16BE() % (conceptDimensions - 4));
    vector[at] = (vector[at] ?? 0) + (concept >= 0 ? 1 : 0.05);
  }
  return vector;
}

/** Returns vectors made of the concepts of texts. */
export const embedsConcepts: Reaction = embeds(conceptVector);

/** A world with a model that embeds concepts, and with a readable log; by default on a server with pgvector. */
export async function openEmbeddingWorld({ withVectors = true }: { withVectors?: boolean } = {}) {
  const upstream = await openUpstream({ otherwise: embedsConcepts });
  const logged: string[] = [];
  const log = pino(
    { serializers: { err: describeError } },
    { write: (line: string) => void logged.push(line) },
  );
  const provider = { name: 'embedder', baseUrl: upstream.baseUrl, key: upstreamKey };
  const modelsWith = (model: string, dimensions?: number): ModelsConfig => ({
    ...oneProvider(provider, { chat: 'c', speech: 's', transcription: 't' }),
    embedding: { provider, model, dimensions },
  });
  const options: WorldOptions = withVectors ? { database: await openVectorDatabase() } : {};
  const world = await openWorld({ ...options, log, models: modelsWith('concepts') });
  return {
    ...world,
    upstream,
    logged,

    /** Starts workers as `serve` does, with this model or another one. */
    async startWorkers(fetchAllow: readonly string[] = [], model?: string) {
      const core =
        model === undefined
          ? undefined
          : await openTestCore(world.databaseUrl, { models: modelsWith(model), log });
      const workers = await startIndexing(core ?? world.core, { atOnce: 1, fetchAllow, backoff: [1] }, log);
      return async () => {
        await workers.stop();
        await core?.close();
      };
    },

    /** The log lines with this message. */
    logLines: (message: string) =>
      logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message),

    /** Waits until every page is embedded. */
    async embedded(model = `concepts ${conceptDimensions}`): Promise<void> {
      await vi.waitFor(async () => {
        const rows = await world.rows('select distinct embedded_by from knowledge_pages');
        expect(rows).toStrictEqual([{ embedded_by: model }]);
      }, 20_000);
    },

    /** Expects that the log contains no key or address of the upstream. */
    expectNoSecrets(): void {
      for (const secret of [upstreamKey, upstream.baseUrl, new URL(upstream.baseUrl).host])
        expect(logged.join('')).not.toContain(secret);
    },

    async close(): Promise<void> {
      await world.close();
      upstream.close();
    },
  };
}

export type EmbeddingWorld = Awaited<ReturnType<typeof openEmbeddingWorld>>;

/** An English chunk. */
export const passage = (text: string, heading = '') => ({ heading, text, language: 'english' });
