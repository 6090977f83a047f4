const traceParent = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Returns a valid `traceparent` header (W3C Trace Context 3.2), else undefined. */
export function traceOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && traceParent.test(header) ? header : undefined;
}
