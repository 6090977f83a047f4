import { expect, test } from 'vitest';
import { ArchiveLines } from '../../src/archive/lines.ts';

/** Rows that resemble the line that ends a table, in COPY's text format. */
const rows = ['a\tb', 'long\\\\.', 'a\\\\.', '\\\\.', '', '\\N', '\\\\', '{"end":"x"}']
  .map((row) => `${row}\n`)
  .join('');

async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('separates rows from the line that ends them, for any chunk size', async () => {
  for (let size = 1; size <= rows.length + 4; size++) {
    const lines = new ArchiveLines(inChunks(`{"first":1}\n${rows}\\.\n{"next":2}\n`, size));
    expect(await lines.line()).toBe('{"first":1}');
    const parts: Buffer[] = [];
    for await (const part of lines.tableRows()) parts.push(part);
    expect(Buffer.concat(parts).toString(), `chunks of ${size}`).toBe(rows);
    expect(lines.rows).toBe(8);
    expect(await lines.line()).toBe('{"next":2}');
    await lines.end();
  }
});
