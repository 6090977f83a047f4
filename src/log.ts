import pino from 'pino';

export type Log = pino.Logger;

/** Characters and milliseconds after which buffered lines are written. */
const bufferedCharacters = 65_536;
const bufferedFor = 1_000;

/** pino's number of `warn`. */
const urgent = 40;

/**
 * JSON lines on stderr: stdout belongs to a command's answer, or to JSON-RPC. `buffered` lines are written
 * within a second, a warning or an error at once: for each line by itself a busy server would pay more than for
 * the rest of a request.
 */
export function openLog({ buffered }: { readonly buffered: boolean }): Log {
  const destination = pino.destination({ fd: 2, sync: !buffered });
  const { isoTime } = pino.stdTimeFunctions;
  const options = { base: null, timestamp: isoTime, serializers: { err: describeError } };
  return pino(options, buffered ? inBatches(destination) : destination);
}

/** Gathers lines before it hands them on. pino tells the level of each in `lastLevel`. */
function inBatches(destination: ReturnType<typeof pino.destination>) {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const handOn = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines) destination.write(lines);
    lines = '';
  };
  return {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      lines += line;
      if (this.lastLevel >= urgent || lines.length >= bufferedCharacters) handOn();
      else timer ??= setTimeout(handOn, bufferedFor).unref();
    },
    flush(done: (error?: Error) => void) {
      handOn();
      destination.flush(done);
    },
  };
}

/** Writes what is buffered. */
export function flushLog(log: Log): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
  });
}

/** What a security event is about (ASVS 16.3): who, from where, on which operation. */
export interface SecurityEvent {
  readonly event: string;
  /** Of a request, or of a job. */
  readonly requestId: string | undefined;
  readonly tool: string | undefined;
  readonly address?: string | undefined;
  readonly caller: { readonly projectId: string; readonly keyId?: string } | undefined;
  /** What was to be fetched, and why it was not. */
  readonly outbound?: { readonly host: string; readonly reason: string };
}

/** Writes a security event: a refused key, a refused or foreign record, a key made or revoked, a blocked fetch. */
export function noteSecurityEvent(log: Log, { caller, ...event }: SecurityEvent): void {
  log.warn({ ...event, projectId: caller?.projectId, keyId: caller?.keyId }, 'security event');
}

/** True for refusals that may be an attack. An unknown path names no record. */
export function isSecurityEvent(code: string, tool: string | undefined): boolean {
  return code === 'unauthorized' || code === 'forbidden' || (code === 'not_found' && tool !== undefined);
}

/**
 * What a log may know of an error. A database's own words (message, detail, where) quote values that were sent
 * or stored; its SQLSTATE, the constraint and our frames of the stack tell enough.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '' } = error;
  const fromDatabase = 'severity' in error;
  const words = fromDatabase ? { stack: stack.slice(stack.indexOf('\n    at ') + 1) } : { message, stack };
  const more: Record<string, unknown> = {};
  for (const field of ['code', 'constraint', 'table'] as const) {
    const value = (error as Error & Record<typeof field, unknown>)[field];
    if (typeof value === 'string') more[field] = value;
  }
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { name, ...words, ...more, ...cause };
}
