import { createInterface } from 'node:readline';
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts';

/**
 * A process that uses the embedded Postgres of the home in its first argument. It prints its state as a JSON line when
 * it has joined, for each line of its input, and before and after it leaves. It leaves on the line `leave` or at the end
 * of its input.
 */
const began = performance.now();
const said: string[] = [];
const postgres = await openEmbedded(process.argv[2] ?? '', (line) => said.push(line));
const milliseconds = Math.round(performance.now() - began);
const printState = () =>
  process.stdout.write(
    `${JSON.stringify({ how: postgres.how, url: postgres.url, isThere: postgres.address.current() !== undefined, milliseconds, said })}\n`,
  );
printState();
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'leave') break;
  printState();
}
const left = postgres.leave();
printState();
await left;
printState();
process.exit();
