import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { tools } from '../contract/registry.ts';
import { words } from '../helpers/openai-wire.ts';
import { hangs } from '../helpers/upstream.ts';
import type { World } from '../helpers/world.ts';

/** The connections that a client program opens, one after the other, in any order. */
const connections = ['http auto', 'http legacy', 'stdio auto', 'stdio legacy'] as const;

/** Milliseconds in which the server must notice that a call begins or is cancelled. */
const patience = 20_000;

const launcher = path.resolve(import.meta.dirname, '../../bin/parley.js');

/** What a client program of MCP gets over each connection. */
export function expectedCalls(): Readonly<Record<string, object>> {
  const calls = {
    tools: tools.length,
    flow: 'Hours',
    missing: 'not_found',
    unknown: -32602,
    resource: 'Hours',
    prompt: true,
    cancelled: true,
    chat: words(5).join(''),
  };
  return Object.fromEntries(
    connections.map((connection) => [
      connection,
      { protocol: connection.endsWith('auto') ? '2026-07-28' : '2025-11-25', ...calls },
    ]),
  );
}

/**
 * Runs a client program, which gets the command of `parley mcp` as its arguments, and returns the JSON that it prints.
 * Over each connection it starts a call of a model that does not respond. It gets a line once the model has the call, and
 * cancels it; it gets another line once the model's connection is closed.
 * @throws if the program fails, or if a call does not begin or end in time
 */
export async function playClient(
  world: World,
  command: readonly [program: string, ...args: string[]],
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const { key, projectId } = await world.tenant();
  world.upstream.reactsFor('silent', hangs);
  const [program, ...args] = command;
  const child = spawn(program, [...args, process.execPath, launcher, 'mcp'], {
    env: {
      ...process.env,
      ...world.environment,
      ...environment,
      TRIAL_BASE: world.base,
      PARLEY_API_KEY: key,
      TRIAL_PROJECT: projectId,
    },
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  // A program that fails closes its stdin; its stderr has the reason.
  child.stdin.on('error', () => undefined);
  const untilUnderWay = async (count: number) => {
    const deadline = performance.now() + patience;
    while (child.exitCode === null && world.upstream.underWay() !== count) {
      if (performance.now() > deadline) {
        child.kill();
        throw new Error(`expected ${count} calls under way, not ${world.upstream.underWay()}`);
      }
      await sleep(10);
    }
  };
  for (const _ of connections)
    for (const count of [1, 0]) {
      await untilUnderWay(count);
      child.stdin.write('\n');
    }
  const [output, errors, [code]] = await ended;
  if (code !== 0) throw new Error(`${program} exited with ${code}:\n${errors}`);
  return JSON.parse(output);
}
