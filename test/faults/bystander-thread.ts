// Asks a server at an even pace, in a thread of its own: what is done beside it must not delay it.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { BystanderSettings, Seen } from './bystander.ts';

/** Milliseconds that a request may take. */
const patience = 10_000;
const { urls, key, rate } = workerData as BystanderSettings;
const agent = new Agent({ keepAlive: true });
let times: number[] = [];
let failures: string[] = [];
let asked = 0;
const began = performance.now();

/** Times are from when a request was due: one that waits for another counts its wait. */
function ask(url: string, due: number): void {
  const request = get(
    url,
    { agent, timeout: patience, headers: { authorization: `Bearer ${key}` } },
    (answer) => {
      answer.on('end', () => {
        if (answer.statusCode === 200) times.push(performance.now() - due);
        else failures.push(`${answer.statusCode}`);
      });
      answer.on('error', fail).resume();
    },
  );
  const fail = (error: Error) => failures.push(error.message);
  request.on('timeout', () => request.destroy(new Error('no answer in time')));
  request.on('error', fail);
}

setInterval(() => {
  for (let due = began + (asked * 1000) / rate; due <= performance.now(); due += 1000 / rate) {
    ask(urls[asked % urls.length] ?? '', due);
    asked += 1;
  }
}, 5);

parentPort?.on('message', () => {
  const seen: Seen = { times, failures };
  [times, failures] = [[], []];
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(seen);
});
