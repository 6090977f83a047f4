/**
 * Telephone calls through every template, in real LiveKit rooms, with Parley's own server. A participant of kind SIP takes the place
 * of the telephone. The callers are those of the first blind set; each says what the agent asks for, and is heard by an
 * {@link Ear}. It runs in a network namespace of its own. templates.slow.test.ts starts it, and checks what it reports by
 * `process.send`: each call, and at last how busy the machine was.
 *
 * Usage: unshare --net node test/voice/template-trial.ts LIVEKIT_SERVER [TEMPLATE]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';
import { AccessToken, RoomAgentDispatch, RoomConfiguration } from 'livekit-server-sdk';
import { simulate } from '../../src/calls/simulate.ts';
import { filledDesign } from '../../src/resources/catalogue/fill.ts';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import { startValues } from '../../src/resources/project-time/call-start.ts';
import type { Line, Caller as Script } from '../calls/caller.ts';
import { agentWords, callerPhone, playCaller, readCallers, Voice } from '../calls/callers.ts';
import { Caller, disposeRoomClient, until } from './caller.ts';
import { Ear } from './ear.ts';
import { liveKit, prepareNamespace, responds, startLiveKit } from './namespace.ts';
import { speech } from './speech.ts';

/** How the call of a template went, and how the same turns go in a simulation. */
export interface TemplateCall {
  readonly template: string;
  readonly outcome: string | null;
  /** What was said. A line that the caller did not hear to its end has `heard`. */
  readonly lines: readonly SaidLine[];
  readonly path: readonly string[];
  readonly simulated: { readonly lines: readonly Line[]; readonly path: readonly string[] };
  readonly seconds: number;
}

interface SaidLine extends Line {
  readonly heard?: string;
}

/** What the trial reports. */
export type TemplateReport =
  | TemplateCall
  | { readonly template: string; readonly error: string }
  /** The longest time that the process of the callers was held up, in milliseconds. */
  | { readonly heldUp: number };

const root = path.resolve(import.meta.dirname, '../..');
const port = 8099;
/** Calls at once: callers, LiveKit, Parley and the worker share two processors. */
const atOnce = 2;
const server = `http://127.0.0.1:${port}`;
const ear = new Ear();
const delays = monitorEventLoopDelay({ resolution: 5 });
const children: ChildProcess[] = [];
/** The sessions of the calls, by number. */
const sessionIds = new Map<string, string>();

prepareNamespace();
try {
  const [, , program = '', only] = process.argv;
  children.push(await startLiveKit(program));
  const { key, projectId, home } = await startParley(await startModels());
  await startWorker(home);
  const wanted = templates.filter((template) => only === undefined || template.key === only);
  delays.enable();
  const waiting = [...wanted];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let template = waiting.shift(); template; template = waiting.shift()) {
        try {
          const script = readCallers(1).find(({ agent }) => agent === template.key);
          if (!script) throw new Error('nobody calls this template');
          tell(await call({ key, projectId }, template, script, templates.indexOf(template)));
        } catch (error) {
          tell({
            template: template.key,
            error: error instanceof Error ? (error.stack ?? error.message) : String(error),
          });
        }
      }
    }),
  );
  tell({ heldUp: Math.round(delays.percentile(99.9) / 1e6) });
} finally {
  for (const child of children.toReversed()) child.kill('SIGKILL');
  await disposeRoomClient();
}
setImmediate(() => process.exit(0));

interface Tenant {
  readonly key: string;
  readonly projectId: string;
}

/** One call from the first word to the last. */
async function call(
  tenant: Tenant,
  template: (typeof templates)[number],
  script: Script,
  index: number,
): Promise<TemplateCall> {
  const design = filledDesign(template, {});
  const simulated = playCaller(script, design);
  // What will probably be said, so that espeak-ng does not hold up the sound of another call.
  for (const { who, text } of simulated.lines)
    if (text !== '') speech(text, who === 'agent' ? 24_000 : 16_000);
  const number = `+1202555${String(2000 + index)}`;
  const phoneNumberId = await answeredBy(tenant, template.key, design, number);
  const room = `call-${template.key}`;
  const job = JSON.stringify({ projectId: tenant.projectId, phoneNumberId, mode: 'phone' });
  const token = new AccessToken(liveKit.apiKey, liveKit.apiSecret, {
    identity: 'sip_caller',
    attributes: {
      'sip.phoneNumber': callerPhone(script),
      'sip.trunkPhoneNumber': number,
      'sip.callStatus': 'active',
    },
  });
  token.kind = 'sip';
  token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true });
  const config = new RoomConfiguration({
    agents: [new RoomAgentDispatch({ agentName: 'parley', metadata: job })],
  });
  token.roomConfig = Object.assign(config, { toJSON: () => config.toJson() });
  const began = performance.now();
  const caller = await Caller.join(liveKit.url, await token.toJwt());
  let isOver = false;
  const leaving = caller.disconnected.promise.then(() => {
    isOver = true;
    return isOver;
  });
  const voice = new Voice(script);
  const lines: Line[] = [];
  let heardFrom = began;
  let last = '';
  for (let turn = 1; turn <= 30; turn++) {
    await Promise.race([caller.hearsToTheEnd(heardFrom), leaving]);
    const session = await sessionIn(tenant, number);
    lines.splice(0, lines.length, ...linesOf(session));
    if (isOver || session.endedAt !== null) break;
    const says = voice.next(turn, agentWords(lines));
    if (says === undefined) break;
    heardFrom = performance.now();
    if (says !== '') {
      ear.expect(says);
      heardFrom = await caller.say(says);
      if (last !== says) ear.forget(last);
      last = says;
    }
  }
  if (!isOver) await caller.leave();
  await until(
    async () => (await sessionIn(tenant, number)).endedAt !== null,
    20_000,
    'the session has ended',
  );
  const session = await sessionIn(tenant, number);
  const again = simulate(design, {
    script: session.transcript.flatMap(({ who, text }) => (who === 'caller' ? [{ text }] : [])),
    channel: 'phone',
    system: {
      ...startValues(new Date(session.startedAt), { timeZone: 'UTC', openingHours: null, closedOn: [] }),
      callerPhone: callerPhone(script),
      calledNumber: number,
    },
    // No telephone and no server outside is there.
    transfers: false,
  });
  return {
    template: template.key,
    outcome: session.outcome,
    lines: session.transcript.map(({ who, text, heard }) => ({
      who,
      text,
      ...(heard !== undefined && { heard }),
    })),
    path: session.path.map(({ step, hookNode }) => step ?? hookNode ?? ''),
    simulated: {
      lines: again.transcript.map(({ who, text }) => ({ who, text })),
      path: again.path.map(({ id }) => id),
    },
    seconds: Math.round((performance.now() - began) / 1000),
  };
}

/** Reports to whoever has started the trial, or on the screen. */
function tell(report: TemplateReport): void {
  if (process.send) process.send(report);
  else process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
}

/** Puts a design live on a number, and returns the number's id. */
async function answeredBy(tenant: Tenant, name: string, design: object, number: string): Promise<string> {
  const { projectId } = tenant;
  const conversation = await rest(tenant, 'POST', `/v1/projects/${projectId}/conversations`, {
    name,
    kind: 'advanced',
    design,
  });
  const { id } = await rest(tenant, 'POST', `/v1/projects/${projectId}/phone-numbers`, {
    type: 'external',
    name,
    number,
    externalPhoneFields: { provider: 'sip', terminationUri: 'sip.example.com', transport: 'udp' },
  });
  await rest(tenant, 'PATCH', `/v1/numbers/${String(id)}`, { conversationId: conversation['id'] });
  return String(id);
}

interface Session {
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outcome: string | null;
  readonly variables: unknown;
  readonly path: readonly { readonly step?: string; readonly hookNode?: string }[];
  readonly transcript: readonly {
    readonly who: 'agent' | 'caller';
    readonly text: string;
    readonly heard?: string;
  }[];
}

/** The session of the call of a number. */
async function sessionIn(tenant: Tenant, number: string): Promise<Session> {
  if (!sessionIds.has(number)) {
    const name = number;
    const { sessions } = (await rest(
      tenant,
      'GET',
      `/v1/projects/${tenant.projectId}/sessions?limit=100`,
    )) as unknown as {
      sessions: { id: string }[];
    };
    for (const { id } of sessions) {
      const session = (await rest(tenant, 'GET', `/v1/sessions/${id}`)) as unknown as Session & {
        conversationId: string;
      };
      const { name: called } = await rest(tenant, 'GET', `/v1/conversations/${session.conversationId}`);
      const index = templates.findIndex(({ key }) => key === called);
      sessionIds.set(`+1202555${String(2000 + index)}`, id);
    }
    if (!sessionIds.has(name)) throw new Error(`nobody has answered ${number}`);
  }
  return (await rest(tenant, 'GET', `/v1/sessions/${sessionIds.get(number)}`)) as unknown as Session;
}

function linesOf({ transcript }: Session): Line[] {
  return transcript.map(({ who, text }) => ({ who, text }));
}

async function rest(
  { key }: Tenant,
  method: string,
  route: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${server}${route}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${route}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Serves speech by espeak-ng, and transcriptions by the ear; returns the address. */
async function startModels(): Promise<string> {
  const models = createServer((request, response) => {
    void respond();
    async function respond(): Promise<void> {
      const body = await buffer(request);
      if (request.url?.endsWith('/speech')) {
        const { input } = JSON.parse(body.toString()) as { input: string };
        const samples = speech(input, 24_000);
        response.setHeader('content-type', 'audio/pcm');
        response.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
        return;
      }
      const wav = body.subarray(body.indexOf('RIFF'), body.lastIndexOf('\r\n--'));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ text: ear.hear(wav) }));
    }
  });
  models.listen(0, '127.0.0.1');
  await once(models, 'listening');
  return `http://127.0.0.1:${(models.address() as AddressInfo).port}/v1`;
}

async function startParley(baseUrl: string) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'parley-calls-'));
  const models = path.join(home, 'models.json');
  const ofLocal = (name: string) => ({ models: { [name]: { provider: 'local' } }, auto: [{ model: name }] });
  writeFileSync(
    models,
    JSON.stringify({
      providers: { local: { baseUrl } },
      speech: ofLocal('espeak'),
      transcription: ofLocal('ear'),
    }),
  );
  const child = spawn(process.execPath, [path.join(root, 'bin/parley.js'), 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      // The trial is quiet in production, and Parley would want a database of its own there.
      NODE_ENV: 'development',
      PARLEY_HOME: home,
      PORT: String(port),
      PARLEY_MODELS: models,
      LIVEKIT_URL: liveKit.url,
      LIVEKIT_API_KEY: liveKit.apiKey,
      LIVEKIT_API_SECRET: liveKit.apiSecret,
    },
  });
  children.push(child);
  await until(() => responds(`${server}/healthz`, child), 60_000, 'Parley serves');
  const file = path.join(home, 'credentials.json');
  await until(async () => responds(`${server}/healthz`, child), 5_000, 'Parley has made its demo');
  const { key, projectId } = JSON.parse(readFileSync(file, 'utf8')) as Tenant;
  return { key, projectId, home };
}

async function startWorker(home: string): Promise<void> {
  const child = spawn(process.execPath, [path.join(root, 'voice/main.ts')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PARLEY_HOME: home,
      LIVEKIT_URL: liveKit.url,
      LIVEKIT_API_KEY: liveKit.apiKey,
      LIVEKIT_API_SECRET: liveKit.apiSecret,
    },
  });
  children.push(child);
  let log = '';
  child.stderr?.on('data', (piece: Buffer) => {
    log += piece.toString();
    if (process.env['TRIAL_LOG']) process.stderr.write(piece);
  });
  await until(() => log.includes('registered'), 20_000, 'the worker has registered');
}
