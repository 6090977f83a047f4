import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneProvider } from '../../src/platform/config/models.ts';
import { templateOf } from '../../src/resources/catalogue/templates/index.ts';
import { created, type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { speaks, transcribes } from '../helpers/openai-wire.ts';
import { openUpstream } from '../helpers/upstream.ts';
import { wav } from '../helpers/wav.ts';
import { openWorld, upstreamKey, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';
import { expectAccessible, openStudio, signIn } from './studio-page.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so nobody talks in the Studio (apt-get install chromium)');

const fields = Object.fromEntries(
  (templateOf('order-status')?.fields ?? []).map(({ key, sample }) => [key, sample]),
);
const order = '{"number": "A-17", "status": "on its way", "delivery": "Tuesday"}';
/** A second of sound. */
const sound = wav(32_000);

describe.skipIf(executable === undefined)('talking in the Studio', () => {
  let world: World;
  let project: DesignProject;
  let browser: Browser;
  let upstream: Awaited<ReturnType<typeof openUpstream>>;
  let folder: string;
  beforeAll(async () => {
    upstream = await openUpstream({
      otherwise: (request, response) =>
        request.path.endsWith('/speech')
          ? speaks(sound, 'audio/wav')(request, response)
          : transcribes('That was all, I am done.')(request, response),
    });
    const provider = { name: 'upstream', baseUrl: upstream.baseUrl, key: upstreamKey };
    const all = oneProvider(provider, { chat: 'chat', speech: 'speech', transcription: 'transcription' });
    // Without a chat model, the rule reads each turn.
    const models = { ...all, chat: { models: new Map(), auto: [], others: undefined } };
    world = await openWorld({ pages: {}, models });
    project = await openDesignProject(world);
    folder = await mkdtemp(path.join(tmpdir(), 'parley-voice-'));
    const recording = path.join(folder, 'caller.wav');
    await writeFile(recording, sound);
    browser = await openChromium(
      executable ?? '',
      [],
      [
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${recording}`,
        '--autoplay-policy=no-user-gesture-required',
      ],
    );
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    upstream?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  const newConversation = () =>
    project.newConversation({ name: 'Orders', templateKey: 'order-status', templateFields: fields });

  async function opened(id: string, tab: string, options: Parameters<typeof openStudio>[2] = {}) {
    const studio = await openStudio(browser, world.base, options);
    await signIn(studio.page, project.key);
    await studio.page.goto(`${world.base}/studio/conversations/${id}/${tab}`);
    return studio;
  }

  const log = (page: Page) => page.getByRole('log');

  async function say(page: Page, text: string, reply: string | RegExp): Promise<void> {
    await page.getByLabel('You say, as the caller').fill(text);
    await page.keyboard.press('Enter');
    await log(page).getByText(reply).last().waitFor();
  }

  async function respond(page: Page): Promise<void> {
    await page.getByRole('tab', { name: /^Requests/ }).click();
    await page.getByLabel('Response').first().selectOption('A response');
    await page.getByLabel('Body, as JSON').fill(order);
    await page.getByRole('button', { name: 'Play the call again with this' }).click();
    await log(page).getByText('Your latest order is A-17.').waitFor();
  }

  it('plays a call turn by turn, goes back, saves it as a scenario, and shows where a draft breaks it', async () => {
    const id = await newConversation();
    const { page, expectNoErrors, close } = await opened(id, 'talk');

    // Without a response, the request is shown and the design takes its other way.
    await log(page).getByText('What can I do for you?').waitFor();
    // A person can type at once: the box has the focus, and it is above the fold.
    const box = page.getByLabel('You say, as the caller');
    await box.and(page.locator(':focus')).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    const { y, height } = (await box.boundingBox()) ?? { y: 0, height: 0 };
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    await page.getByRole('tab', { name: /^Requests/ }).click();
    const requests = page.getByRole('tabpanel', { name: /^Requests/ });
    await requests.getByText('not sent: no response given').waitFor();
    await requests.getByText('GET https://shop.lumenliving.example/orders/latest').waitFor();
    await respond(page);

    await say(page, 'I want to talk to a person', 'The call is over.');
    expect(await log(page).textContent()).toContain('Understood as A person, by a simple rule');
    const { body: first } = await project.read(id, 1);
    const number = first.steps.toService.destination.value;
    expect(await log(page).textContent()).toContain(`Put through to ${number}.`);

    // The transfer's outcome is chosen next to it, and shown as long as it holds.
    await page.getByRole('button', { name: 'Play again as if nobody answers' }).click();
    await log(page).getByText(`Put through to ${number}: nobody answers.`).waitFor();
    await log(page).getByText('nobody is free right now').waitFor();
    await page.getByText('In this call nobody answers').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByText('In this call nobody answers').waitFor({ state: 'detached' });
    await log(page).getByText('The call is over.').waitFor({ state: 'detached' });
    await log(page).getByText('Your latest order is A-17.').waitFor();
    await say(page, 'I want to talk to a person', 'The call is over.');
    await page.getByRole('button', { name: 'Play again as if nobody answers' }).click();
    await page.getByRole('button', { name: 'Play again as if somebody answers' }).click();
    await log(page).getByText(`Put through to ${number}.`).waitFor();
    expect(await page.getByText('In this call nobody answers').count()).toBe(0);
    // The responses of other systems stay as they were set.
    await log(page).getByText('Your latest order is A-17.').waitFor();
    await page.getByRole('tab', { name: 'Path' }).click();
    const passed = page.getByRole('tabpanel', { name: 'Path' }).getByRole('listitem');
    await passed.filter({ hasText: 'What else → A person: chose A person' }).waitFor();

    await page.getByRole('button', { name: 'Go back to the beginning' }).click();
    await say(page, 'I have a problem', 'what went wrong');
    await passed.filter({ hasText: /The problem\s+here/ }).waitFor();
    // It is understood at the step that the turn before has reached.
    await say(page, 'A-17 is broken', /^Understood as \w+: A-17 is broken/);
    await page.getByRole('button', { name: 'Go back to the beginning' }).click();
    await say(page, 'I am done', 'Thank you for shopping with Lumen Living. Goodbye!');
    expect(await log(page).textContent()).not.toContain('I have a problem');

    await page.getByRole('button', { name: 'Save as scenario…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Hears about the order');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Everything that it expects holds.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const { body: saved } = await project.call('GET', `/v1/conversations/${id}/scenarios`);
    const { body: scenario } = await project.call('GET', `/v1/scenarios/${saved.scenarios[0].id}`);
    expect(scenario).toMatchObject({
      name: 'Hears about the order',
      caller: { script: [{ text: 'I am done', understood: { option: 'done' } }] },
      mocks: { nodes: { findOrder: { status: 200, body: JSON.parse(order) } } },
      expect: [
        { ends: { reason: 'completed' } },
        { reaches: { step: 'goodbye' } },
        { requests: { node: 'findOrder' } },
      ],
    });

    // A draft that puts through everybody who is done.
    const options = first.steps.concernKnown.options.map((option: { id: string }) =>
      option.id === 'done' ? { ...option, target: 'toService' } : option,
    );
    created(
      await project.call('PATCH', `/v1/conversations/${id}/versions/1/design`, {
        merge: { steps: { concernKnown: { options } } },
      }),
    );
    await page.getByRole('link', { name: 'Scenarios' }).click();
    await page.reload();
    await page.getByLabel('Required before a version goes live').check();
    await page.getByText('From now on, all scenarios have to pass').waitFor();
    await page.getByRole('button', { name: 'Run all' }).click();
    const result = page.getByRole('region', { name: 'Result of the run' });
    await result.getByText('1 of 1 failed on version 2').waitFor();
    expect(await result.textContent()).toContain(
      'Ends: as designed. Found: ended: transferred, at toService',
    );
    await result.getByRole('link', { name: 'Hears about the order' }).click();
    const played = page.getByRole('region', { name: 'Scenario' });
    const failing = played.getByRole('listitem').filter({ hasText: 'An expectation failed here.' });
    expect(await failing.textContent()).toContain("One moment please, I'll put you through");
    await expectAccessible(page);

    const refused = await project.activate(id, 2);
    expect(refused.status).toBe(422);
    await page.getByLabel('Play on').selectOption('1');
    await played.getByText('Everything holds').waitFor();
    expectNoErrors();
    await close();
  });

  it('keeps the proposed scenarios that a person chooses', async () => {
    const id = await newConversation();
    const { page, expectNoErrors, close } = await opened(id, 'scenarios');
    await page.getByText('No scenarios yet').waitFor();
    await page.getByRole('button', { name: 'Propose scenarios…' }).click();
    const dialog = page.getByRole('dialog');
    const boxes = dialog.getByRole('checkbox');
    await boxes.first().waitFor();
    const count = await boxes.count();
    await boxes.first().uncheck();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: `Keep ${count - 1}` }).click();
    await page.getByText(`${count - 1} scenarios are saved.`).waitFor();
    await expect
      .poll(() => page.getByRole('table', { name: 'Scenarios' }).getByRole('row').count())
      .toBe(count);
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByText('All passed').waitFor();
    expectNoErrors();
    await close();
  });

  it('hears a turn over the microphone, and reads the reply aloud in the voice of the profile', async () => {
    const id = await newConversation();
    const { body: profile } = await project.call('POST', `/v1/projects/${project.projectId}/agent-profiles`, {
      name: 'Sam',
      outputVoiceId: 'nova',
    });
    await project.call('PATCH', `/v1/conversations/${id}`, { agentId: profile.id });
    const { page, expectNoErrors, close } = await opened(id, 'talk', { permissions: ['microphone'] });
    await log(page).getByText('What can I do for you?').waitFor();
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.getByRole('status').filter({ hasText: 'The microphone is on.' }).waitFor();
    // MediaRecorder needs a moment of sound.
    await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 300)));
    await page.getByRole('button', { name: 'Stop and say it' }).click();
    await log(page).getByText('That was all, I am done.').waitFor();
    await log(page).getByText('The call is over.').waitFor();
    await expect
      .poll(() => upstream.received.map((one) => one.path.split('/').at(-1)))
      .toStrictEqual(['transcriptions', 'speech']);
    const [heard, spoken] = upstream.received;
    expect(heard?.bytes.length).toBeGreaterThan(1_000);
    expect(spoken?.body).toMatchObject({
      input: 'Thank you for shopping with Lumen Living. Goodbye!',
      voice: 'nova',
    });
    expect(await page.getByLabel('Read replies aloud').isChecked()).toBe(true);
    expectNoErrors();
    await close();
  });

  it('says in words that the browser refuses the microphone', async () => {
    const { page, close } = await opened(await newConversation(), 'talk');
    await page.context().grantPermissions([]);
    await log(page).getByText('What can I do for you?').waitFor();
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.getByRole('alert').filter({ hasText: 'Allow it next to the address' }).waitFor();
    await close();
  });

  it('says on a server without a model why it neither hears nor speaks', async () => {
    const silent = await openWorld({ pages: {}, models: undefined });
    const owner = await openDesignProject(silent);
    const id = await owner.newConversation({
      name: 'Orders',
      templateKey: 'order-status',
      templateFields: fields,
    });
    const { page, expectNoErrors, close } = await openStudio(browser, silent.base);
    await signIn(page, owner.key);
    await page.goto(`${silent.base}/studio/conversations/${id}/talk`);
    await page.getByText('No model for transcription is configured').filter({ visible: true }).waitFor();
    const speak = page.getByRole('button', { name: 'Speak' });
    expect(await speak.getAttribute('aria-disabled')).toBe('true');
    await speak.press('Enter');
    expect(await page.getByText('The microphone is on.').count()).toBe(0);
    await page.getByText('No model for speech is configured').filter({ visible: true }).waitFor();
    expect(await page.getByLabel('Read replies aloud').isDisabled()).toBe(true);
    await say(page, 'I have a problem', 'what went wrong');
    expectNoErrors();
    await close();
    await silent.close();
  });

  it.for([
    ['light', 1280],
    ['dark', 390],
  ] as const)('is accessible in the %s theme, %i pixels wide', async ([colorScheme, width]) => {
    const id = await newConversation();
    const { page, expectNoErrors, close } = await opened(id, 'talk', {
      colorScheme,
      viewport: { width, height: 844 },
    });
    await log(page).getByText('What can I do for you?').waitFor();
    await respond(page);
    await page.getByRole('button', { name: 'Stay silent' }).click();
    await log(page).getByText('The caller stays silent.').waitFor();
    await log(page).getByText('Are you still there?').waitFor();
    await say(page, 'I want to talk to a person', 'The call is over.');
    await log(page).getByText('Put through to ').waitFor();
    await page.getByRole('button', { name: 'Go back to the beginning' }).click();
    await page.getByRole('button', { name: 'Hang up' }).click();
    await log(page).getByText('The caller hung up.').waitFor();
    await page.getByRole('img', { name: 'Version 1' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save as scenario…' }).click();
    await expectAccessible(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    expectNoErrors();
    await close();
  });
});
