import fs from 'node:fs';
import path from 'node:path';
import { openFolder, type ServerFiles } from './place.ts';

/** Bytes. A start renames a log of this size. A running server writes almost nothing. */
const enough = 1_048_576;

/** The log of the server's programs during one start. */
export interface ServerLog {
  readonly descriptor: number;
  append(text: string): void;
  /** The last error of this start, or else its last line. */
  complaint(): string;
  close(): void;
}

/** Opens the server's log for one start. Renames a long one to `server.log.1`, which replaces the former one. */
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
        // The disk is full, which the text probably reports.
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
