import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPostmaster } from '../../src/postgres/embedded/postmaster.ts';

/** The stages of `postmaster.pid` that Postgres 18 goes through, as recorded while a server started. */
const stages = {
  'with its port alone': ['4711', '/data', '1795363186', '25202', '', ''],
  'with its shared memory': ['4711', '/data', '1795363186', '25202', '', '', ' 10035393        26', ''],
};
const whole = ['4711', '/data', '1795363186', '25202', '/data', '127.0.0.1', ' 10035393        26'];

function postmasterOf(lines: readonly string[]) {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-postmaster-'));
  onTestFinished(() => fs.rmSync(data, { recursive: true }));
  fs.writeFileSync(path.join(data, 'postmaster.pid'), lines.join('\n'));
  return readPostmaster({ home: data, password: '', startLock: '', data, log: '', port: '' });
}

test.for(Object.entries(stages))('a starting server %s has no address yet', ([, lines]) => {
  expect(postmasterOf(lines)).toBeUndefined();
});

test.for(['starting', 'ready   '])('a server with the status "%s" has its complete address', (status) => {
  const expected = { pid: 4711, port: 25202, socketFolder: '/data', status: status.trim() };
  expect(postmasterOf([...whole, status, ''])).toEqual(expected);
});

test('a server without a Unix socket has an empty socket folder', () => {
  const lines = whole.with(4, '');
  expect(postmasterOf([...lines, 'ready   ', ''])).toMatchObject({ socketFolder: '', status: 'ready' });
});
