import { connect } from 'node:net';

/** A response as received. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/**
 * Sends the lines of a head and the parts of a body unchanged. Reads until the server closes the connection, so add
 * `Connection: close` to the head unless the test is about closing.
 */
export async function rawRequest(
  base: string,
  head: readonly string[],
  body: Iterable<string | Uint8Array> = [],
): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  const parts: Buffer[] = [];
  let gone = false;
  socket.on('data', (part: Buffer) => parts.push(part));
  // A server that has refused a request does not read the rest of it.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      gone = true;
      resolve();
    });
  });
  socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'));
  for (const part of body) {
    if (gone) break;
    if (!socket.write(part))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  await closed;
  const [top = '', ...rest] = Buffer.concat(parts).toString('utf8').split('\r\n\r\n');
  const [status = '', ...headers] = top.split('\r\n');
  return {
    status: Number(status.split(' ')[1]),
    headers: new Map(
      headers.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: */, '')]),
    ),
    text: rest.join('\r\n\r\n'),
  };
}
