import type { RecordState, WatchedRecord } from '../../store/resource-states.ts';

/** Milliseconds between two looks at the watched records. */
const interval = 1_000;
/** Records that one process watches, and that one key watches through it. */
const [mostWatched, mostOfKey] = [1_000, 100];

/** Reads the states of records, in their order. */
export type ReadStates = (records: readonly WatchedRecord[]) => Promise<readonly RecordState[]>;

/** What a client hears of watched records, and for how long. */
export interface WatchEvents {
  /** Callers meet something else at this address than before. */
  readonly onUpdate: (address: string) => void;
  /** The key may no longer read a record, the token of the client has expired, or the server stops. */
  readonly onEnd: () => void;
  /** When the token of the client expires, in milliseconds since 1970; undefined for a client with a key. */
  readonly expiresAt?: number | undefined;
}

interface Watcher extends WatchEvents {
  readonly address: string;
  readonly record: WatchedRecord;
  state: RecordState['state'];
}

/**
 * Looks at the watched records once a second, with one statement for all, and only while there are any. So it sees what any
 * replica and the command line have changed. Notifications of Postgres would reach it earlier, but each change would then
 * wait for a lock of the whole database while it commits.
 */
export class ResourceWatch {
  readonly #watchers = new Set<Watcher>();
  readonly #read: ReadStates;
  readonly #onerror: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(read: ReadStates, onerror: (error: unknown) => void) {
    this.#read = read;
    this.#onerror = onerror;
  }

  /**
   * Watches records from now on, by the addresses of their resources. All belong to one key.
   * @returns a function that ends this; undefined if the process or the key watches too many
   */
  async open(
    records: ReadonlyMap<string, WatchedRecord>,
    events: WatchEvents,
  ): Promise<(() => void) | undefined> {
    const watchers = [...records].map(
      ([address, record]): Watcher => ({ ...events, address, record, state: null }),
    );
    const [first] = watchers;
    const own = [...this.#watchers].filter(({ record }) => record.keyId === first?.record.keyId);
    if (own.length + records.size > mostOfKey || this.#watchers.size + records.size > mostWatched)
      return undefined;
    // They count at once, so that requests at the same time stay within the bounds together.
    for (const watcher of watchers) this.#watchers.add(watcher);
    const end = () => {
      for (const watcher of watchers) this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
    try {
      const states = await this.#read([...records.values()]);
      for (const [index, watcher] of watchers.entries()) watcher.state = states[index]?.state ?? null;
    } catch (error) {
      end();
      throw error;
    }
    this.#timer ??= setInterval(() => void this.#look(), interval).unref();
    return end;
  }

  /** Ends every watch, because the server stops. */
  close(): void {
    for (const { onEnd } of this.#watchers) onEnd();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const watchers = [...this.#watchers];
    try {
      const states = await this.#read(watchers.map(({ record }) => record));
      for (const [index, watcher] of watchers.entries()) {
        const now = states[index];
        if (!now || !this.#watchers.has(watcher)) continue;
        const isChanged = watcher.state !== now.state;
        watcher.state = now.state;
        const { expiresAt = Number.POSITIVE_INFINITY } = watcher;
        if (!now.isAllowed || expiresAt <= Date.now()) watcher.onEnd();
        else if (isChanged) watcher.onUpdate(watcher.address);
      }
    } catch (error) {
      // The next look finds what this one has missed.
      this.#onerror(error);
    } finally {
      this.#isLooking = false;
    }
  }
}
