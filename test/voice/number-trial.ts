/**
 * Connects a number with a real LiveKit server, which keeps numbers in Redis. It runs in a network namespace of its own.
 * number-connect.slow.test.ts starts it, and checks what it reports.
 *
 * Usage: unshare --net node test/voice/number-trial.ts LIVEKIT_SERVER
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { SipClient } from 'livekit-server-sdk';
import { liveKit, liveKitApi, prepareNamespace, startLiveKit } from './namespace.ts';

/** What a command has printed, and what LiveKit had after it. */
export interface NumberReport {
  readonly step: string;
  readonly code: number | null;
  readonly printed: string;
  readonly trunks: readonly object[];
  readonly rules: readonly object[];
}

const number = '+12025550123';
const home = mkdtempSync(path.join(os.tmpdir(), 'parley-number-'));
const children: ChildProcess[] = [];
const sip = new SipClient(liveKitApi, liveKit.apiKey, liveKit.apiSecret);

prepareNamespace();
try {
  await report('without a LiveKit server', ['number', 'connect', '--number', number, '--json']);
  children.push(
    spawn('redis-server', ['--port', '6379', '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' }),
  );
  children.push(await startLiveKit(process.argv[2] ?? '', { redis: { address: '127.0.0.1:6379' } }));
  await report('an unknown number', ['number', 'connect', '--number', number]);
  const { projectId } = JSON.parse((await parley(['demo', '--json'])).printed) as { projectId: string };
  await parley(['number', 'add', '--project', projectId, '--number', number]);
  await report('connected', ['number', 'connect', '--number', number, '--json']);
  const stopSip = await startSip();
  await report('connected again', ['number', 'connect', '--number', number, '--json']);
  stopSip();
  await report('removed', ['number', 'connect', '--number', number, '--remove', '--json']);
  await report('removed again', ['number', 'connect', '--number', number, '--remove', '--json']);
  await parley(['stop']);
} finally {
  for (const child of children) child.kill('SIGKILL');
}
process.disconnect?.();

async function report(step: string, args: readonly string[]): Promise<void> {
  const { code, printed } = await parley(args);
  const [trunks, rules] =
    children.length === 0
      ? [[], []]
      : await Promise.all([sip.listSipInboundTrunk(), sip.listSipDispatchRule()]);
  const told: NumberReport = {
    step,
    code,
    printed,
    trunks: trunks.map((trunk) => trunk.toJson() as object),
    rules: rules.map((rule) => rule.toJson() as object),
  };
  process.send?.(told);
}

async function parley(args: readonly string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../../bin/parley.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: '',
      PARLEY_HOME: home,
      LIVEKIT_URL: liveKit.url,
      LIVEKIT_API_KEY: liveKit.apiKey,
      LIVEKIT_API_SECRET: liveKit.apiSecret,
    },
  });
  const over = once(child, 'exit') as Promise<[number | null]>;
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await over;
  return { code, printed: code === 0 ? out : err };
}

/** Answers OPTIONS as a SIP server does; returns what stops it. */
async function startSip(): Promise<() => void> {
  const socket = createSocket('udp4');
  socket.on('message', (request, { address, port }) => {
    const lines = request.toString().split('\r\n');
    const kept = lines.filter((line) => /^(?:Via|From|To|Call-ID|CSeq):/.test(line));
    socket.send(['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '', ''].join('\r\n'), port, address);
  });
  socket.bind(5060, '127.0.0.1');
  await once(socket, 'listening');
  return () => socket.close();
}
