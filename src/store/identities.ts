import { joined, type PointReader, type Statement, statement } from '../db/statement.ts';
import type { KeyScopeName, KeyTypeName } from './keys.ts';
import type { ProjectStatus } from './projects.ts';

/** What never changes about a key, so that it may be cached. */
export interface Identity {
  readonly keyId: string;
  readonly projectId: string;
  readonly keyType: KeyTypeName;
  readonly scope: KeyScopeName;
  /** Null if the key has all the access of its scope. */
  readonly access: readonly string[] | null;
}

/** The states of a key and its project, which may change at any time: read with every call, never cached. */
export interface KeyStatus {
  readonly keyStatus: 'active' | 'revoked' | 'expired';
  readonly projectStatus: ProjectStatus;
}

const identityOf = statement('identity', (knex, $) =>
  knex('api_keys')
    .select('id', 'project_id', 'key_type', 'scope', 'access')
    .where({ hash: $(0) }),
);

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

/** The identity of the key with this SHA-256. */
export async function findIdentity(point: PointReader, hash: Buffer): Promise<Identity | undefined> {
  const [row] = await point.query(identityOf, [hash]);
  if (!row) return undefined;
  return {
    keyId: row.id,
    projectId: row.project_id,
    keyType: row.key_type,
    scope: row.scope,
    access: row.access,
  };
}

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
