import pino from 'pino';

export type Log = pino.Logger;

/** Buffered lines are written after this many characters, or milliseconds. */
const bufferedCharacters = 65_536;
const bufferedFor = 1_000;

/** pino's level `warn`. */
const urgent = 40;

/** Characters that wait for the reader of stderr. If it stalls, Parley drops further lines and later reports how many. */
const mostWaiting = 1_048_576;

/**
 * Opens a log of JSON lines on stderr, because stdout belongs to a command's output or to JSON-RPC. With `buffered`,
 * warnings and errors are written at once and other lines within a second: a write per line would cost a busy server
 * more than the rest of a request.
 */
export function openLog({ buffered }: { readonly buffered: boolean }): Log {
  const options = { base: null, timestamp: isoTime(), serializers: { err: describeError } };
  const write = stderrWriter();
  return pino(options, buffered ? batching(write) : { write });
}

/** Returns a function that formats the time of a line, as pino's does, but once for all lines of a millisecond. */
function isoTime(): () => string {
  let last = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) text = `,"time":"${new Date(now).toISOString()}"`;
    last = now;
    return text;
  };
}

/**
 * Returns a function that writes to stderr and never waits for its reader. pino's own destination does: at the end of the
 * process it repeats a failed write for ever, and one that waits for a full pipe blocks the end.
 */
function stderrWriter(): (lines: string) => void {
  let dropped = 0;
  return (lines) => {
    const { stderr } = process;
    // If the reader has gone, the log has no other place, and the process goes on without it.
    if (stderr.listenerCount('error') === 0) stderr.on('error', () => undefined);
    if (stderr.writableLength > mostWaiting) {
      dropped += lines.split('\n').length - 1;
      return;
    }
    if (dropped > 0) stderr.write(droppedLine(dropped));
    dropped = 0;
    stderr.write(lines);
  };
}

function droppedLine(lines: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: urgent, time, lines, msg: 'log lines were dropped, because stderr was not read' })}\n`;
}

/** Returns a stream that collects lines. pino sets `lastLevel` before each line. */
function batching(write: (lines: string) => void) {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const writeOut = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines) write(lines);
    lines = '';
  };
  return {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      lines += line;
      if (this.lastLevel >= urgent || lines.length >= bufferedCharacters) writeOut();
      else timer ??= setTimeout(writeOut, bufferedFor).unref();
    },
    flush(done: () => void) {
      writeOut();
      process.stderr.write('', () => done());
    },
  };
}

/** Milliseconds that the last lines may take. */
const flushLimit = 1_000;

/** Writes the buffered lines, if their reader takes them within a second. */
export function flushLog(log: Log): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, flushLimit).unref();
    log.flush(() => resolve());
  });
}

/** A security event (ASVS 16.3): caller, address and operation. */
export interface SecurityEvent {
  readonly event: string;
  /** The id of a request or of a job. */
  readonly requestId: string | undefined;
  readonly tool: string | undefined;
  readonly address?: string | undefined;
  readonly caller: { readonly projectId: string; readonly keyId?: string } | undefined;
  /** A refused fetch. */
  readonly outbound?: { readonly host: string; readonly reason: string };
}

/** Logs a security event: a refused key, a refused or foreign record, a minted or revoked key, a blocked fetch. */
export function logSecurityEvent(log: Log, { caller, ...event }: SecurityEvent): void {
  log.warn({ ...event, projectId: caller?.projectId, keyId: caller?.keyId }, 'security event');
}

/** True for a refusal that may be an attack. `not_found` counts if the path belongs to an operation. */
export function isSecurityEvent(code: string, tool: string | undefined): boolean {
  return code === 'unauthorized' || code === 'forbidden' || (code === 'not_found' && tool !== undefined);
}

/**
 * Returns the loggable members of an error. The message, detail and context of a database error quote values that were
 * sent or stored, so only its SQLSTATE, constraint, table and stack frames are logged.
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
