import { crc32, deflateRawSync } from 'node:zlib';

export interface Packed {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** A false size for the archive to declare. */
  readonly claimedSize?: number;
}

/** A ZIP archive. */
export function zipOf(files: readonly Packed[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedSize } of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const size = claimedSize ?? bytes.length;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), common, place, Buffer.from(name));
    offset += 4 + common.length + name.length + packed.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listing, end]);
}

const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
  ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const relations = `<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"
  Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
  Target="word/document.xml"/></Relationships>`;
const styles = ['Title', 'heading 1', 'heading 2']
  .map((name) => `<w:style w:type="paragraph" w:styleId="${idOf(name)}"><w:name w:val="${name}"/></w:style>`)
  .join('');
const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A Word document with a body in XML; `more` are further files of the archive. */
export function docxOf(body: string, more: readonly Packed[] = []): Buffer {
  return zipOf([
    { name: '[Content_Types].xml', content: types },
    { name: '_rels/.rels', content: relations },
    { name: 'word/document.xml', content: `<w:document ${namespace}><w:body>${body}</w:body></w:document>` },
    { name: 'word/styles.xml', content: `<w:styles ${namespace}>${styles}</w:styles>` },
    ...more,
  ]);
}

/** A paragraph of a Word document. */
export function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${idOf(style)}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

function idOf(style: string): string {
  return style.replaceAll(' ', '');
}

/** A table of a Word document. */
export function wordTable(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  return `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`;
}

/** A text on a page of a PDF, in points from the lower left corner. */
export type Written = readonly [size: number, x: number, y: number, text: string];

/** A PDF of pages with ASCII texts. */
export function pdfOf(pages: readonly (readonly Written[])[], title = ''): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, at) => `${5 + at * 2} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Title(${escaped(title)})>>`,
  ];
  for (const page of pages) {
    const content = page
      .map(([size, x, y, text]) => `BT /F ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`)
      .join('\n');
    const contents = `${objects.length + 2} 0 R`;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${contents}>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    );
  }
  return pdfOfObjects(objects);
}

/** A PDF of objects numbered from 1; the first is its catalogue, the fourth its metadata. */
export function pdfOfObjects(objects: readonly string[], more = ''): Buffer {
  let text = '%PDF-1.7\n';
  const rows = objects.map((object, at) => {
    const row = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const start = text.length;
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  text += `trailer<</Size ${size}/Root 1 0 R/Info 4 0 R${more}>>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(text, 'latin1');
}

function escaped(text: string): string {
  return text.replaceAll(/[()\\]/g, '\\$&');
}
