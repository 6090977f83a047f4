import { Resolver } from 'node:dns/promises';
import { codeOf } from '../errors.ts';
import { FetchFailure, unreachable } from './fetch-failure.ts';

/** Resolves a name to all its IPv4 and IPv6 addresses. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The codes for a name without addresses of a family. */
const absent: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Opens a resolver that queries name servers directly. It ignores the machine's `hosts` file and search domains, because
 * their names are not on the internet. `getaddrinfo` would also hold one of the few libuv threads for as long as a
 * hostile name server is silent.
 * @param timeout milliseconds for a name
 * @param servers `address:port` of each name server; by default those of the system
 */
export function openResolver(timeout: number, servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: timeout / 2, tries: 1 });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as unknown] : [],
    );
    throw new FetchFailure(unreachable, {
      // Final, like a forbidden address: a difference would reveal which names exist inside.
      final: reasons.every((reason) => absent.has(codeOf(reason))),
      cause: reasons[0],
    });
  };
}
