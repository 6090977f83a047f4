/** A problem of one field of a request. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly requestId?: string | undefined;
}

/** A failure of the API, or of the way to it (status 0). The message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;

  constructor({ status, code, message, details = {}, requestId }: Failure, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }

  /** The problems that the API found in the request. */
  get issues(): readonly FieldIssue[] {
    const { issues } = this.details;
    return Array.isArray(issues) ? (issues as FieldIssue[]) : [];
  }
}

/** The request has not reached the server, or its response has not come back. */
export function unreachable(cause: unknown): ApiError {
  const message = 'The server cannot be reached. Check that it runs, and try again.';
  return new ApiError({ status: 0, code: 'unreachable', message }, { cause });
}

/** Reads the error of a response (`service-api#errors`). */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const text = await response.text().catch(() => '');
  const error = envelopeOf(text);
  return new ApiError({
    status,
    code: error?.code ?? 'unknown',
    message: error?.message ?? `The server responded with status ${status}.`,
    details: error?.details,
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}

type Envelope = Pick<Failure, 'code' | 'message' | 'details'>;

/** Undefined if a proxy, and not Parley, has written the text. */
function envelopeOf(text: string): Envelope | undefined {
  try {
    return (JSON.parse(text) as { error?: Envelope }).error;
  } catch {
    return undefined;
  }
}
