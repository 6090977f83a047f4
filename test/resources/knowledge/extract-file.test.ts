import { describe, expect, test } from 'vitest';
import { extract, fileOf, pageOf } from './extraction.ts';
import { docxOf, paragraph, pdfOf, type Written, wordTable } from './made-files.ts';

const long = 'Every ship that leaves the harbour in the morning comes back in the evening. '.repeat(4).trim();

describe('Markdown', () => {
  test('keeps headings, lists and tables, and takes only the title from the front matter', async () => {
    const text = `---\ntitle: "Guide"\nauthor: nobody\n---\n# Dogs\n\nOn **deck** [seven](x).\n\n- one\n- two\n\n| Animal | Price |\n|--|--|\n| Dog | 10 |\n\n    code  here\n`;
    expect(await extract(fileOf('a.md', text))).toMatchObject({
      title: 'Guide',
      links: [],
      chunks: [
        {
          heading: 'Guide > Dogs',
          text: 'On deck seven.\n\n- one\n- two\n\nAnimal | Price\nDog | 10\n\ncode here',
        },
      ],
    });
  });
});

describe('plain text', () => {
  test('splits paragraphs at empty lines, and takes the title from the file name', async () => {
    const { title, chunks } = await extract(fileOf('opening_hours-2026.txt', 'One\r\ntwo\r\n \r\nthree\0'));
    expect({ title, chunks }).toMatchObject({
      title: 'opening hours 2026',
      chunks: [{ heading: 'opening hours 2026', text: 'One\ntwo\n\nthree' }],
    });
  });
});

describe('CSV', () => {
  test.each([
    ['commas', 'name,price\n"Sund, old ""port""",12\nVik,9\n'],
    ['semicolons, with a BOM', '\ufeffname;price\n"Sund, old ""port""";12\n\nVik;9'],
    ['tabs', 'name\tprice\r\n"Sund, old ""port"""\t12\r\nVik\t9'],
  ])('reads a table separated by %s', async (_, text) => {
    const { chunks } = await extract(fileOf('a.csv', text));
    expect(chunks).toMatchObject([{ text: 'name | price\nSund, old "port" | 12\nVik | 9' }]);
  });

  test('repeats the header in each passage', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => `Port ${at},${at}`);
    const { chunks } = await extract(fileOf('a.csv', `name,number\n${rows.join('\n')}`));
    expect(chunks.every(({ text }) => text.startsWith('name | number\nPort '))).toBe(true);
    expect(chunks.flatMap(({ text }) => text.split('\n').slice(1))).toStrictEqual(
      rows.map((row) => row.replace(',', ' | ')),
    );
  });

  test('names the column of each cell if a row is too long to repeat the header', async () => {
    const note = 'w '.repeat(1000);
    const { chunks } = await extract(fileOf('a.csv', `port,note\nVik,${note}\nSund,short`));
    const text = chunks.map((chunk) => chunk.text).join('\n');
    expect(text).toMatch(/^port: Vik; note: w w w/);
    expect(text).toContain('port: Sund; note: short');
    expect(chunks.every((chunk) => chunk.text.length <= 1600)).toBe(true);
  });
});

describe('PDF', () => {
  const pages = ['Spring', 'Summer', 'Autumn', 'Winter'].map((season, at): Written[] => [
    [9, 50, 820, 'Nordvik Ferries (Timetable)'],
    [9, 50, 20, `Page ${at + 1} of 4`],
    [20, 50, 740, `In ${season}`],
    [11, 50, 710, `${season} is when ships leave on time, and inter-`],
    [11, 50, 696, 'national guests are welcome.'],
    [11, 50, 660, 'Port'],
    [11, 200, 660, 'Leaves'],
    [11, 50, 646, season],
    [11, 200, 646, `0${at}:00`],
    [11, 50, 610, long.slice(0, 76)],
  ]);

  test('keeps headings by their size, tables and paragraphs, and drops running headers and footers', async () => {
    const { title, chunks } = await extract(fileOf('a.pdf', pdfOf(pages, 'Timetable 2026')));
    expect(title).toBe('Timetable 2026');
    const text = chunks.map((chunk) => `${chunk.heading}\n${chunk.text}`).join('\n');
    expect(text).not.toMatch(/Nordvik Ferries|Page \d/);
    expect(text).toContain(
      'In Summer\nSummer is when ships leave on time, and international guests are welcome.\n\nPort | Leaves\nSummer | 01:00\n\nEvery ship',
    );
  });

  test('is recognised by its bytes, whatever its name', async () => {
    expect((await extract(pageOf(pdfOf(pages)))).chunks.length).toBeGreaterThan(0);
  });
});

describe('DOCX', () => {
  test('keeps headings and tables, and never unpacks pictures', async () => {
    const body =
      paragraph('Guide', 'Title') +
      paragraph('Dogs &amp; cats', 'heading 1') +
      paragraph(long) +
      paragraph('Prices', 'heading 2') +
      wordTable([
        ['Animal', 'Price'],
        ['Dog', '10'],
      ]) +
      paragraph('Cars', 'heading 1') +
      paragraph(long);
    const picture = { name: 'word/media/a.png', content: Buffer.alloc(40_000_000) };
    expect(await extract(fileOf('a.docx', docxOf(body, [picture])))).toMatchObject({
      title: 'Guide',
      chunks: [
        { heading: 'Guide > Dogs & cats', text: long },
        { heading: 'Guide > Dogs & cats > Prices', text: 'Animal | Price\nDog | 10' },
        { heading: 'Guide > Cars', text: long },
      ],
    });
  });

  test('drops lone surrogates, which XML can name', async () => {
    const { chunks } = await extract(fileOf('a.docx', docxOf(paragraph('half &#xD83D; whole &#x1F600;'))));
    expect(chunks).toMatchObject([{ text: 'half whole 😀' }]);
  });
});

describe('the language', () => {
  const texts = {
    english:
      'Children under four years travel free of charge when they sit on the lap of an adult who has a ticket.',
    german:
      'Kinder unter vier Jahren reisen kostenlos, wenn sie auf dem Schoß einer erwachsenen Person mit Fahrkarte sitzen.',
    french:
      'Les enfants de moins de quatre ans voyagent gratuitement sur les genoux d’un adulte muni d’un billet.',
    spanish:
      'Los niños menores de cuatro años viajan gratis cuando van sentados en el regazo de un adulto con billete.',
    italian:
      'I bambini sotto i quattro anni viaggiano gratis se siedono in braccio a un adulto che ha un biglietto.',
    dutch:
      'Kinderen jonger dan vier jaar reizen gratis als ze op schoot zitten bij een volwassene met een kaartje.',
    portuguese:
      'As crianças com menos de quatro anos viajam de graça se forem ao colo de um adulto que tenha bilhete.',
    danish:
      'Børn under fire år rejser gratis, når de sidder på skødet af en voksen, som selv har købt en billet hertil.',
    swedish:
      'Barn under fyra år reser gratis när de sitter i knät på en vuxen som själv har köpt en biljett. Från och med sju år betalar de hälften av priset.',
    finnish:
      'Alle nelivuotiaat lapset matkustavat ilmaiseksi istuessaan sellaisen aikuisen sylissä, jolla on lippu.',
    russian:
      'Дети младше четырёх лет путешествуют бесплатно, если сидят на коленях у взрослого, у которого есть билет.',
    turkish:
      'Dört yaşından küçük çocuklar, bileti olan bir yetişkinin kucağında oturduklarında ücretsiz seyahat eder.',
    hungarian:
      'A négy évesnél fiatalabb gyermekek ingyen utaznak, ha egy jeggyel rendelkező felnőtt ölében ülnek.',
    simple:
      'Dzieci poniżej czwartego roku życia podróżują bezpłatnie, jeśli siedzą na kolanach dorosłego z biletem.',
  };
  test.each(Object.entries(texts))('is %s by the words of the text', async (language, text) => {
    expect((await extract(fileOf('a.txt', text))).chunks).toMatchObject([{ language }]);
  });

  test.each([
    ['is the declared one if the text is short', '<html lang="de-AT"><p>Fähre', 'german'],
    ['is simple if the text is short and declares none', '<p>Fähre', 'simple'],
    ['is simple if Postgres does not know it', '<html lang="pl"><p>Prom', 'simple'],
    ['is that of a long text, whatever the page declares', `<html lang="en"><p>${texts.german}`, 'german'],
    ['is simple for names and numbers alone', `<ul>${'<li>Vik–Sund 12:00'.repeat(50)}</ul>`, 'simple'],
  ])('%s', async (_, html, language) => {
    expect((await extract(pageOf(html))).chunks[0]).toMatchObject({ language });
  });
});
