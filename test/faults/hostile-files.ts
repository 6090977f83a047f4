import { deflateSync } from 'node:zlib';
import { docxOf, paragraph, pdfOfObjects, zipOf } from '../resources/knowledge/made-files.ts';

/** A file that is made to harm its reader. */
export interface HostileFile {
  readonly what: string;
  readonly fileName: 'a.docx' | 'a.pdf';
  readonly bytes: Buffer;
}

const million = 1_000_000;
const catalogue = '<</Type/Catalog/Pages 2 0 R>>';
const noPages = '<</Type/Pages/Count 0/Kids[]>>';
/** Objects in each object stream. */
const together = 10_000;

/** Yields one file at a time, because some take hundreds of megabytes to make. */
export function* hostileFiles(): Generator<HostileFile> {
  const docx = (what: string, bytes: Buffer): HostileFile => ({ what, fileName: 'a.docx', bytes });
  const pdf = (what: string, bytes: Buffer): HostileFile => ({ what, fileName: 'a.pdf', bytes });
  const bomb = Buffer.alloc(200 * million, ' ');
  yield docx('DOCX that unpacks to 200 MB', docxOf(bomb.toString('latin1')));
  yield docx(
    'DOCX that unpacks to 200 MB and claims 1,000 bytes',
    docxOf('', [{ name: 'word/footnotes.xml', content: bomb, claimedSize: 1000 }]),
  );
  const inner = zipOf([{ name: 'word/document.xml', content: bomb }]);
  yield docx(
    'DOCX with 2,000 archives of 200 MB each in it',
    docxOf(
      '',
      Array.from({ length: 2000 }, (_, at) => ({ name: `word/embeddings/${at}.docx`, content: inner })),
    ),
  );
  yield docx('DOCX of 400,000 paragraphs, just small enough', docxOf(paragraph('a').repeat(400_000)));
  const [open, close] = ['<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>'];
  yield docx('DOCX of tables nested 100,000 deep', docxOf(open.repeat(100_000) + close.repeat(100_000)));
  // With its cross-reference table, the file would exceed the limit of 25 MiB.
  const whole = pdfOfObjects([catalogue, noPages, 'null', '<<>>', ...Array<string>(million).fill('1')]);
  const objects = whole.subarray(0, whole.indexOf('xref'));
  yield pdf(
    'PDF of a million objects',
    Buffer.concat([objects, Buffer.from('trailer<</Root 1 0 R>>\n%%EOF')]),
  );
  yield pdf('PDF of a million objects, cut short', objects);
  yield pdf('PDF of a million pages, packed', packedPages(million));
  yield pdf('PDF of a million pages that claims 2,000, packed', packedPages(2000));
  const deep = Array.from({ length: 100_000 }, (_, at) => `<</Type/Pages/Count 1/Kids[${at + 5} 0 R]>>`);
  yield pdf('PDF of pages nested 100,000 deep', pdfOfObjects([catalogue, deep[0] ?? '', 'null', ...deep]));
  const arrays = `${'['.repeat(million)}${']'.repeat(million)}`;
  yield pdf('PDF of arrays nested a million deep', pdfOfObjects([catalogue, arrays, 'null', '<<>>']));
  const content = deflateSync(Buffer.alloc(300 * million, 'BT (a) Tj ET\n')).toString('latin1');
  yield pdf(
    'PDF of one page that unpacks to 300 MB',
    pdfOfObjects([
      catalogue,
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</Font<</F 6 0 R>>>>/Contents 5 0 R>>',
      '<<>>',
      `<</Filter/FlateDecode/Length ${content.length}>>stream\n${content}\nendstream`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ]),
  );
}

/** Makes a PDF of a million pages in object streams (ISO 32000-1, 7.5.7) that claims `claimed` pages. */
function packedPages(claimed: number): Buffer {
  const first = 3;
  const listed = Array.from({ length: million }, (_, at) => `${first + at} 0 R`).join(' ');
  const packed = [
    catalogue,
    `<</Type/Pages/Count ${claimed}/Kids[${listed}]>>`,
    ...Array<string>(million).fill('<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'),
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  const streams = Math.ceil(packed.length / together);
  const rows = Buffer.alloc((packed.length + streams + 2) * 9);
  const row = (number: number, kind: number, place: number, index: number) => {
    rows.writeUInt8(kind, number * 9);
    rows.writeUInt32BE(place, number * 9 + 1);
    rows.writeUInt32BE(index, number * 9 + 5);
  };
  let length = parts[0]?.length ?? 0;
  const add = (number: number, entries: string, content: Buffer) => {
    const bytes = deflateSync(content);
    const part = Buffer.concat([
      Buffer.from(`${number} 0 obj\n<<${entries}/Filter/FlateDecode/Length ${bytes.length}>>stream\n`),
      bytes,
      Buffer.from('\nendstream\nendobj\n'),
    ]);
    row(number, 1, length, 0);
    parts.push(part);
    length += part.length;
  };
  for (let stream = 0; stream < streams; stream++) {
    const from = stream * together;
    const number = packed.length + 1 + stream;
    let offset = 0;
    const head: string[] = [];
    const bodies = packed.slice(from, from + together);
    for (const [at, body] of bodies.entries()) {
      head.push(`${from + at + 1} ${offset}`);
      row(from + at + 1, 2, number, at);
      offset += body.length + 1;
    }
    const heading = `${head.join(' ')}\n`;
    const entries = `/Type/ObjStm/N ${bodies.length}/First ${heading.length}`;
    add(number, entries, Buffer.from(heading + bodies.join('\n')));
  }
  const table = packed.length + streams + 1;
  const start = length;
  row(table, 1, start, 0);
  add(table, `/Type/XRef/Size ${table + 1}/W[1 4 4]/Root 1 0 R`, rows);
  return Buffer.concat([...parts, Buffer.from(`startxref\n${start}\n%%EOF`)]);
}
