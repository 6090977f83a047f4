import { once } from 'node:events';
import type { Server } from 'node:http';
import { codeOf } from '../platform/errors.ts';
import { CommandError } from './command.ts';

/** Why an address cannot be bound, by the code of the error, and what to do. */
const obstacles: Readonly<
  Record<string, (place: { host: string; port: number; variable: string }) => string>
> = {
  EADDRINUSE: ({ host, port, variable }) =>
    `Port ${port} of ${host} is in use. Set ${variable}, or stop the other process.`,
  EACCES: ({ port, variable }) =>
    `This user may not listen on port ${port}. Set ${variable} to a port from 1024 to 65535.`,
  EADDRNOTAVAIL: ({ host }) =>
    `No network interface of this machine has the address ${host}. Set HOST to one that it has, to 127.0.0.1, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) =>
    `There is no host ${host}. Set HOST to an address of this machine, such as 127.0.0.1.`,
};

/**
 * Starts to listen. `variable` is the one that holds the port.
 * @returns the port, which the system chooses if `port` is 0
 * @throws CommandError if the address cannot be bound
 */
export async function listenOn(
  server: Server,
  host: string,
  port: number,
  variable: string,
): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = codeOf(error);
    const explain = obstacles[code];
    const place = { host, port, variable };
    throw new CommandError(
      explain?.(place) ??
        `Parley cannot listen on port ${port} of ${host} (${code}). Set HOST and ${variable}.`,
      { cause: error },
    );
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
