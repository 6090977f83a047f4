/** The URL of a database. An embedded one may return at another URL after a crash, so it is asked for its current one. */
export type Address = string | MovingAddress;

export interface MovingAddress {
  /** Undefined while no server runs. */
  current(): string | undefined;
  /**
   * Waits for the URL of a running server.
   * @throws with the code of an unreachable server if that takes too long
   */
  reached(): Promise<string>;
}
