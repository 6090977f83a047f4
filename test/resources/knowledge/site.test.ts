import { expect, test } from 'vitest';
import { siteOf } from '../../../src/resources/knowledge/crawl/site.ts';

const at = (path: string) => `https://example.com${path}`;

test.for(['/help', '/help/', '/help/index.html', '/help/Index.PHP', '/help/default.aspx', '/help?x=1#part'])(
  'the site of %s contains the pages below /help',
  (start) => {
    const site = siteOf(at(start));
    for (const path of [
      '/help',
      '/help/',
      '/help/index.html',
      '/help/fares',
      '/help/a/b.html',
      '/help?page=2',
    ])
      expect(site?.accepts(at(path))).toBe(at(path));
    for (const path of [
      '/',
      '/helpdesk',
      '/help.html',
      '/Help/',
      '/other/help/',
      '/help/../other',
      '/help/%2e%2e/other',
    ])
      expect(site?.accepts(at(path)), path).toBeUndefined();
  },
);

test.for(['', '/', '/index.html'])('the site of %j contains the whole host', (start) => {
  const site = siteOf(at(start));
  for (const path of ['/', '/a', '/a/b?c', '/index.html']) expect(site?.accepts(at(path))).toBe(at(path));
});

test('the site of another file contains only paths below the file', () => {
  const site = siteOf(at('/help/fares.html'));
  expect(site?.accepts(at('/help/fares.html'))).toBe(at('/help/fares.html'));
  expect(site?.accepts(at('/help/fares.html/print'))).toBe(at('/help/fares.html/print'));
  expect(site?.accepts(at('/help/times.html'))).toBeUndefined();
});

test.for([
  'https://www.example.com/help/',
  'https://example.com.evil.example/help/',
  'https://example.com@evil.example/help/',
  'https://example.com:8443/help/',
  'http://example.com:8080/help/',
  'ftp://example.com/help/',
  'mailto:help@example.com',
  '/help/',
  'http://127.0.0.1/help/',
])('%s is not a page of the site', (url) => {
  expect(siteOf(at('/help/'))?.accepts(url)).toBeUndefined();
});

test('a page has one address for links with http and https', () => {
  expect(siteOf('https://example.com/')?.accepts('http://EXAMPLE.com:80/a#b')).toBe('https://example.com/a');
  expect(siteOf('http://example.com/')?.accepts('https://example.com/a')).toBe('http://example.com/a');
  expect(siteOf('http://127.0.0.1:4000/')?.accepts('http://127.0.0.1:4000/a')).toBe(
    'http://127.0.0.1:4000/a',
  );
});

test('a URL without a canonical form has no site', () => {
  expect(['', 'ftp://example.com/', 'http://user@example.com/'].map(siteOf)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('the start page has a canonical URL', () => {
  expect(siteOf('HTTPS://Example.com/help/?utm_source=x#y')?.start).toBe('https://example.com/help/');
});
