/** Every error code with its HTTP status: those of `service-api#errors`, then those of `decisions#added-codes`. */
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
  version_rejected: 409,
  secret_shown_once: 409,
  rate_limited: 429,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The generic messages of 5xx errors, whose own text stays in the log. */
const genericMessage: Partial<Record<ErrorCode, string>> = {
  not_yet_supported: 'This is not supported yet.',
  unsupported_step: 'This design holds a kind of step that the API does not expose.',
  usage_unavailable: 'Usage data is not available right now. Try again shortly.',
  validation_unavailable: 'Validation is not available right now. Nothing was written. Try again shortly.',
  agent_config_unavailable: 'The agent configuration is not available right now. Nothing was written.',
  kb_query_unavailable: 'Knowledge search is not available right now. Try again shortly.',
  internal_error: 'Something went wrong on our side. It is safe to try again shortly.',
};

/** The part of a request that an issue is about (`service-api#errors`). */
export type IssuePlace = 'body' | 'params' | 'querystring';

/** The most problems that a response lists. The search for them ends with the last. */
export const mostProblems = 100;

/** One reason why a request is refused; `path` is a JSON pointer (RFC 6901) into the part that `in` names. */
export interface Issue {
  readonly in: IssuePlace;
  readonly path: string;
  readonly message: string;
  /** For the `detail` envelope only. */
  readonly detail?: IssueDetail;
}

/** What the `detail` envelope says of an issue, as far as the issue itself does not say it. */
export interface IssueDetail {
  /** Path from the top of its part; list positions are numbers. */
  readonly loc: readonly (string | number)[];
  /** An error type of pydantic, which clients of these endpoints know. */
  readonly type: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** A response body that callers get unchanged. */
export interface PassedOn {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** What a caller may still do under a rate limit, for the headers of draft-ietf-httpapi-ratelimit-headers-11. */
export interface Allowance {
  /** The name of the limit. */
  readonly policy: string;
  /** The limit: so many requests in each window of so many seconds. */
  readonly requests: number;
  readonly seconds: number;
  /** Requests that are left in the current window. */
  readonly left: number;
  /** Seconds until it ends, at least 1. */
  readonly remaining: number;
}

/** One of several problems, with what to do about it. */
export interface ErrorProblem {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** What an error may hold besides its code and message. */
export interface ErrorOptions {
  /** Becomes `error.details`, except in a 5xx. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What a model should do next, in a 5xx also what has failed; sent on MCP only. */
  readonly hint?: string;
  /** Everything that is wrong, also what `details` may not list; sent on MCP only. */
  readonly problems?: readonly ErrorProblem[];
  /** For the log, never for the caller. */
  readonly cause?: unknown;
  /** For codes with two statuses: `plan_limit_exceeded` 422, `internal_error` 502, `usage_unavailable` 501. */
  readonly status?: number;
  /** Seconds, for the `Retry-After` header (RFC 9110 section 10.2.3). */
  readonly retryAfter?: number;
  /** The rate limits that refused the call. */
  readonly allowances?: readonly Allowance[];
  /** Replaces the usual body in REST: an upstream's own response. */
  readonly passedOn?: PassedOn;
}

/** A system outside Parley refused a request or did not respond. The message is for whoever asked for the request. */
export class OutsideFailure extends Error {
  override readonly name: string = 'OutsideFailure';
}

/** A failure with a text for the caller (code, message, details, hint) and one for the log (`cause`). */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly allowances: readonly Allowance[] | undefined;
  readonly passedOn: PassedOn | undefined;
  readonly problems: readonly ErrorProblem[];

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? errorStatus[code];
    this.details = options.details;
    this.hint = options.hint;
    this.retryAfter = options.retryAfter;
    this.allowances = options.allowances;
    this.passedOn = options.passedOn;
    this.problems = options.problems ?? [];
  }
}

/** 400 `invalid_request` with at least one issue. */
export function invalidRequest(issues: readonly [Issue, ...Issue[]], options: ErrorOptions = {}): ToolError {
  const [first] = issues;
  const where = first.path === '' ? first.in : `${first.in} ${first.path}`;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new ToolError('invalid_request', `${where}: ${first.message}${more}`, {
    ...options,
    details: { issues },
  });
}

/** 401, the same for a missing, malformed, unknown and revoked key (`reliability#keys`). */
export function unauthorized(): ToolError {
  return new ToolError('unauthorized', 'The API key is missing, invalid or revoked.');
}

/**
 * 429 for too much of something at once, which passes by itself (`decisions#too-many`).
 * @param resource what there is too much of, as `details.resource` names it
 * @param limit how much there can be; undefined if several limits hold
 * @param retryAfter seconds after which there may be room
 */
export function tooManyAtOnce(
  resource: 'drawings' | 'openSessions' | 'secretRequests' | 'uploads',
  limit: number | undefined,
  message: string,
  retryAfter: number,
  hint?: string,
): ToolError {
  return new ToolError('rate_limited', message, {
    details: { resource, ...(limit !== undefined && { limit }), retryAfter },
    retryAfter,
    ...(hint !== undefined && { hint }),
  });
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

/** SQLSTATEs of a server that cannot run the statement now: it is down, full, cut off or waiting for a lock. */
const databaseUnable = /^(?:08|53|57|55P03)/;
/** SQLSTATEs of values that Postgres cannot store; input checks should have refused them. */
const valueRefused = new Set(['22021', '22P02', '22P05', '22003', '22007', '22008', '54000', '54001']);
/** SQLSTATE of a reference to a record that was deleted a moment ago. */
const foreignKeyViolation = '23503';
const connectionLost = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)/;
/** Messages of pg, which have no code, for a connection that was cut or no longer responds. */
const connectionEnded = /Connection terminated|is not queryable|Query read timeout|^timeout expired$/;

/**
 * Turns any thrown value into a ToolError. The database's own message quotes SQL, so it becomes the cause and
 * never the message. A database that is down or full becomes a 500 with `Retry-After`.
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
    return new ToolError('not_found', 'A record that this request names was deleted.', { cause: thrown });
  if (isDatabaseUnable(thrown))
    return new ToolError('internal_error', generic, { cause: thrown, retryAfter: 1 });
  return new ToolError('internal_error', generic, { cause: thrown });
}

/** True if the database or the connection failed and not the statement: a retry may succeed. */
export function isDatabaseUnable(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return (
    databaseUnable.test(code) ||
    connectionLost.test(code) ||
    isOutcomeUnknown(thrown) ||
    isWithoutSocket(thrown) ||
    isWithoutConnection(thrown)
  );
}

/** True if the database may have made the change, or not: the connection was lost during COMMIT. */
export function isOutcomeUnknown(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'UnknownOutcome';
}

/** True if the Unix socket of the database does not exist. */
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

/** The body of validation errors: `error` in general, `detail` for voices and models. */
export type ErrorEnvelope = 'error' | 'detail';

/** The status and body of an error response (`service-api#errors`). */
export function errorAnswer(
  error: ToolError,
  requestId: string,
  envelope: ErrorEnvelope = 'error',
): { status: number; body: Record<string, unknown> } {
  if (envelope === 'detail' && error.code === 'invalid_request' && !error.passedOn)
    return { status: 422, body: { detail: issuesOf(error).map(detailItem) } };
  return { status: error.status, body: { error: { ...errorBody(error), requestId } } };
}

/** The error object on every transport. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The error object without the request id. That of a 5xx has the generic words of its code, and no details (service-api#errors). */
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

/** An issue in the form of FastAPI. */
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

/** A call of a tool as hints name it: `list_flow_versions {"flowId":"cfl…"}`. */
export function callText(tool: string, input: Readonly<Record<string, unknown>>): string {
  return `${tool} ${JSON.stringify(input)}`;
}
