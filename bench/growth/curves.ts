import path from 'node:path';
import { type CpuTime, combine, cpuTime } from '../cpu-time.ts';
import { type Program, startProgram } from '../program.ts';
import { untilQuiet } from '../quiet.ts';
import { medianOf } from '../report.ts';
import { type Call, type Connection, openConnection } from './calls.ts';
import type { Database, Databases } from './databases.ts';
import { executedDuring, explainAll, type Statement, statementsOf } from './plans.ts';

/** A database of one size, with what its calls need to know. */
export interface Size<Facts> {
  /** The number of rows that grows. */
  readonly rows: number;
  /** Set if the database differs from those of the curve in this. It gets a mark of its own. */
  readonly aside?: string;
  readonly database: Database;
  readonly facts: Facts;
}

/** A call whose cost is measured at every size. */
export interface Question<Facts> {
  readonly name: string;
  /** Returns the n-th call. */
  call(facts: Facts, n: number): Call;
}

export interface Point {
  readonly rows: number;
  readonly aside?: string;
  /** Milliseconds of one call, from the request to the last byte of its response. */
  readonly p50: number;
  readonly p99: number;
  /** The median over all rounds of the ratio to the smallest size, by p50. */
  readonly ratio: number;
  /** Of one call. */
  readonly cpu: CpuTime;
  /** What Postgres ran for one call. */
  readonly statements: readonly Statement[];
}

export interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Effort {
  readonly rounds: number;
  /** Calls of one question in one round. */
  readonly calls: number;
  /** Seconds to wait before each round until the rest of the machine is quiet. */
  readonly patience: number;
}

/** So many calls that Postgres uses the plan that it keeps for a prepared statement. */
const explainedCalls = 12;
/**
 * Makes a database for each number of rows, and measures every question in all of them.
 * @param fill adds the rows, and returns what the calls need to know
 */
export async function growCurves<Facts>(
  databases: Databases,
  sizes: readonly number[],
  fill: (database: Database, rows: number) => Promise<Facts>,
  questions: readonly Question<Facts>[],
  effort: Effort,
): Promise<Curve[]> {
  const prepared: Size<Facts>[] = [];
  for (const rows of sizes) {
    const database = await databases.create();
    const facts = await fill(database, rows);
    await database.session.query('vacuum analyze');
    await database.session.query('checkpoint');
    prepared.push({ rows, database, facts });
  }
  return measureCurves(databases, prepared, questions, effort);
}

/**
 * Measures every question at every size. Each size has its own server. All sizes are measured in turn in every round, so
 * that a change of the machine's speed meets all of them.
 */
export async function measureCurves<Facts>(
  databases: Databases,
  sizes: readonly Size<Facts>[],
  questions: readonly Question<Facts>[],
  effort: Effort,
): Promise<Curve[]> {
  const timed = await withServers(sizes, async (sides) => {
    const tallies = questions.map((question) => sides.map((side) => new Tally(databases, side, question)));
    for (const tally of tallies.flat()) await tally.warmUp(2 * effort.calls);
    for (let round = 0; round < effort.rounds; round++) {
      await untilQuiet(effort.patience);
      for (const row of tallies)
        for (const tally of round % 2 === 0 ? row : row.toReversed()) await tally.measure(effort.calls);
    }
    return tallies;
  });
  for (const { database } of sizes) await explainAll(database);
  const statements = await withServers(sizes, async (sides) => {
    const rows: Statement[][][] = [];
    for (const question of questions) {
      const row: Statement[][] = [];
      for (const side of sides) row.push(await statementsBehind(databases, side, question));
      rows.push(row);
    }
    return rows;
  });
  return timed.map((row, question) => ({
    name: questions[question]?.name ?? '',
    points: row.map((tally, size) => tally.point(row[0] ?? tally, statements[question]?.[size] ?? [])),
  }));
}

interface Side<Facts> extends Size<Facts> {
  readonly server: Program;
  readonly connection: Connection;
}

/** Starts a server on each database, as users do, and stops them afterwards. */
async function withServers<Facts, Result>(
  sizes: readonly Size<Facts>[],
  work: (sides: readonly Side<Facts>[]) => Promise<Result>,
): Promise<Result> {
  const sides: Side<Facts>[] = [];
  try {
    for (const size of sizes) {
      const server = await startServer(size.database);
      sides.push({ ...size, server, connection: openConnection(server.base, size.database.key) });
    }
    return await work(sides);
  } finally {
    for (const { server, connection } of sides) {
      connection.close();
      await server.close();
    }
  }
}

const program = path.resolve(import.meta.dirname, '../../bin/parley.js');

/** Starts `parley serve` on a database, as users do. */
export function startServer({ url }: Database): Promise<Program> {
  return startProgram(program, () => ['serve'], {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: 'the secret key of the growth runs',
  });
}

async function statementsBehind<Facts>(
  databases: Databases,
  { database, connection, facts }: Side<Facts>,
  question: Question<Facts>,
): Promise<Statement[]> {
  const executed = await executedDuring(databases, database, async () => {
    for (let n = 0; n < explainedCalls; n++) await connection.send(question.call(facts, n));
  });
  return statementsOf(executed, explainedCalls);
}

/** The times of one question at one size. */
class Tally<Facts> {
  readonly #databases: Databases;
  readonly #side: Side<Facts>;
  readonly #question: Question<Facts>;
  readonly #rounds: number[][] = [];
  #sent = 0;
  #cpu: CpuTime = { node: 0, postgres: 0 };

  constructor(databases: Databases, side: Side<Facts>, question: Question<Facts>) {
    this.#databases = databases;
    this.#side = side;
    this.#question = question;
  }

  async warmUp(calls: number): Promise<void> {
    for (let n = 0; n < calls; n++) await this.#send();
  }

  async measure(calls: number): Promise<void> {
    const before = this.#cpuNow();
    const times: number[] = [];
    for (let n = 0; n < calls; n++) times.push(await this.#send());
    this.#rounds.push(times);
    const used = combine(this.#cpuNow(), before, (after, start) => after - start);
    this.#cpu = combine(this.#cpu, used, (sum, more) => sum + more);
  }

  point(smallest: Tally<Facts>, statements: readonly Statement[]): Point {
    const times = this.#rounds.flat().toSorted((a, b) => a - b);
    const at = (share: number) => times[Math.floor(share * times.length)] ?? Number.NaN;
    const ratios = this.#rounds.map(
      (round, index) => medianOf(round) / medianOf(smallest.#rounds[index] ?? []),
    );
    const { rows, aside } = this.#side;
    return {
      rows,
      ...(aside !== undefined && { aside }),
      p50: at(0.5),
      p99: at(0.99),
      ratio: medianOf(ratios),
      cpu: combine(this.#cpu, this.#cpu, (sum) => sum / times.length),
      statements,
    };
  }

  async #send(): Promise<number> {
    const { connection, facts } = this.#side;
    return (await connection.send(this.#question.call(facts, this.#sent++))).milliseconds;
  }

  #cpuNow(): CpuTime {
    return cpuTime(this.#side.server.pid, this.#databases.postmaster);
  }
}
