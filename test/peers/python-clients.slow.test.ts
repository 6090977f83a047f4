import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram, reportMissing } from '../helpers/find-program.ts';
import { words } from '../helpers/openai-wire.ts';
import { wav } from '../helpers/wav.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { expectedCalls, playClient } from './client-trial.ts';
import { installPeer, run } from './install.ts';

const python3 = findProgram(['python3'], []);
if (python3 === undefined)
  reportMissing('python3 is not in PATH, so its clients of MCP and OpenAI are not tried');
const requirements = path.join(import.meta.dirname, 'python/requirements.txt');
const installed =
  python3 &&
  installPeer(
    requirements,
    (folder) => {
      run(python3, ['-m', 'venv', folder]);
      run(path.join(folder, 'bin/python'), [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--requirement',
        requirements,
      ]);
    },
    reportMissing,
  );

describe.skipIf(installed === undefined)("Python's clients", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.close());

  test('make, read and cancel calls over MCP, by HTTP and stdio, and use the OpenAI routes', async () => {
    const program = path.join(import.meta.dirname, 'python/clients.py');
    const chat = words(5).join('');
    const recording = { TRIAL_RECORDING: wav().toString('hex') };
    expect(await playClient(world, [path.join(installed ?? '', 'bin/python'), program], recording)).toEqual({
      openai: {
        chat,
        streamed: chat,
        speech: true,
        transcript: 'What was said.',
        refused: 422,
        unauthorized: 401,
      },
      ...expectedCalls(),
    });
  });
});
