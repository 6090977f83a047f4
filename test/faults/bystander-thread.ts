// Sends requests at a constant rate. It has its own thread, so that other work does not delay it.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { BystanderSettings, Seen } from './bystander.ts';

/** Milliseconds. */
const timeout = 10_000;
const { urls, key, rate } = workerData as BystanderSettings;
const agent = new Agent({ keepAlive: true });
let times: number[] = [];
let failures: string[] = [];
let sent = 0;
const began = performance.now();

/** A time starts when the request was due, so it includes the wait for an earlier request. */
function ask(url: string, due: number): void {
  const request = get(url, { agent, timeout, headers: { authorization: `Bearer ${key}` } }, (answer) => {
    answer.on('end', () => {
      if (answer.statusCode === 200) times.push(performance.now() - due);
      else failures.push(`${answer.statusCode}`);
    });
    answer.on('error', fail).resume();
  });
  const fail = (error: Error) => failures.push(error.message);
  request.on('timeout', () => request.destroy(new Error('timed out')));
  request.on('error', fail);
}

setInterval(() => {
  for (let due = began + (sent * 1000) / rate; due <= performance.now(); due += 1000 / rate) {
    ask(urls[sent % urls.length] ?? '', due);
    sent += 1;
  }
}, 5);

parentPort?.on('message', () => {
  const seen: Seen = { times, failures };
  [times, failures] = [[], []];
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(seen);
});
