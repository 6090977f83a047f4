import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findProgram } from '../helpers/find-program.ts';
import { until } from './caller.ts';

/** The LiveKit server of trials. */
export const liveKit = { url: 'ws://127.0.0.1:7880', apiKey: 'devkey', apiSecret: 'secret'.repeat(6) };

/** The same for its APIs. */
export const liveKitApi = liveKit.url.replace('ws', 'http');

/**
 * Gives the network namespace of this process an address. The client of rooms binds real interfaces and never loopback, and
 * nothing outside must reach the servers of a trial.
 */
export function prepareNamespace(): void {
  const ip = findProgram(['ip'], ['/usr/sbin', '/sbin']);
  if (ip === undefined) throw new Error('ip is not installed.');
  for (const command of [
    'link set lo up',
    'link add v0 type veth peer name v1',
    'addr add 10.99.0.1/24 dev v0',
    'link set v0 up',
    'link set v1 up',
  ])
    execFileSync(ip, command.split(' '));
}

/**
 * Starts a LiveKit server, and returns once it serves.
 * @param more members of its configuration
 */
export async function startLiveKit(program: string, more: object = {}): Promise<ChildProcess> {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'parley-rooms-')), 'livekit.yaml');
  writeFileSync(
    file,
    JSON.stringify({
      port: 7880,
      bind_addresses: ['127.0.0.1'],
      rtc: { tcp_port: 0, udp_port: 7882, use_external_ip: false },
      keys: { [liveKit.apiKey]: liveKit.apiSecret },
      room: { auto_create: true, empty_timeout: 30, departure_timeout: 5 },
      logging: { level: 'warn' },
      ...more,
    }),
  );
  const child = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  await until(() => responds(liveKitApi, child), 20_000, 'the LiveKit server serves');
  return child;
}

/** True if a server responds. Throws if its process is gone. */
export async function responds(url: string, { exitCode }: ChildProcess): Promise<boolean> {
  if (exitCode !== null) throw new Error(`The server of ${url} has exited with ${exitCode}.`);
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
