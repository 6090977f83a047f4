/** Attributes of a span. Undefined ones are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** A span that is about to begin. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'internal' | 'client' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** The headers of a caller, whose trace the span continues (W3C Trace Context). By default, the span that is active. */
  readonly caller?: Readonly<Record<string, string | string[] | undefined>>;
}

/** A span that has begun. */
export interface OpenSpan {
  readonly traceId: string;
  end(end: {
    readonly name?: string;
    readonly attributes?: SpanAttributes;
    /** The kind of failure; undefined if there was none. */
    readonly failure?: string | undefined;
  }): void;
}

/** Records spans. `open-tracing.ts` makes one from the packages of OpenTelemetry. */
export interface Tracing {
  /** Runs `work` with a new span as the active one. Whoever runs it ends the span. */
  within<Result>(start: SpanStart, work: (span: OpenSpan) => Result): Result;
  /** The id of the trace that the caller runs in. */
  traceId(): string | undefined;
  /** The headers that continue the active span in another program. */
  headers(): Readonly<Record<string, string>>;
}

/** Undefined in most processes: without it, a span costs one comparison. */
let tracing: Tracing | undefined;

/** Traces from now on, or no longer. Call it before anything opens. */
export function traceWith(given: Tracing | undefined): void {
  tracing = given;
}

/** What records spans; undefined if nothing does. */
export function activeTracing(): Tracing | undefined {
  return tracing;
}

/** Runs `work` in a span, which ends with it. */
export function inSpan<Result>(start: SpanStart, work: () => Promise<Result>): Promise<Result> {
  return tracing ? tracing.within(start, (span) => endWith(span, work())) : work();
}

/** Runs a statement of the database in a span, if it belongs to a trace. Polls for jobs, for example, do not. */
export function inStatementSpan<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  return tracing?.traceId() !== undefined ? inSpan(statementSpan(text), work) : work();
}

/** The span of a statement. The text holds no values. */
export function statementSpan(text: string): SpanStart {
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  return {
    name: `postgresql ${operation}`,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
  };
}

async function endWith<Result>(span: OpenSpan, work: Promise<Result>): Promise<Result> {
  try {
    const result = await work;
    span.end({});
    return result;
  } catch (error) {
    span.end({ failure: failureOf(error) });
    throw error;
  }
}

/** The code of an error, or its name. Never its message, which may quote values. */
export function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
