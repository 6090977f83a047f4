import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { AccessToken } from 'livekit-server-sdk';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportMissing } from '../helpers/find-program.ts';
import { openWebProject, type WebProject } from '../helpers/web-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';
import { findLiveKit, networkRefusal, openRoomNetwork, type RoomNetwork } from './room-network.ts';
import { expectAccessible, expectFits, openPage } from './studio-page.ts';

const chromium = findChromium();
if (chromium === undefined)
  reportMissing('no Chromium on this machine, so nobody calls in the Studio (apt-get install chromium)');
const server = findLiveKit();
const refusal =
  server === undefined ? 'no LiveKit server on this machine (LIVEKIT_SERVER names one)' : networkRefusal();
if (refusal !== undefined) reportMissing(`${refusal}, so no call of the Studio reaches an agent`);

const microphone = ['--use-fake-device-for-media-stream', '--autoplay-policy=no-user-gesture-required'];
const mayListen = { permissions: ['microphone'] };
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const call = (page: Page) => page.getByRole('region', { name: 'Live call' });
const captions = (page: Page) => page.getByRole('log', { name: 'Captions' });

/** Returns an address at which nothing listens. */
async function unusedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `ws://127.0.0.1:${port}`;
}

/** Opens the tab Talk of a conversation. */
async function openTalk(
  { browser, world, project }: { browser: Browser; world: World; project: WebProject },
  conversationId: string,
  options: BrowserContextOptions = mayListen,
) {
  const address = `/conversations/${conversationId}/talk`;
  const tab = await openPage(browser, world.base, address, { key: project.key, ...options });
  await tab.page.getByRole('region', { name: 'Call the live version' }).waitFor();
  return tab;
}

describe.skipIf(chromium === undefined)('calling in the Studio without a room', () => {
  let world: World;
  let project: WebProject;
  let browser: Browser;
  let liveKitUrl: string;
  let place: { browser: Browser; world: World; project: WebProject };
  let conversationId: string;
  beforeAll(async () => {
    liveKitUrl = await unusedAddress();
    world = await openWorld({ pages: {}, liveKit: { url: liveKitUrl, apiKey: 'key', apiSecret: 'secret' } });
    project = await openWebProject(world);
    browser = await openChromium(chromium ?? '', [], microphone);
    place = { browser, world, project };
    conversationId = await project.newConversation();
    await project.newWebAgent({ name: 'Homepage', conversationId });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  it('says what is missing if no web agent leads to the conversation, and which one does not speak', async () => {
    const other = await project.newConversation();
    const { page, expectNoErrors, close } = await openTalk(place, other);
    await page.getByText('none leads here').filter({ visible: true }).waitFor();
    expect(await button(page, 'Call').getAttribute('aria-disabled')).toBe('true');
    await button(page, 'Call').press('Enter');
    expect(await call(page).count()).toBe(0);
    const id = await project.newWebAgent({ name: 'Shop', conversationId: other, scopes: ['chat'] });
    await page.reload();
    await page.getByText('Shop only chats').filter({ visible: true }).waitFor();
    const change = (body: object) => project.call('PATCH', `/v1/web-sessions/agents/${id}`, body);
    await change({ scopes: ['voice'], status: 'disabled' });
    await page.reload();
    await page.getByText('Shop is disabled').filter({ visible: true }).waitFor();
    await change({ status: 'active' });
    await page.reload();
    await page.getByText('Speak with version 1, which is live.').waitFor();
    expectNoErrors();
    await close();
  });

  it('says which access a key lacks', async () => {
    const { key } = await world.key(project.projectId, { access: ['read', 'draft'] });
    const { page, close } = await openTalk({ ...place, project: { ...project, key } }, conversationId);
    await page.getByText('Running needs a key with access run.').first().waitFor({ state: 'attached' });
    expect(await button(page, 'Call').getAttribute('aria-disabled')).toBe('true');
    await close();
  });

  it('says that the browser refuses the microphone, and starts no session', async () => {
    const { page, expectNoErrors, close } = await openTalk(place, conversationId, {});
    const sessions: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/web-sessions')) sessions.push(request.url());
    });
    await button(page, 'Call').click();
    await call(page).getByRole('alert').filter({ hasText: 'Allow it next to the address' }).waitFor();
    await expectAccessible(page);
    expect(sessions).toStrictEqual([]);
    await button(page, 'Back to the rehearsal').click();
    await button(page, 'Call').and(page.locator(':focus')).waitFor();
    expectNoErrors();
    await close();
  });

  it('says that the room cannot be reached, releases the microphone, and goes back to the rehearsal', async () => {
    const { page, close } = await openTalk(place, conversationId);
    const rehearsal = page.getByRole('region', { name: 'Call', exact: true });
    await rehearsal.waitFor();
    await page.evaluate(`
      const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (what) => (globalThis.opened = await ask(what));`);
    await button(page, 'Call').click();
    await call(page).getByRole('alert').filter({ hasText: liveKitUrl }).waitFor();
    expect(await page.evaluate('opened.getAudioTracks()[0].readyState')).toBe('ended');
    expect(await rehearsal.count()).toBe(0);
    await button(page, 'Back to the rehearsal').click();
    await rehearsal.waitFor();
    await close();
  });

  it('says that a web agent serves its own websites only, and lets a person choose another one', async () => {
    const id = await project.newConversation();
    await project.newWebAgent({ name: 'Shop', conversationId: id, allowedOrigins: ['https://shop.example'] });
    const { page, close } = await openTalk(place, id);
    await button(page, 'Call').click();
    await call(page)
      .getByRole('alert')
      .filter({ hasText: `adds ${world.base} to its allowed origins` })
      .waitFor();
    await button(page, 'Back to the rehearsal').click();
    await project.newWebAgent({ name: 'Studio', conversationId: id });
    await page.reload();
    // The one that the Studio may use is chosen first.
    expect(await page.getByLabel('Through').locator(':checked').textContent()).toBe('Studio');
    await page.getByLabel('Through').selectOption('Shop');
    await button(page, 'Call').click();
    await call(page).getByRole('alert').filter({ hasText: 'its own websites only' }).waitFor();
    await close();
  });

  it('says that a server without LiveKit plays voice one recording at a time', async () => {
    const alone = await openWorld({ pages: {}, liveKit: undefined });
    const owner = await openWebProject(alone);
    const id = await owner.newConversation();
    await owner.newWebAgent({ conversationId: id });
    const { page, expectNoErrors, close } = await openTalk({ browser, world: alone, project: owner }, id);
    await button(page, 'Call').click();
    await call(page).getByRole('alert').filter({ hasText: 'Calls need a LiveKit server' }).waitFor();
    expectNoErrors();
    await close();
    await alone.close();
  });
});

/** What stands in for a voice worker: a page that speaks a tone, hears keys, and writes captions. */
const agentScript = `
  globalThis.keys = [];
  globalThis.heard = 0;
  globalThis.join = async (url, token) => {
    globalThis.room = new LivekitClient.Room();
    room.on('sipDTMFReceived', ({ digit }) => keys.push(digit));
    room.on('trackSubscribed', (track) => {
      track.attach();
      const audio = new AudioContext();
      const analyser = audio.createAnalyser();
      audio.createMediaStreamSource(new MediaStream([track.mediaStreamTrack])).connect(analyser);
      const samples = new Float32Array(analyser.fftSize);
      setInterval(() => {
        analyser.getFloatTimeDomainData(samples);
        globalThis.heard = Math.max(heard, ...samples);
      }, 20);
    });
    await room.connect(url, token);
  };
  globalThis.speak = async () => {
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    const sound = audio.createMediaStreamDestination();
    tone.connect(sound);
    tone.start();
    globalThis.track = sound.stream.getAudioTracks()[0];
    await room.localParticipant.publishTrack(track, { source: 'microphone' });
  };
  globalThis.caption = async (segment, pieces, isFinal, whose) => {
    const attributes = { 'lk.segment_id': segment, 'lk.transcription_final': String(isFinal) };
    if (whose) attributes['lk.transcribed_participant_identity'] = whose;
    const writer = await room.localParticipant.streamText({ topic: 'lk.transcription', attributes });
    for (const piece of pieces) await writer.write(piece);
    await writer.close();
  };
  globalThis.caller = () => [...room.remoteParticipants.values()][0];`;
const clientFile = path.join(
  import.meta.dirname,
  '../../node_modules/livekit-client/dist/livekit-client.umd.js',
);

describe.skipIf(chromium === undefined || refusal !== undefined)('a call in the Studio', () => {
  let network: RoomNetwork;
  let world: World;
  let project: WebProject;
  let browser: Browser;
  let conversationId: string;
  beforeAll(async () => {
    network = await openRoomNetwork(server ?? '');
    world = await openWorld({ pages: {}, liveKit: network.liveKit });
    await network.letIn(Number(new URL(world.base).port));
    project = await openWebProject(world);
    conversationId = await project.newConversation();
    await project.newWebAgent({ conversationId });
    browser = await openChromium(await network.scriptFor(chromium ?? ''), [], microphone);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    await network?.close();
  });

  async function startCall(options: BrowserContextOptions = {}) {
    const tab = await openTalk({ browser, world, project }, conversationId, { ...mayListen, ...options });
    return { ...tab, ...(await click(tab.page, 'Call')) };
  }

  /** Starts a call with a button, waits until the caller is in the room, and returns what the token says of it. */
  async function click(page: Page, name: string): Promise<{ room: string; identity: string }> {
    const response = page.waitForResponse((one) => one.url().endsWith('/v1/web-sessions'));
    await button(page, name).click();
    const { token } = (await (await response).json()) as { token: string };
    await call(page).getByText('The agent is joining…').waitFor();
    const [, claims = ''] = token.split('.');
    const { sub, video } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    return { room: video.room, identity: sub };
  }

  async function tokenOf(identity: string, grant: Parameters<AccessToken['addGrant']>[0], kind?: 'agent') {
    const token = new AccessToken(network.liveKit.apiKey, network.liveKit.apiSecret, { identity });
    if (kind) token.kind = kind;
    token.addGrant(grant);
    return token.toJwt();
  }

  /** Lets an agent join a room. */
  async function openAgent(room: string, identity = 'agent-1') {
    const context = await browser.newContext();
    const agent = await context.newPage();
    await agent.goto(network.liveKit.url.replace('ws:', 'http:'));
    await agent.addScriptTag({ path: clientFile });
    await agent.evaluate(agentScript);
    const token = await tokenOf(identity, { room, roomJoin: true, agent: true }, 'agent');
    await agent.evaluate(`join(${JSON.stringify(network.liveKit.url)}, ${JSON.stringify(token)})`);
    return agent;
  }

  const loudness = (page: Page, who: string) =>
    page.getByRole('meter', { name: who }).evaluate((meter) => (meter as unknown as { value: number }).value);

  it('carries both voices, shows captions and who speaks, mutes, sends keys, and ends when the agent hangs up', async () => {
    const { page, expectNoErrors, close, room, identity } = await startCall();
    const agent = await openAgent(room);
    await call(page).getByText('The agent has joined.').waitFor();
    await call(page).getByText('It listens.').waitFor();

    await agent.evaluate('speak()');
    await call(page).getByText('It speaks.').waitFor();
    await expect.poll(() => loudness(page, 'Agent'), { timeout: 15_000 }).toBeGreaterThan(0.2);
    await expect.poll(() => loudness(page, 'You'), { timeout: 15_000 }).toBeGreaterThan(0.1);
    await expect.poll(() => agent.evaluate('heard'), { timeout: 15_000 }).toBeGreaterThan(0.05);

    await agent.evaluate(`caption('s1', ['Hello, I am an ', 'AI assistant.'], true)`);
    await captions(page).getByText('Hello, I am an AI assistant.').waitFor();
    // What a recogniser hears at first is replaced by what it hears in the end.
    await agent.evaluate(`caption('s2', ['I want to cook'], false, ${JSON.stringify(identity)})`);
    await captions(page).getByText('I want to cook').waitFor();
    await agent.evaluate(`caption('s2', ['I want to book'], true, ${JSON.stringify(identity)})`);
    await captions(page).getByText('I want to book').waitFor();
    expect(await captions(page).getByRole('listitem').allTextContents()).toStrictEqual([
      'AgentHello, I am an AI assistant.',
      'YouI want to book',
    ]);

    await button(page, 'Mute').click();
    await page.getByRole('status').filter({ hasText: 'You are muted.' }).waitFor();
    await expect.poll(() => agent.evaluate('[...caller().trackPublications.values()][0].isMuted')).toBe(true);
    await expect.poll(() => loudness(page, 'You'), { timeout: 15_000 }).toBe(0);
    await button(page, 'Mute').click();
    await expect
      .poll(() => agent.evaluate('[...caller().trackPublications.values()][0].isMuted'))
      .toBe(false);

    await button(page, 'Keypad').click();
    await button(page, '4').click();
    await page.keyboard.press('2');
    await button(page, 'hash').click();
    await expect.poll(() => agent.evaluate('keys')).toStrictEqual(['4', '2', '#']);
    await captions(page).getByText('You pressed 4 2 #').waitFor();
    await expectAccessible(page);

    await agent.evaluate(`fetch('/twirp/livekit.RoomService/DeleteRoom', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer ' + ${JSON.stringify(await tokenOf('admin', { roomCreate: true }))},
      },
      body: JSON.stringify({ room: ${JSON.stringify(room)} }),
    })`);
    await call(page).getByText('The agent hung up.').waitFor();
    // The captions stay, and the call can be read in Sessions.
    await captions(page).getByText('I want to book').waitFor();
    await call(page)
      .getByRole('link', { name: /Sessions/ })
      .waitFor();
    expectNoErrors();
    await agent.context().close();
    await close();
  });

  it('leaves the room when the caller hangs up or leaves the page', async () => {
    const { page, expectNoErrors, close, room } = await startCall();
    const agent = await openAgent(room);
    await call(page).getByText('The agent has joined.').waitFor();
    await button(page, 'Hang up').click();
    await call(page).getByText('You hung up.').waitFor();
    await expect.poll(() => agent.evaluate('room.remoteParticipants.size')).toBe(0);
    await agent.context().close();

    const again = await click(page, 'Call again');
    const another = await openAgent(again.room);
    await call(page).getByText('The agent has joined.').waitFor();
    await page.getByRole('link', { name: 'Scenarios' }).click();
    await expect.poll(() => another.evaluate('room.remoteParticipants.size')).toBe(0);
    await another.context().close();
    expectNoErrors();
    await close();
  });

  it('goes on with another agent that takes over, and says that none has', async () => {
    const { page, expectNoErrors, close, room } = await startCall();
    const first = await openAgent(room);
    await call(page).getByText('The agent has joined.').waitFor();
    await first.context().close();
    await call(page).getByText('The agent is gone.').waitFor();
    const second = await openAgent(room, 'agent-2');
    await call(page).getByText('The agent has joined.').waitFor();
    await second.evaluate('speak()');
    await expect.poll(() => loudness(page, 'Agent'), { timeout: 15_000 }).toBeGreaterThan(0.2);
    await second.context().close();
    await call(page).getByRole('alert').filter({ hasText: 'no other one has taken over' }).waitFor();
    expectNoErrors();
    await close();
  });

  it('says after 10 s that no voice worker answers', async () => {
    const { page, expectNoErrors, close } = await startCall();
    await call(page).getByRole('alert').filter({ hasText: 'No voice worker answers' }).waitFor();
    expectNoErrors();
    await close();
  });

  it.for([
    ['light', 1280],
    ['dark', 390],
  ] as const)('is accessible in the %s theme, %i pixels wide', async ([colorScheme, width]) => {
    const { page, close, room } = await startCall({ colorScheme, viewport: { width, height: 844 } });
    const agent = await openAgent(room);
    await call(page).getByText('The agent has joined.').waitFor();
    await agent.evaluate(`caption('s1', ['Guten Tag'], false)`);
    await captions(page).getByText('Guten Tag').waitFor();
    await button(page, 'Keypad').click();
    await expectAccessible(page);
    await expectFits(page);
    await button(page, 'Hang up').click();
    await call(page).getByText('You hung up.').waitFor();
    await expectAccessible(page);
    await agent.context().close();
    await close();
  });

  it('says that the connection is interrupted if the LiveKit server dies', async () => {
    const { page, close, room } = await startCall();
    await openAgent(room);
    await call(page).getByText('The agent has joined.').waitFor();
    network.killServer();
    await call(page).getByText('The connection is interrupted.').waitFor();
    expect(await button(page, 'Mute').getAttribute('aria-disabled')).toBe('true');
    await button(page, 'Hang up').click();
    await call(page).getByText('You hung up.').waitFor();
    await close();
  });
});
