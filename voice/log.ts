/** What a log line may say: sizes, names and times, never a credential or what somebody said. */
export type Facts = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Writes one line. */
export type Log = (event: string, facts?: Facts) => void;

/** Writes JSON lines to standard error. */
export const log: Log = (event, facts = {}) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`);
};

/** A log whose lines all say these facts. */
export function logWith(log: Log, common: Facts): Log {
  return (event, facts) => log(event, { ...common, ...facts });
}

/** The message of an error, with that of its cause: `fetch failed` alone does not say why. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  return withoutTokens(message);
}

/** LiveKit quotes a token that it refuses. */
function withoutTokens(text: string): string {
  return text.replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '(token)');
}
