import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../contract/registry.ts';
import { findProgram, reportMissing } from '../helpers/find-program.ts';
import { words } from '../helpers/openai-wire.ts';
import { wav } from '../helpers/wav.ts';
import { openWorld, type World } from '../helpers/world.ts';

const root = path.resolve(import.meta.dirname, '../..');

const python = findProgram(['python3'], []);
const hasClients =
  python !== undefined && spawnSync(python, ['-c', 'import mcp.client.client, openai']).status === 0;
if (!hasClients)
  reportMissing("python3 in PATH lacks the clients of MCP and OpenAI (pip install 'mcp>=2' openai)");

describe.skipIf(!hasClients)("Python's clients", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.close());

  test('complete their first calls over MCP, by HTTP and stdio, and over the OpenAI routes', async () => {
    const { key, projectId } = await world.tenant();
    const { stdout } = await promisify(execFile)(
      python ?? '',
      [
        path.join(import.meta.dirname, 'python_clients.py'),
        process.execPath,
        path.join(root, 'bin/parley.js'),
        'mcp',
      ],
      {
        env: {
          ...process.env,
          ...world.environment,
          TRIAL_BASE: world.base,
          PARLEY_API_KEY: key,
          TRIAL_PROJECT: projectId,
          TRIAL_RECORDING: wav().toString('hex'),
        },
      },
    );
    const chat = words(5).join('');
    const overMcp = (mode: string) => ({
      tools: tools.length,
      flow: `Hours ${mode}`,
      missing: 'not_found',
      chat,
    });
    expect(JSON.parse(stdout)).toEqual({
      openai: {
        chat,
        streamed: chat,
        speech: true,
        transcript: 'What was said.',
        refused: 422,
        unauthorized: 401,
      },
      'http auto': overMcp('auto'),
      'http legacy': overMcp('legacy'),
      'stdio auto': overMcp('auto'),
      'stdio legacy': overMcp('legacy'),
    });
  });
});
