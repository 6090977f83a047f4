import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/platform/config/config.ts';
import { parley } from '../../helpers/parley.ts';
import { never, openSite, openTrialWall } from '../../helpers/wall-trial.ts';

test.for<[written: string | undefined, allow: readonly string[]]>([
  [undefined, []],
  ['', []],
  ['localhost:4000', ['localhost:4000']],
  ['LOCALHOST:4000, 127.0.0.1:80,[::1]:443', ['localhost:4000', '127.0.0.1:80', '[::1]:443']],
  ['bücher.example:8080', ['xn--bcher-kva.example:8080']],
  ['0x7f.1:65535', ['127.0.0.1:65535']],
])('reads PARLEY_FETCH_ALLOW %s as %j', ([written, allow]) => {
  expect(readConfig({ PARLEY_FETCH_ALLOW: written }).fetchAllow).toEqual(allow);
});

test.for([
  'localhost',
  'localhost:',
  ':4000',
  'localhost:0',
  'localhost:65536',
  'localhost:4000/help',
  'http://localhost:4000',
  'user@localhost:4000',
  'localhost:4000,',
  'localhost:4000 localhost:4001',
  '::1:80',
  '*:80',
])('rejects PARLEY_FETCH_ALLOW %s', (written) => {
  const reading = () => readConfig({ PARLEY_FETCH_ALLOW: written });
  expect(reading).toThrow(ConfigError);
  expect(reading).toThrow(
    /^PARLEY_FETCH_ALLOW is not valid: it takes HOST:PORT pairs, separated by commas\.$/,
  );
});

test('refuses to start in production with PARLEY_FETCH_ALLOW', async () => {
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://127.0.0.1:1/nobody',
    PARLEY_SECRET_KEY: 'x'.repeat(32),
    PARLEY_FETCH_ALLOW: 'localhost:4000',
  };
  expect(await parley(['serve'], env)).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^parley: PARLEY_FETCH_ALLOW lets requests into private networks.*\n$/),
  });
});

test('lets the wall fetch from the hosts of PARLEY_FETCH_ALLOW', async () => {
  const site = await openSite((_, response) => response.end('there'));
  const { fetchAllow } = readConfig({ PARLEY_FETCH_ALLOW: `LocalHost:${site.port}` });
  const { wall, events } = openTrialWall({ allow: fetchAllow });
  const { bytes, url } = await wall.fetch(`http://localhost:${site.port}/a`, { signal: never });
  expect([Buffer.from(bytes).toString(), url, events]).toEqual([
    'there',
    `http://localhost:${site.port}/a`,
    [],
  ]);
});
