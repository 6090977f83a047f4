import { setTimeout as delay } from 'node:timers/promises';
import { type Laboratory, openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import type { Tenant } from '../helpers/world.ts';
import { openSite, page } from '../resources/knowledge/local-site.ts';
import { buildGates, type Phase, phases, reach } from './crawl-phases.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const pages = 40;
/** Sources that are added while their site hangs. */
const hanging = 200;
const patience = 120_000;

interface Kill {
  readonly phase: Phase;
  readonly page: number;
  /** Time from the kill until another worker takes the source over. */
  readonly seconds: number;
}

interface Crawl {
  readonly kills: readonly Kill[];
  readonly status: string;
  readonly missing: number;
  readonly doubled: number;
  readonly strange: number;
}

/** Each page has its own word, and links to two later pages, so that the crawler reads the pages in order. */
const word = (number: number) => `lighthouse${String(number).padStart(3, '0')}keeper`;
const pathOf = (number: number) => (number === 0 ? '/' : `/page-${String(number).padStart(2, '0')}`);
const html = (number: number) =>
  page(
    `Page ${number}`,
    `The ferry passes the ${word(number)} in the morning and comes back in the evening.`,
    [2 * number + 1, 2 * number + 2].filter((next) => next < pages).map(pathOf),
  );

/**
 * Crawls a site once for every five kills, with one kill in each phase. Each kill ends the worker that holds
 * the source. Then adds sources whose site hangs, and returns the milliseconds of each POST.
 */
async function tryKills(
  databaseUrl: string,
  kills: number,
  seed: number,
): Promise<{ crawls: Crawl[]; posts: number[] }> {
  const site = await openSite(
    Object.fromEntries(Array.from({ length: pages }, (_, number) => [pathOf(number), html(number)])),
  );
  site.pages.set('/robots.txt', (_, response) => response.end('User-agent: *\nCrawl-delay: 0.3'));
  const hang = await openSite({ '/': () => undefined });
  // This server migrates the database and accepts sources, but indexes none.
  const server = await startReplica(databaseUrl, { PARLEY_WORKERS: '0' });
  const laboratory = openLaboratory(databaseUrl);
  const random = randomOf(seed);
  let worker: WorkerProcess | undefined;
  try {
    await buildGates(laboratory);
    const tenant = await laboratory.tenant();
    const add = await adder(server.base, tenant);
    const crawls: Crawl[] = [];
    for (let crawl = 0; crawl < kills / phases.length; crawl++) {
      const sourceId = await add(`${site.base}/`);
      const done: Kill[] = [];
      for (const { phase, number } of points(random)) {
        worker ??= startWorker(databaseUrl, site.place);
        const { passed } = await within(
          reach(phase, { site, laboratory, sourceId, path: pathOf(number) }),
          phase,
        );
        const lease = await leaseOf(laboratory, sourceId);
        await worker.kill();
        const killed = performance.now();
        worker = startWorker(databaseUrl, site.place);
        await passed();
        await until(async () => (await leaseOf(laboratory, sourceId)) !== lease, 'taken over');
        done.push({ phase, page: number, seconds: (performance.now() - killed) / 1000 });
      }
      await until(async () => (await statusOf(laboratory, sourceId)) !== 'inProgress', 'indexed');
      crawls.push({ kills: done, ...(await judge(laboratory, sourceId)) });
    }
    const posts: number[] = [];
    const workers = await startReplica(databaseUrl, { PARLEY_FETCH_ALLOW: hang.place });
    const addHanging = await adder(workers.base, tenant);
    // The first requests are slower, because the server still loads code.
    for (let post = 0; post < 10; post++) await addHanging(`${hang.base}/`);
    for (let post = 0; post < hanging; post++) {
      const began = performance.now();
      await addHanging(`${hang.base}/`);
      posts.push(performance.now() - began);
    }
    await workers.kill();
    return { crawls, posts };
  } finally {
    await worker?.kill();
    await server.kill();
    await laboratory.close();
    site.close();
    hang.close();
  }
}

/** Chooses a page for the kill of each phase, in reading order. The kill in "finishing" comes last. */
function points(random: () => number): { phase: Phase; number: number }[] {
  const atPages = phases.filter((phase) => phase !== 'finishing');
  const order = atPages.map((phase) => ({ phase, key: random() })).toSorted((a, b) => a.key - b.key);
  const share = Math.floor((pages - 1) / order.length);
  return [
    ...order.map(({ phase }, index) => ({ phase, number: 1 + index * share + Math.floor(random() * share) })),
    { phase: 'finishing' as const, number: pages - 1 },
  ];
}

async function adder(base: string, { projectId, key }: Tenant) {
  const post = async (path: string, body: object): Promise<string> => {
    const reply = await fetch(base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await reply.json()) as { id: string };
    if (reply.status !== 201) throw new Error(JSON.stringify(answer));
    return answer.id;
  };
  const existing = await fetch(`${base}/v1/projects/${projectId}/knowledge-bases`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { knowledgeBases } = (await existing.json()) as { knowledgeBases: { id: string }[] };
  const base0 =
    knowledgeBases[0]?.id ?? (await post(`/v1/projects/${projectId}/knowledge-bases`, { name: 'Ferries' }));
  return (url: string) =>
    post(`/v1/knowledge/${base0}/sources`, { type: 'website', name: 'Site', url, maxPages: 1000 });
}

const leaseOf = async (laboratory: Laboratory, id: string) =>
  (
    await laboratory.rows<{ lease: string | null }>('select lease from knowledge_sources where id = :id', {
      id,
    })
  )[0]?.lease;

const statusOf = async (laboratory: Laboratory, id: string) =>
  (
    await laboratory.rows<{ indexing_status: string }>(
      'select indexing_status from knowledge_sources where id = :id',
      { id },
    )
  )[0]?.indexing_status ?? '';

/** Counts pages whose word is in no chunk, pages whose word is in several chunks, and surplus pages. */
async function judge(laboratory: Laboratory, id: string): Promise<Omit<Crawl, 'kills'>> {
  const urls = await laboratory.rows<{ url: string }>(
    `select url from knowledge_pages where source_id = :id and status = 'done'`,
    { id },
  );
  const chunks = await laboratory.rows<{ text: string }>(
    'select text from knowledge_chunks where source_id = :id',
    { id },
  );
  const times = Array.from(
    { length: pages },
    (_, number) => chunks.filter(({ text }) => text.includes(word(number))).length,
  );
  return {
    status: await statusOf(laboratory, id),
    missing: times.filter((count) => count === 0).length,
    doubled: times.filter((count) => count > 1).length,
    strange: urls.length - pages,
  };
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + patience;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`the source was not ${what}`);
    await delay(20);
  }
}

async function within<Result>(work: Promise<Result>, what: string): Promise<Result> {
  const late = new AbortController();
  const timer = delay(patience, undefined, { signal: late.signal }).then(() => {
    throw new Error(`the phase "${what}" was not reached`);
  });
  timer.catch(() => undefined);
  try {
    return await Promise.race([work, timer]);
  } finally {
    late.abort();
  }
}

/** Generates numbers from 0 to 1 (Lehmer; Park and Miller, 1988). Equal seeds give equal numbers. */
function randomOf(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

await runAsScript(
  import.meta.url,
  'kills',
  20,
  async (databaseUrl, kills, { seed = 1 }) => {
    const { crawls, posts } = await tryKills(databaseUrl, kills, seed);
    const all = crawls.flatMap((crawl) => crawl.kills);
    console.log(
      `kills of a worker, seed ${seed}                      ${all.length} in ${crawls.length} crawls of ${pages} pages`,
    );
    for (const phase of phases) {
      const hits = all.filter((kill) => kill.phase === phase);
      const where = hits.map((kill) => kill.page).join(', ');
      console.log(`  ${phase.padEnd(14)} ${String(hits.length).padStart(2)} times, at pages ${where}`);
    }
    const seconds = all.map((kill) => kill.seconds);
    const worst = Math.max(...seconds);
    console.log(
      `seconds until another worker took over         median ${quantile(seconds, 0.5).toFixed(1)}, longest ${worst.toFixed(1)} (limit 30)`,
    );
    const sum = (of: (crawl: Crawl) => number) => crawls.reduce((total, crawl) => total + of(crawl), 0);
    const completed = crawls.filter(({ status }) => status === 'completed').length;
    const faults = sum(({ missing, doubled, strange }) => missing + doubled + Math.abs(strange));
    console.log(`sources completed                              ${completed} of ${crawls.length}`);
    console.log(
      `pages missing / duplicated / surplus           ${sum((one) => one.missing)} / ${sum((one) => one.doubled)} / ${sum((one) => one.strange)}`,
    );
    const [p50, p99] = [quantile(posts, 0.5), quantile(posts, 0.99)];
    console.log(
      `POST of ${posts.length} sources whose site hangs, ms        p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} (limit 50)`,
    );
    const isEachTwice = phases.every((phase) => all.filter((kill) => kill.phase === phase).length >= 2);
    return (
      faults === 0 && completed === crawls.length && worst < 30 && p99 < 50 && (kills < 10 || isEachTwice)
    );
  },
  { seed: 1 },
);
