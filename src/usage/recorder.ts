import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { codeOf } from '../errors.ts';
import type { Use } from '../store/usage.ts';
import { type UsageEvent, writeUsage } from './events.ts';

const usualFlushInterval = 1_000;
/** Milliseconds whose uses of one kind are one event: for a busy project the rows would cost as much as its calls. */
const tickLength = 100;
/** Events in one statement: a backlog is written in several. */
const batchSize = 5_000;
/** About 40 MB. */
const mostWaiting = 250_000;
/** Milliseconds that the end waits for a database which takes nothing. */
const patienceAtEnd = 5_000;
const retryAtEnd = 200;

/**
 * Notes what calls used and writes it every second: a call costs no write. What a kill loses is the last second. While
 * the database is away the events wait, and are tried again under the same ids, so that they count once even where
 * only the answer was lost. Beyond 250,000 that wait, further ones are dropped; how many is said.
 */
export class UsageRecorder {
  readonly #knex: Knex;
  readonly #say: (line: string) => void;
  readonly #flushInterval: number;
  readonly #waiting: WaitingEvent[] = [];
  /** Those of this tick that still wait, by what they count. */
  readonly #ofTick = new Map<string, WaitingEvent>();
  #tick = 0;
  /** What is being written, until the database has taken it: its ids stay the same. */
  #batch: readonly UsageEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;
  #failing = false;
  /** Since the database last took something. */
  #dropped = 0;

  /** `flushInterval` is in milliseconds: a second, unless a test has no time. */
  constructor(knex: Knex, say: (line: string) => void, flushInterval = usualFlushInterval) {
    this.#knex = knex;
    this.#say = say;
    this.#flushInterval = flushInterval;
  }

  /** Notes what a call used now. Nothing, and less, is not counted. */
  note(projectId: string, uses: readonly Use[]): void {
    const occurredAt = Date.now();
    this.#beginTick(Math.floor(occurredAt / tickLength));
    for (const use of uses) {
      if (use.quantity === 0) continue;
      if (!(use.quantity > 0 && use.quantity <= Number.MAX_SAFE_INTEGER))
        this.#say(`usage was not counted: ${use.quantity} ${use.metric} of ${use.service}`);
      else this.#add(projectId, use, occurredAt);
    }
    this.#flushSoon();
  }

  #beginTick(tick: number): void {
    if (tick === this.#tick) return;
    this.#tick = tick;
    this.#ofTick.clear();
  }

  /** An event has the time of its last use, so that no report from before a use misses it, and none counts it for another hour. */
  #add(projectId: string, use: Use, occurredAt: number): void {
    const { service, mode, metric, quantity, estimated } = use;
    const kind = `${projectId} ${service} ${mode} ${metric} ${estimated}`;
    const known = this.#ofTick.get(kind);
    if (known && known.quantity + quantity <= Number.MAX_SAFE_INTEGER) {
      known.quantity += quantity;
      known.occurredAt = occurredAt;
    } else if (this.#closed || this.#left >= mostWaiting) this.#drop();
    else {
      const event = { ...use, projectId, occurredAt };
      this.#waiting.push(event);
      this.#ofTick.set(kind, event);
    }
  }

  /** Writes what is left; where the database does not take it in some seconds, says how much is lost. */
  async close(): Promise<void> {
    const until = Date.now() + patienceAtEnd;
    await this.#flush();
    while (this.#left > 0 && Date.now() < until) {
      await delay(retryAtEnd);
      await this.#flush();
    }
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#left > 0) this.#say(`usage is lost: ${this.#left} events could not be written before the end`);
  }

  get #left(): number {
    return this.#batch.length + this.#waiting.length;
  }

  #drop(): void {
    if (this.#dropped === 0)
      this.#say(`usage is lost: ${this.#left} events wait for the database, further ones are dropped`);
    this.#dropped++;
  }

  #flushSoon(): void {
    if (this.#closed || this.#left === 0) return;
    this.#timer ??= setTimeout(() => void this.#flush(), this.#flushInterval).unref();
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /**
   * Writes all that waits by now: what is noted meanwhile has its own second, or few events would follow each other
   * without an end. What fails stays, and is tried again in a second.
   */
  async #write(): Promise<void> {
    try {
      for (let due = this.#left; due > 0; ) {
        if (this.#batch.length === 0) {
          this.#batch = this.#waiting.splice(0, batchSize).map(withId);
          // What is added to one of these would not be written.
          this.#ofTick.clear();
        }
        const unknown = this.#batch.length - (await writeUsage(this.#knex, this.#batch));
        due -= this.#batch.length;
        this.#batch = [];
        this.#recovered();
        if (unknown > 0) this.#say(`usage of projects that do not exist is not counted: ${unknown} events`);
      }
    } catch (error) {
      if (!this.#failing)
        this.#say(`usage was not written, and is tried again every second: ${codeOf(error)}`);
      this.#failing = true;
      this.#flushSoon();
    }
  }

  #recovered(): void {
    if (this.#failing || this.#dropped > 0)
      this.#say(`usage is written again; ${this.#dropped} events were dropped meanwhile`);
    this.#failing = false;
    this.#dropped = 0;
  }
}

/** Grows while it waits. */
type WaitingEvent = { -readonly [Member in keyof Omit<UsageEvent, 'id'>]: UsageEvent[Member] };

function withId(event: WaitingEvent): UsageEvent {
  return { ...event, id: randomUUID() };
}
