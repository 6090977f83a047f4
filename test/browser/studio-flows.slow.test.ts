import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportMissing } from '../helpers/find-program.ts';
import { openProject, type Project } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';
import { expectAccessible, openPage } from './studio-page.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing(
    'no Chromium on this machine, so nobody tries a flow in the Studio (apt-get install chromium)',
  );

const clinic = {
  greeting: 'Hello, this is Sunny Dental. How can I help you?',
  questions: [{ key: 'name', prompt: 'May I have your name?', required: true }],
  faq: [
    { question: 'When are you open?', answer: 'Monday to Friday, 9 to 5.' },
    { question: 'Where are you?', answer: '12 Quay Street.' },
  ],
  closing: 'Thank you, {{name}}. Goodbye!',
  skills: [{ key: 'juggling' }],
};

describe.skipIf(executable === undefined)('a flow in the Studio', () => {
  let world: World;
  let project: Project;
  let browser: Browser;
  beforeAll(async () => {
    // Without a model, the rule reads each turn.
    world = await openWorld({ pages: {}, models: undefined });
    project = await openProject(world);
    browser = await openChromium(executable ?? '', []);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const opened = (path: string, options = {}) =>
    openPage(browser, world.base, path, { key: project.key, ...options });

  async function say(page: Page, text: string, reply: string): Promise<void> {
    await page.getByLabel('You say, as the caller').fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText(reply).last().waitFor();
  }

  it('is tried from its creation to the end of a conversation', async () => {
    const flowId = await project.newFlow({ name: 'Front desk', flowSchema: clinic });
    const { page, expectNoErrors, close } = await opened(`/flows/${flowId}`);
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('log').getByText('I am an AI assistant. How can I help you?').waitFor();
    await say(page, 'When are you open?', 'Monday to Friday, 9 to 5.');
    await say(page, "I'd like an appointment", 'May I have your name?');
    await say(page, 'Ana Silva', 'Thank you, Ana Silva. Goodbye!');
    await page.getByRole('log').getByText('The call is over.').waitFor();
    expect(await page.getByRole('button', { name: 'Save as scenario…' }).count()).toBe(0);
    expectNoErrors();
    await close();
  });

  it('shows its steps with where they come from, and what has no meaning', async () => {
    const flowId = await project.newFlow({ name: 'Front desk', flowSchema: clinic });
    const { page, expectNoErrors, close } = await opened(`/flows/${flowId}/design`);
    const notice = page.getByRole('complementary', { name: 'What has no meaning' });
    await notice.getByText('/skills/0').waitFor();
    await notice.getByText('Is no skill that Parley knows.').waitFor();
    const steps = page.getByRole('region', { name: 'Steps' });
    await steps.getByRole('button', { name: /^Answers/ }).click();
    await steps.getByText('Made of /faq of the flow.').waitFor();
    await steps.getByRole('button', { name: /^Goodbye/ }).click();
    await steps.getByText('Parley adds this step.').waitFor();
    expect(await steps.getByRole('button', { name: /change/i }).count()).toBe(0);
    expectNoErrors();
    await close();
  });

  it('says that a graph in which nothing has a meaning cannot be played', async () => {
    const flowSchema = { nodes: [{ id: 'a', type: 'httpRequest' }] };
    const flowId = await project.newFlow({ type: 'graph', flowSchema });
    for (const tab of ['try', 'design']) {
      const { page, expectNoErrors, close } = await opened(`/flows/${flowId}/${tab}`);
      await page.getByText('Nothing in this flow says what happens in a call').waitFor();
      await page.getByText('/nodes/0').waitFor();
      expectNoErrors();
      await close();
    }
  });

  it.each([
    ['dark', 1280],
    ['light', 390],
  ] as const)('is accessible in %s at %i pixels', async (colorScheme, width) => {
    const flowId = await project.newFlow({ name: 'Front desk', flowSchema: clinic });
    for (const tab of ['try', 'design']) {
      const { page, close } = await opened(`/flows/${flowId}/${tab}`, {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await page.getByRole('complementary', { name: 'What has no meaning' }).waitFor();
      const shown =
        tab === 'try' ? page.getByRole('log').getByText('How can I help you?') : page.getByText('Welcome');
      await shown.first().waitFor();
      await expectAccessible(page);
      const shots = process.env['SCREENSHOTS'];
      if (shots) await page.screenshot({ path: `${shots}/${tab}-${colorScheme}-${width}.png` });
      await close();
    }
  });
});
