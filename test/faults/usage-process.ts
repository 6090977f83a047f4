/**
 * Records usage every few milliseconds until SIGTERM, with the quantities 1, 2, 3, … It prints each quantity before it
 * records it, and the last one again after everything is written.
 *
 * Usage: DATABASE_URL=… PROJECT_ID=… node test/faults/usage-process.ts
 */
import os from 'node:os';
import { pino } from 'pino';
import { untilStopped } from '../../src/command-line/stop-signal.ts';
import { openCore } from '../../src/core/core.ts';
import type { Caller } from '../../src/operation/context.ts';

const stopped = untilStopped();
const core = await openCore({
  databaseUrl: process.env['DATABASE_URL'],
  home: os.tmpdir(),
  connections: 4,
  build: { version: '0.0.0-test', gitSha: 'test' },
  secrets: ['a secret key of the tests'],
  address: () => 'http://127.0.0.1:8080',
  liveKit: undefined,
  outbound: { allow: [], trial: false, twilioUrl: '', hubSpotUrl: '' },
  log: pino({ level: 'silent' }),
  warn: (line) => console.error(line),
});
const caller: Caller = {
  keyId: '',
  projectId: process.env['PROJECT_ID'] ?? '',
  keyType: 'secret',
  scope: 'platform',
  access: new Set(),
};
let quantity = 0;
const using = setInterval(() => {
  quantity++;
  console.log(quantity);
  core.runtime.services.meter(caller, [{ service: 'llm', mode: null, metric: 'chars', quantity }]);
}, 3);
await stopped;
clearInterval(using);
await core.close();
console.log(`written: ${quantity}`);
