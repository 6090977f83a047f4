import type { KeyStatus, ProjectStatus } from '../operation/context.ts';
import { joined, type PointReader, type Statement, statement } from '../postgres/statement.ts';

interface KeyStatusRow {
  readonly key_status: KeyStatus['keyStatus'];
  readonly project_status: ProjectStatus;
}

const keyStatusOf = statement<KeyStatusRow>('keyStatus', (knex, $) =>
  knex('api_keys as key')
    .join('projects as project', 'project.id', 'key.project_id')
    .select(
      knex.raw("case when key.expires_at <= now() then 'expired' else key.status end as key_status"),
      'project.status as project_status',
    )
    .where({ 'key.project_id': $(0), 'key.id': $(1) }),
);

/** The current status of a key and its project; undefined if the key is gone. */
export async function readKeyStatus(
  point: PointReader,
  projectId: string,
  keyId: string,
): Promise<KeyStatus | undefined> {
  const [row] = await point.query(keyStatusOf, [projectId, keyId]);
  return keyStatusIn(row);
}

/**
 * Reads the key status in one statement with the first point read of this tick, or on its own if there is none. Two
 * statements cost a third more, even in one write.
 */
export class KeyStatusReader implements PointReader {
  readonly keyStatus: Promise<KeyStatus | undefined>;
  readonly #point: PointReader;
  readonly #key: readonly [projectId: string, keyId: string];
  #settle: ((keyStatus: KeyStatus | undefined | Promise<KeyStatus | undefined>) => void) | undefined;

  constructor(point: PointReader, projectId: string, keyId: string) {
    this.#point = point;
    this.#key = [projectId, keyId];
    this.keyStatus = new Promise((resolve) => {
      this.#settle = resolve;
    });
    process.nextTick(() => this.#take()?.(readKeyStatus(point, projectId, keyId)));
  }

  async query<Result>(statement: Statement<Result>, values: readonly (string | Buffer)[]): Promise<Result[]> {
    const settle = this.#take();
    if (!settle) return this.#point.query(statement, values);
    const both = this.#point.query(joined(keyStatusOf, statement), [...this.#key, ...values]);
    settle(both.then(([row]) => keyStatusIn(row)));
    const rows = await both;
    return rows[0]?.found ? rows : [];
  }

  /** Returns the function that settles the status, to the first caller only. */
  #take() {
    const settle = this.#settle;
    this.#settle = undefined;
    return settle;
  }
}

function keyStatusIn(row: KeyStatusRow | undefined): KeyStatus | undefined {
  return row && { keyStatus: row.key_status, projectStatus: row.project_status };
}
