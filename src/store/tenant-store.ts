import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { Statement } from '../db/pipelined.ts';
import { type Bindings, runSql } from '../db/sql.ts';
import { only, type Queries } from './queries.ts';

/** The tables whose rows belong to a project. */
type TenantTable = {
  [Name in keyof Tables]: Tables[Name] extends { project_id: string } ? Name : never;
}[keyof Tables];

/** A store of one project: every statement that it runs is bound to that project. */
export abstract class TenantStore {
  protected readonly queries: Queries;
  protected readonly projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.queries = queries;
    this.projectId = projectId;
  }

  protected get knex(): Knex {
    return this.queries.knex;
  }

  /** Starts a query on the project's rows of a table. */
  protected table<Name extends TenantTable>(name: Name) {
    return this.knex(name).where({ project_id: this.projectId } as object);
  }

  /** Runs an SQL constant; `:projectId` is bound already. */
  protected sql<Row>(text: string, bindings: Bindings, timeout?: number): Promise<Row[]> {
    return runSql<Row>(this.knex, text, { ...bindings, projectId: this.projectId }, timeout);
  }

  /** Runs a point read, whose first value is the project's id. */
  protected async read<Row>(statement: Statement<Row>, value: string): Promise<Row | undefined> {
    const [row] = await this.queries.point.query(statement, [this.projectId, value]);
    return row;
  }

  protected async countRows(name: TenantTable): Promise<number> {
    const { count } = only(await this.table(name).count<{ count: number }[]>('* as count'));
    return count;
  }
}
