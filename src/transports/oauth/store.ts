import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';
import { type KeyScopeName, KeyStore } from '../../resources/keys/store.ts';
import { queriesOn } from '../../store/queries.ts';

/** Names a key. */
export interface GrantKey {
  readonly projectId: string;
  readonly keyId: string;
}

/** What never changes about a secret key. */
export interface KeyIdentity extends GrantKey {
  readonly scope: KeyScopeName;
  /** Null if the key has all the access of its scope. */
  readonly access: readonly string[] | null;
}

/** Something that the authorization server remembers for a time: a grant, a code, a token, a sign-in in progress. */
export interface OAuthRecord {
  readonly kind: string;
  /** SHA-256 of its id, which for codes and tokens is the secret. */
  readonly idHash: Buffer;
  /** The grant to which a code or a token belongs. */
  readonly grantId: string | undefined;
  /** The key that was made for the grant. */
  readonly key: GrantKey | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly expiresAt: Date;
  /** Who is signing in; undefined for anything but a sign-in in progress. */
  readonly signIn: { readonly clientId: string; readonly address: string | undefined } | undefined;
}

/** What never changes about an access token, so that it may be cached. */
export interface AccessTokenRow {
  readonly key_id: string;
  readonly project_id: string;
  readonly key_scope: KeyScopeName;
  /** What the key of the grant is narrowed to. */
  readonly access: readonly string[] | null;
  /** What the key that signed in is narrowed to; null for all that its scope allows. */
  readonly signed_in_access: readonly string[] | null;
  /** The scopes of the token, separated by spaces. */
  readonly scope: string | null;
  readonly audience: string | null;
  readonly expires_at: Date;
}

/** The part of an address that one visitor cannot change at will: all of IPv4, 64 bits of IPv6. */
const networkOfAddress = `
  set_masklen(cast(:address as inet), case family(cast(:address as inet)) when 4 then 32 else 64 end)`;

const saveRecord = `
  insert into oauth_records (kind, id_hash, grant_id, project_id, key_id, payload, expires_at, client_id, network)
  values (:kind, :idHash, :grantId, :projectId, :keyId, :payload, :expiresAt, :clientId, network(${networkOfAddress}))
  on conflict (kind, id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`;

/** Sign-ins in progress, give or take those between two removals. */
const mostSignIns = 10_000;

/** What holds a network: what one line, and one site, can vary of IPv6, as for the limits on sessions. */
const lineOfNetwork = 'network(set_masklen(network, least(masklen(network), 56)))';
const siteOfNetwork = 'network(set_masklen(network, least(masklen(network), 48)))';

/**
 * Removes the sign-ins in progress beyond the bound. The site with the most loses first, of its sign-ins those of the line with the
 * most, then of the network and of the client with the most, and of these the oldest.
 */
const removeSurplusSignIns = `
  with of_clients as (
    select id_hash, network, expires_at,
      row_number() over (partition by network, client_id order by expires_at desc) as nth_of_client
    from oauth_records where kind = 'Interaction'
  ), of_networks as (
    select id_hash, network, expires_at,
      row_number() over (partition by network order by nth_of_client, expires_at desc) as nth_of_network
    from of_clients
  ), of_lines as (
    select id_hash, network, expires_at,
      row_number() over (partition by ${lineOfNetwork} order by nth_of_network, expires_at desc) as nth_of_line
    from of_networks
  ), of_sites as (
    select id_hash, expires_at,
      row_number() over (partition by ${siteOfNetwork} order by nth_of_line, expires_at desc) as nth_of_site
    from of_lines
  )
  delete from oauth_records where kind = 'Interaction' and id_hash in (
    select id_hash from oauth_records where kind = 'Interaction' and id_hash in (
      select id_hash from of_sites order by nth_of_site, expires_at desc offset ${mostSignIns}
    ) for update skip locked
  )`;

/** The key of a grant lives as long as its last token, and no longer than the key that signed in. */
const prolongKey = `
  update api_keys as made
  set expires_at = least(greatest(made.expires_at, cast(:expiresAt as timestamptz)), maker.expires_at)
  from api_keys as maker
  where made.project_id = :projectId and made.id = :keyId
    and maker.project_id = made.project_id and maker.id = made.minted_by`;

const findRecord = `
  select payload, consumed_at from oauth_records
  where kind = :kind and id_hash = :idHash and expires_at > now()`;

const consumeRecord = `
  update oauth_records set consumed_at = now()
  where kind = :kind and id_hash = :idHash and consumed_at is null
  returning true as consumed`;

const removeRecord = 'delete from oauth_records where kind = :kind and id_hash = :idHash';

const removeGrant = `
  delete from oauth_records where grant_id = :grantId
  returning project_id, key_id`;

const findAccessToken = `
  select token.project_id, token.key_id, token.expires_at, token.payload->>'scope' as scope,
    token.payload->>'aud' as audience, made.scope as key_scope, made.access, maker.access as signed_in_access
  from oauth_records as token
  join api_keys as made on made.project_id = token.project_id and made.id = token.key_id
  join api_keys as maker on maker.project_id = made.project_id and maker.id = made.minted_by
  where token.kind = 'AccessToken' and token.id_hash = :idHash and token.expires_at > now()`;

const findKey = `
  select scope, access from api_keys
  where project_id = :projectId and id = :keyId and key_type = 'secret'`;

const findClient = 'select metadata from oauth_clients where id = :id and expires_at > now()';

/** Clients with which nobody has signed in or begins to, give or take those between two removals. */
const mostIdleClients = 1_000;

const saveClient = `
  insert into oauth_clients (id, metadata, expires_at, network)
  values (:id, :metadata, now() + interval '1 day', network(${networkOfAddress}))`;

/** Removes the idle clients beyond the bound, as {@link removeSurplusSignIns} does. */
const removeSurplusClients = `
  with of_networks as (
    select id, network, created_at,
      row_number() over (partition by network order by created_at desc, id) as nth_of_network
    from oauth_clients as client
    where used_at is null and not exists (
      select 1 from oauth_records as sign_in
      where sign_in.kind = 'Interaction' and sign_in.client_id = client.id and sign_in.expires_at > now()
    )
  ), of_lines as (
    select id, network, created_at,
      row_number() over (partition by ${lineOfNetwork} order by nth_of_network, created_at desc) as nth_of_line
    from of_networks
  ), of_sites as (
    select id, created_at,
      row_number() over (partition by ${siteOfNetwork} order by nth_of_line, created_at desc) as nth_of_site
    from of_lines
  )
  delete from oauth_clients where id in (
    select id from oauth_clients where used_at is null and id in (
      select id from of_sites order by nth_of_site, created_at desc offset ${mostIdleClients}
    ) for update skip locked
  )`;

/** Registrations, or sign-ins that begin, until a process removes the surplus again: a flood costs no sort for each. */
const removalInterval = 50;

const useClient = `
  update oauth_clients set used_at = now(), expires_at = now() + interval '90 days', network = null where id = :id`;

/** What the authorization server remembers, for all replicas. It belongs to no project: clients come before a key is known. */
export class OAuthStore {
  readonly #knex: Knex;
  #signInsBegun = 0;
  #clientsRegistered = 0;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /**
   * Stores a record, or replaces it.
   * @param prolongs whether the key of the grant has to live as long as the record
   */
  async save(record: OAuthRecord, prolongs: boolean): Promise<void> {
    const { kind, idHash, grantId = null, key, payload, expiresAt, signIn } = record;
    const { projectId = null, keyId = null } = key ?? {};
    const json = JSON.stringify(payload);
    await runSql(this.#knex, saveRecord, {
      kind,
      idHash,
      grantId,
      projectId,
      keyId,
      payload: json,
      expiresAt,
      clientId: signIn?.clientId ?? null,
      address: signIn?.address ?? null,
    });
    if (signIn && ++this.#signInsBegun % removalInterval === 0)
      await runSql(this.#knex, removeSurplusSignIns);
    if (prolongs && key) await runSql(this.#knex, prolongKey, { ...key, expiresAt });
  }

  /** A record that has not expired. */
  async find(
    kind: string,
    idHash: Buffer,
  ): Promise<{ payload: Record<string, unknown>; consumed_at: Date | null } | undefined> {
    const [row] = await runSql<{ payload: Record<string, unknown>; consumed_at: Date | null }>(
      this.#knex,
      findRecord,
      { kind, idHash },
    );
    return row;
  }

  /** Marks a record as used; returns false if it was used before, or is gone. */
  async consume(kind: string, idHash: Buffer): Promise<boolean> {
    return (await runSql(this.#knex, consumeRecord, { kind, idHash })).length > 0;
  }

  async remove(kind: string, idHash: Buffer): Promise<void> {
    await runSql(this.#knex, removeRecord, { kind, idHash });
  }

  /** Ends a grant: removes its codes and tokens, and revokes its key, which ends them on every replica. */
  endGrant(grantId: string): Promise<void> {
    return this.#knex.transaction(async (trx) => {
      const rows = await runSql<{ project_id: string; key_id: string }>(trx, removeGrant, { grantId });
      const [key] = rows.filter(({ key_id: keyId }) => keyId !== null);
      if (key) await new KeyStore(queriesOn(trx), key.project_id).revoke(key.key_id);
    });
  }

  /** The access token with this SHA-256, if it has not expired. */
  async accessToken(idHash: Buffer): Promise<AccessTokenRow | undefined> {
    const [row] = await runSql<AccessTokenRow>(this.#knex, findAccessToken, { idHash });
    return row;
  }

  /** What never changes about a secret key. */
  async key({ projectId, keyId }: GrantKey): Promise<KeyIdentity | undefined> {
    const [row] = await runSql<Pick<KeyIdentity, 'scope' | 'access'>>(this.#knex, findKey, {
      projectId,
      keyId,
    });
    return row && { projectId, keyId, ...row };
  }

  /** The metadata of a registered client. */
  async client(id: string): Promise<Record<string, unknown> | undefined> {
    const [row] = await runSql<{ metadata: Record<string, unknown> }>(this.#knex, findClient, { id });
    return row?.metadata;
  }

  /**
   * Registers a client for a day, in which someone has to sign in with it.
   * @param address the IP address that registers it
   */
  async saveClient(
    id: string,
    metadata: Readonly<Record<string, unknown>>,
    address: string | undefined,
  ): Promise<void> {
    await runSql(this.#knex, saveClient, {
      id,
      metadata: JSON.stringify(metadata),
      address: address ?? null,
    });
    if (++this.#clientsRegistered % removalInterval === 0) await runSql(this.#knex, removeSurplusClients);
  }

  /** Keeps a registered client for 90 days more. */
  async useClient(id: string): Promise<void> {
    await runSql(this.#knex, useClient, { id });
  }
}
