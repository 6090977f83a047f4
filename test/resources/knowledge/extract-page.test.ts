import { describe, expect, test } from 'vitest';
import { extract, fileOf, pageOf } from './extraction.ts';

const sentence = 'All of our ships leave on time, and whoever comes late may take the next one.';
const long = `${sentence} `.repeat(8).trim();

/** The chunks of a page, each below its heading. */
async function chunksOf(html: string | Uint8Array, contentType?: string): Promise<string[]> {
  const { chunks } = await extract(pageOf(html, contentType));
  return chunks.map(({ heading, text }) => `[${heading}]\n${text}`);
}

test('splits a page into passages below their headings, without boilerplate', async () => {
  const html = `<!DOCTYPE html><html lang="en"><head><title>Fares | Nordvik</title><style>p{color:red}</style></head><body>
<header><a href="/">Nordvik</a><nav><ul><li><a href="/a">Ships</a><li><a href="/b">Ports</a></ul></nav></header>
<div class="cc-window"><p>We use cookies.</p><button>Accept</button></div>
<div class="breadcrumb"><a href="/">Home</a> &gt; Fares</div>
<main><h1>Fares</h1><p>${long}</p><p hidden>unseen</p><p style="display: none">unseen</p><div class="sr-only">unseen</div>
<h2>Children</h2><p>${long}<script>unseen()</script>
<h3>Babies</h3><p>Babies&nbsp;travel   free.
<aside class="related"><h4>Related</h4><a href="/c">Cabins</a> <a href="/d">Dogs</a></aside></main>
<div id="sidebar"><h2>News</h2><p>A new ship has come.</p></div>
<footer>Nordvik Ferries, Pier 1</footer></body></html>`;
  expect(await chunksOf(html)).toStrictEqual([
    `[Fares]\n${long}`,
    `[Fares > Children]\n${long}\n\nBabies\nBabies travel free.`,
  ]);
});

test('removes boilerplate from a page without semantic markup', async () => {
  const links = ['Ships', 'Ports', 'Dogs', 'Cars', 'Jobs']
    .map((name) => `<a href="/${name}">${name}</a>`)
    .join(' | ');
  const html = `<title>Fares</title><table><tr><td><img src=x alt=Nordvik><td>${links}</table><div>Home / Fares</div>
<div class="box"><p>We use cookies to make our pages better.</p><button>Accept</button> <a href="/more">More</a></div>
<h1>Fares</h1><p>${long}</p><div class="menu-card"><h2>Menu</h2><p>Soup for €4, and cookies too.</p></div>
<h3>Read on</h3><div>${links}</div><div>© 2026 Nordvik Ferries</div>`;
  expect(await chunksOf(html)).toStrictEqual([
    `[Fares]\n${long}`,
    '[Fares > Menu]\nSoup for €4, and cookies too.',
  ]);
});

test('reads a page of nothing but boilerplate', async () => {
  expect(await chunksOf('<nav><p>All that there is.</nav>')).toStrictEqual(['[]\nAll that there is.']);
});

test('keeps the structure of lists, terms, questions and tables', async () => {
  const html = `<main><h1>Fares</h1>
<ul><li>under 4: free<li>4 to 15: half<ol><li>with passport<li>without</ol><li>16: full</ul>
<dl><dt>Trailer<dd>half the price<dt>Is a bike extra?<dd>No.</dl>
<table><caption>By length</caption><thead><tr><th rowspan=2>Length<th colspan=2>Price<tr><th>Summer<th>Winter</thead>
<tr><td>to 5 m<td>50<td>40<tr><td>to 6 m<td colspan=2>60</table>
<details><summary>May I <b>change</b>?</summary>Once, for free.<br>Then for a fee.</details></main>`;
  expect(await chunksOf(html)).toStrictEqual([
    `[Fares]
- under 4: free
- 4 to 15: half
  1. with passport
  2. without
- 16: full

- Trailer: half the price
- Is a bike extra? No.

By length
Length | Price Summer | Price Winter
to 5 m | 50 | 40
to 6 m | 60 | 60

May I change?
Once, for free.
Then for a fee.`,
  ]);
});

test('reads lists and tables of cards as sections, each with its heading', async () => {
  const html = `<h1>Islands</h1><ul><li><h2>Holm</h2><p>${long}</ul><table><tr><td><h2>Tern</h2>${long}<td><h2>Vik</h2>${long}</table>`;
  expect(await chunksOf(html)).toStrictEqual(
    ['Holm', 'Tern', 'Vik'].map((name) => `[Islands > ${name}]\n${long}`),
  );
});

test('splits a long table by rows, and repeats its header', async () => {
  const rows = Array.from({ length: 120 }, (_, at) => `<tr><td>Port ${at}<td>${at}:00 and a note about it`);
  const { chunks } = await extract(
    pageOf(`<h1>Times</h1><table><tr><th>Port<th>Leaves${rows.join('')}</table>`),
  );
  expect(chunks.length).toBeGreaterThan(1);
  for (const { text } of chunks) {
    expect(text).toMatch(/^Port \| Leaves\nPort \d+ \| /);
    expect(text.length).toBeLessThanOrEqual(1600);
  }
  const all = chunks.flatMap(({ text }) => text.split('\n').slice(1));
  expect(all.map((row) => row.split(' | ')[0])).toStrictEqual(rows.map((_, at) => `Port ${at}`));
});

describe('passages', () => {
  test('join two sections of level 2 only if both are tiny', async () => {
    const html = `<h1>A</h1><h2>B</h2><p>${long}<h2>C</h2><p>Tiny.<h2>D</h2><p>Tiny too.<h2>E</h2><p>${long}`;
    expect(await chunksOf(html)).toStrictEqual([
      `[A > B]\n${long}`,
      '[A]\nC\nTiny.\n\nD\nTiny too.',
      `[A > E]\n${long}`,
    ]);
  });

  test('split a long text between sentences into passages of similar size', async () => {
    const { chunks } = await extract(pageOf(`<h1>A</h1><p>${`${sentence} `.repeat(60)}`));
    expect(chunks).toHaveLength(3);
    for (const { text } of chunks) {
      expect(text.length).toBeGreaterThan(800);
      expect(text).toMatch(/^All of .* next one\.$/);
    }
  });

  test.each([
    ['the title if the page has no heading', '<title>Dogs</title><p>x', 'Dogs'],
    [
      'the heading if the title contains it',
      '<title>Dogs on board | Nordvik</title><h1>Dogs</h1><p>x',
      'Dogs',
    ],
    [
      'both if they differ',
      '<title>Dogs | Nordvik</title><h1>Your four-legged friend</h1><p>x',
      'Dogs > Your four-legged friend',
    ],
    [
      'the title if the heading is the name of the site',
      '<title>Dogs | Nordvik</title><h1>Nordvik</h1><h2>Cats</h2><p>x',
      'Dogs > Cats',
    ],
  ])('start their path with %s', async (_, html, heading) => {
    expect((await extract(pageOf(html))).chunks).toMatchObject([{ heading, text: 'x' }]);
  });
});

test.each([
  ['unclosed tags', '<h1>A<p>One<p>Two<ul><li>three<li>four</h1><div><b>five<p>six'],
  [
    'a main part that ends too early',
    '<div><div id=content><h1>A</h1><p>One</div></div><h2>Two</h2><p>three four</div><p>five six',
  ],
  [
    'tables as the frame of the page',
    '<table><tr><td><a href=/x>Menu</a><td><h1>A</h1>One Two<table><tr><td>three<td>four</table>five six</table>',
  ],
  ['a menu that never ends', '<p>One.<nav><a href=/x>Menu</a><h1>A</h1><p>Two three<p>four five six'],
  ['no markup to speak of', '<h1>A</h1>One<br>Two three<hr>four five six'],
])('reads all of a broken page: %s', async (_, html) => {
  const text = (await chunksOf(html)).join(' ');
  for (const word of ['One', 'Two', 'three', 'four', 'five', 'six']) expect(text).toContain(word);
});

test('removes invisible characters and those that Postgres rejects', async () => {
  const html = '<h1>A\u0000B</h1><p>Fahr\u00adplan\u200b \ud800 &#0; &#xD800; \ufb01ne\u0007 e\u0301t\u00e9';
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(html, 'utf16le')]);
  const text = (await chunksOf(utf16)).join('');
  expect(text.isWellFormed()).toBe(true);
  expect(text.replaceAll(/\ufffd ?/g, '')).toBe('[AB]\nFahrplan fine \u00e9t\u00e9');
});

const umlauts = '<h1>Größe</h1><p>Füße</p>';
test.each([
  [
    'a BOM, before the Content-Type and a meta',
    Buffer.from(`\ufeff<meta charset=latin1>${umlauts}`),
    'text/html; charset=latin1',
  ],
  [
    'the Content-Type',
    Buffer.from(`<meta charset=utf-8>${umlauts}`, 'latin1'),
    'text/html; charset="ISO-8859-1"',
  ],
  [
    'a meta',
    Buffer.from(
      `<meta http-equiv=Content-Type content="text/html; charset=windows-1252">${umlauts}`,
      'latin1',
    ),
    'text/html',
  ],
  ['the bytes, if they are UTF-8', Buffer.from(umlauts), 'text/html'],
  ['windows-1252, if they are not', Buffer.from(umlauts, 'latin1'), 'text/html; charset=no-such-thing'],
])('takes the charset from %s', async (_, bytes, contentType) => {
  expect(await chunksOf(bytes, contentType)).toStrictEqual(['[Größe]\nFüße']);
});

test('returns absolute links, each once, without nofollow links and those to no page', async () => {
  const { links, canonical } = await extract(
    pageOf(`<base href="/de/"><link rel=canonical href="fares"><nav><a href="dogs.html#top">1</a></nav>
<a href="dogs.html">2</a><a href="../en/?a=1&amp;b=2">3</a><a rel="external nofollow" href="login">4</a><a href="mailto:a@b.c">5</a>
<a href="javascript:void(0)">6</a><a href="http://[">7</a><a name=x>8</a><map><area href="//other.example/"></map>`),
  );
  expect(links).toStrictEqual([
    'https://ferry.example/de/dogs.html',
    'https://ferry.example/en/?a=1&b=2',
    'https://other.example/',
  ]);
  expect(canonical).toBe('https://ferry.example/de/fares');
});

test.each([
  ['noindex', { noindex: true, nofollow: false, chunks: [], links: ['https://ferry.example/x'] }],
  ['NoFollow, noarchive', { noindex: false, nofollow: true, chunks: [{ text: 'A link' }], links: [] }],
  ['none', { noindex: true, nofollow: true, chunks: [], links: [] }],
])('respects the robots meta %s', async (content, expected) => {
  const html = `<meta name=Robots content="${content}"><p>A <a href="/x">link</a>`;
  expect(await extract(pageOf(html))).toMatchObject(expected);
});

test('reads an uploaded page in spite of noindex', async () => {
  const file = fileOf(
    'a.html',
    '<meta name=robots content=noindex><title>A</title><p>Text <a href="b">b</a>',
  );
  expect(await extract(file)).toMatchObject({ title: 'A', chunks: [{ text: 'Text b' }], links: [] });
});
