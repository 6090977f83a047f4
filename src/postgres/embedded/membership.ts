import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { MovingAddress } from '../address.ts';
import { EmbeddedError } from './error.ts';
import { giveLeaseBack, urlOf } from './lease.ts';
import type { ServerFiles } from './place.ts';

/** A session that counts this process as a user of the server, and whether it started the server. */
export interface Lease {
  readonly how: 'attached' | 'started' | 'started after a stop';
  readonly session: pg.Client;
}

/** Tries once to attach to the server, or to start it if `mayStart` allows. Returns the obstacle if it fails. */
export type ComeIn = (mayStart: () => boolean) => Promise<Lease | Error>;

/** Milliseconds between two attempts to attach again. */
const [firstPause, longestPause] = [50, 1000];
/** Milliseconds before, and between, warnings that this takes long. */
const [firstWord, nextWord] = [3000, 60_000];
/** Milliseconds that a query waits for a lost server. Less than its limit for a connection. */
const patience = 1500;

/**
 * A process's use of the server, from its first lease until it leaves. After the server is killed or stopped, attaches
 * again or starts it, and tries for as long as that takes.
 */
export class Membership implements MovingAddress {
  readonly #files: ServerFiles;
  readonly #comeIn: ComeIn;
  readonly #say: (line: string) => void;
  readonly #leave = new AbortController();
  #url: string;
  /** Undefined while the server is lost. */
  #session: pg.Client | undefined;
  #recovery: Promise<void> = Promise.resolve();
  #left: Promise<readonly number[]> | undefined;

  constructor(lease: Lease, files: ServerFiles, comeIn: ComeIn, say: (line: string) => void) {
    this.#files = files;
    this.#comeIn = comeIn;
    this.#say = say;
    this.#url = urlOf(lease.session);
    this.#hold(lease);
  }

  /** The current address, or the last one while the server is lost. */
  get url(): string {
    return this.#url;
  }

  current(): string | undefined {
    return this.#session && this.#url;
  }

  async reached(): Promise<string> {
    if (this.#session) return this.#url;
    const waiting = new AbortController();
    const late = sleep(patience, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
    await Promise.race([this.#recovery, late]);
    waiting.abort();
    if (this.#session) return this.#url;
    throw Object.assign(new Error('the embedded Postgres is not back yet'), { code: 'ECONNREFUSED' });
  }

  /**
   * Gives the lease back, once. The last process that leaves stops the server. It starts no server from then on.
   * @returns the ids of the processes for which the server keeps running
   */
  leave(): Promise<readonly number[]> {
    this.#leave.abort();
    this.#left ??= this.#giveBack();
    return this.#left;
  }

  async #giveBack(): Promise<readonly number[]> {
    await this.#recovery;
    // The lease ended with the connection.
    return this.#session ? giveLeaseBack(this.#session, this.#files) : [];
  }

  #hold({ session }: Lease): void {
    this.#session = session;
    this.#url = urlOf(session);
    session.once('error', (error: Error) => this.#lose(session, error.message));
    session.once('end', () => this.#lose(session, 'it ended'));
  }

  #lose(session: pg.Client, reason: string): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    if (this.#leave.signal.aborted) return;
    this.#say(`The connection to the embedded Postgres was lost (${reason}).`);
    this.#recovery = this.#recover();
  }

  async #recover(): Promise<void> {
    const { signal } = this.#leave;
    const began = performance.now();
    let nextWordAt = began + firstWord;
    let told = '';
    for (let pause = firstPause; !signal.aborted; pause = Math.min(2 * pause, longestPause)) {
      const lease = await this.#comeIn(() => !signal.aborted);
      if (!(lease instanceof Error)) {
        this.#hold(lease);
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        this.#say(`${returned[lease.how]}, after ${seconds} s.`);
        return;
      }
      const [line = ''] = lease.message.split('\n', 1);
      // An obstacle that does not go away by itself is reported at once.
      if (performance.now() > nextWordAt || (lease instanceof EmbeddedError && line !== told)) {
        nextWordAt = performance.now() + nextWord;
        told = line;
        this.#say(`The embedded Postgres is not back yet (${line}); ${this.#files.log} may say more.`);
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}

const returned: Readonly<Record<Lease['how'], string>> = {
  attached: 'The embedded Postgres is back',
  started: 'The embedded Postgres is back: it had been killed, and is started again',
  'started after a stop':
    'The embedded Postgres is back: it had been stopped, and this process, which uses it, started it again',
};
