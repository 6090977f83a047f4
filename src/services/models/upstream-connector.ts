import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** Bytes that a connection buffers before a writer has to wait: a large part of a recording. */
const mostUnsent = 1_048_576;

/**
 * Connects like undici, within `timeout` milliseconds, but groups the writes of one turn of the event loop into two
 * system calls. A form arrives in many pieces, and one system call for each would cost more than all other work on it.
 */
export function connectorWithin(timeout: number): buildConnector.connector {
  // undici sets one mark for both directions, which would override the one for writing.
  const marks = { highWaterMark: undefined, writableHighWaterMark: mostUnsent };
  const connect = buildConnector({ timeout, allowH2: false, ...marks });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) {
        callback(error, null);
        return;
      }
      delayWrites(socket);
      callback(null, socket);
    });
}

/**
 * undici corks and uncorks the connection for each piece that it writes. The first piece of a turn goes out at once; most
 * requests have no other. A second cork then holds the following pieces until the end of the turn.
 */
function delayWrites(socket: Socket): void {
  const cork = socket.cork.bind(socket);
  let corks = 0;
  const endTurn = () => {
    if (corks > 1) socket.uncork();
    corks = 0;
  };
  socket.cork = () => {
    cork();
    corks += 1;
    if (corks === 1) process.nextTick(endTurn);
    if (corks === 2) cork();
  };
}
