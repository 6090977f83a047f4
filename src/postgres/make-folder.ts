import fs from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder and its missing parents, and returns the first one that it made. The recursive `mkdirSync` of Node.js
 * never returns if a parent exists in which nothing can be made, such as `/proc`, and then no signal stops the process.
 */
export function makeFolder(folder: string, mode = 0o777): string | undefined {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !fs.existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const one of missing)
    try {
      fs.mkdirSync(one, { mode });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      // Another process was faster, unless it is a link to nowhere. If it is not a folder, the next use of it fails.
      if (!fs.existsSync(one)) throw Object.assign(error, { code: 'ENOENT' });
    }
  return missing[0];
}
