import pino from 'pino';

/** JSON lines on stderr: stdout belongs to a command's answer, or to JSON-RPC. */
export const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
export type Log = typeof log;
