import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { openWebProject, type WebProject } from '../helpers/web-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium } from './chromium.ts';
import {
  consoleOf,
  linesOf,
  openChat,
  openWebsite,
  otherOrigin,
  quiet,
  receptionist,
  say,
  type Visit,
  type Website,
  websiteOrigin,
} from './website.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so nobody chats with the widget (apt-get install chromium)');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const disclosure = 'You are chatting with an AI';
const first = 'How can I help you?';

describe.skipIf(executable === undefined)('a visitor of a page of another origin', () => {
  let world: World;
  let project: WebProject;
  let website: Website;
  let webAgentId: string;
  beforeAll(async () => {
    world = await openWorld({ models: undefined, pages: {} });
    project = await openWebProject(world);
    const conversationId = await project.newConversation(receptionist);
    webAgentId = await project.newWebAgent({ conversationId, allowedOrigins: [websiteOrigin] });
    website = await openWebsite(executable ?? '', world.base, {
      'data-web-agent': webAgentId,
      'data-key': project.publishableKey,
    });
  });
  afterAll(async () => {
    await website?.close();
    await world?.close();
  });

  /** Opens a page, hands it to the test, and expects a silent console. */
  async function visiting(visit: Visit, work: (page: Page) => Promise<void>, lines: string[] = []) {
    const page = await website.visit(visit);
    await work(page);
    expect(consoleOf.get(page)).toEqual(lines.map((line) => expect.stringContaining(line)));
    await page.context().close();
  }

  test('chats with an agent of a template, without a model', async () => {
    await visiting({}, async (page) => {
      await page.evaluate(`heard = [];
        for (const name of ['start', 'message', 'transfer', 'end'])
          addEventListener('parley:' + name, ({ detail }) => heard.push([name, detail]));`);
      await openChat(page);
      expect(await page.locator('.disclosure').textContent()).toContain(disclosure);
      const field = await page.locator('textarea').boundingBox();
      expect(field?.height, 'a line of the field').toBeGreaterThan(25);
      const [greeting, question, ...more] = await linesOf(page);
      expect({ greeting, question, more }).toEqual({
        greeting: expect.stringContaining('the AI assistant'),
        question: first,
        more: [],
      });
      await say(page, 'I want to talk to a person');
      const telephone = page.locator('.transfer a');
      expect(await telephone.getAttribute('href')).toBe('tel:+12025550143');
      expect(await page.locator('.status').textContent()).toBe('This chat has ended.');
      const heard = await page.evaluate<[string, Record<string, unknown>][]>('heard');
      expect(heard[0]).toEqual(['start', {}]);
      expect(heard).toContainEqual(['message', { from: 'visitor', text: 'I want to talk to a person' }]);
      expect(heard).toContainEqual(['transfer', expect.objectContaining({ value: '+12025550143' })]);
      expect(heard.at(-1)?.[0]).toBe('end');
      await page.getByText('Start a new chat').click();
      await quiet(page);
      expect(await linesOf(page)).toEqual([greeting, question]);
    });
  });

  test('continues the chat on the next page and after a reload', async () => {
    await visiting({}, async (page) => {
      await openChat(page);
      await say(page, 'I want to leave a message');
      const lines = await linesOf(page);
      expect(lines).toContain('I want to leave a message');
      await page.getByText('Next page').click();
      await page.waitForURL('**/next');
      await quiet(page);
      expect(await linesOf(page)).toEqual(lines);
      expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
      await page.reload();
      await quiet(page);
      expect(await linesOf(page)).toEqual(lines);
    });
  });

  test.each([
    ['has', true],
    ['has not', false],
  ])(
    'leaves the page after the server %s got a message, and finds its turn on the next',
    async (_has, arrives) => {
      await visiting({}, async (page) => {
        await openChat(page);
        const before = await linesOf(page);
        await page.route('**/messages', async (route) => {
          if (arrives) await route.fetch();
          await route.abort();
        });
        await page.locator('textarea').fill('I want to leave a message');
        await page.keyboard.press('Enter');
        await page.getByText('Reconnecting').waitFor();
        await page.unroute('**/messages');
        await page.reload();
        await page.locator('.bubble.visitor').waitFor();
        await quiet(page);
        const lines = await linesOf(page);
        expect(lines.slice(0, before.length + 1)).toEqual([...before, 'I want to leave a message']);
        expect(lines).toHaveLength(before.length + 2);
      });
    },
  );

  test('gets links to safe addresses only, and no markup', async () => {
    const says =
      'I am an AI assistant: <b>https://shop.example/a?b=c&d</b>, (https://shop.example/é). http://shop.example/x javascript:alert(1) https://me:word@shop.example';
    const { steps } = starterDesign;
    const greeting = { ...steps['greeting'], introLine: says };
    const conversationId = await project.newConversation({
      design: { ...starterDesign, steps: { ...steps, greeting } },
    });
    const id = await project.newWebAgent({ conversationId, allowedOrigins: [websiteOrigin] });
    await visiting({ attributes: { 'data-web-agent': id } }, async (page) => {
      await openChat(page);
      expect((await linesOf(page))[0]).toBe(says);
      const links = await page.locator('.bubble a').all();
      const seen = links.map(async (link) => [
        await link.getAttribute('href'),
        await link.getAttribute('rel'),
      ]);
      expect(await Promise.all(seen)).toEqual(
        ['https://shop.example/a?b=c&d', 'https://shop.example/é'].map((href) => [
          href,
          'noopener noreferrer',
        ]),
      );
    });
  });

  test.each<[what: string, visit: Visit, says: string, logs: string]>([
    ['a page of another origin', { origin: otherOrigin }, 'may not be used on this website', 'this origin'],
    ['a wrong key', { attributes: { 'data-key': 'parley_pk_wrong' } }, 'its key is not valid', 'API key'],
    [
      'a web agent that does not exist',
      { attributes: { 'data-web-agent': 'cwa0000000000000000000000000' } },
      'its agent does not exist',
      'cwa0000',
    ],
  ])('reads what is wrong: %s', async (_what, visit, says, logs) => {
    await visiting(
      visit,
      async (page) => {
        await page.locator('.launcher').click();
        await page.locator('.problem').waitFor();
        expect(await page.locator('.problem').textContent()).toContain(says);
        expect(await page.locator('.disclosure').isVisible()).toBe(true);
      },
      [logs],
    );
  });

  test('reads that the agent is disabled, and tries again once it is not', async () => {
    const change = (status: string) =>
      project.call('PATCH', `/v1/web-sessions/agents/${webAgentId}`, { status });
    await change('disabled');
    await visiting(
      {},
      async (page) => {
        await page.locator('.launcher').click();
        await page.getByText('switched off').waitFor();
        await change('active');
        await page.getByText('Try again').click();
        await quiet(page);
        expect(await linesOf(page)).toContain(first);
      },
      ['is disabled'],
    );
  });

  test('starts a new chat after the token has expired', async () => {
    await visiting({}, async (page) => {
      await openChat(page);
      await page.evaluate(`(([name]) => {
        const kept = JSON.parse(sessionStorage.getItem(name));
        kept.address.token = kept.address.token.slice(0, -9) + 'forgotten';
        sessionStorage.setItem(name, JSON.stringify(kept));
      })(Object.keys(sessionStorage))`);
      await page.reload();
      await page.getByText('This chat has expired.').waitFor();
      await page.getByText('Start a new chat').click();
      await quiet(page);
      expect(await linesOf(page)).toContain(first);
    });
  });

  test('goes offline and comes back, and finds each message answered once', async () => {
    await visiting({}, async (page) => {
      await openChat(page);
      const before = await linesOf(page);
      await page.context().setOffline(true);
      await page.locator('textarea').fill('I want to leave a message');
      await page.keyboard.press('Enter');
      await page.getByText('You are offline').waitFor();
      await page.context().setOffline(false);
      await quiet(page);
      expect(await linesOf(page)).toHaveLength(before.length + 2);
      expect(await page.locator('.status').textContent()).toBe('');
    });
  });

  test('uses the keyboard alone', async () => {
    await visiting({}, async (page) => {
      const focused = () =>
        page.evaluate(`((active) => {
          const inner = active.shadowRoot?.activeElement ?? active;
          return inner.getAttribute('aria-label') ?? inner.id;
        })(document.activeElement)`);
      for (let stops = 0; (await focused()) !== 'Open the chat' && stops < 9; stops += 1)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await quiet(page);
      expect(await focused()).toBe('Write a message');
      await page.keyboard.type('I want to');
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('leave a message');
      await page.keyboard.press('Enter');
      await quiet(page);
      expect(await linesOf(page)).toContain('I want to\nleave a message');
      const stops: unknown[] = [];
      for (let count = 0; count < 3; count += 1) {
        await page.keyboard.press('Shift+Tab');
        stops.push(await focused());
      }
      expect(stops).toEqual(['Messages', 'Close the chat', expect.anything()]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dialog').isVisible()).toBe(false);
      await expect.poll(focused).toBe('Open the chat');
      await page.locator('#own').focus();
      await page.evaluate('Parley.open()');
      await page.keyboard.press('Escape');
      await expect.poll(focused).toBe('own');
    });
  });

  test('reads long texts and both directions of writing', async () => {
    const browser = { viewport: { width: 390, height: 780 } };
    await visiting({ browser, attributes: { lang: 'ar', dir: 'rtl' } }, async (page) => {
      await openChat(page);
      expect(await page.locator('.disclosure').textContent()).toContain('ذكاء اصطناعي');
      const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(20);
      await say(page, 'I want to leave a message');
      await say(page, 'أريد أن أترك رسالة');
      await say(page, word);
      const direction = (text: string) =>
        page.evaluate(`(() => {
          const { shadowRoot } = document.querySelector('parley-chat');
          const line = [...shadowRoot.querySelectorAll('.bubble p')].find((p) => p.textContent.includes('${text}'));
          return getComputedStyle(line).direction;
        })()`);
      expect(await direction(word)).toBe('ltr');
      expect(await direction('أريد')).toBe('rtl');
      const isWide = await page.locator('.log').evaluate((log) => log.scrollWidth > log.clientWidth);
      expect(isWide).toBe(false);
    });
  });

  test.each(['light', 'dark'] as const)(
    'meets no obstacle that axe knows, in the %s theme',
    async (colorScheme) => {
      for (const width of [1280, 390])
        await visiting({ browser: { colorScheme, viewport: { width, height: 800 } } }, async (page) => {
          expect(await violationsOn(page)).toEqual([]);
          await openChat(page);
          await say(page, 'I want to leave a message');
          expect(await violationsOn(page)).toEqual([]);
          await page.getByText('End chat').click();
          await page.getByText('This chat has ended.').waitFor();
          expect(await violationsOn(page)).toEqual([]);
        });
    },
  );
});

/** What axe finds on a page, its shadow roots included. */
async function violationsOn(page: Page): Promise<unknown[]> {
  // A running animation is a colour that axe cannot judge.
  await expect
    .poll(() =>
      page.evaluate(`document.querySelector('parley-chat')?.shadowRoot.getAnimations()
        .filter(({ playState }) => playState === 'running').length`),
    )
    .toBe(0);
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]);
}
