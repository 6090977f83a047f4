import fs from 'node:fs';
import path from 'node:path';
import { openFolder, type ServerFiles } from './embedded-place.ts';

/** Bytes from which on a start puts the log aside. While it runs, the server writes next to nothing. */
const enough = 1_048_576;

/** What the server's programs wrote since a moment. */
export interface ServerLog {
  readonly descriptor: number;
  append(text: string): void;
  /** The last complaint since then, or else the last line, for whoever waits for the server. */
  complaint(): string;
  close(): void;
}

/** Opens the server's log for one start. What stood in a long one goes to `server.log.1`, in place of what was there. */
export function openServerLog({ log: file }: ServerFiles): ServerLog {
  openFolder(path.dirname(file));
  if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > enough) fs.renameSync(file, `${file}.1`);
  const descriptor = fs.openSync(file, 'a+', 0o600);
  const before = fs.fstatSync(descriptor).size;
  let unwritten = '';
  return {
    descriptor,
    append(text) {
      try {
        fs.writeSync(descriptor, text);
      } catch {
        // On a full disk, which is what the text is likely to be about.
        unwritten += text;
      }
    },
    complaint() {
      const added = Buffer.alloc(Math.max(0, fs.fstatSync(descriptor).size - before));
      fs.readSync(descriptor, added, { position: before });
      const lines = `${added.toString()}${unwritten}`.trimEnd().split('\n');
      return lines.findLast((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? '';
    },
    close: () => fs.closeSync(descriptor),
  };
}
