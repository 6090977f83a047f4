import autocannon from 'autocannon';

/** The settings of one load. */
export interface Load {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly connections: number;
  readonly seconds: number;
  /** True if all responses of a run must have the same length. */
  readonly sameLength: boolean;
}

export interface Measured {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
}

/** The message that this process returns for a load. */
export type LoadReply = { readonly measured: Measured } | { readonly failure: string };

/** Loads one address. Throws if a connection fails or a response is not 2xx. */
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
  if (times.length === 0) throw new Error(`${target.url}: no responses`);
  if (sameLength && lengths.size > 1)
    throw new Error(`${target.url}: responses differ in length: ${[...lengths].join(', ')} bytes`);
  // autocannon's own histogram counts whole milliseconds, which is too coarse for fast responses.
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
