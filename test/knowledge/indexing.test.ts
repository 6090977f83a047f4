import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startIndexing } from '../../src/commands/indexing.ts';
import type { Workers } from '../../src/jobs/workers.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { file, type KnowledgeProject, openKnowledgeProject } from './knowledge-project.ts';
import { type LocalSite, openSite, page } from './local-site.ts';

const silent = pino({ level: 'silent' });

let world: World;
let site: LocalSite;
let workers: Workers;
let project: KnowledgeProject;
beforeAll(async () => {
  [world, site] = await Promise.all([openWorld(), openSite()]);
  workers = await startIndexing(world.core, { atOnce: 2, fetchAllow: [site.place], backoff: [1] }, silent);
});
beforeEach(async () => {
  site.pages.clear();
  site.asked.length = 0;
  project = await openKnowledgeProject(world);
});
afterAll(async () => {
  await workers.stop();
  site.close();
  await world.close();
});

const website = () => ({ type: 'website', name: 'Site', url: `${site.base}/` });

test('a file is indexed, and what it says can be found', async () => {
  const id = await project.newSource();
  expect(await project.settled(id)).toStrictEqual({
    id,
    name: 'Fares',
    type: 'file',
    indexingStatus: 'completed',
    progress: 100,
    indexing: 'triggered',
  });
  const [chunk] = await project.found(id);
  expect(chunk).toStrictEqual({ url: '', text: expect.stringContaining('Children under six travel free') });
});

test('a website is read page by page, each page once', async () => {
  site.pages.set(
    '/',
    page('Ferries', 'All about our ferries and islands.', ['/a', '/b', '/a#top', 'https://other.example/']),
  );
  site.pages.set(
    '/a',
    page('Alder', 'The ferry to Alder leaves at nine every morning.', ['/', '/b?utm_source=x']),
  );
  site.pages.set('/b', page('Birch', 'The ferry to Birch carries cars and bicycles too.', ['/missing']));
  const id = await project.newSource(website());
  expect(await project.settled(id)).toMatchObject({ indexingStatus: 'completed', progress: 100 });
  expect(new Set((await project.found(id)).map(({ url }) => url))).toStrictEqual(
    new Set([`${site.base}/`, `${site.base}/a`, `${site.base}/b`]),
  );
  expect(site.asked.toSorted()).toStrictEqual(['/', '/a', '/b', '/missing', '/robots.txt']);
});
