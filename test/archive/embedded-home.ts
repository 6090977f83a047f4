import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openEmbedded, stopEmbedded } from '../../src/db/embedded.ts';

/**
 * A PARLEY_HOME with an embedded Postgres of its own that runs until the test ends; in a folder that everyone may
 * enter, so that the server's data lies in it.
 */
export async function embeddedHome(): Promise<{ home: string; url: string }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-archive-'));
  chmodSync(folder, 0o755);
  const home = path.join(folder, 'home');
  onTestFinished(async () => {
    await stopEmbedded(home);
    rmSync(folder, { recursive: true, maxRetries: 5 });
  });
  const { url } = await openEmbedded(home, () => undefined);
  return { home, url };
}
