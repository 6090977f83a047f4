import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneProvider } from '../../src/platform/config/models.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { speaks, transcribes } from '../helpers/openai-wire.ts';
import { desk } from '../helpers/session-project.ts';
import { openUpstream } from '../helpers/upstream.ts';
import { wav } from '../helpers/wav.ts';
import { openWebProject, type WebProject } from '../helpers/web-project.ts';
import { openWorld, upstreamKey, type World } from '../helpers/world.ts';
import { findChromium } from './chromium.ts';
import {
  consoleOf,
  linesOf,
  openChat,
  openWebsite,
  quiet,
  say,
  type Website,
  websiteOrigin,
} from './website.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so nobody speaks to the widget (apt-get install chromium)');

/** A second of sound. */
const sound = wav(32_000);
/** Counts the lines that the page plays, and those that it stops. */
const countPlayed = `
  globalThis.played = 0;
  globalThis.stopped = 0;
  const { start, stop } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...when) { globalThis.played++; return start.apply(this, when); };
  AudioBufferSourceNode.prototype.stop = function (...when) { globalThis.stopped++; return stop.apply(this, when); };`;

describe.skipIf(executable === undefined)('a visitor who may speak', () => {
  let world: World;
  let project: WebProject;
  let website: Website;
  let upstream: Awaited<ReturnType<typeof openUpstream>>;
  let folder: string;
  let chatOnly: string;
  beforeAll(async () => {
    upstream = await openUpstream({
      otherwise: (request, response) =>
        request.path.endsWith('/speech')
          ? speaks(sound, 'audio/wav')(request, response)
          : transcribes('I want to book a table')(request, response),
    });
    const provider = { name: 'upstream', baseUrl: upstream.baseUrl, key: upstreamKey };
    const all = oneProvider(provider, { chat: 'chat', speech: 'speech', transcription: 'transcription' });
    // Without a chat model, the rule reads each turn.
    const models = { ...all, chat: { models: new Map(), auto: [], others: undefined } };
    world = await openWorld({ pages: {}, models, liveKit: undefined });
    project = await openWebProject(world);
    const conversationId = await project.newConversation();
    await project.store(conversationId, 1, desk);
    const agent = { conversationId, allowedOrigins: [websiteOrigin] };
    const webAgentId = await project.newWebAgent({ ...agent, scopes: ['voice', 'chat'] });
    chatOnly = await project.newWebAgent({ ...agent, scopes: ['chat'] });
    folder = await mkdtemp(path.join(tmpdir(), 'parley-visitor-'));
    const recording = path.join(folder, 'visitor.wav');
    await writeFile(recording, sound);
    website = await openWebsite(
      executable ?? '',
      world.base,
      { 'data-web-agent': webAgentId, 'data-key': project.publishableKey, 'data-voice': 'on' },
      [
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${recording}`,
        `--unsafely-treat-insecure-origin-as-secure=${websiteOrigin}`,
      ],
    );
  });
  afterAll(async () => {
    await website?.close();
    await world?.close();
    upstream?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  const allowed = { permissions: ['microphone'] };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const status = (page: Page) => page.locator('.status');
  const counted = (page: Page, name: string) => page.evaluate<number>(name);

  async function speak(page: Page): Promise<void> {
    await button(page, 'Speak').click();
    await status(page).getByText('Listening. Speak now.').waitFor();
    await button(page, 'Stop, and send what you said').click();
  }

  it('says a turn, reads what was heard, hears the reply, and writes on', async () => {
    const page = await website.visit({ browser: allowed });
    await page.evaluate(countPlayed);
    await openChat(page);
    await speak(page);
    await page.locator('.bubble.visitor').getByText('I want to book a table').waitFor();
    await page.getByText('For which date?').waitFor();
    await quiet(page);
    await expect.poll(() => counted(page, 'played'), { timeout: 10_000 }).toBe(1);
    const lines = await linesOf(page);
    expect(lines).toEqual([
      'Hello, I am an AI assistant.',
      'Book a table, or speak to a person?',
      'I want to book a table',
      'For which date?',
    ]);
    await page.reload();
    await quiet(page);
    expect(await linesOf(page)).toEqual(lines);
    await say(page, 'on 2026-12-24');
    expect((await linesOf(page)).at(-1)).toBe('Goodbye.');
    expect(consoleOf.get(page)).toEqual([]);
    await page.context().close();
  });

  it('sends a recording again if the connection breaks, and the server plays it once', async () => {
    const page = await website.visit({ browser: allowed });
    await openChat(page);
    let attempts = 0;
    await page.route('**/speech?*', async (route) => {
      attempts += 1;
      if (attempts > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await speak(page);
    await page.getByText('For which date?').waitFor();
    await quiet(page);
    expect(attempts).toBe(2);
    expect((await linesOf(page)).filter((line) => line === 'I want to book a table')).toHaveLength(1);
    await page.context().close();
  });

  it('is told in words if the microphone is refused, and writes instead', async () => {
    const page = await website.visit();
    await openChat(page);
    await button(page, 'Speak').click();
    await status(page).getByText('The microphone is not allowed on this page.').waitFor();
    await say(page, 'I want to book a table');
    expect((await linesOf(page)).at(-1)).toBe('For which date?');
    await page.context().close();
  });

  it('has no button if the web agent only chats, or the author of the page does not ask for it', async () => {
    for (const attributes of [{ 'data-web-agent': chatOnly }, { 'data-voice': 'off' }]) {
      const page = await website.visit({ browser: allowed, attributes });
      await openChat(page);
      expect(await button(page, 'Speak').count()).toBe(0);
      await say(page, 'I want to book a table');
      await page.context().close();
    }
  });

  it('stops recording, and forgets it, if the visitor closes the dialog', async () => {
    const page = await website.visit({ browser: allowed });
    await openChat(page);
    await button(page, 'Speak').click();
    await status(page).getByText('Listening. Speak now.').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.launcher').click();
    await quiet(page);
    expect(await button(page, 'Speak').count()).toBe(1);
    expect(await page.locator('.bubble.visitor').count()).toBe(0);
    await page.context().close();
  });
});
