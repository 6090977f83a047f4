import autocannon from 'autocannon';

/** What one load is made of. */
export interface Load {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly connections: number;
  readonly seconds: number;
  /** True where every answer of a run has the same length, so that another length is another answer. */
  readonly sameLength: boolean;
}

export interface Measured {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
}

/** What this process answers to a load. */
export type LoadReply = { readonly measured: Measured } | { readonly failure: string };

/** Loads one address; any answer but 2xx, and any connection that fails, spoils the measurement. */
async function run({ connections, seconds, sameLength, body, ...target }: Load): Promise<Measured> {
  const times: number[] = [];
  const lengths = new Set<number>();
  const options = { ...target, connections, duration: seconds, ...(body !== undefined && { body }) };
  const { non2xx, errors, timeouts, duration } = await new Promise<autocannon.Result>((resolve, reject) => {
    const load = autocannon(options, (error, result) => (error ? reject(error as Error) : resolve(result)));
    load.on('response', (_client, _status, length, time) => {
      times.push(time);
      lengths.add(length);
    });
  });
  if (non2xx + errors + timeouts > 0)
    throw new Error(
      `${target.url}: ${non2xx} answers that are not 2xx, ${errors} errors, ${timeouts} timeouts`,
    );
  if (times.length === 0) throw new Error(`${target.url}: no answer at all`);
  if (sameLength && lengths.size > 1)
    throw new Error(`${target.url}: answers of ${[...lengths].join(', ')} bytes to one request`);
  // autocannon's own histogram counts whole milliseconds, which is all that a fast answer takes.
  const p50 = times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
  return { requestsPerSecond: times.length / duration, p50 };
}

const reply = (message: LoadReply) => void process.send?.(message);

process.on('message', (load: Load) => {
  run(load).then(
    (measured) => reply({ measured }),
    (error: unknown) => reply({ failure: String(error) }),
  );
});
