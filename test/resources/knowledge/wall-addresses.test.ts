import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unreachable } from '../../../src/platform/outbound/fetch-failure.ts';
import { isPublicAddress } from '../../../src/platform/outbound/public-address.ts';
import { seed } from '../../helpers/runs.ts';
import { failureOf, never, openSite, openTrialWall } from '../../helpers/wall-trial.ts';

/** A host, and the addresses that it resolves to. */
type Case = readonly [what: string, host: string, addresses?: readonly string[]];

const cases: readonly Case[] = [
  ['loopback', '127.0.0.1'],
  ['another address of loopback', '127.8.8.8'],
  ['decimal', '2130706433'],
  ['hexadecimal', '0x7f000001'],
  ['hexadecimal, by parts', '0x7f.0.0.0x1'],
  ['octal', '0177.0.0.1'],
  ['octal, as one number', '017700000001'],
  ['short', '127.1'],
  ['shorter', '0'],
  ['full-width digits', '１２７.０.０.１'],
  ['circled digits', '①②⑦.⓪.⓪.①'],
  ['ideographic full stops', '127。0。0。1'],
  ['escaped', '%31%32%37.0.0.1'],
  ['trailing dot', '127.0.0.1.'],
  ['unspecified', '0.0.0.0'],
  ['private 10/8', '10.0.0.1'],
  ['private 172.16/12', '172.31.255.254'],
  ['private 192.168/16', '192.168.1.1'],
  ['carrier NAT', '100.64.0.1'],
  ['metadata of a cloud', '169.254.169.254'],
  ['metadata, decimal', '2852039166'],
  ['metadata of Alibaba', '100.100.100.200'],
  ['metadata of Oracle', '192.0.0.192'],
  ['internal Azure', '168.63.129.16'],
  ['broadcast', '255.255.255.255'],
  ['multicast', '224.0.0.1'],
  ['documentation', '203.0.113.7'],
  ['IPv6 loopback', '[::1]'],
  ['IPv6 unspecified', '[::]'],
  ['mapped', '[::ffff:127.0.0.1]'],
  ['mapped, hexadecimal', '[::ffff:7f00:1]'],
  ['mapped metadata', '[::ffff:a9fe:a9fe]'],
  ['IPv4-compatible', '[::127.0.0.1]'],
  ['IPv4-compatible metadata', '[::a9fe:a9fe]'],
  ['translated (SIIT)', '[::ffff:0:127.0.0.1]'],
  ['NAT64', '[64:ff9b::7f00:1]'],
  ['NAT64, local', '[64:ff9b:1::7f00:1]'],
  ['6to4', '[2002:7f00:1::]'],
  ['Teredo', '[2001:0:7f00:1::]'],
  ['link-local', '[fe80::1]'],
  ['site-local', '[fec0::1]'],
  ['unique local', '[fd00:ec2::254]'],
  ['IPv6 multicast', '[ff02::1]'],
  ['IPv6 unassigned', '[4000::1]'],
  ['localhost', 'localhost', ['127.0.0.1', '::1']],
  ['localhost with a dot', 'localhost.', ['127.0.0.1']],
  ['a name with a private address', 'inside.example', ['10.1.2.3']],
  ['a name with a loopback address', 'loop.example', ['127.0.0.1']],
  ['mixed answers, the bad one last', 'mixed.example', ['93.184.215.14', '127.0.0.1']],
  ['mixed answers, the bad one first', 'mixed.example', ['127.0.0.1', '93.184.215.14']],
  ['mixed families', 'mixed.example', ['93.184.215.14', '::1']],
  ['a mapped answer', 'mapped.example', ['::ffff:127.0.0.1']],
  ['an answer of NAT64', 'translated.example', ['64:ff9b::a9fe:a9fe']],
  ['an answer with a zone', 'zone.example', ['fe80::1%eth0']],
  ['a response that is not an address', 'strange.example', ['127.0.0.1 ']],
  ['no answer', 'empty.example', []],
];

test(`blocks and logs ${cases.length} ways to write an internal address`, async () => {
  expect(cases.length).toBeGreaterThanOrEqual(29);
  const canary = await openSite((_, response) => response.end('inside'));
  for (const [what, host, addresses = []] of cases) {
    const { wall, events } = openTrialWall({
      limits: { ports: [canary.port] },
      resolve: () => Promise.resolve(addresses),
    });
    const job = { id: 'job-1', projectId: 'project-1' };
    const failed = await failureOf(wall.fetch(`http://${host}:${canary.port}/`, { signal: never, job }));
    expect(failed, what).toEqual({ message: unreachable, final: true });
    expect(events, what).toEqual([
      expect.objectContaining({
        msg: 'security event',
        event: 'fetch_blocked',
        requestId: 'job-1',
        projectId: 'project-1',
        outbound: {
          host: expect.stringContaining(`:${canary.port}`),
          reason: expect.stringMatching(/^address /),
        },
      }),
    ]);
  }
  expect(canary.connections()).toBe(0);
});

test.for<[what: string, address: string, message: string]>([
  ['a user', 'http://user@example.com/', 'The address must not name a user or a password.'],
  ['a password', 'http://:secret@example.com/', 'The address must not name a user or a password.'],
  [
    'a host that looks like a user',
    'http://example.com@127.0.0.1/',
    'The address must not name a user or a password.',
  ],
  ['ssh', 'http://example.com:22/', 'The address must use port 80 or 443, not 22.'],
  ['Postgres', 'http://example.com:5432/', 'The address must use port 80 or 443, not 5432.'],
  ['port 0', 'http://example.com:0/', 'The address must use port 80 or 443, not 0.'],
  ['file', 'file:///etc/passwd', 'The address must begin with http or https.'],
  ['ftp', 'ftp://example.com/', 'The address must begin with http or https.'],
  ['gopher', 'gopher://example.com:80/_', 'The address must begin with http or https.'],
  ['data', 'data:text/html,x', 'The address must begin with http or https.'],
  ['unix socket', 'unix:///var/run/docker.sock', 'The address must begin with http or https.'],
])('blocks %s without a DNS query', async ([, address, message]) => {
  const resolve = () => Promise.reject(new Error('unexpected DNS query'));
  const { wall, events } = openTrialWall({ resolve });
  expect(await failureOf(wall.fetch(address, { signal: never }))).toEqual({ message, final: true });
  expect(events).toEqual([expect.objectContaining({ event: 'fetch_blocked' })]);
  expect(JSON.stringify(events)).not.toContain('secret');
});

test.for([
  '',
  'http://',
  'http://[::1%25eth0]/',
  'http://a b/',
  'http://1.2.3.4.5/',
  'http://256.0.0.1/',
  '/help',
])('fails finally for %j, which is not a URL', async (address) => {
  const { wall } = openTrialWall();
  const message = 'The address is not a valid URL.';
  expect(await failureOf(wall.fetch(address, { signal: never }))).toEqual({ message, final: true });
});

test('accepts addresses of the open internet', () => {
  const open = [
    '93.184.215.14',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '168.63.129.17',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
  ];
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('rejects every address that wraps another one', () => {
  const wrapped = ['::ffff:93.184.215.14', '64:ff9b::93.184.215.14', '2002:5db8:d70e::', '::93.184.215.14'];
  expect(wrapped.filter(isPublicAddress)).toEqual([]);
});

test('rejects every internal address, however it is wrapped', () => {
  const inside = fc.oneof(
    fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(0), fc.nat(255), fc.nat(255), fc.nat(255)),
  );
  const wrapped = fc.constantFrom('', '::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::');
  fc.assert(
    fc.property(inside, wrapped, (parts, prefix) => {
      expect(isPublicAddress(prefix + parts.join('.'))).toBe(false);
    }),
    { seed, numRuns: 2_000 },
  );
});

test.for<[what: string, address: string, message: string]>([
  ['localhost', 'http://localhost:80/', `${unreachable} ${allow('localhost:80')}`],
  ['a private address', 'http://10.0.0.1/', `${unreachable} ${allow('10.0.0.1:80')}`],
  ['a private IPv6 address', 'https://[fd00::1]/', `${unreachable} ${allow('[fd00::1]:443')}`],
  [
    'another port',
    'http://localhost:3000/docs',
    `The address must use port 80 or 443, not 3000. ${allow('localhost:3000')}`,
  ],
  ['a name that DNS shows to be private', 'http://inside.example/', unreachable],
])('explains in trials how to read %s', async ([, address, message]) => {
  const { wall } = openTrialWall({ trial: true, resolve: () => Promise.resolve(['10.0.0.1']) });
  expect(await failureOf(wall.fetch(address, { signal: never }))).toEqual({ message, final: true });
});

/** What an error adds in trials. */
function allow(place: string): string {
  return `Parley reaches only the public internet. For a trial, start it with PARLEY_FETCH_ALLOW=${place}.`;
}
