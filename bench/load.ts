import autocannon from 'autocannon';
import type { HttpRequest } from './http-request.ts';

/** The settings of one load. */
export interface Load {
  readonly base: string;
  /** The requests that each connection sends in turn. With more connections than lists, connections share lists. */
  readonly requests: readonly (readonly HttpRequest[])[];
  readonly connections: number;
  readonly seconds: number;
  /** True if all responses of a run must have the same length. */
  readonly sameLength: boolean;
  /** True to put a text of its own in the place of `[<id>]` in the body of each request. */
  readonly distinctBodies?: boolean;
}

export interface Measured {
  /** How many requests were answered. */
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
}

/** The message that this process returns for a load. */
export type LoadReply = { readonly measured: Measured } | { readonly failure: string };

/** Seconds for the last responses. autocannon reports a request without a response as a timeout after ten. */
const grace = 15;

/**
 * Loads one program until the time is over and every request is answered: an abandoned request would cost the program
 * CPU time and count for nothing. Throws if a connection fails or a response is not 2xx.
 */
async function run({
  base,
  requests,
  connections,
  seconds,
  sameLength,
  distinctBodies = false,
}: Load): Promise<Measured> {
  const times: number[] = [];
  const lengths = new Set<number>();
  const clients: autocannon.Client[] = [];
  const setupClient = (client: autocannon.Client) => {
    const own = requests[clients.length % requests.length] ?? [];
    clients.push(client);
    // autocannon writes into the requests.
    client.setRequests(own.map((request) => ({ ...request })));
  };
  let inTime = 0;
  const stop = () => {
    inTime = times.length;
    // autocannon has no option for this. Each client now ends with its next response.
    for (const client of clients) Object.assign(client, { responseMax: 1 });
  };
  const options = {
    url: base,
    connections,
    setupClient,
    idReplacement: distinctBodies,
    duration: seconds + grace,
    // How often autocannon looks whether all clients have ended.
    sampleInt: 50,
  };
  const { non2xx, errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(options, (error, result) => (error ? reject(error as Error) : resolve(result)));
    setTimeout(stop, seconds * 1000);
    load.on('response', (_client, _status, length, time) => {
      times.push(time);
      lengths.add(length);
    });
  });
  if (non2xx + errors + timeouts > 0)
    throw new Error(`${base}: ${non2xx} answers that are not 2xx, ${errors} errors, ${timeouts} timeouts`);
  if (times.length === 0) throw new Error(`${base}: no responses`);
  if (sameLength && lengths.size > 1)
    throw new Error(`${base}: responses differ in length: ${[...lengths].join(', ')} bytes`);
  // autocannon's own histogram counts whole milliseconds, which is too coarse for fast responses.
  const p50 = times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
  return { requests: times.length, requestsPerSecond: inTime / seconds, p50 };
}

const reply = (message: LoadReply) => void process.send?.(message);

process.on('message', (load: Load) => {
  run(load).then(
    (measured) => reply({ measured }),
    (error: unknown) => reply({ failure: String(error) }),
  );
});
