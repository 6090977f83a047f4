import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';
import { only, raw } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import type { StoredBinding } from './store.ts';

/** Minutes in which a person may enter a secret. */
const requestMinutes = 10;

export interface SecretRequestRow {
  project_id: string;
  /** SHA-256 of the secret part of its address. */
  token_hash: Buffer;
  /** The key of the call that waits. */
  key_id: string;
  /** What it is, such as `secret STRIPE_KEY`. */
  name: string;
  /** Where the call wants it to be sent; null if its page does not ask for that. */
  binding: string | null;
  /** Null until a person has entered it. Empty if they have entered a binding alone. */
  sealed_value: Buffer | null;
  /** Where a person wants it to be sent; null if they have not said so. */
  entered_binding: string | null;
  expires_at: Date;
}

/** A secret that a call waits for, as its page shows it. */
export interface SecretRequest {
  readonly projectId: string;
  readonly keyId: string;
  /** What it is, such as `secret STRIPE_KEY`. */
  readonly name: string;
  readonly projectName: string;
  readonly keyName: string;
  /** True if the project has a secret of this name, whose value will be replaced. */
  readonly replaces: boolean;
  /** What its page proposes for where it may be sent: as the call wants it, else as it is; null if the page does not ask. */
  readonly binding: StoredBinding | null;
}

/** What a call says of where its secret may be sent. */
export type ProposedBinding = Partial<StoredBinding>;

const findByToken = `
  select request.project_id as "projectId", key_id as "keyId", request.name, project.name as "projectName",
    key.name as "keyName",
    secrets.name is not null as replaces,
    case when binding is not null then jsonb_build_object('hosts', coalesce(secrets.hosts, '{}'),
      'headers', case when secrets.hosts is null then array['authorization'] else secrets.headers end,
      'inUrl', coalesce(in_url, false)) || binding end as binding
  from secret_requests request
  left join secrets on secrets.project_id = request.project_id and request.name = 'secret ' || secrets.name
  join projects project on project.id = request.project_id
  join api_keys key on key.project_id = request.project_id and key.id = request.key_id
  where token_hash = :tokenHash and request.sealed_value is null and request.expires_at > now()`;

/** The request whose address holds the token with this SHA-256, as long as it waits. */
export async function findSecretRequest(knex: Knex, tokenHash: Buffer): Promise<SecretRequest | undefined> {
  const [request] = await runSql<SecretRequest>(knex, findByToken, { tokenHash });
  return request;
}

const countOpen =
  'select count(*) as count from secret_requests where project_id = :projectId and expires_at > now()';

const entered = `from secret_requests
  where project_id = :projectId and key_id = :keyId and name = :name and sealed_value is not null and expires_at > now()`;

/** What a person has entered: a value, encrypted for its request, and where it may be sent if they have said so. */
export interface EnteredSecret {
  readonly tokenHash: Buffer;
  readonly sealedValue: Buffer;
  readonly binding: StoredBinding | null;
}

/** The secrets that calls of a project wait for. */
export class SecretRequestStore extends TenantStore {
  /** How many have not expired. */
  async countOpen(): Promise<number> {
    return only(await this.sql<{ count: number }>(countOpen, {})).count;
  }

  /** @param binding what the call says of it; undefined if its page does not ask */
  async create(
    keyId: string,
    tokenHash: Buffer,
    name: string,
    binding: ProposedBinding | undefined,
  ): Promise<void> {
    await this.unbound('secret_requests').insert({
      project_id: this.projectId,
      token_hash: tokenHash,
      key_id: keyId,
      name,
      binding: binding === undefined ? null : JSON.stringify(binding),
      expires_at: raw(`now() + make_interval(mins => ${requestMinutes})`) as unknown as Date,
    });
  }

  /** Keeps what a person has entered; returns false if there is something already, or if it comes too late. */
  async enter({ tokenHash, sealedValue, binding }: EnteredSecret): Promise<boolean> {
    const changed = await this.table('secret_requests')
      .where({ token_hash: tokenHash })
      .whereNull('sealed_value')
      .andWhere('expires_at', '>', raw('now()'))
      .update({ sealed_value: sealedValue, entered_binding: binding && JSON.stringify(binding) });
    return changed > 0;
  }

  /** True if a person has entered this secret for a call of this key that waits. */
  async isEntered(keyId: string, name: string): Promise<boolean> {
    return (await this.sql(`select token_hash ${entered} limit 1`, { keyId, name })).length > 0;
  }

  /** Removes the values that were entered for this secret and key, and returns one of them. */
  async take(keyId: string, name: string): Promise<EnteredSecret | undefined> {
    const [taken] = await this.sql<EnteredSecret>(
      `delete ${entered} returning token_hash as "tokenHash", sealed_value as "sealedValue", entered_binding as binding`,
      { keyId, name },
    );
    return taken;
  }
}
