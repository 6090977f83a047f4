import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ToolError } from '../../platform/errors.ts';

/** `POST` returns the key of the demo. */
export const demoKeyPath = '/studio/demo-key';

/** Returns the key of the demo to a browser of the user who runs the server. @throws ToolError `forbidden` */
export type DemoKey = (request: IncomingMessage) => string;

/** Headers of proxies: behind one, every client has the proxy's address. */
const proxyHeaders = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-connecting-ip|true-client-ip)$/;

/** A loopback address, or one in IPv6's form of IPv4 addresses. */
const loopbackAddress = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;
const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Returns a function that hands out the key of the demo.
 * @param readKey returns the key, or undefined if there is no demo
 */
export function demoKeyFor(readKey: () => string | undefined): DemoKey {
  return (request) => {
    const { headers } = request;
    const isSameOrigin =
      headers['sec-fetch-site'] === 'same-origin' && headers.origin === `http://${headers.host}`;
    if (!isSameOrigin || !isOwnBrowser(request))
      throw new ToolError(
        'forbidden',
        'Only a browser of the user who runs the server, on the same machine, may sign in to the demo with one click. Sign in with a key.',
      );
    const key = readKey();
    if (key === undefined) throw new ToolError('not_found', 'This server has no demo.');
    return key;
  };
}

/**
 * True if a request comes from this machine, by a name of it (against DNS rebinding), through no proxy, and from the
 * user who runs the server: others on the machine cannot read the file that holds the key either.
 */
export function isOwnBrowser({ socket, headers }: IncomingMessage): boolean {
  return (
    loopbackAddress.test(socket.remoteAddress ?? '') &&
    loopbackHost.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => proxyHeaders.test(name)) &&
    isOwnUser(socket)
  );
}

/**
 * True if the other end of a loopback connection belongs to the user who runs this process. Linux lists the user of
 * each connection (proc(5), /proc/net/tcp); other systems do not, and there every local user counts.
 */
function isOwnUser({ localPort, remotePort }: Socket): boolean {
  if (process.platform !== 'linux') return true;
  const users = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    usersOf(readFileSync(table, 'utf8'), remotePort ?? 0, localPort ?? 0),
  );
  return users.length > 0 && users.every((user) => user === process.getuid?.());
}

/** The users of the connections from one port to another. */
function usersOf(table: string, from: number, to: number): number[] {
  const [, ...rows] = table.trimEnd().split('\n');
  return rows.flatMap((row) => {
    const [, local = '', remote = '', , , , , user = ''] = row.trim().split(/\s+/);
    return portOf(local) === from && portOf(remote) === to ? [Number(user)] : [];
  });
}

/** The port of an address such as `0100007F:1F90`. */
function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}
