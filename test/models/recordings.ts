import { readdirSync, readlinkSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, vi } from 'vitest';

/** A part of a form whose boundary is `limit`. */
export function part(name: string, content: string | Buffer, more = ''): Buffer {
  const head = `--limit\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]);
}

/** A part that is a file. */
export function filePart(content: string | Buffer, name = 'file'): Buffer {
  return part(name, content, '; filename="call.wav"\r\nContent-Type: audio/wav');
}

/** The parts as a form. */
export function form(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from('--limit--\r\n')]);
}

/** Uploads that this process still holds on the disk. */
export function spooledFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.includes('parley-upload') ? [file] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

/**
 * Resolves once no recording is spooled any more: a file outlives its answer by moments.
 * Throws where one was left to the garbage collector, which closes it in the end too.
 */
export async function nothingSpooled(): Promise<void> {
  const left: string[] = [];
  const heard = ({ message }: Error) => {
    if (message.includes('on garbage collection')) left.push(message);
  };
  process.on('warning', heard);
  try {
    await vi.waitFor(() => expect(spooledFiles()).toStrictEqual([]), { timeout: 10_000 });
    // Node.js warns in the turn of the event loop after the one in which it closes the file.
    await setImmediate();
    expect(left).toStrictEqual([]);
  } finally {
    process.off('warning', heard);
  }
}
