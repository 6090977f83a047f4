import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startIndexing } from '../../../src/command-line/start-indexing.ts';
import type { Workers } from '../../../src/jobs/indexing-workers.ts';
import { rawDesign } from '../../designs/real-designs.ts';
import { openDesignProject } from '../../helpers/design-project.ts';
import { file, type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';
import { holdPage } from './held-page.ts';
import { type LocalSite, openSite, page } from './local-site.ts';

let world: World;
let site: LocalSite;
let other: LocalSite;
let workers: Workers;
let project: KnowledgeProject;
beforeAll(async () => {
  [world, site, other] = await Promise.all([openWorld(), openSite(), openSite()]);
  const fetchAllow = [site.place, other.place];
  const log = pino({ level: 'silent' });
  workers = await startIndexing(world.core, { atOnce: 2, fetchAllow, backoff: [1] }, log);
});
beforeEach(async () => {
  site.pages.clear();
  site.asked.length = 0;
  project = await openKnowledgeProject(world);
});
afterAll(async () => {
  await workers.stop();
  site.close();
  other.close();
  await world.close();
});

const website = (more: Record<string, unknown> = {}) => ({
  type: 'website',
  name: 'Site',
  url: `${site.base}/`,
  ...more,
});

/** The paths of the pages that have chunks. */
async function foundPaths(sourceId: string): Promise<string[]> {
  const urls = (await project.found(sourceId)).map(({ url }) => url.replace(site.base, ''));
  return [...new Set(urls)].toSorted();
}

/** Adds a website and waits until it is indexed. */
async function indexed(more: Record<string, unknown> = {}) {
  const id = await project.newSource(website(more));
  return { id, source: await project.settled(id), paths: await foundPaths(id) };
}

const completed = { indexingStatus: 'completed', progress: 100 };
const text = (about: string) => `The ferry to ${about} leaves the harbour at nine every morning.`;
const ferry = (about: string, links: readonly string[] = [], head = '') =>
  page(about, text(about), links, head);

describe('a file', () => {
  test('is indexed, and its text is stored', async () => {
    const id = await project.newSource();
    expect(await project.settled(id)).toStrictEqual({
      id,
      name: 'Fares',
      type: 'file',
      ...completed,
      indexing: 'triggered',
      url: null,
      fileName: 'fares.md',
      pages: null,
      indexedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const [chunk] = await project.found(id);
    expect(chunk).toStrictEqual({ url: '', text: expect.stringContaining('Children under six travel free') });
  });

  test('is idle with an error if it cannot be read or has no text', async () => {
    const bad = await project.newSource({ ...file, fileName: 'x.pdf', mimeType: 'application/pdf' });
    const empty = await project.newSource({ ...file, contentBase64: Buffer.from(' \n').toString('base64') });
    for (const id of [bad, empty])
      expect(await project.settled(id)).toMatchObject({
        id,
        name: 'Fares',
        type: 'file',
        indexingStatus: 'idle',
        progress: 0,
        indexing: 'triggered',
        error: expect.stringMatching(/^[A-Z][^\n]+\.$/),
        indexedAt: null,
      });
  });

  test('is indexed even if it contains a NUL', async () => {
    const contentBase64 = Buffer.from(`# Fares\n\nChildren\0 travel free of charge.\n`).toString('base64');
    const id = await project.newSource({ ...file, contentBase64 });
    expect(await project.settled(id)).toMatchObject(completed);
  });
});

test('a drawing does not wait until a slow file is read', async () => {
  const design = await openDesignProject(world);
  const conversationId = await design.newConversation();
  await design.store(conversationId, 1, rawDesign('minimal'));
  const picture = `/v1/conversations/${conversationId}/versions/1/diagram?format=svg`;
  const draw = async () => expect(await design.call('GET', picture)).toMatchObject({ status: 200 });
  await draw();
  // The thread that drew reads the file. A drawing then starts another one.
  const threads: unknown[] = [];
  const collect = (thread: unknown) => void threads.push(thread);
  process.on('worker', collect);
  onTestFinished(() => void process.off('worker', collect));
  // marked needs longer for it than a file may take.
  const contentBase64 = Buffer.from('*a'.repeat(400_000)).toString('base64');
  const id = await project.newSource({ ...file, contentBase64 });
  while (threads.length === 0) await draw();
  expect(await project.read(id)).toMatchObject({ indexingStatus: 'inProgress' });
  await project.remove(id);
});

describe('a website', () => {
  test('is crawled page by page, each page once, and nothing outside of it is requested', async () => {
    site.pages.set('/', ferry('Ferries', ['/a', '/b', '/a#top', `${other.base}/`]));
    site.pages.set('/a', ferry('Alder', ['/', '/b?utm_source=x']));
    site.pages.set('/b', ferry('Birch', ['/missing']));
    const { source, paths } = await indexed();
    expect(source).toMatchObject({
      ...completed,
      url: `${site.base}/`,
      fileName: null,
      pages: 3,
      indexedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(paths).toStrictEqual(['/', '/a', '/b']);
    expect(site.asked.toSorted()).toStrictEqual(['/', '/a', '/b', '/missing', '/robots.txt']);
    expect(other.asked).toStrictEqual([]);
  });

  test('is crawled up to maxPages, the nearest pages first', async () => {
    site.pages.set('/', ferry('Ferries', ['/1', '/2', '/3']));
    for (const one of ['1', '2', '3']) site.pages.set(`/${one}`, ferry(one, [`/${one}/deep`]));
    const { source, paths } = await indexed({ maxPages: 3 });
    expect(source).toMatchObject(completed);
    expect(paths).toStrictEqual(['/', '/1', '/2']);
  });

  test('skips pages that robots.txt, noindex and canonical exclude', async () => {
    site.pages.set('/robots.txt', (_, response) => response.end('User-agent: *\nDisallow: /secret'));
    site.pages.set('/', ferry('Ferries', ['/secret', '/hidden', '/copy', '/one', '/two']));
    site.pages.set('/secret', ferry('Secret'));
    site.pages.set('/hidden', ferry('Hidden', ['/below'], '<meta name="robots" content="noindex">'));
    site.pages.set('/below', ferry('Below'));
    site.pages.set('/copy', ferry('Original', [], '<link rel="canonical" href="/original?x=1">'));
    site.pages.set('/original?x=1', ferry('Original', [], '<link rel="canonical" href="/original?x=1">'));
    // Each names the other as canonical: one of them is indexed.
    site.pages.set('/one', ferry('Twin', [], '<link rel="canonical" href="/two">'));
    site.pages.set('/two', ferry('Twin', [], '<link rel="canonical" href="/one">'));
    const { paths } = await indexed();
    expect(paths).toStrictEqual(['/', '/below', '/original?x=1', '/two']);
    expect(site.asked).not.toContain('/secret');
  });

  test('may redirect to another host from its start page, and from no other page', async () => {
    site.pages.set('/', (_, response) => response.writeHead(302, { location: `${other.base}/en/` }).end());
    other.pages.set('/en/', ferry('Ferries', ['/en/a', '/en/away', '/de/']));
    other.pages.set('/en/a', ferry('Alder'));
    other.pages.set('/en/away', (_, response) =>
      response.writeHead(302, { location: `${site.base}/x` }).end(),
    );
    site.pages.set('/x', ferry('Away'));
    other.pages.set('/de/', ferry('Andere'));
    const id = await project.newSource(website());
    expect(await project.settled(id)).toMatchObject(completed);
    const urls = (await project.found(id)).map(({ url }) => url);
    expect(urls.toSorted()).toStrictEqual([`${other.base}/en/`, `${other.base}/en/a`]);
  });

  test('indexes a page once if others redirect to it', async () => {
    site.pages.set('/', ferry('Ferries', ['/old', '/older', '/new']));
    for (const old of ['/old', '/older'])
      site.pages.set(old, (_, response) => response.writeHead(301, { location: '/new' }).end());
    site.pages.set('/new', ferry('Alder'));
    expect((await indexed()).paths).toStrictEqual(['/', '/new']);
  });

  test('is idle with an error and loses its old chunks if it returns 404', async () => {
    site.pages.set('/', ferry('Ferries'));
    const { id, paths } = await indexed();
    expect(paths).toStrictEqual(['/']);
    site.pages.clear();
    await project.reindex(id);
    expect(await project.settled(id)).toMatchObject({
      indexingStatus: 'idle',
      progress: 0,
      indexing: 'triggered',
      error: expect.stringContaining('404'),
    });
    expect(await foundPaths(id)).toStrictEqual([]);
  });

  test('is retried, then idle with an error, and keeps its old chunks if it returns 503', async () => {
    site.pages.set('/', ferry('Ferries'));
    const { id } = await indexed();
    let asked = 0;
    site.pages.set('/', (_, response) => {
      asked += 1;
      response.writeHead(503).end();
    });
    await project.reindex(id);
    expect(await project.settled(id)).toMatchObject({
      indexingStatus: 'idle',
      error: expect.stringMatching(/\S/),
    });
    expect(asked).toBe(2);
    expect(await foundPaths(id)).toStrictEqual(['/']);
  });

  test('shows why it waits for another attempt until one of its pages is read', async () => {
    const [startRelease, pageRelease] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let asked = 0;
    site.pages.set('/', (_, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(503).end();
      else void startRelease.promise.then(() => response.end(ferry('Ferries', ['/a'])));
    });
    site.pages.set('/a', (_, response) => void pageRelease.promise.then(() => response.end(ferry('Alder'))));
    const id = await project.newSource(website());
    const shownState = () => project.read(id).then(({ indexingStatus, error }) => [indexingStatus, error]);
    await expect
      .poll(shownState, { timeout: 45_000 })
      .toEqual(['inProgress', 'The site responded with status 503.']);
    startRelease.resolve();
    await expect.poll(shownState, { timeout: 45_000 }).toEqual(['inProgress', undefined]);
    pageRelease.resolve();
    expect(await project.settled(id)).toMatchObject(completed);
  });

  test('is completed if one of its pages fails for a while, or for good', async () => {
    site.pages.set('/', ferry('Ferries', ['/a', '/b']));
    let down = true;
    site.pages.set('/a', (_, response) => {
      if (down) response.writeHead(500).end();
      else response.end(ferry('Alder'));
      down = false;
    });
    site.pages.set('/b', (_, response) => response.writeHead(500).end());
    const { source, paths } = await indexed();
    expect(source).toMatchObject(completed);
    expect(paths).toStrictEqual(['/', '/a']);
  });

  test('is not fetched at a forbidden address, and its error does not reveal whether a server is there', async () => {
    const inside = await openSite({ '/': ferry('Inside') });
    const errorOf = async (url: string) =>
      (await project.settled(await project.newSource(website({ url })))).error;
    const open = await errorOf(`${inside.base}/`);
    inside.close();
    expect(open).toMatch(/\S/);
    expect(await errorOf(`${inside.base}/`)).toBe(open);
    expect(inside.asked).toStrictEqual([]);
  });

  test('has its new and changed pages, and none that are gone, after a reindex', async () => {
    site.pages.set('/', ferry('Ferries', ['/a', '/b']));
    site.pages.set('/a', ferry('Alder'));
    site.pages.set('/b', ferry('Birch'));
    const { id } = await indexed();
    site.pages.set('/', ferry('Ferries', ['/a', '/c']));
    site.pages.set('/a', ferry('Aspen'));
    site.pages.set('/c', ferry('Cedar'));
    await project.reindex(id);
    expect(await project.settled(id)).toMatchObject(completed);
    expect(await foundPaths(id)).toStrictEqual(['/', '/a', '/c']);
    const texts = (await project.found(id)).map((chunk) => chunk.text).join();
    expect(texts).toContain(text('Aspen'));
    expect(texts).not.toContain(text('Alder'));
  });

  test('shows its progress, which never falls', async () => {
    site.pages.set('/', ferry('Ferries', ['/1', '/2', '/3', '/4']));
    for (const one of ['1', '2']) site.pages.set(`/${one}`, ferry(one, ['/5', '/6', '/7', '/8', '/9']));
    const held = holdPage(site, '/3');
    const id = await project.newSource(website());
    const seen: number[] = [];
    await expect
      .poll(
        async () => {
          seen.push((await project.read(id)).progress);
          return site.asked;
        },
        { timeout: 30_000, interval: 20 },
      )
      .toContain('/3');
    seen.push((await project.read(id)).progress);
    held.release(ferry('3'));
    expect(await project.settled(id)).toMatchObject(completed);
    expect(seen).toStrictEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBeGreaterThan(0);
    expect(seen.at(-1)).toBeLessThan(100);
  });
});
