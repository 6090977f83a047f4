/** True where `error` carries one of these codes: `ENOENT` and its like of Node, SQLSTATEs of Postgres. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}
