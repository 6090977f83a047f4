import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { callFormat } from '../../../src/calls/call-state.ts';
import { callsToKeep, type KeptCall, openStage, playOn, playToKeep } from './kept-calls.ts';

const folder = path.resolve(import.meta.dirname, 'kept-calls');

// Run with UPDATE_KEPT_CALLS=1 to keep the calls of the present format, before you change the format.
const recorded = process.env['UPDATE_KEPT_CALLS'] === '1' ? Object.entries(callsToKeep) : [];
test.each(recorded)('keeps %s', { timeout: 60_000 }, async (name, call) => {
  const kept = await playToKeep(call);
  const own = path.join(folder, String(kept.state['format']).replace('/', '-'));
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
});

const present = callFormat.replace('/', '-');
const keptIn = (format: string) => readdirSync(path.join(folder, format));
const keptCall = (format: string, file: string): KeptCall =>
  JSON.parse(readFileSync(path.join(folder, format, file), 'utf8'));

/** The members of a state, and of those of its members that have a fixed shape. */
const shapeOf = (state: KeptCall['state']) =>
  ['position', 'waiting', 'progress']
    .map((name) => Object.keys(Object(state[name])))
    .concat([Object.keys(state)]);

describe.each(readdirSync(folder))('a call that was stored as %s', (format) => {
  test.each(keptIn(format))('goes on: %s', async (file) => {
    const kept = keptCall(format, file);
    const { continued, status, requests } = kept;
    const { told, states, asked } = await playOn(kept);
    expect(told).toEqual({ continued, status, requests });
    // A model is told what was said before.
    for (const question of asked.slice(0, 1))
      for (const { text } of kept.state['history'] as { text: string }[]) expect(question).toContain(text);
    // What is stored now is of the present format.
    for (const state of states)
      if (state) expect(shapeOf(state)).toEqual(shapeOf(keptCall(present, file).state));
  });
});

test('a call of the first builds, which stored no readings, goes on', async () => {
  const kept = keptCall('rt-1', 'collect-half.json');
  const { readings: _, ...state } = kept.state;
  const { told } = await playOn({ ...kept, state });
  expect(told.continued).toEqual(kept.continued);
});

describe('a call that this release cannot read', () => {
  /** A session with the state of a kept call, changed. */
  async function openWith(file: string, change: object) {
    const kept = keptCall(present, file);
    const stage = await openStage({ speaks: file.startsWith('speech') });
    const visit = await stage.start(kept.design);
    await stage.give(visit, { ...kept, state: { ...kept.state, ...change } });
    return { kept, stage, visit };
  }

  test.each(['collect-half.json', 'speech-answers.json'])(
    'is left to a replica of the newer release that stored it: %s',
    async (file) => {
      const { kept, stage, visit } = await openWith(file, { format: 'rt/4', mood: 'new' });
      const before = await stage.rowOf(visit);
      const [first = { move: { leave: true }, events: [] }] = kept.continued;
      stage.world.upstream.received.length = 0;
      const response = await stage.send(visit, first.move);
      expect([response.status, response.headers.get('retry-after')]).toEqual([500, '2']);
      expect(await response.json()).toMatchObject({ error: { code: 'internal_error' } });
      expect(stage.world.upstream.received).toEqual([]);
      expect(await stage.rowOf(visit)).toEqual(before);
      expect(
        await stage.world.rows(
          'select from sessions where lease is null and model_calls + model_tokens + speech_seconds + fallbacks = 0 and id = $1',
          [visit.id],
        ),
      ).toHaveLength(1);
      // As if that replica had played it.
      await stage.give(visit, kept);
      expect((await stage.go(visit, [first.move])).told.continued).toEqual([first]);
    },
  );

  test('stays open while nobody speaks, for a replica that can end it with its hook', async () => {
    const { kept, stage, visit } = await openWith('hooks-left.json', { format: 'rt/4' });
    await stage.world.rows(`update sessions set active_at = now() - interval '16 minutes' where id = $1`, [
      visit.id,
    ]);
    await stage.world.sessions.endIdle();
    expect(await visit.show()).toMatchObject({ status: 'open' });
    expect(stage.requests.map(({ url }) => url)).toEqual(['/orders']);
    await stage.give(visit, kept);
    await stage.world.sessions.endIdle();
    expect(stage.requests.map(({ url }) => url)).toEqual(['/orders', '/calls/17']);
    expect(await visit.show()).toMatchObject({ status: 'ended', reason: 'idle' });
  });

  test('does not hold up the end of other silent sessions', async () => {
    const { kept, stage, visit } = await openWith('hooks-left.json', { format: 'rt/4' });
    await stage.world.rows(`update sessions set active_at = now() - interval '1 hour' where id = $1`, [
      visit.id,
    ]);
    // As many as one sweep ends.
    await stage.world.rows(
      `insert into sessions select (json_populate_record(one, json_build_object('id', id || n))).*
       from sessions one, generate_series(1, 100) n where id = $1`,
      [visit.id],
    );
    const other = await stage.start(kept.design);
    await stage.give(other, kept);
    await stage.world.rows(`update sessions set active_at = now() - interval '16 minutes' where id = $1`, [
      other.id,
    ]);
    await stage.world.sessions.endIdle();
    expect(await other.show()).toMatchObject({ status: 'ended', reason: 'idle' });
  });

  test('does not go on if its state is broken', async () => {
    const { stage, visit } = await openWith('collect-half.json', { progress: { count: 1 } });
    const before = await stage.rowOf(visit);
    const response = await stage.send(visit, { say: 'Hello?' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([500, null]);
    expect(await stage.rowOf(visit)).toEqual(before);
  });
});
