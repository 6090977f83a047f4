import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { findProgram } from '../helpers/find-program.ts';

/** A LiveKit server in a network of its own, into which it can put a browser. No other address reaches it. */
export interface RoomNetwork {
  /** The server, as Parley's configuration has it. */
  readonly liveKit: { readonly url: string; readonly apiKey: string; readonly apiSecret: string };
  /** Lets programs in the network reach a server on a port of this machine, at the same address. */
  letIn(port: number): Promise<void>;
  /** Writes a script that starts a program in the network, with the arguments of the script, and returns its path. */
  scriptFor(program: string): Promise<string>;
  /** Kills the LiveKit server. */
  killServer(): void;
  close(): Promise<void>;
}

const port = 7880;
const liveKit = {
  url: `ws://127.0.0.1:${port}`,
  apiKey: 'devkey',
  apiSecret: 'a-secret-of-the-tests-that-is-long-enough',
};
/** Without `tcp_port: 0`, the server would listen for media on all addresses. */
const configuration = `
port: ${port}
bind_addresses: ["127.0.0.1"]
rtc:
  tcp_port: 0
  udp_port: 7882
  node_ip: 127.0.0.1
  enable_loopback_candidate: true
  interfaces: {includes: [lo]}
  use_external_ip: false
keys: {${liveKit.apiKey}: ${liveKit.apiSecret}}
`;
/** Browsers send media from the address of a real interface only, so the network has a pair of them. */
const setUp = [
  'ip link set lo up',
  'ip link add v0 type veth peer name v1',
  'ip addr add 10.99.0.1/24 dev v0',
  'ip link set v0 up',
  'ip link set v1 up',
  'echo ready',
  'exec sleep infinity',
].join(' && ');

/** The path of an installed LiveKit server, or undefined. */
export function findLiveKit(): string | undefined {
  const named = process.env['LIVEKIT_SERVER'];
  return named ?? findProgram(['livekit-server'], ['/usr/local/bin']);
}

/** Why this process cannot make a network of its own; undefined if it can. */
export function networkRefusal(): string | undefined {
  try {
    execFileSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'no network namespace can be made here (it takes root, unshare and ip)';
  }
}

export async function openRoomNetwork(server: string): Promise<RoomNetwork> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-rooms-'));
  const configFile = path.join(folder, 'livekit.yaml');
  await writeFile(configFile, configuration);
  const children: ChildProcess[] = [];
  const start = async (command: string, args: readonly string[], isReady: RegExp) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    await untilWritten(child, isReady);
    return child;
  };
  const { pid } = await start('unshare', ['--net', 'sh', '-c', setUp], /ready/);
  const inside = [`--net=/proc/${pid}/ns/net`, '--'];
  const rooms = await start('nsenter', [...inside, server, '--config', configFile], /starting LiveKit/);
  const outside: ReturnType<typeof createServer>[] = [];
  return {
    liveKit,
    async letIn(target) {
      const socket = path.join(folder, `${target}.socket`);
      const listener = createServer((incoming) => {
        const outgoing = connect(target, '127.0.0.1');
        pipeline(incoming, outgoing, incoming, () => incoming.destroy());
      });
      outside.push(listener.listen(socket));
      await once(listener, 'listening');
      const bridge = path.join(import.meta.dirname, 'network-bridge.ts');
      await start('nsenter', [...inside, process.execPath, bridge, `${target}`, socket], /ready/);
    },
    async scriptFor(program) {
      const script = path.join(folder, path.basename(program));
      await writeFile(script, `#!/bin/sh\nexec nsenter ${inside.join(' ')} ${program} "$@"\n`, {
        mode: 0o755,
      });
      return script;
    },
    killServer: () => void rooms.kill('SIGKILL'),
    async close() {
      for (const listener of outside) listener.close();
      for (const child of children.toReversed()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true });
    },
  };
}

/** Waits until a program writes something. Rejects with all that it wrote if it ends before. */
function untilWritten(
  child: ChildProcess & { stdout: Readable; stderr: Readable },
  text: RegExp,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let written = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        written = (written + piece.toString()).slice(-10_000);
        if (text.test(written)) resolve();
      });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`it ended: ${written}`)));
  });
}
