import { Resolver } from 'node:dns/promises';
import { codeOf } from '../../errors.ts';
import { FetchFailure, unreachable } from './fetch-failure.ts';

/** Every address of a name, of both families. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** A name server says so of a name without addresses of the kind. */
const absent: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks name servers, the system's unless others are given (`address:port`). The machine's own `hosts` file and search
 * domains are left out: what they name is not on the internet. The system's `getaddrinfo` would hold a thread of the
 * few that file access shares for as long as a hostile name server is silent.
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
      // As final as a forbidden address: else the difference would tell which names exist inside.
      final: reasons.every((reason) => absent.has(codeOf(reason))),
      cause: reasons[0],
    });
  };
}
