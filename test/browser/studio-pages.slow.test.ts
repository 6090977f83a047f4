import pino from 'pino';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIndexing } from '../../src/command-line/start-indexing.ts';
import type { Workers } from '../../src/jobs/indexing-workers.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';
import { type FilledProject, openFilledProject } from './filled-project.ts';
import { openPage, type StudioTab, type Visit } from './studio-page.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so nobody opens the pages (apt-get install chromium)');

describe.skipIf(executable === undefined)('the pages of the Studio', () => {
  let world: World;
  let project: FilledProject;
  let browser: Browser;
  let workers: Workers | undefined;
  beforeAll(async () => {
    world = await openWorld({ pages: {} });
    browser = await openChromium(executable ?? '', []);
    project = await openFilledProject(world);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await workers?.stop();
    await world?.close();
  });

  const open = (path: string, { key = project.key, ...options }: Visit = {}): Promise<StudioTab> =>
    openPage(browser, world.base, path, { key, ...options });

  const liveVersion = async (): Promise<number> =>
    (await project.call('GET', `/v1/flows/${project.flowId}/versions`)).body.versions.find(
      ({ isActive }: { isActive: boolean }) => isActive,
    ).version;

  test('show what a draft changes, make it live, roll back, and restore an old version', async () => {
    const tab = await open('/overview');
    const { page } = tab;
    await page.getByRole('link', { name: 'Compare with live: Front desk' }).click();
    await page.getByText('Yes, behind the house.').waitFor();
    await page.getByText('Only for bicycles.').waitFor();
    await page.getByRole('button', { name: 'Make version 2 live…' }).click();
    await page.getByRole('dialog').getByText('Only for bicycles.').waitFor();
    await page.getByRole('button', { name: 'Make live', exact: true }).click();
    await page.getByText('Version 2 is live.').waitFor();
    expect(await liveVersion()).toBe(2);

    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Roll back…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back', exact: true }).click();
    await page.getByText('Version 1 is live.').waitFor();
    expect(await liveVersion()).toBe(1);

    await page.getByRole('button', { name: 'Restore as a draft' }).click();
    await page.getByText('Version 3 repeats version 1. It is a draft.').waitFor();
    expect(await liveVersion()).toBe(1);
    tab.expectNoErrors();
    await tab.close();
  });

  test('answer a question with passages and their source', async () => {
    const tab = await open(`/knowledge/${project.knowledgeBaseId}`);
    const { page } = tab;
    const fares = page.getByRole('row', { name: /Fares/ });
    await fares.getByRole('progressbar', { name: 'Indexing of Fares' }).waitFor();
    // The page sees by itself that the worker has finished.
    const log = pino({ level: 'silent' });
    workers = await startIndexing(world.core, { atOnce: 1, fetchAllow: [], backoff: [1] }, log);
    await fares.getByText('done').waitFor();
    await page.getByLabel('Question').fill('Do children travel free?');
    await page.getByRole('button', { name: 'Ask' }).click();
    const passage = page
      .getByRole('list', { name: 'Passages, the best first' })
      .getByRole('listitem')
      .first();
    await passage.getByText('Children under six').waitFor();
    await passage.getByText('Fares').first().waitFor();
    await passage.getByText(/fits \d+ %/).waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('revoke a key only after a dialog, and restore from the trash', async () => {
    const { keyId } = await world.key(project.projectId, { access: ['read'] });
    const statusOf = async () =>
      (await project.call('GET', `/v1/projects/${project.projectId}/keys`)).body.keys.find(
        ({ id }: { id: string }) => id === keyId,
      ).status;
    const tab = await open('/keys');
    const { page } = tab;
    await page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click();
    expect(await statusOf()).toBe('active');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await statusOf()).toBe('revoked');

    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore Gone' }).click();
    await page.getByText('Gone is back.').waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('say to a key that may only read what it may not do', async () => {
    const { key } = await world.key(project.projectId, { access: ['read'] });
    const tab = await open('/keys', { key });
    const { page } = tab;
    await page.getByText('This key may not see the keys').waitFor();
    await page.goto(`${world.base}/studio/flows/${project.flowId}/versions`);
    const live = page.getByRole('button', { name: 'Make live…' }).first();
    await live.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goto(`${world.base}/studio/history`);
    await page.getByText('What this key has changed.', { exact: false }).waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('say what a project without anything lacks', async () => {
    const { key } = await world.tenant();
    const tab = await open('/overview', { key });
    await tab.page.getByText('This project is empty').waitFor();
    for (const [path, title] of [
      ['/flows', 'No flows yet'],
      ['/knowledge', 'No knowledge bases yet'],
      ['/numbers', 'No numbers yet'],
      ['/web-agents', 'No web agents yet'],
      ['/usage', 'Nothing was used in the last 30 days'],
      ['/history', 'Nothing has changed yet'],
      ['/trash', 'The trash is empty'],
    ] as const) {
      await tab.page.goto(`${world.base}/studio${path}`);
      await tab.page.getByText(title).waitFor();
    }
    tab.expectNoErrors();
    await tab.close();
  });

  test('offer to try again if the server fails, and show what it then returns', async () => {
    const tab = await open('/overview');
    const { page } = tab;
    await page.route('**/phone-numbers?*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'It broke.' } } }),
    );
    await page.getByRole('navigation').getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('alert').getByText('It broke.').waitFor();
    await page.unroute('**/phone-numbers?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Phone numbers' }).waitFor();
    tab.expectNoErrors([500]);
    await tab.close();
  });
});
