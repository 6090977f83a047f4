import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalUrl } from '../../../src/resources/knowledge/fetch/canonical-url.ts';
import { seed } from '../../helpers/runs.ts';

test.for<[written: string, canonical: string]>([
  ['http://example.com', 'http://example.com/'],
  ['HTTPS://EXAMPLE.com/Help', 'https://example.com/Help'],
  ['http://example.com:80/', 'http://example.com/'],
  ['https://example.com:443/', 'https://example.com/'],
  ['https://example.com:8443/', 'https://example.com:8443/'],
  ['https://example.com./a', 'https://example.com/a'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://example.com/a#part', 'https://example.com/a'],
  ['https://example.com/a?', 'https://example.com/a'],
  ['https://example.com/a?#', 'https://example.com/a'],
  ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ['https://example.com/a/%2e%2E/b', 'https://example.com/b'],
  ['https://example.com/%7ejoe/%41', 'https://example.com/~joe/A'],
  ['https://example.com/a%2fb%c3%bc', 'https://example.com/a%2Fb%C3%BC'],
  ['https://example.com/ü', 'https://example.com/%C3%BC'],
  ['https://example.com/%252e', 'https://example.com/%252e'],
  ['https://example.com/100%', 'https://example.com/100%'],
  ['https://example.com/help/index.html', 'https://example.com/help/index.html'],
  ['https://example.com/a?b=2&a=1', 'https://example.com/a?b=2&a=1'],
  ['https://example.com/a?q=%7e%2f+x', 'https://example.com/a?q=~%2F+x'],
  ['https://example.com/a?utm_source=x&page=2&utm_medium=y', 'https://example.com/a?page=2'],
  ['https://example.com/a?gclid=1&fbclid=2&msclkid=3', 'https://example.com/a'],
  ['https://example.com/a?UTM_Campaign=x&%75tm_id=1', 'https://example.com/a'],
  [
    'https://example.com/a?utmost=1&fbclid2=1&x=utm_source',
    'https://example.com/a?utmost=1&fbclid2=1&x=utm_source',
  ],
  ['https://example.com/a?&&b', 'https://example.com/a?b'],
  [' https://example.com/a\n', 'https://example.com/a'],
  ['https:\\\\example.com\\a', 'https://example.com/a'],
  ['http://2130706433/', 'http://127.0.0.1/'],
])('canonicalUrl turns %s into %s', ([written, canonical]) => {
  expect(canonicalUrl(written)).toBe(canonical);
});

test.for([
  '',
  '/help',
  'mailto:a@example.com',
  'javascript:alert(1)',
  'ftp://example.com/',
  'file:///etc/passwd',
  'tel:+4930123',
  'http://user@example.com/',
  'http://:password@example.com/',
  'http://exa mple.com/',
  `http://example.com/${'a'.repeat(2_000)}`,
])('canonicalUrl returns undefined for %j', (written) => {
  expect(canonicalUrl(written)).toBeUndefined();
});

test('canonicalUrl resolves a relative URL against its base', () => {
  const base = 'https://example.com/help/fares?x=1';
  const written = ['times', './times', '../times', '/times', '?y=2', '//other.example/a', '#part', ''];
  expect(written.map((text) => canonicalUrl(text, base))).toEqual([
    'https://example.com/help/times',
    'https://example.com/help/times',
    'https://example.com/times',
    'https://example.com/times',
    'https://example.com/help/fares?y=2',
    'https://other.example/a',
    base,
    base,
  ]);
});

test('canonicalUrl accepts 2,000 characters and no more', () => {
  const longest = `http://example.com/${'a'.repeat(2_000 - 'http://example.com/'.length)}`;
  expect(longest).toHaveLength(2_000);
  expect(canonicalUrl(longest)).toBe(longest);
  expect(canonicalUrl(`${longest}a`)).toBeUndefined();
  expect(canonicalUrl(`${longest}#a`)).toBe(longest);
});

const piece = fc.oneof(
  fc.constantFrom(
    '%2e',
    '%2E%2e',
    '../..',
    '.',
    '%7E',
    '%25',
    '%2f',
    '%zz',
    '%',
    '&',
    '=',
    '?',
    'utm_id=1',
    '%75tm_id',
    '#',
    '@',
    ':',
    '\\',
    '\t',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const anyUrl = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `http://example.com/${pieces.join('')}`),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `https://example.com/a?${pieces.join('')}`),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

test('canonicalUrl returns a canonical URL unchanged, and its result keeps every promise', () => {
  fc.assert(
    fc.property(anyUrl, (text) => {
      const canonical = canonicalUrl(text);
      if (canonical === undefined) return;
      expect(canonicalUrl(canonical)).toBe(canonical);
      const { protocol, href, hash, username, host } = new URL(canonical);
      expect(href).toBe(canonical);
      expect([hash, username]).toEqual(['', '']);
      expect(protocol).toMatch(/^https?:$/);
      expect(host).toBe(host.toLowerCase());
      expect(canonical.length).toBeLessThanOrEqual(2_000);
      for (const [written] of canonical.matchAll(/%[0-9a-f]{2}/gi)) {
        expect(written).toBe(written.toUpperCase());
        expect(String.fromCharCode(Number.parseInt(written.slice(1), 16))).not.toMatch(/[\w.~-]/);
      }
    }),
    { seed, numRuns: 3_000 },
  );
  expect.hasAssertions();
});
