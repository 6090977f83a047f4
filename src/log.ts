import pino from 'pino';

export type Log = pino.Logger;

/**
 * JSON lines on stderr: stdout belongs to a command's answer, or to JSON-RPC. `buffered` lines are written
 * within a second, or by `flushLog`, which spares a busy server a system call for each.
 */
export function openLog({ buffered }: { readonly buffered: boolean }): Log {
  const destination = pino.destination(
    buffered ? { fd: 2, sync: false, minLength: 4096, periodicFlush: 1000 } : { fd: 2, sync: true },
  );
  const { isoTime } = pino.stdTimeFunctions;
  return pino({ base: null, timestamp: isoTime, serializers: { err: describeError } }, destination);
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
  readonly requestId: string;
  readonly tool: string | undefined;
  readonly address?: string | undefined;
  readonly caller: { readonly projectId: string; readonly keyId: string } | undefined;
}

/** Writes a security event: a refused key, a refused or foreign record, a key made or revoked. */
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
