import fs from 'node:fs';
import pg from 'pg';
import type { Database, Databases } from './databases.ts';

/** A statement as Postgres ran it. */
export interface Executed {
  /** On one line. */
  readonly text: string;
  readonly milliseconds: number;
  /** The lines of `explain (analyze, buffers)`. */
  readonly plan: readonly string[];
}

/** Makes new connections to a database log the plan of every statement that they run. */
export async function explainAll(database: Database): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_triggers': 'on',
    // Parameters are values of rows, which differ in every run.
    'auto_explain.log_parameter_max_length': '0',
  };
  for (const [name, value] of Object.entries(settings))
    await database.session.query(`alter database ${database.name} set ${name} = ${pg.escapeLiteral(value)}`);
}

/** Returns what Postgres logged while `work` ran. */
export async function executedDuring(
  { log }: Databases,
  { url }: Database,
  work: () => Promise<void>,
): Promise<Executed[]> {
  const before = fs.statSync(log).size;
  await work();
  // Every backend logs a statement before it reports its end, so the log is complete after this one.
  const last = new pg.Client({ connectionString: url });
  await last.connect();
  await last.query('select');
  await last.end();
  const added = fs.readFileSync(log).subarray(before).toString();
  return [...added.matchAll(entry)].flatMap(([, milliseconds, message = '']) => {
    const lines = message.split('\n').map((line) => line.slice(1));
    const start = lines.findIndex((line) => planStart.test(line));
    const text = lines.slice(0, start).join(' ').replace('Query Text: ', '').replaceAll(/\s+/g, ' ').trim();
    return start < 0
      ? []
      : [{ text, milliseconds: Number(milliseconds), plan: lines.slice(start).filter(Boolean) }];
  });
}

/** An entry of auto_explain. Further lines of an entry start with a tab. */
const entry = /duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g;
const planStart = /^\S.*\(cost=\d/;

/** A statement that a call runs every time. */
export interface Statement {
  readonly text: string;
  /** Median milliseconds. */
  readonly milliseconds: number;
  /** Of the last execution. */
  readonly plan: readonly string[];
}

/** Groups executions by their text. Leaves out what did not run equally often for each call, because others ran it. */
export function statementsOf(executed: readonly Executed[], calls: number): Statement[] {
  const groups = Map.groupBy(executed, ({ text }) => text);
  return [...groups].flatMap(([text, group]) => {
    const last = group.at(-1);
    if (!last || group.length % calls !== 0) return [];
    const times = group.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
    return [{ text, milliseconds: times[times.length >> 1] ?? Number.NaN, plan: last.plan }];
  });
}

/** The pages of 8 KiB that a plan has looked at, in the cache or on the disk. */
export function pagesOf(plan: readonly string[]): number {
  const [, hit = 0, read = 0] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan.join('\n')) ?? [];
  return Number(hit) + Number(read);
}

/** Reading or sorting fewer rows than these costs little, however Postgres does it. */
const few = 100;

/**
 * How a plan finds its rows: the indexes that it uses, the tables that it reads whole, its sorts and its parallel workers.
 * Leaves out tables and sorts of few rows.
 */
export function accessesOf(plan: readonly string[]): string[] {
  const nodes = plan.join('\n').split(/\n\s*->\s+/);
  return nodes.flatMap((node, place) => {
    const index = /^Index.* using (\w+) on|^Bitmap Index Scan on (\w+)/.exec(node);
    if (index) return [`\`${index[1] ?? index[2]}\``];
    const table = /^(?:Parallel )?Seq Scan on (\w+)/.exec(node)?.[1];
    if (table !== undefined) return rowsOf(node) + removedOf(node) < few ? [] : [`all of \`${table}\``];
    if (node.startsWith('Sort ')) return rowsOf(nodes[place + 1] ?? '') < few ? [] : ['a sort'];
    const workers = /Workers Launched: (\d+)/.exec(node)?.[1];
    return workers === undefined ? [] : [`${workers} workers`];
  });
}

const rowsOf = (node: string) => Number(/actual .*?rows=([\d.]+)/.exec(node)?.[1] ?? 0);
const removedOf = (node: string) => Number(/Rows Removed by Filter: (\d+)/.exec(node)?.[1] ?? 0);
