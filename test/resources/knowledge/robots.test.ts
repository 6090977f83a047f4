import { expect, test } from 'vitest';
import { unreachable } from '../../../src/platform/outbound/fetch-failure.ts';
import { RobotsRules, readRobots } from '../../../src/resources/knowledge/crawl/robots.ts';
import { failureOf, never, openSite, openTrialWall } from '../../helpers/wall-trial.ts';

/** Those of the paths that Parley may read. */
function allowed(text: string, ...paths: readonly string[]): string[] {
  const rules = new RobotsRules(text);
  return paths.filter((path) => rules.allows(`https://example.com${path}`));
}

test.for<[what: string, text: string]>([
  ['an empty file', ''],
  ['an empty rule', 'User-agent: *\nDisallow:'],
  ['another crawler', 'User-agent: Googlebot\nDisallow: /'],
  ['a name that begins like Parley', 'User-agent: Parleybot\nDisallow: /'],
  ['rules before any crawler', 'Disallow: /\nUser-agent: *\nAllow: /'],
  ['a page instead', '<!doctype html><p>Disallow: /</p>'],
  ['a group for Parley next to one for all', 'User-agent: *\nDisallow: /\n\nUser-agent: Parley\nAllow: /'],
  ['an empty group for Parley', 'User-agent: *\nDisallow: /\n\nUser-agent: parley\nDisallow:'],
  ['a rule in a comment', 'User-agent: *\n# Disallow: /\nAllow: / # Disallow: /'],
])('%s disallows nothing', ([, text]) => {
  expect(allowed(text, '/', '/a')).toEqual(['/', '/a']);
});

test.for<[what: string, text: string]>([
  ['all crawlers', 'User-agent: *\nDisallow: /'],
  ['Parley', 'User-agent: Parley\nDisallow: /'],
  ['Parley with a version', 'User-agent: parley/2.0 (knowledge)\nDisallow: /'],
  ['Parley in capitals without spaces', 'USER-AGENT:PARLEY\nDISALLOW:/'],
  ['Parley among others', 'User-agent: a\nUser-agent: Parley\nUser-agent: b\nDisallow: /'],
  [
    'Parley with another line between',
    'User-agent: Parley\nSitemap: https://example.com/s.xml\nUser-agent: b\nDisallow: /',
  ],
  [
    'Parley in a second group',
    'User-agent: Parley\nDisallow: /x\n\nUser-agent: b\nDisallow:\n\nUser-agent: Parley\nDisallow: /',
  ],
  ['all crawlers with CRLF', 'User-agent: *\r\nDisallow: /\r\n'],
  ['all crawlers with CR', 'User-agent: *\rDisallow: /\r'],
  ['all crawlers after a byte order mark', '\uFEFFUser-agent: *\nDisallow: /'],
  ['all crawlers with blanks', '  User-agent : *  \n\t Disallow :  /  # all'],
  ['all crawlers with an empty line between', 'User-agent: *\n\nDisallow: /'],
])('disallows everything for %s', ([, text]) => {
  expect(allowed(text, '/', '/a', '/robots.txt')).toEqual(['/robots.txt']);
});

test.for<[pattern: string, matched: readonly string[], others: readonly string[]]>([
  [
    '/fish',
    ['/fish', '/fish.html', '/fish/salmon', '/fishheads', '/fish?id=1'],
    ['/Fish.asp', '/catfish', '/desert/fish'],
  ],
  ['/fish*', ['/fish', '/fishheads/yummy.html'], ['/Fish', '/catfish']],
  ['/fish/', ['/fish/', '/fish/salmon'], ['/fish', '/fish.html']],
  ['/*.php', ['/index.php', '/a/b.php?x', '/a.php/b', '/a.php5'], ['/', '/windows.PHP']],
  ['/*.php$', ['/a.php', '/b/a.php'], ['/a.php?x', '/a.php/', '/a.php5']],
  ['/fish*.php', ['/fish.php', '/fishheads/cat.php?x'], ['/Fish.PHP']],
  ['/a$', ['/a'], ['/ab', '/a/', '/a?x']],
  ['/a*b$', ['/ab', '/axb', '/abxb'], ['/a', '/abx']],
  ['/aba*ba$', ['/ababa', '/abaxba'], ['/aba', '/abab']],
  ['*/print', ['/print', '/a/print/b'], ['/Print']],
  ['/a**b', ['/ab', '/axb'], ['/a']],
  ['/$', ['/'], ['/a']],
  ['/a$b', ['/a$b'], ['/a', '/ab']],
  ['/%7ejoe', ['/~joe', '/%7Ejoe'], ['/joe']],
  ['/foo/%62ar', ['/foo/bar', '/foo/%62ar'], ['/foo/%2562ar']],
  ['/a%2fb', ['/a%2Fb', '/a%2fb'], ['/a/b']],
  ['/straße', ['/straße', '/stra%C3%9Fe', '/stra%c3%9fe'], ['/strasse']],
  ['/file-with-a-%2A.html', ['/file-with-a-*.html', '/file-with-a-%2A.html'], ['/file-with-a-x.html']],
  ['admin', [], ['/admin', '/']],
])('matches the pattern %s', ([pattern, matched, others]) => {
  expect(allowed(`User-agent: *\nDisallow: ${pattern}`, ...matched, ...others)).toEqual(others);
});

test.for<[rules: readonly string[], allowed: boolean]>([
  [['Disallow: /', 'Allow: /a'], true],
  [['Allow: /a', 'Disallow: /'], true],
  [['Allow: /', 'Disallow: /a'], false],
  [['Disallow: /a', 'Allow: /a'], true],
  [['Allow: /a', 'Disallow: /a/'], false],
  [['Allow: /*b', 'Disallow: /a/'], true],
  [['Allow: /a/*', 'Disallow: /a/b'], true],
  [['Allow: /*', 'Disallow: /a'], true],
])('applies the longest of %j, and the one that allows if two are equally long: %s', ([rules, expected]) => {
  expect(allowed(['User-agent: *', ...rules].join('\n'), '/a/b')).toEqual(expected ? ['/a/b'] : []);
});

test.for<[text: string, delay: number]>([
  ['1', 1_000],
  ['0.5', 500],
  ['3600', 10_000],
  ['Infinity', 10_000],
  ['-1', 0],
  ['soon', 0],
  ['', 0],
])('reads a Crawl-delay of %s as %d ms', ([text, delay]) => {
  expect(new RobotsRules(`User-agent: *\nCrawl-delay: ${text}\nDisallow: /a`).delay).toBe(delay);
});

test('matches quickly against a hostile file of 500 KiB', () => {
  const line = `Disallow: /${'*a'.repeat(900)}b\n`;
  const rules = new RobotsRules(`User-agent: *\n${line.repeat(280)}`);
  const path = `/${'a'.repeat(1_900)}`;
  for (let count = 0; count < 20; count++) expect(rules.allows(`https://example.com${path}`)).toBe(true);
});

test('reads robots.txt at the root of the host', async () => {
  const asked: unknown[] = [];
  const site = await openSite(({ url }, response) => {
    asked.push(url);
    response.end('User-agent: Parley\nDisallow: /private\nCrawl-delay: 2');
  });
  const { wall } = openTrialWall(site);
  const rules = await readRobots(wall, `${site.url}/help/index.html?x=1`, { signal: never });
  expect([asked, rules.delay, rules.allows(`${site.url}/private/a`)]).toEqual([
    ['/robots.txt'],
    2_000,
    false,
  ]);
});

test('ignores everything after 500 KiB', async () => {
  const rule = 'User-agent: *\nDisallow: /';
  const site = await openSite((_, response) => response.end(rule.padStart(500 * 1024 + rule.length, '\n')));
  const { wall } = openTrialWall(site);
  expect((await readRobots(wall, site.url, { signal: never })).allows(`${site.url}/a`)).toBe(true);
});

test.for([true, false])(
  'applies the start of a file of 100 MB; with a Content-Length: %s',
  async (hasLength) => {
    let sent = 0;
    const part = Buffer.alloc(65_536, '\n');
    const site = await openSite((_, response) => {
      response.writeHead(200, hasLength ? { 'content-length': 100_000_000 } : {});
      response.write('User-agent: *\nDisallow: /private\n');
      const write = () => {
        sent += part.length;
        if (response.write(part)) setImmediate(write);
        else response.once('drain', write);
      };
      write();
      response.on('error', () => undefined);
    });
    const { wall } = openTrialWall(site);
    const rules = await readRobots(wall, site.url, { signal: never });
    expect([rules.allows(`${site.url}/private/a`), rules.allows(`${site.url}/a`)]).toEqual([false, true]);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  },
);

test.for([401, 403, 404, 410])('allows everything after a %d', async (status) => {
  const site = await openSite((_, response) => response.writeHead(status).end('User-agent: *\nDisallow: /'));
  const { wall } = openTrialWall(site);
  expect((await readRobots(wall, site.url, { signal: never })).allows(`${site.url}/a`)).toBe(true);
});

test('allows everything after endless redirects', async () => {
  const site = await openSite((_, response) => response.writeHead(302, { location: '/robots.txt' }).end());
  const { wall } = openTrialWall(site);
  expect((await readRobots(wall, site.url, { signal: never })).allows(`${site.url}/a`)).toBe(true);
});

test.for([429, 500, 503])('allows nothing for now after a %d', async (status) => {
  const site = await openSite((_, response) => response.writeHead(status).end());
  const { wall } = openTrialWall(site);
  expect(await failureOf(readRobots(wall, site.url, { signal: never }))).toMatchObject({ final: false });
});

test('allows nothing for now if the file is cut short', async () => {
  const site = await openSite((_, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('User-agent: *\n', () => response.destroy());
  });
  const { wall } = openTrialWall(site);
  expect(await failureOf(readRobots(wall, site.url, { signal: never }))).toMatchObject({ final: false });
});

test('fails finally for a host at a forbidden address', async () => {
  const { wall } = openTrialWall();
  expect(await failureOf(readRobots(wall, 'http://127.0.0.1/a', { signal: never }))).toEqual({
    message: unreachable,
    final: true,
  });
});
