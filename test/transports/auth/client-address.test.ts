import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { ConfigError, readConfig } from '../../../src/platform/config/config.ts';
import { ClientAddresses } from '../../../src/transports/auth/client-address.ts';

/** The client of a request from a peer, with these headers, if these proxies are trusted. */
function clientOf(trusted: string, peer: string, headers: IncomingMessage['headers']) {
  const { trustedProxies } = readConfig({ PARLEY_TRUSTED_PROXIES: trusted });
  const socket = { remoteAddress: peer } as IncomingMessage['socket'];
  return new ClientAddresses(trustedProxies, () => undefined).of({ headers, socket });
}

const proxies = '10.0.0.0/8, 127.0.0.1, 2001:db8:1::/48';

test.for([
  ['the only entry', '10.1.2.3', { 'x-forwarded-for': '203.0.113.9' }, '203.0.113.9'],
  [
    'the last entry, whatever its client put before it',
    '10.1.2.3',
    { 'x-forwarded-for': '8.8.8.8, 203.0.113.9' },
    '203.0.113.9',
  ],
  [
    'the entry before other trusted proxies',
    '10.1.2.3',
    { 'x-forwarded-for': '8.8.8.8, 203.0.113.9, 10.9.9.9, 127.0.0.1' },
    '203.0.113.9',
  ],
  [
    'the first entry if all are trusted proxies',
    '10.1.2.3',
    { 'x-forwarded-for': '10.9.9.8, 10.9.9.9' },
    '10.9.9.8',
  ],
  ['an entry with a port', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9:4711' }, '203.0.113.9'],
  [
    'the peer as IPv6 writes IPv4',
    '::ffff:10.1.2.3',
    { 'x-forwarded-for': '::ffff:203.0.113.9' },
    '203.0.113.9',
  ],
  [
    'the first 64 bits of IPv6',
    '2001:db8:1::7',
    { 'x-forwarded-for': '2606:4700:1:2:3:4:5:6' },
    '2606:4700:1:2::/64',
  ],
  [
    'an entry of Forwarded',
    '10.1.2.3',
    { forwarded: 'for=8.8.8.8, by=10.0.0.1;for="[2606:4700::1]:80";proto=https' },
    '2606:4700:0:0::/64',
  ],
  [
    'the peer if two headers disagree',
    '10.1.2.3',
    { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=8.8.8.8' },
    '10.1.2.3',
  ],
] as const)('counts through a trusted proxy %s', ([, peer, headers, network]) => {
  expect(clientOf(proxies, peer, headers)).toMatchObject({ network, mayBeShared: false });
});

test.for(['unknown', '_hidden', '0x7f000001', '1', '203.0.113.9.1', ''])(
  'counts no client if a trusted proxy names %j',
  (entry) => {
    expect(clientOf(proxies, '10.1.2.3', { 'x-forwarded-for': entry })).toMatchObject({
      network: '10.1.2.3',
      mayBeShared: true,
    });
  },
);

test('reads the headers of each request of a connection', () => {
  const { trustedProxies } = readConfig({ PARLEY_TRUSTED_PROXIES: proxies });
  const addresses = new ClientAddresses(trustedProxies, () => undefined);
  const socket = { remoteAddress: '10.1.2.3' } as IncomingMessage['socket'];
  const clients = ['203.0.113.9', '203.0.113.10'].map((client) =>
    addresses.of({ headers: { 'x-forwarded-for': client }, socket }),
  );
  expect(clients.map(({ address }) => address)).toEqual(['203.0.113.9', '203.0.113.10']);
  expect(addresses.of({ headers: {}, socket })).toMatchObject({ address: '10.1.2.3', mayBeShared: true });
});

test('ignores the headers of a peer that is not trusted, and reports the first of them', () => {
  const found = vi.fn<() => void>();
  const headers = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
  const { trustedProxies } = readConfig({ PARLEY_TRUSTED_PROXIES: proxies });
  const addresses = new ClientAddresses(trustedProxies, found);
  const of = (remoteAddress: string) =>
    addresses.of({ headers, socket: { remoteAddress } as IncomingMessage['socket'] });
  expect(of('198.51.100.7').network).toBe('198.51.100.7');
  expect(of('8.8.8.8')).toEqual({
    address: '8.8.8.8',
    network: '8.8.8.8',
    wider: [],
    nested: ['8.8.8.8', '8.8.8.0/24', '8.8.0.0/16'],
    mayBeShared: false,
  });
  expect(of('192.168.1.2')).toMatchObject({ network: '192.168.1.2', mayBeShared: true });
  expect(found).toHaveBeenCalledTimes(1);
});

test.for(['10.0.0.0/33', 'proxy.example', '10.0.0.1,', '10.0.0.0/8 192.0.2.1'])(
  'refuses %j as PARLEY_TRUSTED_PROXIES',
  (value) => {
    expect(() => readConfig({ PARLEY_TRUSTED_PROXIES: value })).toThrow(ConfigError);
  },
);
