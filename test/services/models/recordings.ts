import { readdirSync, readlinkSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, vi } from 'vitest';

/** A part of a form whose boundary is `limit`. */
export function part(name: string, content: string | Buffer, more = ''): Buffer {
  const head = `--limit\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]);
}

/** A part with a file. */
export function filePart(content: string | Buffer, name = 'file'): Buffer {
  return part(name, content, '; filename="call.wav"\r\nContent-Type: audio/wav');
}

/** Joins the parts to a form. */
export function form(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from('--limit--\r\n')]);
}

/** Returns the paths of the uploads that this process has open on the disk. */
export function spooledFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.includes('parley-upload') ? [file] : [];
    } catch {
      // The file was closed after the folder was read.
      return [];
    }
  });
}

/**
 * Waits until no upload is open on the disk, because a file closes shortly after its response.
 * Throws if the garbage collector closed one, because then Parley did not.
 */
export async function expectNoSpooledFiles(): Promise<void> {
  const left: string[] = [];
  const listener = ({ message }: Error) => {
    if (message.includes('on garbage collection')) left.push(message);
  };
  process.on('warning', listener);
  try {
    await vi.waitFor(() => expect(spooledFiles()).toStrictEqual([]), { timeout: 10_000 });
    // Node.js warns in the turn of the event loop after the one in which it closes the file.
    await setImmediate();
    expect(left).toStrictEqual([]);
  } finally {
    process.off('warning', listener);
  }
}
