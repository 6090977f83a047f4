import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { Browser, FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { created } from '../helpers/design-project.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { type NumberProject, openNumberProject } from '../helpers/number-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';
import { type McpHost, openMcpHost, type ShownApp } from './mcp-host/open.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so no host shows a design (apt-get install chromium)');

const hostile = '<img src=x onerror="top.hacked = 1">';
const design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'greeting' },
  steps: {
    greeting: {
      kind: 'greeting',
      introLine: 'Hello, I am the AI assistant of Sunny Dental.',
      on: { next: 'menu' },
    },
    menu: {
      kind: 'route',
      name: hostile,
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
const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : Number.NaN);
const phone = { width: 390, height: 844 };

describe.skipIf(executable === undefined)('a host with MCP Apps', () => {
  let world: World;
  let project: NumberProject;
  let browser: Browser;
  let host: McpHost;
  beforeAll(async () => {
    world = await openWorld();
    project = await openNumberProject(world);
    browser = await openChromium(executable ?? '', []);
    host = await openMcpHost(browser, world.base, project.key);
  });
  afterAll(async () => {
    await host?.close();
    await browser?.close();
    await world?.close();
  });

  /** A conversation whose newest version asks something else, and a number that leads to it. */
  async function changedConversation(name: string): Promise<string> {
    const id = await project.newConversation({ name, design });
    await project.assignConversation(await project.newNumber(), id);
    created(
      await project.call('PATCH', `/v1/conversations/${id}/versions/1/design`, {
        merge: { steps: { day: { prompt: 'On which day may we see you?' } } },
      }),
    );
    return id;
  }

  const activeVersion = async (id: string) =>
    (await project.call('GET', `/v1/conversations/${id}`)).body.activeVersion;

  const show = (tool: string, input: Record<string, unknown>, more = {}) =>
    host.show({ key: project.key, tool, arguments: input, ...more });

  const drawingIn = (app: FrameLocator) => app.getByRole('img', { name: /^(?:Drawing of v|V)ersion/ });

  /** Closes the page, which must have written nothing to the console. */
  async function end({ errors, close }: ShownApp): Promise<void> {
    expect(errors).toStrictEqual([]);
    await close();
  }

  test('shows the design that the model drew, and opens a step on click', async () => {
    const conversationId = await changedConversation('Practice');
    const shown = await show('draw_design', { conversationId: 'practice', version: 1 });
    const { app, page: outer } = shown;
    await app.getByRole('heading', { name: 'Practice', level: 1 }).waitFor();
    await app.getByText('live', { exact: true }).waitFor();
    await drawingIn(app).locator('[data-place="step day"]').first().click();
    await app.getByRole('button', { name: /^day / }).and(app.locator('[aria-expanded=true]')).waitFor();
    await app.getByText('Which day suits you?', { exact: true }).waitFor();
    expect(await app.getByRole('button', { name: 'Make live…' }).count()).toBe(0);
    await app.getByRole('button', { name: hostile }).first().waitFor();
    expect(await outer.evaluate('window.hacked')).toBeUndefined();
    expect(await app.locator('img').count()).toBe(0);
    expect(await activeVersion(conversationId)).toBe(1);
    await end(shown);
  });

  test('draws the changes that the model compared, and makes a version live after it has asked', async () => {
    const conversationId = await changedConversation('Changed');
    const shown = await show('diff_designs', { conversationId });
    const { app } = shown;
    await app.getByRole('heading', { name: 'What changed from version 1 to version 2' }).waitFor();
    const differences = app.getByRole('list', { name: 'What differs' });
    await differences.getByText('may we see').first().waitFor();
    await app.getByRole('img', { name: /Version 2 with what differs from version 1/ }).waitFor();
    await differences.getByRole('link', { name: 'day' }).click();
    await app.getByText('On which day may we see you?', { exact: true }).waitFor();
    const requests: string[] = [];
    shown.page.on('request', (request) => requests.push(request.postData() ?? ''));
    const activations = () => requests.filter((body) => body.includes('activate_conversation_version'));
    await app.getByRole('button', { name: 'Make live…' }).click();
    const dialog = app.getByRole('dialog', { name: 'Make version 2 live?' });
    await dialog.getByText('Front desk').waitFor();
    await dialog.getByRole('definition').filter({ hasText: 'may we see' }).waitFor();
    expect(activations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Make live' }).click();
    await app.getByText('Version 2 is live.').waitFor();
    expect(activations()).toHaveLength(1);
    await app.getByText('live', { exact: true }).waitFor();
    expect(await activeVersion(conversationId)).toBe(2);
    await end(shown);
  });

  test('draws the way of a call', async () => {
    const conversationId = await changedConversation('Called');
    const shown = await show('draw_design', {
      conversationId,
      run: { caller: { script: ['Appointment', 'Monday'] } },
    });
    await shown.app.getByRole('img', { name: 'Version 2 with the way of the call.' }).waitFor();
    await shown.app.locator('[data-place^="call "]').first().waitFor({ state: 'attached' });
    await end(shown);
  });

  test('shows a picture and every step of a design that is too long for a result', async () => {
    const { greeting, goodbye } = design.steps;
    const ids = Array.from({ length: 80 }, (_, index) => `step${index + 1}`);
    const messages = ids.map((id, index) => [
      id,
      { kind: 'message', text: `${id} `.repeat(100), on: { next: ids[index + 1] ?? 'goodbye' } },
    ]);
    const long = {
      schemaVersion: 'cd/1',
      entry: { stepId: 'greeting' },
      steps: { greeting: { ...greeting, on: { next: 'step1' } }, ...Object.fromEntries(messages), goodbye },
    };
    const conversationId = await project.newConversation({ name: 'Long', design: long });
    const shown = await show('draw_design', { conversationId });
    await shown.app.getByRole('button', { name: /^step80 / }).click();
    await shown.app.locator('img[src^="data:image/png;base64,"]').waitFor();
    await end(shown);
  });

  test('stores a changed line as a draft', async () => {
    const conversationId = await project.newConversation({ name: 'Edited', design });
    const shown = await show('draw_design', { conversationId });
    const { app } = shown;
    await app.getByRole('button', { name: /^day / }).click();
    await app.getByRole('button', { name: 'Edit: Asks' }).click();
    await app.getByRole('textbox', { name: 'Asks' }).fill('Which day is good?');
    await app.getByRole('button', { name: 'Save as a draft' }).click();
    await app.getByText('Saved as version 2.').waitFor();
    await app.getByText('Which day is good?', { exact: true }).waitFor();
    expect(await app.getByLabel('Version', { exact: true }).inputValue()).toBe('2');
    await app.getByRole('button', { name: 'Make live…' }).click();
    const dialog = app.getByRole('dialog');
    // The page has no other pages, so this is not a link.
    await dialog.getByText('Ask your agent to assign one.').waitFor();
    expect(await dialog.getByRole('link', { name: /number/ }).count()).toBe(0);
    expect(await activeVersion(conversationId)).toBe(1);
    await end(shown);
  });

  test('says in words why a version does not go live', async () => {
    const conversationId = await changedConversation('Refused');
    const silent = {
      ...design,
      steps: { ...design.steps, greeting: { ...design.steps.greeting, introLine: 'Hello.' } },
    };
    await project.store(conversationId, 2, silent);
    const shown = await show('draw_design', { conversationId, version: 'newest' });
    await shown.app.getByRole('button', { name: 'Make live…' }).click();
    const dialog = shown.app.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make live' }).click();
    const reason = dialog.getByRole('alert').getByText(/disclos/);
    await reason.waitFor();
    // It is below what scrolls.
    expect(bottomOf(await reason.boundingBox())).toBeLessThan(bottomOf(await dialog.boundingBox()));
    expect(await activeVersion(conversationId)).toBe(1);
    await end(shown);
  });

  test('says which access the key lacks', async () => {
    const conversationId = await changedConversation('Read only');
    const { key } = await world.key(project.projectId, { access: ['read'] });
    const shown = await show('draw_design', { conversationId }, { key, resources: false });
    const button = shown.app.getByRole('button', { name: 'Make live…' });
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await shown.app
      .getByText(/needs a key with access publish/)
      .first()
      .waitFor({ state: 'attached' });
    await shown.app.getByRole('button', { name: /^day / }).waitFor();
    await end(shown);
  });

  test('says why the call of the model failed', async () => {
    const shown = await show('draw_design', { conversationId: 'Nowhere' });
    await shown.app
      .getByRole('alert')
      .getByText(/Nowhere/)
      .waitFor();
    expect(await shown.app.getByRole('button').count()).toBe(0);
    await end(shown);
  });

  test.each([
    { theme: 'light', viewport: { width: 1100, height: 900 } },
    { theme: 'dark', viewport: phone },
  ] as const)(
    'is accessible and fits at $viewport.width pixels in the $theme theme',
    async ({ theme, viewport }) => {
      const conversationId = await changedConversation(`Fits ${theme}`);
      const shown = await show('diff_designs', { conversationId }, { theme, browser: { viewport } });
      const { app, page: outer } = shown;
      await app.getByRole('button', { name: /^day / }).waitFor();
      await drawingIn(app).waitFor();
      const frame = outer.frames()[1];
      if (!frame) throw new Error('the host shows no frame');
      const facts = await frame.evaluate<{ theme: string; overflow: number }>(
        '({ theme: document.documentElement.dataset.theme, overflow: document.documentElement.scrollWidth - innerWidth })',
      );
      expect(facts).toStrictEqual({ theme, overflow: 0 });
      // The host makes the frame as high as the page.
      await expect.poll(() => frame.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
      const { violations } = await frame.evaluate<axe.AxeResults>(`${axe.source}; axe.run()`);
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toStrictEqual([]);
      const other = theme === 'dark' ? 'light' : 'dark';
      await outer.evaluate(`setTheme('${other}')`);
      await expect.poll(() => frame.evaluate('document.documentElement.dataset.theme')).toBe(other);
      await end(shown);
    },
  );

  test('weighs less than 150 KB compressed, and allows itself no other script and no request', () => {
    expect(gzipSync(host.view).length).toBeLessThan(150_000);
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(host.view)?.[1];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; img-src data:; base-uri 'none'; form-action 'none'$/,
    );
  });
});
