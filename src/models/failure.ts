import { codeOf, ToolError } from '../errors.ts';

/**
 * An upstream did not do what was asked of it. The message is for the log: it has no word of the upstream's, which may
 * quote our key or its address.
 */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  /** Seconds to wait, where it asks for that. */
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** What befell a connection, in Node's and undici's words for it. */
export function connectionFailure(provider: string, error: unknown): UpstreamFailure {
  const cause = error instanceof Error && codeOf(error) === '' ? error.cause : error;
  const name = error instanceof Error ? error.name : 'no connection';
  return new UpstreamFailure(`${provider} did not answer (${codeOf(cause) || name})`);
}

/** 502 in generic words (`service-api` part 7); the reason goes to the log. */
export function noModelAnswers(cause: Error, retryAfter?: number): ToolError {
  return new ToolError('internal_error', 'No model answers.', {
    status: 502,
    cause,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
