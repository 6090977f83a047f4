import type { Browser, Locator, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoKeyFor } from '../../src/transports/web/demo-key.ts';
import { created } from '../helpers/design-project.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { type NumberProject, openNumberProject } from '../helpers/number-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';
import { expectAccessible, openStudio, type StudioTab, signIn } from './studio-page.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so nobody uses the Studio (apt-get install chromium)');

const introLine = 'Hello, I am the AI assistant of Sunny Dental.';
const design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'greeting' },
  steps: {
    greeting: { kind: 'greeting', introLine, on: { next: 'menu' } },
    menu: {
      kind: 'route',
      prompt: 'Would you like an appointment?',
      options: [{ id: 'book', title: 'Appointment', description: 'Wants one.', target: 'day' }],
      on: { fallback: 'goodbye' },
    },
    day: {
      kind: 'collect',
      prompt: 'Which day suits you?',
      collect: [{ id: 'day', variableId: 'day', required: true }],
      on: { next: 'goodbye' },
    },
    goodbye: { kind: 'end', line: 'Goodbye.' },
  },
  variables: [{ id: 'day', name: 'Day', type: 'text' }],
};

describe.skipIf(executable === undefined)('the Studio', () => {
  let world: World;
  let project: NumberProject;
  let browser: Browser;
  beforeAll(async () => {
    world = await openWorld({ pages: { demoKey: demoKeyFor(() => project.key) } });
    project = await openNumberProject(world);
    browser = await openChromium(executable ?? '', []);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  /** A conversation whose newest version asks something else, and a number that leads to it. */
  async function changedConversation(name: string, owner = project): Promise<string> {
    const id = await owner.newConversation({ name, design });
    const number = await owner.newNumber();
    await owner.assignConversation(number, id);
    await changeLine(id, 1, 'On which day may we see you?', owner);
    return id;
  }

  const changeLine = async (id: string, n: number, prompt: string, owner = project) =>
    created(
      await owner.call('PATCH', `/v1/conversations/${id}/versions/${n}/design`, {
        merge: { steps: { day: { prompt } } },
      }),
    );

  const activeVersion = async (id: string) =>
    (await project.call('GET', `/v1/conversations/${id}`)).body.activeVersion;

  async function signedIn(path = '', options = {}): Promise<StudioTab> {
    const tab = await openStudio(browser, world.base, options);
    await signIn(tab.page, project.key);
    if (path !== '') {
      await tab.page.goto(`${world.base}/studio${path}`);
      await tab.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    }
    return tab;
  }

  test('lets a person compare, publish, roll back and edit', async () => {
    const id = await changedConversation('Journey');
    const tab = await signedIn();
    const { page } = tab;
    const draft = page.getByRole('listitem').filter({ hasText: 'Journey' }).filter({ hasText: 'Compare' });
    await draft.getByText('day · Asks: Which day suits you? → On which day may we see you?').waitFor();
    await draft.getByRole('link', { name: 'Compare' }).click();
    const changes = page.getByRole('list', { name: 'What differs' });
    await expect
      .poll(() => changes.first().textContent())
      .toBe('dayQuestionchangedAsksWhichOn which day suitsmay we see you?');
    await page.getByRole('button', { name: 'Make version 2 live…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make version 2 live?' });
    await dialog.getByText('Front desk').waitFor();
    await dialog.getByText('All 5 proofs hold').waitFor();
    await dialog.getByRole('definition').filter({ hasText: 'may we see' }).waitFor();
    expect(await activeVersion(id)).toBe(1);
    await dialog.getByRole('button', { name: 'Make live' }).click();
    await page.getByText('Version 2 is live.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await activeVersion(id)).toBe(2);
    await page.getByLabel('to', { exact: true }).getByText('Version 2 · live').waitFor({ state: 'attached' });

    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Roll back…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back', exact: true }).click();
    await page.getByText('Version 1 is live.').waitFor();
    expect(await activeVersion(id)).toBe(1);

    await page.getByRole('link', { name: 'Design' }).click();
    await page.getByRole('button', { name: /^day / }).click();
    await page.getByRole('button', { name: 'Edit: Asks' }).click();
    await page.getByRole('textbox', { name: 'Asks' }).fill('Which day is good?');
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    await page.getByText('Saved as version 3.').waitFor();
    expect(
      (await project.call('GET', `/v1/conversations/${id}/versions/3/design`)).body.steps.day.prompt,
    ).toBe('Which day is good?');
    expect(await activeVersion(id)).toBe(1);
    tab.expectNoErrors();
    await tab.close();
  });

  test('shows what somebody else made of the line that is being edited, and keeps other changes', async () => {
    const id = await changedConversation('Conflict');
    const tab = await signedIn(`/conversations/${id}?step=day`);
    const { page } = tab;
    await page.getByRole('button', { name: 'Edit: Asks' }).click();
    await page.getByRole('textbox', { name: 'Asks' }).fill('My question?');
    await changeLine(id, 2, 'Their question?');
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    const conflict = page.getByRole('alert');
    await conflict.getByText('Their question?').waitFor();
    await conflict.getByRole('button', { name: 'Save mine instead' }).click();
    await page.getByText('Saved as version 4.').waitFor();
    expect(
      (await project.call('GET', `/v1/conversations/${id}/versions/4/design`)).body.steps.day.prompt,
    ).toBe('My question?');
    tab.expectNoErrors([409]);
    await tab.close();
  });

  test('shows every difference between two versions in words', async () => {
    const id = await project.newConversation({ name: 'Differences', design });
    const menu = { ...design.steps.menu, options: [] as object[] };
    menu.options = [
      { id: 'ache', title: 'Pain', description: 'Is in pain.', target: 'urgent' },
      { ...design.steps.menu.options[0], target: 'goodbye' },
    ];
    const { day: _day, ...others } = design.steps;
    // A version in between, which must not show.
    await changeLine(id, 1, 'Which week suits you?');
    created(
      await project.call('POST', `/v1/conversations/${id}/versions`, {
        version: 2,
        design: {
          ...design,
          steps: {
            ...others,
            menu,
            urgent: { kind: 'message', text: 'Help is near.', on: { next: 'goodbye' } },
          },
        },
      }),
    );
    const tab = await signedIn(`/conversations/${id}/changes`);
    const parts = tab.page.getByRole('list', { name: 'What differs' }).getByRole('listitem');
    await parts.first().waitFor();
    expect(await parts.allTextContents()).toStrictEqual([
      'menuChoicechangedOption PainIs in pain.Option Pain leads tourgentOption Appointment leads todaygoodbye',
      'urgentMessagenewSaysHelp is near.Thengoodbye',
      'dayQuestiongoneAsksWhich day suits you?collect › day › variableIddaycollect › day › requiredyesThengoodbye',
    ]);
    expect(await parts.last().locator('del').count()).toBe(4);
    const first = tab.page.getByRole('list', { name: 'Look at these first' }).getByRole('listitem');
    expect(await first.allTextContents()).toStrictEqual([
      'At menu, Appointment now leads to goodbye. Before, it led to day.',
      'Callers no longer get to day (Question).',
      'The agent no longer asks for Day.',
    ]);
    await tab.page.getByText('No scenarios yet').waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('names first what callers would notice, and what the proofs do not judge', async () => {
    const message = { kind: 'message', text: 'Leave a message.', on: { next: 'goodbye' } };
    const office = (value: string, on = {}) => ({
      kind: 'transfer',
      name: 'Office',
      destination: { kind: 'phoneNumber', value },
      on,
    });
    const day = { ...design.steps.day, on: { next: 'office' } };
    const id = await project.newConversation({
      name: 'Wrong number',
      design: {
        ...design,
        steps: { ...design.steps, day, office: office('+12025550140', { failed: 'message' }), message },
      },
    });
    created(
      await project.call('POST', `/v1/conversations/${id}/versions`, {
        version: 1,
        design: {
          ...design,
          steps: {
            ...design.steps,
            greeting: { ...design.steps.greeting, introLine: `${introLine} Or call +1 202 555 0177.` },
            day,
            office: office('+12025550149'),
            message,
          },
        },
      }),
    );
    const tab = await signedIn(`/conversations/${id}/changes`);
    const { page } = tab;
    const first = page.getByRole('list', { name: 'Look at these first' }).getByRole('listitem');
    await first.first().waitFor();
    expect(await first.allTextContents()).toStrictEqual([
      'Office puts callers through to +12025550149. Before, it was +12025550140.',
      'If nobody answers at Office, the call ends. Before, it went on with message.',
      'greeting has another number or address: +1 202 555 0177.',
      'Callers no longer get to message (Message).',
      `Callers are greeted with other words: “${introLine} Or call +1 202 555 0177.”`,
    ]);
    await page.getByText('do not judge whether a number, an address or a text is the right one').waitFor();

    // A step that did not change opens its lines, too.
    await page.locator('[data-place="step day"]').click();
    await page.getByRole('button', { name: /^day /, expanded: true }).waitFor();
    expect(page.url()).toContain('version=2');
    // A click anywhere on a row opens its step.
    const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^menu / }) });
    const { width, height } = (await row.boundingBox()) ?? { width: 0, height: 0 };
    await row.click({ position: { x: width - 8, y: height - 8 } });
    await page.getByRole('button', { name: /^menu /, expanded: true }).waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('shows right-to-left text from right to left', async () => {
    const greeting = 'أهلاً بكم! I am an AI assistant.';
    const prompt = 'أي يوم يناسبك؟';
    const { steps } = design;
    const id = await project.newConversation({
      name: 'خط المواعيد',
      design: {
        ...design,
        steps: {
          ...steps,
          greeting: { ...steps.greeting, introLine: greeting },
          day: { ...steps.day, prompt },
        },
      },
    });
    await changeLine(id, 1, `${prompt} شكراً`);
    const tab = await signedIn(`/conversations/${id}?step=day`);
    const { page } = tab;
    const expectRightToLeft = (text: Locator) => text.and(page.locator(':dir(rtl)')).waitFor();
    await expectRightToLeft(page.getByRole('main').getByText(prompt).first());
    await page.getByRole('button', { name: 'Edit: Asks' }).click();
    await expectRightToLeft(page.getByRole('textbox', { name: 'Asks' }));
    await page.goto(`${world.base}/studio/conversations/${id}/changes`);
    await expectRightToLeft(page.getByRole('definition').filter({ hasText: prompt }));
    await page.goto(`${world.base}/studio/conversations/${id}/talk`);
    await expectRightToLeft(page.getByRole('log').getByText(greeting));
    tab.expectNoErrors();
    await tab.close();
  });

  test('says what a simple conversation is, and where texts are', async () => {
    const { id } = created(
      await project.call('POST', `/v1/projects/${project.projectId}/conversations`, {
        name: 'Plain',
        kind: 'simple',
      }),
    );
    const tab = await signedIn(`/conversations/${id}`);
    await tab.page.getByText('This is a simple conversation: it has no steps').waitFor();
    await tab.page.getByRole('main').getByRole('link', { name: 'Flows' }).click();
    await tab.page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('draws a call that breaks a property', async () => {
    const id = await project.newConversation({
      name: 'Twice',
      design: {
        ...design,
        steps: {
          ...design.steps,
          day: { ...design.steps.day, on: { next: 'again' } },
          again: design.steps.day,
        },
      },
    });
    const tab = await signedIn(`/conversations/${id}/checks`);
    const { page } = tab;
    const proof = page.getByRole('listitem').filter({ hasText: 'asks for the same thing twice' });
    await proof.getByRole('button', { name: 'Show the call' }).click();
    await proof.getByText('again', { exact: false }).first().waitFor();
    await page.locator('[data-place="step again"].walked').waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('selects a step by a click on the drawing, and by the keyboard in the list', async () => {
    const id = await project.newConversation({ name: 'Clicks', design });
    const tab = await signedIn(`/conversations/${id}`);
    const { page } = tab;
    await page.locator('[data-place="step day"]').click();
    await page.getByRole('button', { name: /^day /, expanded: true }).waitFor();
    await page.getByRole('button', { name: /^menu / }).press('Enter');
    await page.locator('[data-place="step menu"].selected').waitFor();
    expect(page.url()).toContain('step=menu');
    tab.expectNoErrors();
    await tab.close();
  });

  test('says that a key is wrong, and never puts a key into an address', async () => {
    const tab = await openStudio(browser, world.base);
    const { page } = tab;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.getByLabel('Secret key').fill('parley_sk_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key is not valid.').waitFor();
    await signIn(page, project.key);
    expect(requests.filter((url) => url.includes('parley_sk'))).toStrictEqual([]);
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, document.cookie])');
    expect(stored).not.toContain('parley_sk');
    tab.expectNoErrors([401]);
    await tab.close();
  });

  test('signs in to the demo with one click, and forgets its key after signing out', async () => {
    const tab = await openStudio(browser, world.base);
    const { page } = tab;
    await page.getByRole('button', { name: 'Open the demo project' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Secret key').waitFor();
    await page.reload();
    await page.getByLabel('Secret key').waitFor();
    tab.expectNoErrors();
    await tab.close();
  });

  test('lets a key that may only read look, and says why it may not publish', async () => {
    const id = await changedConversation('Read only');
    const { key } = await world.key(project.projectId, { access: ['read'] });
    const tab = await openStudio(browser, world.base);
    const { page } = tab;
    await signIn(page, key);
    await page.goto(`${world.base}/studio/conversations/${id}`);
    const publish = page.getByRole('button', { name: 'Make live…' });
    await publish.hover();
    await page
      .getByText(/^Changing .* needs a key with access publish/)
      .filter({ visible: true })
      .waitFor();
    await publish.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await activeVersion(id)).toBe(1);
    tab.expectNoErrors();
    await tab.close();
  });

  test('leads back to the sign-in when the key is revoked', async () => {
    const { key, keyId } = await world.key(project.projectId);
    const tab = await openStudio(browser, world.base);
    const { page } = tab;
    await signIn(page, key);
    await expect.poll(() => page.getByRole('status').count(), { timeout: 15_000 }).toBe(0);
    await project.call('POST', `/v1/keys/${keyId}/revoke`);
    // The overview has not read this page's list, so that the Studio asks the server.
    await page.getByRole('navigation').getByRole('link', { name: 'Knowledge' }).click();
    await page.getByText('This key is no longer valid.').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    tab.expectNoErrors([401]);
    await tab.close();
  });

  // Colours depend on the theme alone, and what fits on the width alone.
  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('is accessible in the %s theme at %s pixels', async (colorScheme, width) => {
    const id = await changedConversation(`Accessible ${colorScheme} ${width}`);
    const viewport = { width, height: 800 };
    const signInTab = await openStudio(browser, world.base, { colorScheme, viewport });
    await signInTab.page.getByLabel('Secret key').waitFor();
    await expectAccessible(signInTab.page);
    const { page } = signInTab;
    await signIn(page, project.key);
    for (const path of [
      '/conversations',
      `/conversations/${id}?step=day`,
      `/conversations/${id}/changes`,
      `/conversations/${id}/checks`,
      `/conversations/${id}/versions`,
      '/flows',
    ]) {
      await page.goto(`${world.base}/studio${path}`);
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => page.getByRole('status').count(), { timeout: 15_000 }).toBe(0);
      await expectAccessible(page);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, path).toBe(0);
    }
    await signInTab.close();
  });

  test('loads at most 150 KB before the first screen can be used', async () => {
    // Each draft is compared on the first screen, so the drafts of other tests would count.
    const small = await openNumberProject(world);
    await changedConversation('Only draft', small);
    const tab = await openStudio(browser, 'about:blank');
    const { page } = tab;
    const sizes: Promise<number>[] = [];
    const measure = (request: Request) => {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    };
    page.on('requestfinished', measure);
    await page.goto(world.base);
    await signIn(page, small.key);
    await page.getByText('Live now').waitFor();
    await page.getByText('On which day may we see you?').waitFor();
    // What ends after this would be measured while the tab closes.
    page.off('requestfinished', measure);
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(100_000);
    expect(total).toBeLessThan(150_000);
    await tab.close();
  });
});
