/**
 * Calls in real LiveKit rooms, with a stand-in for Parley. It runs in a network namespace of its own, because the client of
 * rooms uses real interfaces and never loopback, and because nothing outside must reach the server. room.slow.test.ts starts it
 * and checks what it reports by `process.send`, one message for each scenario.
 *
 * Usage: unshare --net node test/voice/room-trial.ts LIVEKIT_SERVER
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  AccessToken,
  AgentDispatchClient,
  RoomAgentDispatch,
  RoomConfiguration,
  RoomServiceClient,
} from 'livekit-server-sdk';
import { Caller, disposeRoomClient, until } from './caller.ts';
import { liveKit, liveKitApi, prepareNamespace, startLiveKit } from './namespace.ts';
import { speech } from './speech.ts';
import { StandInParley } from './stand-in.ts';
import { lines, responses } from './trial-design.ts';

/** What a scenario showed, or why it failed. */
export type Report =
  | { readonly scenario: string; readonly facts: Readonly<Record<string, unknown>> }
  | { readonly scenario: string; readonly error: string };

const rooms = new RoomServiceClient(liveKitApi, liveKit.apiKey, liveKit.apiSecret);
const dispatches = new AgentDispatchClient(liveKitApi, liveKit.apiKey, liveKit.apiSecret);

/** A worker and its log. */
class Worker {
  readonly log: Record<string, unknown>[] = [];
  readonly process: ChildProcess;

  constructor(parley: StandInParley) {
    this.process = spawn(process.execPath, [path.resolve(import.meta.dirname, '../../voice/main.ts')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PARLEY_URL: parley.url,
        PARLEY_VOICE_KEY: parley.key,
        LIVEKIT_URL: liveKit.url,
        LIVEKIT_API_KEY: liveKit.apiKey,
        LIVEKIT_API_SECRET: liveKit.apiSecret,
      },
    });
    const { stderr } = this.process;
    if (!stderr) throw new Error('The worker has no standard error.');
    createInterface(stderr).on('line', (line) => {
      if (process.env['TRIAL_LOG']) process.stderr.write(`${this.process.pid} ${line}\n`);
      if (line.startsWith('{')) this.log.push(JSON.parse(line) as Record<string, unknown>);
    });
  }

  has(event: string): boolean {
    return this.log.some((line) => line['event'] === event);
  }

  async isRegistered(): Promise<this> {
    await until(() => this.has('registered'), 20_000, 'the worker has registered');
    return this;
  }

  /** The private memory of the process in megabytes. */
  memory(): number {
    const { pid } = this.process;
    const report = execFileSync('cat', [`/proc/${pid}/smaps_rollup`], { encoding: 'utf8' });
    return Math.round(Number(/^Pss: +(\d+)/m.exec(report)?.[1]) / 1024);
  }
}

const parley = new StandInParley(responses);
const children: ChildProcess[] = [];
let rooming = 0;

prepareNamespace();
const server = await startLiveKit(process.argv[2] ?? '');
await parley.listen();
const watching = setInterval(() => void sendWorkers(), 200);
try {
  const first = await newWorker().isRegistered();
  await scenario('conversation', () => converse(first));
  const second = await scenario('crash', () => crash(first));
  if (second) await scenario('drain', () => drain(second.worker, second.caller));
} finally {
  clearInterval(watching);
  for (const child of [...children, server]) child.kill('SIGKILL');
  parley.close();
  await disposeRoomClient();
}
process.exit(0);

/** A caller hears the greeting, asks, interrupts, and says goodbye. */
async function converse(worker: Worker) {
  const before = worker.memory();
  const { caller, room, joined } = await call();
  const greeted = await caller.hears(joined);
  await caller.hearsToTheEnd(joined);

  const responded: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const asked = await says(caller, 'when are you open');
    responded.push((await caller.hears(asked)) - asked);
    await caller.hearsToTheEnd(asked);
  }
  const during = worker.memory();

  const asked = await says(caller, 'tell me a story');
  await caller.hears(asked);
  const started = performance.now();
  await until(() => performance.now() - started > 2500, 5000, 'the story is under way');
  parley.nextText = 'when are you open';
  const interrupting = performance.now();
  const interrupted = caller.say('excuse me, when are you open');
  await until(() => performance.now() - caller.lastSound > 250, 5000, 'the agent stops');
  const stopped = caller.lastSound - interrupting;
  await caller.hearsToTheEnd(await interrupted);
  const { heard } = parley.messages.at(-1) as { heard?: { turn: number; text: string } };

  const connecting = await says(caller, 'put me through');
  await until(() => parley.spoken.includes(lines.failure), 15_000, 'the transfer fails');
  await caller.hearsToTheEnd(connecting);
  const transferred = parley.messages.at(-1);

  const leaving = await says(caller, 'goodbye');
  const reason = await caller.disconnected.promise;
  await caller.leave();
  await until(async () => (await rooms.listRooms([room])).length === 0, 5000, 'the room is deleted');
  return {
    greetingMs: Math.round(greeted - joined),
    responsesMs: responded.map(Math.round),
    stoppedMs: Math.round(stopped),
    storyMs: speech(lines.story, 1000).length,
    heard,
    transferred,
    farewellMs: Math.round(performance.now() - leaving),
    disconnectReason: reason,
    turns: worker.log.filter(({ event }) => event === 'turn'),
    memory: { before, during },
    logged: worker.log.map((line) => JSON.stringify(line)).join('\n'),
  };
}

/** The worker of a call is killed, and another one goes on. Returns both for the next scenario. */
async function crash(first: Worker) {
  const { caller, joined } = await call();
  await caller.hearsToTheEnd(joined);
  const asked = await says(caller, 'when are you open');
  await caller.hearsToTheEnd(asked);
  const worker = await newWorker().isRegistered();
  const spokenBefore = parley.spoken.length;
  first.process.kill('SIGKILL');
  const killed = performance.now();
  const resumed = await caller.hears(killed + 500);
  await caller.hearsToTheEnd(resumed);
  return {
    worker,
    caller,
    resumedMs: Math.round(resumed - killed),
    said: parley.spoken.slice(spokenBefore),
    starts: parley.messages.filter((message) => 'start' in message).length,
    sessions: parley.sessions.length,
  };
}

/** A worker gets SIGTERM during a call: it finishes the call, and the next one goes to another worker. */
async function drain(worker: Worker, caller: Caller) {
  worker.process.kill('SIGTERM');
  await until(() => worker.has('drains'), 5000, 'the worker drains');
  const other = await newWorker().isRegistered();
  const { caller: next, joined } = await call();
  await next.hears(joined);
  const asked = await says(caller, 'when are you open');
  await caller.hearsToTheEnd(asked);
  const isAlive = worker.process.exitCode === null;
  const exit = once(worker.process, 'exit') as Promise<[number | null]>;
  await caller.leave();
  const [code] = await exit;
  const session = parley.sessions.at(-2);
  const tookNext = other.log.some(({ event }) => event === 'begins');
  await next.leave();
  return { isAlive, code, isEnded: session?.isEnded, tookNext };
}

/** Runs a scenario and reports what it showed. Returns it, or undefined if it failed. */
async function scenario<Facts extends Record<string, unknown>>(name: string, play: () => Promise<Facts>) {
  try {
    const facts = await play();
    const { worker: _worker, caller: _caller, ...plain } = facts;
    report({ scenario: name, facts: plain });
    return facts;
  } catch (error) {
    report({
      scenario: name,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return undefined;
  }
}

function report(message: Report): void {
  if (process.send) process.send(message);
  else console.log(JSON.stringify(message, null, 1));
}

/** Calls as a web visitor does: the token of the room asks for the worker. */
async function call() {
  const room = `room-${++rooming}`;
  const token = new AccessToken(liveKit.apiKey, liveKit.apiSecret, { identity: 'visitor' });
  token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true });
  const metadata = JSON.stringify({ webAgentId: 'wa1', conversationId: 'c1', version: 1, mode: 'voice' });
  const config = new RoomConfiguration({
    agents: [new RoomAgentDispatch({ agentName: 'parley', metadata })],
  });
  // A server that is older than the SDK refuses a token with members that it does not know, though they are empty.
  token.roomConfig = Object.assign(config, { toJSON: () => config.toJson() });
  const joined = performance.now();
  const caller = await Caller.join(liveKit.url, await token.toJwt());
  return { caller, room, joined };
}

async function says(caller: Caller, text: string): Promise<number> {
  parley.nextText = text;
  return caller.say(text);
}

/** Sends a worker into rooms whose worker is silent, as Parley does. */
async function sendWorkers(): Promise<void> {
  for (const room of parley.silentRooms(3000)) {
    const session = parley.sessions.find((one) => one.room === room);
    if (!session) continue;
    session.worker = 'none yet';
    const people = await rooms.listParticipants(room);
    const agents = people.filter(({ identity }) => identity.startsWith('agent-'));
    await Promise.all(agents.map(({ identity }) => rooms.removeParticipant(room, identity)));
    const metadata = JSON.stringify({ web: { webAgentId: 'wa1', conversationId: 'c1', version: 1 } });
    await dispatches.createDispatch(room, 'parley', { metadata });
  }
}

function newWorker(): Worker {
  const worker = new Worker(parley);
  children.push(worker.process);
  return worker;
}
