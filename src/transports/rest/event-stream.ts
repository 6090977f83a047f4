import type { JsonObject } from '../../operation/result.ts';
import { errorAnswer, type ToolError, toToolError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';

/**
 * Yields server-sent events (HTML Living Standard 9.2): each event as `data`, then the operation's value as
 * `event: result`. A failure becomes `event: error` with the usual error body, because the status is already sent.
 */
export async function* eventStreamOf(
  events: AsyncGenerator<JsonObject, unknown, undefined>,
  requestId: string,
  log: Log,
): AsyncGenerator<string, void, undefined> {
  try {
    for (;;) {
      const { done, value } = await events.next();
      yield done ? `event: result\n${data(value)}` : data(value);
      if (done) return;
    }
  } catch (thrown) {
    const error = toToolError(thrown);
    if (error.status >= 500) log.error({ requestId, err: error.cause ?? error }, 'stream failed');
    yield errorEvent(error, requestId);
  } finally {
    await events.return(undefined);
  }
}

/** The event that ends a stream early, with the usual error body. */
export function errorEvent(error: ToolError, requestId: string): string {
  return `event: error\n${data(errorAnswer(error, requestId).body)}`;
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
