import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openEmbedded, stopEmbedded } from '../../src/postgres/embedded/embedded.ts';

/**
 * A PARLEY_HOME with its own embedded Postgres, which runs until the test ends. Every user may enter the folder, because
 * the server may run as another user.
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
