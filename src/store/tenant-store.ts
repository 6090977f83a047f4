import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { SqlWithBindings } from '../postgres/sql.ts';
import type { Bindings, Statement, TableOn } from '../postgres/statement.ts';
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
    return this.queries.table(name).where({ project_id: this.projectId } as object);
  }

  /** Starts a query that is not bound to the project: an insert, which has to name it, or one on the projects. */
  protected get unbound(): TableOn {
    return this.queries.table;
  }

  /** Runs an SQL constant; `:projectId` is bound already. */
  protected async sql<Row>(text: string, bindings: Bindings): Promise<Row[]> {
    const { rows } = await this.queries.sql(text, { ...bindings, projectId: this.projectId });
    return rows as Row[];
  }

  /**
   * Runs hot SQL constants one after another, prepared and in one round trip; `:projectId` is bound already. Returns the rows
   * of each. If one fails, none has changed anything.
   */
  protected async together(...statements: readonly SqlWithBindings[]): Promise<unknown[][]> {
    const { projectId } = this;
    const bound = statements.map(([text, bindings]) => [text, { ...bindings, projectId }] as const);
    return (await this.queries.together(bound)).map(({ rows }) => rows);
  }

  /** The key that writes; null on the command line. */
  protected get author(): string | null {
    return this.queries.author ?? null;
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
