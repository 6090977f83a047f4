import { createInterface } from 'node:readline';
import { openEmbedded } from '../../src/db/embedded.ts';

/**
 * A process that uses the embedded Postgres of the home in its first argument. It answers in JSON lines: once it is a
 * member, to each line of its input with what it has said so far, and once it has left, which it does when its input
 * says so or ends.
 */
const began = performance.now();
const said: string[] = [];
const postgres = await openEmbedded(process.argv[2] ?? '', (line) => said.push(line));
const milliseconds = Math.round(performance.now() - began);
const answer = () =>
  process.stdout.write(
    `${JSON.stringify({ how: postgres.how, url: postgres.url, isThere: postgres.address.current() !== undefined, milliseconds, said })}\n`,
  );
answer();
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'leave') break;
  answer();
}
const left = postgres.leave();
answer();
await left;
answer();
process.exit();
