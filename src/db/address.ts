/** Where a database is; of an embedded one, which may come back on another port, what knows it. */
export type Address = string | MovingAddress;

export interface MovingAddress {
  /** Undefined while there is no server. */
  current(): string | undefined;
  /**
   * The address, as soon as there is one.
   * @throws with a code of Node.js as for any server that cannot be reached, where it takes long.
   */
  reached(): Promise<string>;
}
