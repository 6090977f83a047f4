import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { findProgram, reportMissing } from './find-program.ts';

const program = findProgram(['radicale'], ['/usr/bin']);
if (program === undefined)
  reportMissing('the tests with a CalDAV server: Radicale is not installed (apt-get install radicale).');

/** True if the tests with a CalDAV server can run. */
export const hasRadicale = program !== undefined;

export const radicaleUser = { username: 'ana', password: 'the-password-of-ana' };

/** Debian's CalDAV server on loopback, with one calendar of one user in a temporary folder. Ends with the test. */
export async function openRadicale({ calendar = 'practice' }: { readonly calendar?: string } = {}) {
  if (program === undefined) throw new Error('Radicale is not installed.');
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-radicale-'));
  const { username, password } = radicaleUser;
  const users = path.join(folder, 'users');
  await writeFile(users, `${username}:${password}\n`);
  const server = spawn(
    program,
    [
      '--config=',
      '--server-hosts=127.0.0.1:0',
      '--auth-type=htpasswd',
      `--auth-htpasswd-filename=${users}`,
      '--auth-htpasswd-encryption=plain',
      `--storage-filesystem-folder=${path.join(folder, 'data')}`,
      '--logging-level=info',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  onTestFinished(async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });
  const port = await portOf(server.stderr);
  const base = `http://127.0.0.1:${port}`;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  /** Another program that uses the calendar. */
  const request = async (
    method: string,
    where: string,
    body?: string,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${base}${where}`, {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  };
  const makeCalendar = (name: string) =>
    request(
      'MKCALENDAR',
      `/${username}/${name}/`,
      `<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>${name}</D:displayname><C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>`,
    );
  await makeCalendar(calendar);
  const url = `${base}/${username}/${calendar}/`;
  return {
    base,
    url,
    allow: [`127.0.0.1:${port}`],
    credentials: { url, ...radicaleUser },
    makeCalendar,
    /** Stores an event, given by the lines of its VEVENT, and of components next to it. */
    async put(uid: string, lines: readonly string[], others: readonly string[] = []): Promise<void> {
      const text = [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Test//EN',
        ...others,
        'BEGIN:VEVENT',
        `UID:${uid}`,
        'DTSTAMP:20260101T000000Z',
        ...lines,
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n');
      const { status, text: problem } = await request('PUT', `/${username}/${calendar}/${uid}.ics`, text, {
        'content-type': 'text/calendar',
      });
      if (status !== 201) throw new Error(`Radicale refused ${uid}: ${status} ${problem}`);
    },
    /** The texts of all objects in the calendar. */
    async objects(): Promise<string[]> {
      const { text } = await request('GET', `/${username}/${calendar}/`);
      return text.match(/BEGIN:VEVENT[\s\S]*?END:VEVENT/g) ?? [];
    },
    stop: () => server.kill('SIGKILL'),
  };
}

async function portOf(log: NodeJS.ReadableStream): Promise<number> {
  let port: number | undefined;
  for await (const line of createInterface({ input: log })) {
    const listening = /Listening on '\[127\.0\.0\.1\]:(\d+)'/.exec(line);
    if (listening) port = Number(listening[1]);
    if (port !== undefined && line.includes('server ready')) {
      log.resume();
      return port;
    }
  }
  throw new Error('Radicale did not start.');
}
