import type { Handler } from './phone-numbers.ts';
import { only, timestamp } from './queries.ts';
import { TenantStore } from './tenant-store.ts';

/** That a person has judged a version: it must not go live. */
export interface Rejection {
  /** The name of the key that rejected it; null on the command line. */
  readonly by: string | null;
  readonly at: string;
  readonly reason: string | null;
}

/** A version that is rejected. */
export interface RejectedVersion {
  readonly version: number;
  readonly rejection: Rejection;
}

/** The columns of a version that say whether it is rejected. All are null unless it is. */
export interface RejectionColumns {
  rejected_at: Date | null;
  /** The key that rejected it; null on the command line. */
  rejected_by: string | null;
  rejection_reason: string | null;
}

/** What a statement selects of a version with {@link rejectionOf}. */
export interface RejectionRow extends Omit<RejectionColumns, 'rejected_by'> {
  readonly rejected_by_name: string | null;
}

/** SQL for the columns of {@link RejectionRow}, from a table of versions. */
export const selectRejection = (versions: string) => `rejected_at, rejection_reason, (
  select name from api_keys where api_keys.project_id = ${versions}.project_id and api_keys.id = rejected_by
) as rejected_by_name`;

/** The rejection of a version; null if it is not rejected. */
export function rejectionOf({
  rejected_at,
  rejected_by_name,
  rejection_reason,
}: RejectionRow): Rejection | null {
  return rejected_at && { by: rejected_by_name, at: timestamp(rejected_at), reason: rejection_reason };
}

/** The versions of a flow and of a conversation: their table, and its columns for the record and the number. */
const versionsOf = {
  flow: { table: 'flow_versions', record: 'flow_id', number: 'version' },
  conversation: { table: 'conversation_versions', record: 'conversation_id', number: 'n' },
} as const satisfies Record<Handler['kind'], object>;

function statementsOf(kind: Handler['kind']) {
  const { table, record, number } = versionsOf[kind];
  const selected = `${number} as version, ${selectRejection(table)}`;
  const ofRecord = `project_id = :projectId and ${record} = :id`;
  return {
    find: `select ${selected} from ${table}
      where ${ofRecord} and ${number} = any(cast(:versions as bigint[])) and rejected_at is not null
      order by ${number} desc`,
    reject: `update ${table}
      set rejected_at = now(), rejected_by = cast(:author as text), rejection_reason = cast(:reason as text)
      where ${ofRecord} and ${number} = :version returning ${selected}`,
    takeBack: `update ${table} set rejected_at = null, rejected_by = null, rejection_reason = null
      where ${ofRecord} and ${number} = :version`,
  };
}

const statements = { flow: statementsOf('flow'), conversation: statementsOf('conversation') };

/** Which versions of flows and conversations are rejected. */
export class RejectionStore extends TenantStore {
  /** Those of these versions that are rejected, the highest number first. */
  async find({ kind, id }: Handler, versions: readonly number[]): Promise<RejectedVersion[]> {
    const rows = await this.sql<RejectionRow & { version: number }>(statements[kind].find, {
      id,
      versions: versions.map(String),
    });
    return rows.flatMap((row) => {
      const rejection = rejectionOf(row);
      return rejection ? [{ version: row.version, rejection }] : [];
    });
  }

  /** Rejects a version that exists. The caller holds its flow or conversation. */
  async reject({ kind, id }: Handler, version: number, reason: string | null): Promise<Rejection | null> {
    const bindings = { id, version, reason, author: this.author };
    return rejectionOf(only(await this.sql<RejectionRow>(statements[kind].reject, bindings)));
  }

  /** Takes the rejection of a version back, if it has one. */
  async takeBack({ kind, id }: Handler, version: number): Promise<void> {
    await this.sql(statements[kind].takeBack, { id, version });
  }
}
