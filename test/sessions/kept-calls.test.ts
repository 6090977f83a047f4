import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsToKeep, type KeptCall, playOn, playToKeep } from './kept-calls.ts';

const folder = path.resolve(import.meta.dirname, 'kept-calls');

// Run with UPDATE_KEPT_CALLS=1 to keep the calls of the present format, before you change the format.
test.runIf(process.env['UPDATE_KEPT_CALLS'] === '1').each(Object.entries(callsToKeep))(
  'keeps %s',
  { timeout: 60_000 },
  async (name, call) => {
    const kept = await playToKeep(call);
    const own = path.join(folder, String(kept.state['format']).replace('/', '-'));
    mkdirSync(own, { recursive: true });
    writeFileSync(path.join(own, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
  },
);

describe.each(readdirSync(folder))('a call that was stored as %s', (format) => {
  test.each(readdirSync(path.join(folder, format)))('goes on: %s', async (file) => {
    const kept: KeptCall = JSON.parse(readFileSync(path.join(folder, format, file), 'utf8'));
    const { continued, status, requests } = kept;
    const { told } = await playOn(kept);
    expect(told).toEqual({ continued, status, requests });
  });
});
