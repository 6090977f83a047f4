import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { codeOf } from '../errors.ts';
import type { Use } from './usage.ts';
import { type UsageEvent, writeUsage } from './usage-events.ts';

const flushInterval = 1_000;
/** Events in one statement: a backlog is written in several. */
const batchSize = 5_000;
/** About 40 MB. */
const mostWaiting = 250_000;
/** How long the end waits for a database that does not answer, in milliseconds. */
const patienceAtEnd = 5_000;

/**
 * Notes what calls used and writes it every second: a call costs no write. What a kill loses is the last second. While
 * the database is away the events wait, and are tried again under the same ids, so that they count once even where
 * only the answer was lost. Beyond 250,000 that wait, further ones are dropped; how many is said.
 */
export class UsageRecorder {
  readonly #knex: Knex;
  readonly #say: (line: string) => void;
  readonly #waiting: UsageEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Since the database last took something. */
  #dropped = 0;
  #failing = false;

  constructor(knex: Knex, say: (line: string) => void) {
    this.#knex = knex;
    this.#say = say;
  }

  /** Notes what a call used now. Nothing and less is not counted. */
  note(projectId: string, uses: readonly Use[]): void {
    const occurredAt = Date.now();
    for (const use of uses) {
      if (!(use.quantity > 0)) continue;
      if (use.quantity > Number.MAX_SAFE_INTEGER)
        this.#say(`usage was not counted: ${use.quantity} ${use.metric}`);
      else if (this.#waiting.length >= mostWaiting) this.#drop();
      else this.#waiting.push({ ...use, projectId, id: randomUUID(), occurredAt });
    }
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#flush(), flushInterval).unref();
  }

  /** Writes what is left. Of a database that is away it says how much was lost. */
  async close(): Promise<void> {
    const until = Date.now() + patienceAtEnd;
    clearTimeout(this.#timer);
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      late = setTimeout(resolve, patienceAtEnd);
    });
    const written = async () => {
      do await this.#flush();
      while (this.#waiting.length > 0 && Date.now() < until);
    };
    await Promise.race([written(), patience]);
    clearTimeout(late);
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#say(`usage is lost: ${this.#waiting.length} events were not written`);
  }

  #drop(): void {
    if (this.#dropped === 0) this.#say(`usage is lost: ${mostWaiting} events wait, further ones are dropped`);
    this.#dropped++;
  }

  #flush(): Promise<void> {
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes all that waits; what fails stays and is tried again in a second. */
  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, batchSize);
        const known = await writeUsage(this.#knex, batch);
        this.#waiting.splice(0, batch.length);
        if (known < batch.length) this.#say(`usage of no project: ${batch.length - known} events`);
        this.#recovered();
      }
    } catch (error) {
      if (!this.#failing) this.#say(`usage was not written and is tried again: ${codeOf(error)}`);
      this.#failing = true;
      this.#timer ??= setTimeout(() => this.#flush(), flushInterval).unref();
    }
  }

  #recovered(): void {
    if (this.#failing) this.#say(`usage is written again; ${this.#dropped} events were dropped`);
    this.#failing = false;
    this.#dropped = 0;
  }
}
