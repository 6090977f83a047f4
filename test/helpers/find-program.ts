import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The path of the first of these programs that is installed, in the folders of PATH or in further ones; else undefined. */
export function findProgram(names: readonly string[], furtherFolders: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...furtherFolders];
  return folders
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Reports in a visible line that a peer program is missing. Vitest hides what a skipped file writes to the console. */
export function reportMissing(reason: string): void {
  process.stderr.write(`SKIPPED: ${reason}\n`);
}
