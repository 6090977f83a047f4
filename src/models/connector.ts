import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** Bytes that a connection takes before whoever writes has to wait: a good part of a recording, in many pieces. */
const mostUnsent = 1_048_576;

/**
 * Connects as undici does, within `timeout` milliseconds; what is then written within one turn goes out in two calls of
 * the kernel. A form comes in pieces, and a call for each costs more than all else that is done with it.
 */
export function connectorWithin(timeout: number): buildConnector.connector {
  // undici names one mark for both directions, which would come before the one for writing.
  const marks = { highWaterMark: undefined, writableHighWaterMark: mostUnsent };
  const connect = buildConnector({ timeout, allowH2: false, ...marks });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) {
        callback(error, null);
        return;
      }
      holdWrites(socket);
      callback(null, socket);
    });
}

/**
 * undici corks a connection for each piece that it writes. The first of a turn goes out at once, being all of a request
 * in most cases; the second cork holds what follows until the end of the turn.
 */
function holdWrites(socket: Socket): void {
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
