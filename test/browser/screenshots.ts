/**
 * Makes the screenshots of the guides again: starts a server with the demo, lets an agent change a conversation, and takes
 * pictures of it in the Studio and in an MCP host.
 *
 * Usage: npm run screenshots
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { findChromium, openChromium } from './chromium.ts';
import { openMcpHost } from './mcp-host/open.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docs/guides/images');
/** Bytes. Larger pictures make the guides slow to open. */
const largest = 160_000;
const viewport = { width: 1200, height: 720 };

interface Server {
  readonly base: string;
  readonly projectId: string;
  /** Calls the API with the key of the demo, or another one. */
  call(method: string, path: string, body?: object, key?: string): Promise<Record<string, unknown>>;
  readonly key: string;
}

const executable = findChromium();
if (executable === undefined)
  throw new Error('There is no Chromium on this machine. Install it: apt-get install chromium.');
const home = mkdtempSync(path.join(tmpdir(), 'parley-screenshots-'));
const child = spawn(process.execPath, ['bin/parley.js', 'serve'], {
  cwd: root,
  env: { ...process.env, PARLEY_HOME: home, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const server = await connect(child);
  const id = await makeConversation(server);
  const browser = await openChromium(executable, []);
  try {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await signIn(page, server);
    const open = (tab: string) => page.goto(`${server.base}/studio/conversations/${id}/${tab}`);
    mkdirSync(folder, { recursive: true });

    await open('changes');
    await page.getByText('All 5 proofs hold').waitFor();
    await take(page, 'studio-changes');

    await open('checks');
    await page.getByText('Every call can end').waitFor();
    await take(page, 'studio-checks');

    await open('talk');
    await say(page, 'I would like to book an appointment.', 'when would it suit you best?');
    await say(page, 'A check-up on Tuesday', 'Understood as');
    await take(page, 'studio-talk');

    await open('scenarios');
    await page.getByRole('button', { name: 'Propose scenarios…' }).click();
    await page.getByRole('button', { name: /^Keep \d/ }).click();
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByRole('region', { name: 'Result of the run' }).waitFor();
    await page.getByText(/^\d+ scenarios are saved/).waitFor({ state: 'detached' });
    await take(page, 'studio-scenarios');

    const rejected = await makeRejection(server);
    await page.goto(`${server.base}/studio/conversations/${rejected}/changes`);
    await page.getByText('We do not deliver on Sundays.').first().waitFor();
    await page.getByText('All 5 proofs hold').waitFor();
    await take(page, 'studio-rejection');

    const host = await openMcpHost(browser, server.base, server.key);
    try {
      const { app, page: shown } = await host.show({
        key: server.key,
        tool: 'diff_designs',
        arguments: { conversationId: id },
        browser: { viewport },
      });
      await app.getByRole('list', { name: 'What differs' }).waitFor();
      await app.getByRole('img', { name: /^Version 2 with/ }).waitFor();
      await take(shown, 'mcp-design');
    } finally {
      await host.close();
    }
  } finally {
    await browser.close();
  }
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(home, { recursive: true });
}

/** Waits until the server listens. */
async function connect({ stdout }: ChildProcess): Promise<Server> {
  if (!stdout) throw new Error('the server has no output');
  for await (const line of createInterface(stdout)) {
    const base = /listens on (http:\S+)/.exec(line)?.[1];
    if (base === undefined) continue;
    const { key, projectId } = JSON.parse(readFileSync(path.join(home, 'credentials.json'), 'utf8')) as {
      key: string;
      projectId: string;
    };
    stdout.resume();
    return {
      base,
      key,
      projectId,
      async call(method, route, body, withKey = key) {
        const response = await fetch(`${base}/v1${route}`, {
          method,
          headers: { authorization: `Bearer ${withKey}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        const content = await response.text();
        if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${content}`);
        return JSON.parse(content) as Record<string, unknown>;
      },
    };
  }
  throw new Error('the server ended before it listened');
}

/** A conversation from a template, and a draft of it that an agent has made. */
async function makeConversation({ call, projectId }: Server): Promise<string> {
  const { id } = await call('POST', `/projects/${projectId}/conversations`, {
    name: 'Front desk',
    description: 'Takes requests for appointments at Sunny Dental, which the team confirms.',
    templateKey: 'appointment-booking',
    templateFields: {
      businessName: 'Sunny Dental',
      assistantName: 'Mia',
      services: 'Check-up, 30 minutes. Cleaning, 45 minutes, 90 dollars.',
      openingHours: 'Monday to Friday, 8 am to 6 pm',
      transferNumber: '+12025550151',
      notifyNumber: '+12025550152',
    },
  });
  const conversation = String(id);
  const { key: agentKey } = await call('POST', `/projects/${projectId}/restricted-keys`, {
    name: 'Claude',
    access: ['read', 'draft'],
  });
  const { steps } = (await call('GET', `/conversations/${conversation}/versions/1/design`)) as {
    steps: Record<string, { options?: readonly object[] }>;
  };
  await call(
    'PATCH',
    `/conversations/${conversation}/versions/1/design`,
    {
      merge: {
        steps: {
          wish: {
            prompt:
              'Would you like to book an appointment, change one, are you in pain, or do you have a question?',
            options: [
              ...(steps['wish']?.options ?? []),
              { id: 'pain', title: 'Pain', description: 'Is in pain, or it is urgent.', target: 'urgent' },
            ],
          },
          urgent: {
            kind: 'message',
            name: 'Emergency',
            text: "I'm sorry to hear that. We keep time for emergencies, so I'll put you through.",
            on: { next: 'frontDesk' },
          },
          appointment: {
            prompt: 'With pleasure. What would you like to come in for, and when would it suit you best?',
          },
        },
      },
    },
    String(agentKey),
  );
  return conversation;
}

/** A conversation with a rejected draft, and two later ones by two agents that say the same in other words. */
async function makeRejection({ call, projectId }: Server): Promise<string> {
  const { id } = await call('POST', `/projects/${projectId}/conversations`, {
    name: 'Bakery',
    design: {
      schemaVersion: 'cd/1',
      entry: { stepId: 'hello' },
      variables: [{ id: 'order', name: 'Order', type: 'text' }],
      steps: {
        hello: {
          kind: 'greeting',
          introLine: 'Hello, I am the AI assistant of Bright Bakery.',
          on: { next: 'order' },
        },
        order: {
          kind: 'collect',
          prompt: 'What would you like to order?',
          collect: [{ id: 'order', variableId: 'order', required: true }],
          on: { next: 'delivery' },
        },
        delivery: { kind: 'message', text: 'We deliver from Monday to Saturday.', on: { next: 'goodbye' } },
        goodbye: { kind: 'end', line: 'Goodbye.' },
      },
    },
  });
  const versions = `/conversations/${String(id)}/versions`;
  const keys = new Map<string, string>();
  for (const name of ['Claude', 'Cursor']) {
    const made = await call('POST', `/projects/${projectId}/restricted-keys`, {
      name,
      access: ['read', 'draft'],
    });
    keys.set(name, String(made['key']));
  }
  const edit = (version: number, author: string, steps: object) =>
    call('PATCH', `${versions}/${version}/design`, { merge: { steps } }, keys.get(author));
  await edit(1, 'Claude', { delivery: { text: 'We deliver every day, on Sundays too.' } });
  await call('POST', `${versions}/2/reject`, { reason: 'We do not deliver on Sundays.' });
  await edit(2, 'Cursor', { order: { prompt: 'What may we bake for you?' } });
  await edit(3, 'Claude', {
    delivery: { text: 'We deliver every day but Sunday.' },
    goodbye: { line: 'Thank you, and goodbye.' },
  });
  return String(id);
}

async function signIn(page: Page, { base, key }: Server): Promise<void> {
  await page.goto(base, { timeout: 120_000 });
  await page.getByLabel('Secret key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
}

async function say(page: Page, text: string, reply: string): Promise<void> {
  await page.getByRole('log').getByRole('listitem').first().waitFor();
  await page.getByLabel('You say, as the caller').fill(text);
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText(reply).last().waitFor();
}

/** Takes a picture of what is in sight, once nothing is loading. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  const picture = await page.screenshot();
  if (picture.length > largest)
    throw new Error(`${name}.png has ${picture.length} bytes, and the limit is ${largest}.`);
  writeFileSync(path.join(folder, `${name}.png`), picture);
  console.log(`${name}.png  ${Math.round(picture.length / 1000)} KB`);
}
