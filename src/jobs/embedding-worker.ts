import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { codeOf } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import {
  type ChunkText,
  type ClaimedPage,
  chunksOf,
  claimPages,
  extendPage,
  indexVectors,
  releasePage,
  settlePage,
} from '../services/search/indexed-vectors.ts';
import { type Embed, EmbeddingFailure, type Embeddings, type Vector } from '../services/search/vectors.ts';
import type { Workers } from './indexing-workers.ts';

export interface EmbeddingOptions {
  readonly knex: Knex;
  readonly embed: Embed;
  readonly log: Log;
}

/** The most texts and characters of one request to the model. */
const mostTexts = 64;
const mostCharacters = 100_000;
/** Pages that are claimed at once. */
const mostPages = 16;

/** Milliseconds between two checks for pages, and before a retry. */
const checkInterval = 1_000;
const shortestWait = 1_000;
const longestWait = 60_000;

/** A text whose vector shows how many dimensions the model has. */
const plainText = 'Parley';

/** Embeds all pages that this model has not embedded, until it is stopped: new ones, and all after a change of model. */
export function startEmbedding(options: EmbeddingOptions): Workers {
  const stopping = new AbortController();
  const embedding = embedUntil(options, stopping.signal);
  return {
    async stop() {
      stopping.abort(new Error('the workers stop'));
      await embedding;
    },
  };
}

async function embedUntil({ knex, embed, log }: EmbeddingOptions, signal: AbortSignal): Promise<void> {
  let model: Embeddings | undefined;
  let failures = 0;
  while (!signal.aborted) {
    let wait = checkInterval;
    try {
      model ??= await withIndex(knex, await embed([plainText], signal));
      if ((await embedPages(knex, embed, model, signal)) > 0) wait = 0;
      if (failures > 0) log.info('texts are embedded again');
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      // The upstream may have changed the model.
      model = undefined;
      wait = waitAfter(error, ++failures);
      const reason = error instanceof EmbeddingFailure ? error.message : codeOf(error) || 'no answer';
      log.warn({ reason, wait }, 'texts are not embedded');
    }
    if (wait > 0) await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

function waitAfter(error: unknown, failures: number): number {
  const requested = error instanceof EmbeddingFailure ? (error.retryAfter ?? 0) * 1_000 : 0;
  return Math.min(longestWait, Math.max(requested, shortestWait * 2 ** Math.min(failures - 1, 10)));
}

async function withIndex(knex: Knex, model: Embeddings): Promise<Embeddings> {
  await indexVectors(knex, model);
  return model;
}

/** Embeds a few pages and returns how many. No transaction is open while the model works. */
async function embedPages(
  knex: Knex,
  embed: Embed,
  { model }: Embeddings,
  signal: AbortSignal,
): Promise<number> {
  const pages = await claimPages(knex, model, mostPages);
  const unsettled = new Set(pages);
  try {
    for await (const group of groupsOf(knex, pages)) {
      const texts = group.flatMap(({ chunks }) => chunks.map(textOf));
      const vectors: (Vector | undefined)[] = [];
      for (const batch of batchesOf(texts)) {
        const embedded = await embed(batch, signal);
        if (embedded.model !== model) throw new EmbeddingFailure('the model changed during a batch');
        vectors.push(...embedded.vectors);
        for (const page of unsettled) await extendPage(knex, page);
      }
      let at = 0;
      for (const { page, chunks } of group) {
        const withVectors = chunks.map((chunk) => ({ chunk, vector: vectors[at++] }));
        await settlePage(knex, page, model, withVectors);
        unsettled.delete(page);
      }
    }
  } catch (error) {
    for (const page of unsettled) await releasePage(knex, page).catch(() => undefined);
    throw error;
  }
  return pages.length;
}

interface PageChunks {
  readonly page: ClaimedPage;
  readonly chunks: readonly ChunkText[];
}

/** Groups pages whose chunks fill a request, so that no more chunks are in memory. */
async function* groupsOf(knex: Knex, pages: readonly ClaimedPage[]): AsyncGenerator<PageChunks[]> {
  let group: PageChunks[] = [];
  let count = 0;
  for (const page of pages) {
    const chunks = await chunksOf(knex, page);
    group.push({ page, chunks });
    count += chunks.length;
    if (count < mostTexts) continue;
    yield group;
    [group, count] = [[], 0];
  }
  if (group.length > 0) yield group;
}

/** The text of a chunk below its heading. */
function textOf({ heading, text }: ChunkText): string {
  return heading === '' ? text : `${heading}\n\n${text}`;
}

function* batchesOf(texts: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length === mostTexts || (batch.length > 0 && characters + text.length > mostCharacters)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}
