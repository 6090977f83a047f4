import { createInterface } from 'node:readline';
import { openEmbedded } from '../../src/db/embedded.ts';

/**
 * A process that uses the embedded Postgres of the home in its first argument. It answers in JSON lines: once it is a
 * member, and once it has left, which it does when its input says so or ends.
 */
const began = performance.now();
const answer = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);
const said: string[] = [];
const postgres = await openEmbedded(process.argv[2] ?? '', (line) => said.push(line));
answer({ how: postgres.how, url: postgres.url, milliseconds: Math.round(performance.now() - began), said });
for await (const line of createInterface({ input: process.stdin })) if (line === 'leave') break;
await postgres.leave();
answer({ said });
process.exit();
