const traceParent = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** The trace that a caller says its call belongs to (W3C Trace Context 3.2, `traceparent`); undefined for what is none. */
export function traceOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && traceParent.test(header) ? header : undefined;
}
