import { setTimeout as delay } from 'node:timers/promises';

/** Why this process cannot serve requests: it stops, it is not open yet, or the database fails it. */
export type Unreadiness = 'draining' | 'starting' | 'database' | 'schema';

/** Milliseconds that a check of the database may take. Within two seconds of a failure, readiness is off. */
const checkTimeout = 1_000;

/**
 * Tells whether this process can serve requests. Checks share one query: a frozen database must not collect the queries
 * of every probe.
 */
export class ReadinessCheck {
  readonly #stop: { readonly isDraining: boolean };
  #isMigrated: (() => Promise<boolean>) | undefined;
  #check: Promise<Unreadiness | undefined> | undefined;

  constructor(stop: { readonly isDraining: boolean }) {
    this.#stop = stop;
  }

  /** From now on, this process is ready if the database responds and has the schema of this build. */
  opened(isMigrated: () => Promise<boolean>): void {
    this.#isMigrated = isMigrated;
  }

  /** Undefined if this process is ready. */
  async reason(): Promise<Unreadiness | undefined> {
    if (this.#stop.isDraining) return 'draining';
    if (!this.#isMigrated) return 'starting';
    this.#check ??= this.#ask(this.#isMigrated).finally(() => {
      this.#check = undefined;
    });
    return Promise.race([this.#check, delay(checkTimeout, 'database' as const, { ref: false })]);
  }

  async #ask(isMigrated: () => Promise<boolean>): Promise<Unreadiness | undefined> {
    try {
      return (await isMigrated()) ? undefined : 'schema';
    } catch {
      return 'database';
    }
  }
}
