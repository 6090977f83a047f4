import type { PoolUse } from '../platform/private-members/knex.ts';
import type { Address } from '../postgres/address.ts';
import { PipelinedConnection } from '../postgres/pipelined.ts';

/**
 * The connections for point reads. All statements of one turn of the event loop go to the same connection, which
 * sends them in one write; the next turn takes the next connection.
 */
export class PointConnections {
  readonly #connections: readonly PipelinedConnection[];
  #index = 0;
  #isTaken = false;

  /**
   * @param count at least 1
   * @param silence milliseconds after which a connection is closed whose server is silent
   */
  constructor(address: Address, count: number, silence?: number) {
    this.#connections = Array.from({ length: count }, () => new PipelinedConnection(address, silence));
  }

  /** The connection of this turn. */
  current(): PipelinedConnection {
    if (!this.#isTaken) {
      this.#isTaken = true;
      this.#index = (this.#index + 1) % this.#connections.length;
      setImmediate(() => {
        this.#isTaken = false;
      });
    }
    const connection = this.#connections[this.#index];
    if (!connection) throw new Error('there is no connection for point reads');
    return connection;
  }

  get use(): PoolUse {
    const open = this.#connections.filter(({ isOpen }) => isOpen);
    const used = open.filter(({ waiting }) => waiting > 0).length;
    return {
      most: this.#connections.length,
      used,
      free: open.length - used,
      waiting: this.#connections.reduce((sum, { waiting }) => sum + waiting, 0),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}
