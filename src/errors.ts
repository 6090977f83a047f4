/**
 * Every error code that a caller can meet and its HTTP status: `service-api#errors`, then the codes that
 * Parley adds. The list is closed; what has no code here cannot be answered.
 */
export const errorStatus = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  invalid_request: 400,
  payload_too_large: 413,
  secret_keys_not_mintable: 400,
  not_yet_supported: 501,
  unsupported_step: 501,
  invalid_transition: 422,
  invalid_route_option: 422,
  invalid_layout_ref: 422,
  unknown_integration_ref: 422,
  integration_kind_mismatch: 422,
  design_invalid: 422,
  flow_schema_invalid: 422,
  ai_disclosure_required: 422,
  simple_agent_invalid: 422,
  plan_limit_exceeded: 403,
  cannot_revoke_current_key: 409,
  usage_unavailable: 503,
  validation_unavailable: 503,
  agent_config_unavailable: 503,
  kb_query_unavailable: 503,
  internal_error: 500,
  version_conflict: 409,
  in_use: 409,
  rate_limited: 429,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** What a caller reads instead of a 5xx's own text (`service-api#errors`: a generic message). */
const genericMessage: Partial<Record<ErrorCode, string>> = {
  not_yet_supported: 'This is not supported yet.',
  unsupported_step: 'This design holds a kind of step that the API does not expose.',
  usage_unavailable: 'Usage data is not available right now. Try again shortly.',
  validation_unavailable: 'Validation is not available right now. Nothing was written. Try again shortly.',
  agent_config_unavailable: 'The agent configuration is not available right now. Nothing was written.',
  kb_query_unavailable: 'Knowledge search is not available right now. Try again shortly.',
  internal_error: 'Something went wrong on our side. It is safe to try again shortly.',
};

/** The part of a request that an issue is about, in the words of `service-api#errors`. */
export type IssuePlace = 'body' | 'params' | 'querystring';

/** One reason why a request is refused; `path` is a JSON pointer (RFC 6901) into the part that `in` names. */
export interface Issue {
  readonly in: IssuePlace;
  readonly path: string;
  readonly message: string;
  /** Told in the other envelope only. */
  readonly detail?: IssueDetail;
}

/** The same as the other envelope tells it, where that needs more than the issue has (`service-api#errors`). */
export interface IssueDetail {
  /** From the top of its part, positions in lists as numbers. */
  readonly loc: readonly (string | number)[];
  /** A word of pydantic's, which clients of such endpoints know. */
  readonly type: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** An answer that callers get as it is, status included. */
export interface PassedOn {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** What an error may say beyond its code and message. */
export interface ErrorOptions {
  /** Stands in `error.details`; left out of every 5xx. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What a model should do next; sent on MCP only, beside the error. */
  readonly hint?: string;
  /** For the log, never for the caller. */
  readonly cause?: unknown;
  /** Where one code has two statuses: `plan_limit_exceeded` 422, `internal_error` 502, `usage_unavailable` 501. */
  readonly status?: number;
  /** Seconds, for the `Retry-After` header (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number;
  /** What REST answers instead of the usual body: an upstream's own words, which are for its caller. */
  readonly passedOn?: PassedOn;
}

/** A failure with a text for the caller (code, message, details, hint) and one for the log (`cause`). */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly passedOn: PassedOn | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? errorStatus[code];
    this.details = options.details;
    this.hint = options.hint;
    this.retryAfter = options.retryAfter;
    this.passedOn = options.passedOn;
  }
}

/** 400 `invalid_request` with its issues, of which there is at least one (`decisions#order-of-errors`). */
export function invalidRequest(issues: readonly [Issue, ...Issue[]], options: ErrorOptions = {}): ToolError {
  const [first] = issues;
  const where = first.path === '' ? first.in : `${first.in} ${first.path}`;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new ToolError('invalid_request', `${where}: ${first.message}${more}`, {
    ...options,
    details: { issues },
  });
}

/** The one 401: alike for a missing, malformed, unknown and revoked key (`reliability#keys`). */
export function unauthorized(): ToolError {
  return new ToolError('unauthorized', 'The API key is missing, invalid or revoked.');
}

/** 413, naming the limit in bytes. */
export function payloadTooLarge(limit: number): ToolError {
  return new ToolError('payload_too_large', `The request is larger than ${limit} bytes.`);
}

/** A JSON pointer (RFC 6901) from its unescaped segments; no segments give `""`, the whole document. */
export function jsonPointer(segments: readonly (string | number)[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** SQLSTATEs that say: the statement is fine, the server cannot do it now (down, full, cut, waiting on a lock). */
const databaseUnable = /^(?:08|53|57|55P03)/;
/** SQLSTATEs of values that Postgres cannot hold: the edge should have refused them. */
const valueRefused = new Set(['22021', '22P02', '22P05', '22003', '22007', '22008', '54000', '54001']);
/** A reference to what was deleted a moment ago; operations that expect it say what is gone. */
const foreignKeyViolation = '23503';
const connectionLost = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)/;
/** What pg says, without a code, of a connection that ended without a last word, or says nothing any more. */
const connectionEnded = /Connection terminated|connection error and is not queryable|Query read timeout/;

/**
 * Any thrown value as a ToolError. A database's own words, which quote SQL, become the cause and never the
 * message; a database that is down or full is 500 with `Retry-After`.
 */
export function toToolError(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  const generic = genericMessage.internal_error ?? '';
  const code = codeOf(thrown);
  if (valueRefused.has(code)) {
    const issue = { in: 'body', path: '', message: 'Holds a value that cannot be stored.' } as const;
    return invalidRequest([issue], { cause: thrown });
  }
  if (code === foreignKeyViolation)
    return new ToolError('not_found', 'Something that this names is gone.', { cause: thrown });
  if (isDatabaseUnable(thrown))
    return new ToolError('internal_error', generic, { cause: thrown, retryAfter: 1 });
  return new ToolError('internal_error', generic, { cause: thrown });
}

/** True where the database, or the way to it, fails and not the statement: it may work shortly. */
export function isDatabaseUnable(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return (
    databaseUnable.test(code) ||
    connectionLost.test(code) ||
    isWithoutSocket(thrown) ||
    isWithoutConnection(thrown)
  );
}

/** True where the Unix socket of a database is not there. */
function isWithoutSocket(thrown: unknown): boolean {
  return (
    codeOf(thrown) === 'ENOENT' &&
    thrown instanceof Error &&
    'syscall' in thrown &&
    thrown.syscall === 'connect'
  );
}

/** The `code` of a thrown value (a SQLSTATE, a Node.js error code), or `""`. */
export function codeOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' ? thrown.code : '';
}

function isWithoutConnection(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return (
    thrown.name === 'KnexTimeoutError' ||
    thrown.name === 'TimeoutError' ||
    connectionEnded.test(thrown.message)
  );
}

/** Which body an operation's validation failures have: the control plane's, or that of voices and models. */
export type ErrorEnvelope = 'error' | 'detail';

/** The status and body of an error as `service-api#errors` words them. */
export function errorAnswer(
  error: ToolError,
  requestId: string,
  envelope: ErrorEnvelope = 'error',
): { status: number; body: Record<string, unknown> } {
  if (envelope === 'detail' && error.code === 'invalid_request' && !error.passedOn)
    return { status: 422, body: { detail: issuesOf(error).map(detailItem) } };
  return { status: error.status, body: { error: { ...errorBody(error), requestId } } };
}

/** The body of an error, as every transport words it. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `code`, `message` and `details` of an error, without the request's id. */
export function errorBody(error: ToolError): ErrorBody {
  if (error.status >= 500)
    return { code: error.code, message: genericMessage[error.code] ?? genericMessage.internal_error ?? '' };
  const { code, message, details } = error;
  if (!details) return { code, message };
  if (code !== 'invalid_request') return { code, message, details };
  return {
    code,
    message,
    details: { ...details, issues: issuesOf(error).map(({ detail: _, ...issue }) => issue) },
  };
}

function issuesOf(error: ToolError): readonly Issue[] {
  return (error.details?.['issues'] ?? []) as readonly Issue[];
}

const detailPlace = { body: 'body', params: 'path', querystring: 'query' } as const;

/** An issue as FastAPI tells it. */
function detailItem(issue: Issue) {
  const place = detailPlace[issue.in];
  if (issue.detail) {
    const { loc, type, ctx } = issue.detail;
    return { loc: [place, ...loc], msg: issue.message, type, ...(ctx && { ctx }) };
  }
  const segments = issue.path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { loc: [place, ...segments], msg: issue.message, type: 'value_error' };
}
