import { codeOf, ToolError } from '../../platform/errors.ts';

/**
 * An upstream failed. The message is for the log. It never quotes the upstream, which may repeat our key or its address.
 */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  /** Seconds to wait, if the upstream asked for it. */
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The failure of a connection, described by Node's or undici's error code. */
export function connectionFailure(provider: string, error: unknown): UpstreamFailure {
  const cause = error instanceof Error && codeOf(error) === '' ? error.cause : error;
  const name = error instanceof Error ? error.name : 'no connection';
  return new UpstreamFailure(`${provider} did not respond (${codeOf(cause) || name})`);
}

/** 502 with a generic message (service-api#errors). The cause goes to the log. */
export function noModelAnswers(cause: Error, retryAfter?: number): ToolError {
  return new ToolError('internal_error', 'No model is available.', {
    status: 502,
    cause,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** 502 for what only an operator can change: a model that is not configured. The hint says both, and so does the log. */
export function noModelConfigured(message: string, remedy: string): ToolError {
  return new ToolError('internal_error', message, {
    status: 502,
    hint: `${message} ${remedy}`,
    cause: new UpstreamFailure(`${message} ${remedy}`),
  });
}
