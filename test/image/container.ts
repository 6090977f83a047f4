import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Image } from './build.ts';

/** The environment that engines and base images set. */
const base = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/' };

/** The result of a command in a container. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line that starts a container, for `spawn` and for MCP clients. */
interface Start {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** The folders of this machine that a container may write to. */
interface Places {
  /** The root of its file system. */
  readonly root: string;
  /** The image's files. */
  readonly files: string;
  readonly tmp: string;
}

export interface Options {
  readonly env: Readonly<Record<string, string>>;
  /** Makes the whole file system writable for the container's user. */
  readonly writable?: boolean;
}

export interface Container extends Places {
  readonly ended: Promise<Ended>;
  /** Signals process 1. */
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts commands of an image as containers do, with the kernel's namespaces. If root runs this, the commands
 * run as the image's user. Otherwise they run as this user, and only see the ids of the image's user. If the
 * kernel does not let this user create namespaces, commands fail with the message of `unshare`.
 * @param folder an empty folder for the files that the commands write
 */
export function containersOf(image: Image, folder: string) {
  const prepare = (command: readonly string[], { env, writable = false }: Options): Start & Places => {
    const place = mkdtempSync(path.join(folder, 'container-'));
    const [root, tmp] = [path.join(place, 'root'), path.join(place, 'tmp')];
    const files = writable ? path.join(place, 'files') : image.root;
    for (const made of [root, tmp]) mkdirSync(made);
    if (writable) cpSync(image.root, files, { recursive: true });
    for (const open of writable ? [root, tmp, files] : [tmp]) openToAll(open);
    const { uid, gid, workdir } = image;
    const isRoot = process.getuid?.() === 0;
    const become = isRoot ? `--setgid=${gid} --setuid=${uid}` : `--user --map-user=${uid} --map-group=${gid}`;
    const namespaces = ['--mount', '--pid', '--fork'];
    if (!isRoot) namespaces.push('--user', '--map-root-user');
    const script = path.join(import.meta.dirname, 'container.sh');
    const mode = writable ? 'rw' : 'ro';
    const given = [root, files, tmp, mode, process.execPath, workdir, become];
    return {
      command: 'unshare',
      args: [...namespaces, 'sh', script, ...given, ...command],
      env: { ...base, ...image.env, ...env },
      root,
      files,
      tmp,
    };
  };
  const start = (command: readonly string[], options: Options): Container => {
    const { command: program, args, env, ...places } = prepare(command, options);
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = (signal: NodeJS.Signals) => void process.kill(firstProcess(child), signal);
    // Ends the container if this process exits first.
    const end = () => kill('SIGKILL');
    process.once('exit', end);
    child.once('close', () => process.off('exit', end));
    return { ...places, ended: endOf(child), kill };
  };
  return { prepare, start, run: async (...what: Parameters<typeof start>) => start(...what).ended };
}

function endOf(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/**
 * Returns the machine's process id of process 1 in a container, which is the only child of `unshare`. Signals
 * must go to this child, because `unshare` does not forward them and its own end does not end a child of
 * another user.
 */
function firstProcess({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  if (!/^\d+$/.test(children)) throw new Error('the container has no process');
  return Number(children);
}

function openToAll(folder: string): void {
  execFileSync('chmod', ['-R', 'a+rwX', folder]);
}
