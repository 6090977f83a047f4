import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { codeOf } from '../errors.ts';
import type { Log } from '../log.ts';
import {
  type ChunkText,
  type ClaimedPage,
  chunksOf,
  claimPages,
  indexVectors,
  keepPage,
  leavePage,
  settlePage,
} from '../search/indexed-vectors.ts';
import { type Embed, EmbeddingFailure, type Embeddings, type Vector } from '../search/vectors.ts';
import type { Workers } from './indexing-workers.ts';

export interface EmbeddingOptions {
  readonly knex: Knex;
  readonly embed: Embed;
  readonly log: Log;
}

/** How much a model is asked for at once. */
const mostTexts = 64;
const mostCharacters = 100_000;
/** Pages that are taken at once. */
const mostPages = 16;

/** Milliseconds between two looks for pages, and after failures in a row. */
const lookInterval = 1_000;
const shortestWait = 1_000;
const longestWait = 60_000;

/** A text by which the model tells how long its vectors are. */
const plainText = 'Parley';

/** Embeds what is not embedded by this model until it is stopped: new pages and old ones, after a change of model too. */
export function keepEmbedding(options: EmbeddingOptions): Workers {
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
  let space: Embeddings | undefined;
  let failures = 0;
  while (!signal.aborted) {
    let wait = lookInterval;
    try {
      space ??= await opened(knex, await embed([plainText], signal));
      const some = await embedSome(knex, embed, space, signal);
      if (some > 0) wait = 0;
      if (failures > 0) log.info('texts are embedded again');
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      // Another model may answer from now on.
      space = undefined;
      wait = waitAfter(error, ++failures);
      const reason = error instanceof EmbeddingFailure ? error.message : codeOf(error) || 'no answer';
      log.warn({ reason, wait }, 'texts are not embedded');
    }
    if (wait > 0) await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

function waitAfter(error: unknown, failures: number): number {
  const asked = error instanceof EmbeddingFailure ? (error.retryAfter ?? 0) * 1_000 : 0;
  return Math.min(longestWait, Math.max(asked, shortestWait * 2 ** Math.min(failures - 1, 10)));
}

async function opened(knex: Knex, space: Embeddings): Promise<Embeddings> {
  await indexVectors(knex, space);
  return space;
}

/** Embeds some pages; how many there were. No transaction is open while the model is asked. */
async function embedSome(knex: Knex, embed: Embed, space: Embeddings, signal: AbortSignal): Promise<number> {
  const pages = await claimPages(knex, space.model, mostPages);
  const left = new Set(pages);
  try {
    for await (const group of groupsOf(knex, pages)) {
      const texts = group.flatMap(({ chunks }) => chunks.map(textOf));
      const vectors: (Vector | undefined)[] = [];
      for (const batch of batchesOf(texts)) {
        const made = await embed(batch, signal);
        if (made.model !== space.model)
          throw new EmbeddingFailure('the model makes other vectors than before');
        vectors.push(...made.vectors);
        for (const page of left) await keepPage(knex, page);
      }
      let at = 0;
      for (const { page, chunks } of group) {
        const its = chunks.map((chunk) => ({ chunk, vector: vectors[at++] }));
        await settlePage(knex, page, space, its);
        left.delete(page);
      }
    }
  } catch (error) {
    for (const page of left) await leavePage(knex, page).catch(() => undefined);
    throw error;
  }
  return pages.length;
}

interface PageChunks {
  readonly page: ClaimedPage;
  readonly chunks: readonly ChunkText[];
}

/** Pages whose chunks fill a request: more are not held at once. */
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

/** What a chunk says, and where. */
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
