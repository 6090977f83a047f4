import pino from 'pino';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIndexing } from '../../src/command-line/start-indexing.ts';
import type { Workers } from '../../src/jobs/indexing-workers.ts';
import { created } from '../helpers/design-project.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { openNumberProject } from '../helpers/number-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';
import { type FilledProject, openFilledProject } from './filled-project.ts';
import { expectAccessible, openPage, type StudioTab, type Visit } from './studio-page.ts';

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
    const earlier = page.getByRole('row', { name: /^Version 2 / });
    await earlier.getByText('was live until just now').waitFor();
    await earlier.getByRole('button', { name: 'Reject…' }).waitFor();

    await page.getByRole('button', { name: 'Restore as a draft' }).click();
    await page.getByText('Version 3 repeats version 1. It is a draft.').waitFor();
    expect(await liveVersion()).toBe(1);
    tab.expectNoErrors();
    await tab.close();
  });

  test('show every draft that waits, and first what callers notice most', async () => {
    const busy = await openNumberProject(world);
    const names = Array.from({ length: 12 }, (_, index) => `Desk ${index + 1}`);
    const old = {
      closing: 'Bye.',
      persona: { name: 'Robin', tone: 'calm' },
      handoff: { number: '+12025550143' },
    };
    const changed = {
      closing: 'Goodbye.',
      persona: { name: 'Kim', tone: 'warm', role: 'doctor' },
      handoff: { number: '+12025550199' },
    };
    for (const name of names) {
      const flow = { name, flowSchema: old };
      const { id } = created(await busy.call('POST', `/v1/projects/${busy.projectId}/flows`, flow));
      created(await busy.call('POST', `/v1/flows/${id}/versions`, { flowSchema: changed }));
    }
    const tab = await open('/overview', { key: busy.key });
    const { page } = tab;
    const newest = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Desk 12' }) });
    await newest.getByText('+12025550143 → +12025550199').waitFor();
    expect(await newest.getByRole('listitem').first().textContent()).toContain('+12025550199');
    await newest.getByText('and 2 more').waitFor();
    await page.getByText('2 more drafts: Desk 2, Desk 1').waitFor();
    expect(await page.getByRole('link', { name: /^Compare with live/ }).count()).toBe(10);

    await page.getByRole('navigation').getByRole('link', { name: 'Flows' }).click();
    await page.getByRole('row', { name: /^Desk 1 v1 live, no callers yet v2 draft/ }).waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('reject a draft with a reason, say so wherever it stands, and take it up again', async () => {
    const picky = await openNumberProject(world);
    const flow = { name: 'Picky desk', flowSchema: { greeting: 'Hello.' } };
    const { id } = created(await picky.call('POST', `/v1/projects/${picky.projectId}/flows`, flow));
    created(await picky.call('POST', `/v1/flows/${id}/versions`, { flowSchema: { greeting: 'Hi.' } }));
    const conversationId = await picky.newConversation({ name: 'Picky talk' });
    const versions = `/v1/conversations/${conversationId}/versions`;
    const { body: design } = await picky.call('GET', `${versions}/1/design`);
    created(await picky.call('POST', versions, { design }));
    const tab = await open(`/conversations/${conversationId}/changes`, { key: picky.key });
    const { page } = tab;
    const reject = async (reason: string) => {
      await page.getByRole('button', { name: 'Reject…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Reject version 2?' });
      await dialog.getByLabel('What is wrong with it? (optional)').fill(reason);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const rejected = page.getByRole('complementary', { name: 'Rejected' });
    await reject('It says nothing new.');
    await rejected.getByText(/version 2 was rejected just now by Key: .?It says nothing new\./).waitFor();
    const activate = page.getByRole('button', { name: 'Make version 2 live…' });
    await activate.press('Enter');
    expect(await page.getByRole('dialog', { name: 'Make version 2 live?' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Reject…' }).count()).toBe(0);

    await page.goto(`${world.base}/studio/flows/${id}/changes`);
    await reject('');
    await rejected.getByText('version 2 was rejected just now by Key.').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    await page.getByText('None. No newer version waits to go live.').waitFor();
    await page.getByText('Rejected version 2 of Picky talk').waitFor();
    await page.getByText('It says nothing new.').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Conversations' }).click();
    await page.getByText('v2 rejected').waitFor();

    await page.goto(`${world.base}/studio/conversations/${conversationId}/versions`);
    const row = page.getByRole('row', { name: /^Version 2 / });
    await row.getByText('rejected', { exact: true }).waitFor();
    await row.getByText('It says nothing new.').waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Take up again' }).click();
    await row.getByRole('button', { name: 'Reject…' }).waitFor();
    await page.getByRole('complementary', { name: 'Draft' }).waitFor();
    await page.goto(`${world.base}/studio/flows/${id}`);
    await rejected.getByRole('button', { name: 'Take up again' }).click();
    await page.getByRole('complementary', { name: 'Draft' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'History' }).click();
    await page.getByText('Took up again version 2 of Picky desk').waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('name what a draft keeps of a rejected version and every author, and do not let it go live', async () => {
    const careful = await openNumberProject(world, { plan: 'enterprise' });
    const keyOf = async (name: string): Promise<string> => {
      const route = `/v1/projects/${careful.projectId}/restricted-keys`;
      return created(await careful.call('POST', route, { name, access: ['read', 'draft'] })).key;
    };
    const [anna, ben] = [await keyOf('Anna'), await keyOf('Ben')];
    const id = await careful.newConversation({ name: 'Careful talk' });
    const edit = async (key: string, n: number, step: string, member: string, text: string) => {
      const body = { merge: { steps: { [step]: { [member]: text } } } };
      created(await world.rest('PATCH', `/v1/conversations/${id}/versions/${n}/design`, { key, body }));
    };
    await edit(anna, 1, 'goodbye', 'line', 'Get lost.');
    const judgement = { reason: 'That is rude.' };
    await careful.call('POST', `/v1/conversations/${id}/versions/2/reject`, judgement);
    await edit(ben, 2, 'help', 'instruction', 'Answer in one sentence.');
    await edit(anna, 3, 'goodbye', 'name', 'The end.');

    const tab = await open('/overview', { key: careful.key });
    const { page } = tab;
    await page.getByText(/^Anna, Ben, just now/).waitFor();
    await page.getByText('holds what was rejected', { exact: true }).waitFor();
    await page.getByText(/Version 2 was rejected just now by Key: .?That is rude\./).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Compare with live: Careful talk' }).click();
    const notice = page.getByRole('complementary', { name: 'Draft' });
    await notice.getByText(/made just now by Anna, Ben/).waitFor();
    await notice.getByText(/This version still holds what it brought:/).waitFor();
    await notice.getByText('steps · goodbye · line: Get lost. → Get lost.').waitFor();
    const refusal = 'Version 4 holds what version 2 was rejected for.';
    const activate = page.getByRole('button', { name: 'Make version 4 live…' });
    await page.getByText(refusal).first().waitFor({ state: 'attached' });
    await activate.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Versions' }).click();
    for (const version of [3, 4]) {
      const row = page.getByRole('row', { name: new RegExp(`^Version ${version} `) });
      await row.getByText('holds what was rejected').waitFor();
      expect(await row.getByRole('button', { name: 'Make live…' }).getAttribute('aria-disabled')).toBe(
        'true',
      );
    }
    await notice.getByRole('button', { name: 'Lift rejection' }).click();
    const row = page.getByRole('row', { name: /^Version 4 / });
    await row.getByText('holds what was rejected').waitFor({ state: 'detached' });
    const earlier = page.getByRole('row', { name: /^Version 3 / });
    await earlier.getByRole('button', { name: 'Lift rejection' }).waitFor();
    await row.getByRole('button', { name: 'Make live…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make version 4 live?' });
    await dialog.getByText('Made since then by Anna, Ben.').waitFor();
    // Somebody else rejects it again while the dialog is open.
    const again = { reason: 'That is rude, still.' };
    await careful.call('POST', `/v1/conversations/${id}/versions/2/reject`, again);
    await dialog.getByRole('button', { name: 'Make live' }).click();
    await dialog.getByText(/Version 2 was rejected by Key: That is rude, still\./).waitFor();
    tab.expectNoErrors([409]);
    await tab.close();
  });

  test('show what was rejected against what stands there now, lift that, and say what was rejected elsewhere', async () => {
    const careful = await openNumberProject(world, { plan: 'enterprise' });
    const id = await careful.newConversation({ name: 'Careful talk' });
    const edit = async (of: string, n: number, line: string) =>
      created(
        await careful.call('PATCH', `/v1/conversations/${of}/versions/${n}/design`, {
          merge: { steps: { goodbye: { line } } },
        }),
      );
    await edit(id, 1, 'Get lost.');
    await careful.call('POST', `/v1/conversations/${id}/versions/2/reject`, { reason: 'That is rude.' });
    await edit(id, 2, 'Get going.');
    const { body: rejected } = await careful.call('GET', `/v1/conversations/${id}/versions/2/design`);
    const copy = await careful.newConversation({ name: 'Copied talk', design: rejected });

    const tab = await open('/overview', { key: careful.key });
    const { page } = tab;
    await page.getByText('rewords what was rejected', { exact: true }).waitFor();
    await page.getByText(/v1 of Copied talk, which is live, holds what Key rejected in v2 of/).waitFor();
    await page.getByRole('link', { name: 'Compare with live: Careful talk' }).click();
    const words = 'This version says something else there, which nobody has accepted:';
    const notice = page.getByRole('complementary', { name: 'Draft' });
    await notice.getByText(words).waitFor();
    await notice.getByText('steps · goodbye · line: Get lost. → Get going.').waitFor();
    await expectAccessible(page);
    const activate = page.getByRole('button', { name: 'Make version 3 live…' });
    expect(await activate.getAttribute('aria-disabled')).toBe('true');
    const { key: readerKey } = created(
      await careful.call('POST', `/v1/projects/${careful.projectId}/restricted-keys`, {
        name: 'Anna',
        access: ['read', 'draft'],
      }),
    );
    const reader = await open(`/conversations/${id}/changes`, { key: readerKey });
    await reader.page
      .getByText(/ask a reviewer whose key has access publish to lift the rejection/)
      .waitFor();
    expect(await reader.page.getByRole('button', { name: 'Lift rejection' }).count()).toBe(0);
    await reader.close();

    await notice.getByRole('button', { name: 'Lift rejection' }).click();
    await page.getByText(words).first().waitFor({ state: 'detached' });
    await activate.click();
    const dialog = page.getByRole('dialog', { name: 'Make version 3 live?' });
    await dialog.getByRole('button', { name: 'Make live' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`${world.base}/studio/history`);
    await page.getByText('Lifted a rejection for version 3 of Careful talk').waitFor();

    await page.goto(`${world.base}/studio/conversations/${copy}`);
    const elsewhere = page.getByRole('complementary', { name: 'Rejected elsewhere' });
    await elsewhere.getByText(/Version 2 of Careful talk was rejected just now by Key/).waitFor();
    await elsewhere.getByText(/still holds what it brought: steps · goodbye · line\./).waitFor();
    await expectAccessible(page);
    await elsewhere.getByRole('button', { name: 'Take up version 2 again' }).click();
    await elsewhere.waitFor({ state: 'detached' });
    tab.expectNoErrors();
    await tab.close();
  });

  test('say that a live version is not reachable, and ignore the second click of a double click', async () => {
    const quiet = await openNumberProject(world);
    const flow = { name: 'Quiet desk', flowSchema: { greeting: 'Hello.' } };
    const { id } = created(await quiet.call('POST', `/v1/projects/${quiet.projectId}/flows`, flow));
    created(await quiet.call('POST', `/v1/flows/${id}/versions`, { flowSchema: { greeting: 'Hi.' } }));
    const conversationId = await quiet.newConversation({ name: 'Quiet talk' });
    const tab = await open(`/flows/${id}/changes`, { key: quiet.key });
    const { page } = tab;
    await page.getByText('Version 1 is live, but no phone number or website leads here yet.').waitFor();
    const activate = page.getByRole('button', { name: 'Make version 2 live…' });
    await activate.dispatchEvent('click', { detail: 2 });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await activate.click();
    const dialog = page.getByRole('dialog', { name: 'Make version 2 live?' });
    await dialog
      .getByText('Nobody will meet version 2: no phone number or website leads here yet.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Make live' }).click();
    const message = page.getByLabel('Message');
    await message.getByText('Version 2 is live, but no phone number or website leads here yet.').waitFor();
    // The head says the same at once.
    await page.getByText('v2 live, no callers yet').waitFor();
    await message.getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('heading', { name: 'Numbers', level: 1 }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    const liveNow = page.getByRole('listitem').filter({ hasText: 'no phone number or website leads here' });
    await liveNow.filter({ hasText: 'Quiet desk' }).getByText('live, no callers yet').waitFor();
    await liveNow.filter({ hasText: 'Quiet talk' }).getByText('v1 live, no callers yet').waitFor();

    await page.goto(`${world.base}/studio/conversations/${conversationId}`);
    await page.getByText('Version 1 is live, but no phone number or website leads here yet.').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'History' }).click();
    await page.getByText('Put version 2 of Quiet desk live').waitFor();
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
