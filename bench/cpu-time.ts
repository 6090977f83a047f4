import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from '../src/postgres/error-code.ts';

/** CPU time, user and system, in milliseconds. A part is undefined if it is not known. */
export interface CpuTime {
  /** Of the server under test. Not known if it consists of several processes. */
  readonly node?: number | undefined;
  /** Of the Postgres server: all its processes, including those that have ended. */
  readonly postgres?: number | undefined;
}

/** `/proc` counts in ticks of USER_HZ, which is 100 on every system that Node.js supports. */
const millisecondsPerTick = 10;

/**
 * Returns the CPU time since the start of both servers. Nothing is known on a system without `/proc`.
 * @param postmaster the process id of the Postgres server's first process, the parent of the others
 */
export function cpuTime(server: number | undefined, postmaster: number): CpuTime {
  return { node: server === undefined ? undefined : cpuTimeOf(server), postgres: timeOfFamily(postmaster) };
}

/** Milliseconds between two looks, and the CPU time that idle servers may take in between. */
const [glance, idle] = [250, 20];

/** Waits until the servers have done all work that requests left behind, so that its CPU time counts. Returns the time. */
export async function cpuTimeWhenIdle(server: number | undefined, postmaster: number): Promise<CpuTime> {
  for (let before = cpuTime(server, postmaster); ; ) {
    await sleep(glance);
    const now = cpuTime(server, postmaster);
    const taken = combine(before, now, (start, end) => end - start);
    if ((taken.node ?? 0) + (taken.postgres ?? 0) <= idle) return now;
    before = now;
  }
}

/** Combines the parts that both times have. */
export function combine(a: CpuTime, b: CpuTime, by: (a: number, b: number) => number | undefined): CpuTime {
  const part = (name: keyof CpuTime) => {
    const [one, other] = [a[name], b[name]];
    return one === undefined || other === undefined ? undefined : by(one, other);
  };
  return { node: part('node'), postgres: part('postgres') };
}

/** Returns the time of both servers together; undefined if a part is not known. */
export function totalOf({ node, postgres }: CpuTime): number | undefined {
  return node === undefined || postgres === undefined ? undefined : node + postgres;
}

/** Returns the CPU time of a process, user and system, in milliseconds. Undefined if it has children, or without `/proc`. */
export function cpuTimeOf(pid: number): number | undefined {
  const ticks = ticksOf(pid);
  return ticks && childrenOf(pid)?.length === 0 ? ticks.own * millisecondsPerTick : undefined;
}

function timeOfFamily(pid: number): number | undefined {
  for (;;) {
    const children = childrenOf(pid)?.map(ticksOf);
    const parent = ticksOf(pid);
    if (!children || !parent) return undefined;
    const living = children.filter((ticks) => ticks !== undefined);
    // If a child has just ended, its time may be missing from both readings.
    if (living.length < children.length) continue;
    return living.reduce((sum, { own }) => sum + own, parent.own + parent.ended) * millisecondsPerTick;
  }
}

/** Returns the ticks of a process and of its children that have ended; undefined if there is no such process. */
function ticksOf(pid: number): { readonly own: number; readonly ended: number } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses, which may contain spaces. utime, stime, cutime and cstime are
  // the fields 14 to 17 of proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: user + system, ended: endedUser + endedSystem };
}

/** Returns the process ids of the living children; undefined if the system does not list them. */
function childrenOf(pid: number): number[] | undefined {
  const threads = ifPresent(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const lists = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`));
  if (!lists.some((list) => list !== undefined)) return undefined;
  return lists.join(' ').split(' ').filter(Boolean).map(Number);
}

function read(file: string): string | undefined {
  return ifPresent(() => readFileSync(file, 'utf8'));
}

/** Returns undefined if the file is missing, because its process has ended or the system has no `/proc`. */
function ifPresent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}
