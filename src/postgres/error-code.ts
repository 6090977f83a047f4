/** True if `error` has one of these codes: Node's, such as `ENOENT`, or SQLSTATEs of Postgres. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}
