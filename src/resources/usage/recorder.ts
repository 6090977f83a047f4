import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { codeOf } from '../../platform/errors.ts';
import type { Use } from '../../services/models/use.ts';
import { type UsageEvent, writeUsage } from './events.ts';

/** Milliseconds. */
const defaultFlushInterval = 1_000;
/** Milliseconds. Uses of one kind in this time become one event, or a busy project would write a row for each call. */
const tickLength = 100;
/** Events in one statement. */
const batchSize = 5_000;
/** Events; about 40 MB. */
const maximumWaiting = 250_000;
/** Milliseconds for which `close` retries. */
const closeTimeout = 5_000;
/** Milliseconds. */
const closeRetryInterval = 200;

/**
 * Records what calls use and writes it every second, so that a call costs no write. A process that is killed loses the
 * last second. While the database is unavailable, the events wait. Retries use the same ids, so an event counts once
 * even if only the response was lost. If 250,000 events wait, further ones are dropped and counted in the log.
 */
export class UsageRecorder {
  readonly #knex: Knex;
  readonly #warn: (line: string) => void;
  readonly #flushInterval: number;
  readonly #waiting: WaitingEvent[] = [];
  /** The waiting events of this tick, by project: a few for each. */
  readonly #ofTick = new Map<string, WaitingEvent[]>();
  #tick = 0;
  /** The events that are being written; they keep their ids until the database has confirmed them. */
  #batch: readonly UsageEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;
  #failing = false;
  /** Since the last successful write. */
  #dropped = 0;

  /** `flushInterval` is in milliseconds. */
  constructor(knex: Knex, warn: (line: string) => void, flushInterval = defaultFlushInterval) {
    this.#knex = knex;
    this.#warn = warn;
    this.#flushInterval = flushInterval;
  }

  /** Records what a call used now. Quantities of 0 and impossible ones are not counted. */
  note(projectId: string, uses: readonly Use[]): void {
    const occurredAt = Date.now();
    this.#beginTick(Math.floor(occurredAt / tickLength));
    for (const use of uses) {
      if (use.quantity === 0) continue;
      if (!(use.quantity > 0 && use.quantity <= Number.MAX_SAFE_INTEGER))
        this.#warn(`usage was not counted: ${use.quantity} ${use.metric} of ${use.service}`);
      else this.#add(projectId, use, occurredAt);
    }
    this.#flushSoon();
  }

  #beginTick(tick: number): void {
    if (tick === this.#tick) return;
    this.#tick = tick;
    this.#ofTick.clear();
  }

  /** An event has the time of its last use: a use that is added must not change a report that ended before it. */
  #add(projectId: string, use: Use, occurredAt: number): void {
    const { quantity, cost } = use;
    const ofProject = this.#ofTick.get(projectId);
    const known = ofProject?.find((event) => isOfOneKind(event, use));
    if (known && known.quantity + quantity <= Number.MAX_SAFE_INTEGER) {
      known.quantity += quantity;
      if (cost !== undefined) known.cost = (known.cost ?? 0n) + cost;
      known.occurredAt = occurredAt;
    } else if (this.#closed || this.unwritten >= maximumWaiting) this.#drop();
    else {
      const event = { ...use, projectId, occurredAt };
      this.#waiting.push(event);
      if (known && ofProject) ofProject[ofProject.indexOf(known)] = event;
      else if (ofProject) ofProject.push(event);
      else this.#ofTick.set(projectId, [event]);
    }
  }

  /** Writes the waiting events. If that fails for five seconds, logs how many are lost. */
  async close(): Promise<void> {
    const until = Date.now() + closeTimeout;
    await this.#flush();
    while (this.unwritten > 0 && Date.now() < until) {
      await delay(closeRetryInterval);
      await this.#flush();
    }
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.unwritten > 0)
      this.#warn(`usage is lost: ${this.unwritten} events could not be written before the process ended`);
  }

  /** Events that the database has not confirmed. */
  get unwritten(): number {
    return this.#batch.length + this.#waiting.length;
  }

  #drop(): void {
    if (this.#dropped === 0)
      this.#warn(`usage is lost: ${this.unwritten} events wait for the database; dropping further ones`);
    this.#dropped++;
  }

  #flushSoon(): void {
    if (this.#closed || this.unwritten === 0) return;
    this.#timer ??= setTimeout(() => void this.#flush(), this.#flushInterval).unref();
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /**
   * Writes the events that wait now. Those recorded during the write wait for the next one, or small writes would follow
   * each other without end. A batch that fails is retried after a second.
   */
  async #write(): Promise<void> {
    try {
      for (let due = this.unwritten; due > 0; ) {
        if (this.#batch.length === 0) {
          this.#batch = this.#waiting.splice(0, batchSize).map(withId);
          // A use that is added to one of these events would not be written.
          this.#ofTick.clear();
        }
        const unknown = this.#batch.length - (await writeUsage(this.#knex, this.#batch));
        due -= this.#batch.length;
        this.#batch = [];
        this.#recovered();
        if (unknown > 0) this.#warn(`usage of projects that do not exist was not counted: ${unknown} events`);
      }
    } catch (error) {
      if (!this.#failing) this.#warn(`usage was not written; retrying every second: ${codeOf(error)}`);
      this.#failing = true;
      this.#flushSoon();
    }
  }

  #recovered(): void {
    if (this.#failing || this.#dropped > 0)
      this.#warn(`usage is written again; ${this.#dropped} events were dropped`);
    this.#failing = false;
    this.#dropped = 0;
  }
}

/** An event to which uses are added while it waits. */
type WaitingEvent = { -readonly [Member in keyof Omit<UsageEvent, 'id'>]: UsageEvent[Member] };

function isOfOneKind(one: Use, other: Use): boolean {
  return (
    one.metric === other.metric &&
    one.service === other.service &&
    one.mode === other.mode &&
    one.estimated === other.estimated
  );
}

function withId(event: WaitingEvent): UsageEvent {
  return { ...event, id: randomUUID() };
}
