import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { created, renamed } from '../helpers/design-project.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { recorded, store } from '../helpers/recorded-sessions.ts';
import { desk, openSessionProject, type SessionProject, type Visit } from '../helpers/session-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';
import {
  expectAccessible,
  expectFits,
  expectInSight,
  type Visit as Look,
  openPage,
  type StudioTab,
  untilRead,
} from './studio-page.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so nobody opens the pages (apt-get install chromium)');

const hostile = '<img src=x onerror=alert(1)> مرحبا';

describe.skipIf(executable === undefined)('the sessions in the Studio', () => {
  let world: World;
  let project: SessionProject;
  let browser: Browser;
  let webAgentId: string;
  /** A conversation with 20 stored sessions of two versions. */
  let counted: string;
  let conversationId: string;
  /** A session that ended as designed, and one that is open. */
  let ended: Visit;
  let open: Visit;
  beforeAll(async () => {
    world = await openWorld({ pages: {}, models: undefined });
    browser = await openChromium(executable ?? '', []);
    project = await openSessionProject(world);
    webAgentId = await project.agentOf(desk);
    conversationId = (await project.call('GET', `/v1/web-sessions/agents/${webAgentId}`)).body.conversationId;
    ended = await project.visit(webAgentId);
    await ended.start();
    await ended.say('I want to book a table');
    await ended.say('on 2026-12-24');
    open = await project.visit(webAgentId);
    await open.start();
    await open.say(hostile);
    counted = await project.newConversation({ name: 'Counted', design: desk });
    created(await project.write(counted, renamed(desk, 'Welcome')));
    const some = (count: number, more: object) =>
      Array.from({ length: count }, () => recorded({ conversationId: counted, version: 1, ...more }));
    await store(
      world,
      project.projectId,
      [
        ...some(6, { reason: 'completed', outcome: 'completed', turns: 4 }),
        ...some(3, { reason: 'hungUp', lastStep: 'menu' }),
        ...some(2, { reason: 'idle', lastStep: 'ask' }),
        ...some(1, { reason: 'failed', outcome: 'failed' }),
        ...some(8, { version: 2, reason: 'transferred', outcome: 'transferred' }),
      ],
      true,
    );
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const openTab = (path: string, { key = project.key, ...look }: Look = {}): Promise<StudioTab> =>
    openPage(browser, world.base, path, { key, ...look });

  test('are listed by conversation, version and how they ended, a page at a time', async () => {
    const tab = await openTab('/sessions');
    const { page } = tab;
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('rowheader');
    const expectRows = (count: number) => expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(count);
    await expectRows(22);
    await page.getByLabel('How it ended').selectOption('Open');
    await expectRows(1);
    await page.getByLabel('How it ended').selectOption('Any way');
    await page.getByLabel('Conversation').selectOption('Counted');
    await expectRows(20);
    await page.getByLabel('How it ended').selectOption('Visitor left');
    await expectRows(5);
    await page.getByLabel('Version').selectOption('Version 1 · live');
    await page.getByLabel('How it ended').selectOption('Put through');
    await page.getByText('No such session').waitFor();
    // The address leads to the same list.
    await page.goto(`${world.base}/studio/sessions?conversationId=${counted}&version=2`);
    await expectRows(8);
    await page.getByLabel('To day (UTC)').fill('2020-01-01');
    await page.getByText('No such session').waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await expectRows(22);
    tab.expectNoErrors();
    await tab.close();
  });

  test('show what was said, how it was understood, and the way with its reasons', async () => {
    const tab = await openTab(`/sessions/${ended.id}`);
    const { page } = tab;
    const said = page.getByRole('list', { name: 'What was said' });
    const turn = said.getByRole('listitem').filter({ hasText: 'I want to book a table' });
    await turn.getByText('Understood as Book a table, by a simple rule, without a model').waitFor();
    await said.getByText('The agent ended it as designed', { exact: false }).waitFor();
    const path = page.getByRole('region', { name: 'Path' }).getByRole('listitem');
    expect(await path.allInnerTexts()).toEqual([
      expect.stringContaining('hello'),
      expect.stringContaining('Book a table'),
      expect.stringContaining('ask'),
      expect.stringContaining('bye'),
    ]);
    await page.getByRole('region', { name: 'Variables' }).getByText('2026-12-24').waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('show a turn of an open session by themselves, and a text of a visitor as text', async () => {
    const tab = await openTab(`/sessions/${open.id}`);
    const { page } = tab;
    const said = page.getByRole('list', { name: 'What was said' });
    await said.getByText(hostile).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await open.say('book a table, please');
    await said.getByText('book a table, please').waitFor();
    await said.getByText('For which date?').waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('are deleted only after a dialog, and not by a key that may only read', async () => {
    const visit = await project.visit(webAgentId);
    await visit.start();
    const status = async () => (await project.call('GET', `/v1/sessions/${visit.id}`)).status;
    const { key } = await world.key(project.projectId, { access: ['read'] });
    const reader = await openTab(`/sessions/${visit.id}`, { key });
    await reader.page.getByRole('button', { name: 'Delete…' }).press('Enter');
    expect(await reader.page.getByRole('dialog').count()).toBe(0);
    await reader.close();

    const tab = await openTab(`/sessions/${visit.id}`);
    const { page } = tab;
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByText('the visitor’s chat ends now', { exact: false }).waitFor();
    expect(await status()).toBe(200);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    await page.getByText('What was said in the session is deleted.').waitFor();
    expect(await status()).toBe(404);
    tab.expectNoErrors();
    await tab.close();
  });

  test('are counted for each version, with the steps at which visitors left', async () => {
    const tab = await openTab(`/conversations/${counted}/sessions`);
    const { page } = tab;
    const table = page.getByRole('table', { name: 'Sessions of each version' });
    const cells = (version: string) =>
      table
        .getByRole('row', { name: new RegExp(`^${version} `) })
        .getByRole('cell')
        .allInnerTexts();
    await table.waitFor();
    expect(await cells('1')).toEqual(['12', '6', '0', '5', '1', '0', '2 / 4', '0%']);
    expect(await cells('2')).toEqual(['8', '0', '8', '0', '0', '0', '2 / 2', '0%']);
    await page.getByRole('img', { name: 'Version 1: Completed 6, Visitor left 5, Failed 1' }).waitFor();
    const left = page.getByRole('region', { name: 'Where visitors left' }).getByRole('listitem');
    expect(await left.allInnerTexts()).toEqual([
      expect.stringMatching(/menu\s+3 visitors/),
      expect.stringMatching(/ask\s+2 visitors/),
    ]);
    await page.getByLabel('Version', { exact: true }).selectOption('Version 2');
    await page.getByText('Nobody left before the end.').waitFor();
    await page.getByRole('link', { name: 'Read the sessions' }).click();
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    expect(await page.getByLabel('Conversation').inputValue()).toBe(counted);
    tab.expectNoErrors();
    await tab.close();
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('are accessible in the %s theme and fit into %s pixels', async (colorScheme, width) => {
    const look = { bypassCSP: true, colorScheme, viewport: { width, height: 800 } };
    const tab = await openTab('/sessions', look);
    const { page } = tab;
    for (const path of [
      '/sessions',
      `/sessions/${ended.id}`,
      `/sessions/${open.id}`,
      `/conversations/${counted}/sessions`,
      `/conversations/${conversationId}/sessions`,
    ]) {
      await page.goto(`${world.base}/studio${path}`);
      await untilRead(page);
      await expectAccessible(page);
      await expectFits(page);
    }
    // On a phone, the tabs are wider than the page.
    await expectInSight(page.getByRole('link', { name: 'Sessions', exact: true }).last());
    tab.expectNoErrors();
    await tab.close();
  });
});
