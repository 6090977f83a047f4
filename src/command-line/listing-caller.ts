import { callersIn } from '../core/callers.ts';
import type { Caller } from '../operation/context.ts';
import type { Config } from '../platform/config/config.ts';
import { readBriefly } from '../postgres/brief-connection.ts';

/**
 * The caller of PARLEY_API_KEY, found by one statement: opening Parley takes several times the CPU of all else that a list
 * of tools needs. Undefined if the key is not found in a running database, for whatever reason. Whoever then opens Parley
 * learns the reason, or makes what is missing: the embedded Postgres, the schema.
 */
export async function findListingCaller({ databaseUrl, home, apiKey }: Config): Promise<Caller | undefined> {
  try {
    const url = databaseUrl ?? (await runningEmbedded(home));
    if (url === undefined) return undefined;
    return await readBriefly(url, async (reader) => callersIn(() => reader)(apiKey));
  } catch {
    return undefined;
  }
}

async function runningEmbedded(home: string): Promise<string | undefined> {
  const { runningAddress } = await import('../postgres/embedded/look.ts');
  return runningAddress(home);
}
