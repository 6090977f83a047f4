import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usualThreadsLimits } from '../../../src/platform/threads/threads.ts';
import type { SourceFile } from '../../../src/resources/knowledge/extraction/extracted.ts';
import { ExtractionFailure } from '../../../src/resources/knowledge/extraction/extraction-failure.ts';
import type { ExtractionLimits } from '../../../src/resources/knowledge/extraction/extractor.ts';
import { extract, extractorWith, fileOf, pageOf, signal } from './extraction.ts';
import { docxOf, paragraph, pdfOfObjects, zipOf } from './made-files.ts';

const good = fileOf('good.md', '# Good\n\nThis is read.');
const isGood = { title: 'Good', chunks: [{ heading: 'Good', text: 'This is read.' }] };

/** Expects this failure, and that the extractor still reads the next file. */
async function expectFailure(
  file: SourceFile,
  message: string | RegExp,
  limits?: Partial<ExtractionLimits>,
): Promise<void> {
  const extractor = limits && extractorWith(limits);
  const read = (one: SourceFile) => (extractor ? extractor.extract(one, signal) : extract(one));
  const [failed, next] = await Promise.allSettled([read(file), read(good)]);
  expect(failed).toMatchObject({
    reason: {
      name: 'ExtractionFailure',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    },
  });
  expect(next).toMatchObject({ value: isGood });
}

const tooMuchUnpacked = 'The archive unpacks to more than 32 MiB, or has more than 10,000 files.';
const tooLong = 'The document has more than 2,000,000 characters of text. Split it into smaller ones.';
const catalogue = '<</Type/Catalog/Pages 2 0 R>>';
const noPages = '<</Type/Pages/Count 0/Kids[]>>';

describe('a hostile file', () => {
  test('fails if it is a DOCX that declares 200 MB', async () => {
    const bomb = { name: 'word/footnotes.xml', content: Buffer.alloc(200_000_000) };
    await expectFailure(fileOf('a.docx', docxOf('', [bomb])), tooMuchUnpacked);
  });

  test('fails while it unpacks if it is a DOCX that lies about its size', async () => {
    const bomb = { name: 'word/footnotes.xml', content: Buffer.alloc(40_000_000), claimedSize: 1000 };
    await expectFailure(fileOf('a.docx', docxOf('', [bomb])), 'The archive is damaged.');
  });

  test('fails if it is a DOCX nested too deeply', async () => {
    const [open, close] = ['<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>'];
    await expectFailure(
      fileOf('a.docx', docxOf(open.repeat(8000) + close.repeat(8000))),
      'The document is nested too deeply, or is too large.',
    );
  });

  test('fails if it is a PDF with a million objects', async () => {
    const objects = [catalogue, noPages, 'null', '<<>>', ...Array<string>(1_000_000).fill('1')];
    const text = pdfOfObjects(objects)
      .toString('latin1')
      .replace(/xref[\s\S]*/, '');
    // Without a cross-reference table pdf.js looks for each object, which takes longer than the limit.
    await expectFailure(
      fileOf('a.pdf', text),
      /^The PDF is damaged|^The document (?:has no text|takes longer)/,
      {
        patience: 1500,
      },
    );
  });

  test('fails if it is a PDF whose page unpacks to 300 MB', async () => {
    const page = deflateSync(Buffer.alloc(300_000_000, 'BT (a) Tj ET\n')).toString('latin1');
    const objects = [
      catalogue,
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</Font<</F 6 0 R>>>>/Contents 5 0 R>>',
      '<<>>',
      `<</Filter/FlateDecode/Length ${page.length}>>stream\n${page}\nendstream`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ];
    const bytes = pdfOfObjects(objects);
    await expectFailure(
      fileOf('a.pdf', bytes),
      'The document takes more than 128 MiB of memory to read. Split it into smaller ones.',
      { memory: 128 },
    );
  });

  test('fails if it is a PDF whose pages are their own children', async () => {
    const pages = '<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]/Parent 2 0 R>>';
    await expectFailure(
      fileOf('a.pdf', pdfOfObjects([catalogue, pages, 'null', '<<>>'])),
      /^The document is damaged/,
    );
  });

  test('is read if it is HTML nested 100,000 deep', async () => {
    const { chunks } = await extract(pageOf(`${'<div>'.repeat(100_000)}Deep`));
    expect(chunks).toMatchObject([{ text: 'Deep' }]);
  });

  test('fails if its table claims too many cells', async () => {
    const cell = '<td rowspan=65534 colspan=1000>aa';
    const html = `<table><tr>${cell.repeat(50)}${'<tr><td>b'.repeat(2000)}</table>`;
    await expectFailure(pageOf(html), tooLong);
  });

  test('fails if it is a page with a word of 5 MiB', async () => {
    const page = pageOf(`<p>${'x'.repeat(5 * 1024 * 1024)}`);
    await expectFailure(page, tooLong);
  });

  test('is split between characters if it is a page of one long word', async () => {
    const { chunks } = await extract(pageOf(`<p>a${'😀'.repeat(2000)}`));
    expect(chunks.map(({ text }) => text.isWellFormed() && text.length <= 1600)).toStrictEqual([
      true,
      true,
      true,
    ]);
  });

  test('fails if it has more than 2,000 passages', async () => {
    const sections = Array.from({ length: 2001 }, (_, at) => `<h2>${at}</h2><p>${'a word '.repeat(60)}`);
    await expectFailure(
      pageOf(sections.join('')),
      'The document has more than 2,000 passages. Split it into smaller ones.',
    );
  });

  test('fails if it is a CSV with a million columns', async () => {
    await expectFailure(
      fileOf('a.csv', 'a,'.repeat(1_000_000)),
      'The table has more than 1,000 columns. Split it into smaller ones.',
    );
  });

  test('fails if it has 33 MiB', async () => {
    await expectFailure(fileOf('a.txt', Buffer.alloc(33 * 1024 * 1024)), 'The file is larger than 32 MiB.');
  });
});

const noise = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256);
test.each<[what: string, file: SourceFile, message: string]>([
  ['noise as a PDF', fileOf('a.pdf', noise), 'The file is not a PDF, although its name or type says so.'],
  ['noise as a DOCX', fileOf('a.docx', noise), 'The file is not a DOCX, although its name or type says so.'],
  ['noise as a page', pageOf(noise), 'The document is not readable text. Save it as UTF-8.'],
  ['noise as text', fileOf('a.txt', noise), 'The document is not readable text. Save it as UTF-8.'],
  [
    'a ZIP as a DOCX',
    fileOf('a.docx', zipOf([{ name: 'a', content: 'b' }])),
    'The file is a ZIP archive, but not a DOCX.',
  ],
  ['a ZIP as text', fileOf('a.txt', docxOf('')), 'The file is a ZIP archive, not plain text.'],
  ['a DOCX cut short', fileOf('a.docx', docxOf(paragraph('x')).subarray(0, 300)), 'The archive is damaged.'],
  ['a PDF cut short', fileOf('a.pdf', '%PDF-1.7\n1 0 obj'), 'The PDF is damaged.'],
  [
    'a PDF with a password',
    fileOf(
      'a.pdf',
      pdfOfObjects(
        [
          catalogue,
          noPages,
          'null',
          '<<>>',
          `<</Filter/Standard/V 1/R 2/O(${'o'.repeat(32)})/U(${'u'.repeat(32)})/P -4>>`,
        ],
        `/Encrypt 5 0 R/ID[(${'i'.repeat(16)})(${'i'.repeat(16)})]`,
      ),
    ),
    'The PDF has a password. Save it without one.',
  ],
  [
    'an old Word file',
    fileOf('a.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex')),
    'The file is in an old Office format, or has a password. Save it as a DOCX without a password.',
  ],
  [
    'a picture',
    { bytes: noise, contentType: 'image/png' },
    'Parley reads HTML, Markdown, plain text, CSV, PDF and DOCX; this file is of another kind.',
  ],
  ['nothing', fileOf('a.txt', ''), 'The document has no text.'],
  [
    'a PDF without text',
    fileOf(
      'a.pdf',
      pdfOfObjects([
        catalogue,
        '<</Type/Pages/Count 1/Kids[3 0 R]>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
        '<<>>',
      ]),
    ),
    'The document has no text. Parley cannot read pictures of text.',
  ],
])('%s fails with one clear line', async (_, file, message) => {
  await expectFailure(file, message);
});

/** Markdown that marked needs seconds to parse. */
const slow = fileOf('slow.md', '*a'.repeat(200_000));

test('gives up a file that takes too long, and reads those that wait', async () => {
  await expectFailure(slow, 'The document takes longer than 1.5 s to read. Split it into smaller ones.', {
    patience: 1500,
  });
});

test('an aborted signal stops the extraction, or the wait for it', async () => {
  const extractor = extractorWith();
  const [reading, waiting] = [new AbortController(), new AbortController()];
  const aborted = extractor.extract(slow, reading.signal);
  const alsoAborted = extractor.extract(good, waiting.signal);
  const next = extractor.extract(good, signal);
  waiting.abort(new Error('no more'));
  reading.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  await expect(alsoAborted).rejects.toThrow('no more');
  expect(await next).toMatchObject(isGood);
});

test('closing the extractor rejects the file that it reads and those that wait', async () => {
  const extractor = extractorWith();
  const all = [extractor.extract(slow, signal), extractor.extract(good, signal)];
  extractor.close();
  for (const one of all) await expect(one).rejects.toThrow('the extractor is closed');
});

test('a slow file does not block the other thread', async () => {
  const extractor = extractorWith({ atOnce: 2 });
  const reading = new AbortController();
  const aborted = extractor.extract(slow, reading.signal);
  expect(await extractor.extract(good, signal)).toMatchObject(isGood);
  reading.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
});

test('reads one file after another in one thread', async () => {
  const extractor = extractorWith({ atOnce: 2 });
  let started = 0;
  const count = () => started++;
  process.on('worker', count);
  for (let time = 0; time < 3; time++) await extractor.extract(good, signal);
  process.off('worker', count);
  expect(started).toBe(1);
});

test('ends an idle thread, and starts one for the next file', async () => {
  const extractor = extractorWith({}, { idle: 1 });
  const started = once(process, 'worker');
  expect(await extractor.extract(good, signal)).toMatchObject(isGood);
  const [thread] = (await started) as [Worker];
  await once(thread, 'exit');
  expect(await extractor.extract(good, signal)).toMatchObject(isGood);
});

test('lets a program exit while a thread is idle', () => {
  const code = `import { Threads } from './src/platform/threads/threads.ts';
import { openExtractor } from './src/resources/knowledge/extraction/extractor.ts';
const file = { bytes: new TextEncoder().encode('Read.'), fileName: 'a.txt' };
const { chunks } = await openExtractor(new Threads()).extract(file, new AbortController().signal);
process.stdout.write(chunks[0].text);`;
  const args = ['--input-type=module-typescript', '--eval', code];
  // The timeout is the idle time, so waiting for the thread would fail.
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: usualThreadsLimits.idle })).toBe(
    'Read.',
  );
});

test('leaves the bytes with the caller', async () => {
  const extractor = extractorWith();
  for (let time = 0; time < 2; time++) expect(await extractor.extract(good, signal)).toMatchObject(isGood);
  expect(good.bytes.length).toBe(21);
});

test('returns passages that Postgres can store, or an ExtractionFailure, for any file', async () => {
  const extractor = extractorWith();
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      ...'<h1> <h2> </h2> <p> <table> <tr> <td> <th rowspan=3> <ul> <ol> <li> </ul> <details> <summary> <nav> <main> </div> <div> <pre> <b> </table> # - | > *** \n\n , ; " \0 \ud800 &#0;'.split(
        ' ',
      ),
    ),
    fc.constant('Some words that make a sentence of it. '),
  );
  const file = fc.tuple(
    fc.constantFrom('a.html', 'a.md', 'a.txt', 'a.csv'),
    fc.array(piece, { maxLength: 300 }).map((pieces) => pieces.join('')),
  );
  await fc.assert(
    fc.asyncProperty(file, async ([name, text]) => {
      const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
      const extracted = await extractor.extract(fileOf(name, bytes), signal).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ExtractionFailure);
        return { chunks: [] };
      });
      for (const chunk of extracted.chunks) {
        expect(chunk.text.trim()).toBe(chunk.text);
        expect(chunk.text.length).toBeGreaterThan(0);
        expect(chunk.text.length).toBeLessThanOrEqual(1600);
        expect(`${chunk.heading}${chunk.text}`).toSatisfy(
          (kept: string) => kept.isWellFormed() && !kept.includes('\0'),
        );
      }
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 100) },
  );
});
