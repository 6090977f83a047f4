import { newId } from '../../platform/id.ts';
import type { PointReader } from '../../postgres/statement.ts';
import { statement } from '../../postgres/statement.ts';
import { only, raw, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';

/** Minutes for which an upload can be sent and used. */
export const uploadMinutes = 15;

/** A file on its way into an operation. */
export interface StoredUpload {
  readonly id: string;
  /** Bytes; null until the file was sent. */
  readonly size: number | null;
  readonly state: 'waiting' | 'received' | 'used' | 'expired';
}

/** How many uploads can still be sent or used. */
export interface OpenUploads {
  readonly ofProject: number;
  /** Of a key, and of all keys that come from the same first key. */
  readonly ofKey: number;
}

/** An upload as its address finds it, with the key that made it. */
export interface AddressedUpload extends StoredUpload {
  readonly projectId: string;
  readonly keyId: string;
}

export interface UploadRow {
  project_id: string;
  id: string;
  key_id: string;
  /** SHA-256 of the secret part of its address. */
  token_hash: Buffer;
  size: number | null;
  used_at: Date | null;
  created_at: Date;
  expires_at: Date;
}

export interface UploadPieceRow {
  project_id: string;
  upload_id: string;
  position: number;
  sealed_content: Buffer;
}

const state = `case when used_at is not null then 'used' when expires_at <= now() then 'expired'
  when size is null then 'waiting' else 'received' end`;

interface StateRow {
  readonly id: string;
  readonly size: number | null;
  readonly state: StoredUpload['state'];
}

const findUpload = statement<StateRow>('find_upload', (knex, $) =>
  knex('uploads')
    .select<StateRow[]>('id', 'size', knex.raw(`${state} as state`))
    .where({ project_id: $(0), id: $(1) }),
);

interface AddressedRow extends StateRow {
  readonly project_id: string;
  readonly key_id: string;
}

const findByToken = statement<AddressedRow>('upload_of', (knex, $) =>
  knex('uploads')
    .select<AddressedRow[]>('project_id', 'key_id', 'id', 'size', knex.raw(`${state} as state`))
    .where({ token_hash: $(0) }),
);

/** The upload whose address holds the token with this SHA-256. */
export async function findUploadByToken(
  point: PointReader,
  tokenHash: Buffer,
): Promise<AddressedUpload | undefined> {
  const [row] = await point.query(findByToken, [tokenHash]);
  if (!row) return undefined;
  const { project_id: projectId, key_id: keyId, ...upload } = row;
  return { projectId, keyId, ...upload };
}

const receive = `
  update uploads set size = :size
  where project_id = :projectId and id = :id and size is null and used_at is null and expires_at > now()
  returning id`;

const use = `
  with used as (
    update uploads set used_at = now()
    where project_id = :projectId and id = :id and size is not null and used_at is null and expires_at > now()
    returning id
  ), removed as (
    delete from upload_pieces where project_id = :projectId and upload_id in (select id from used)
  )
  select id from used`;

/** A key can make further keys, so those that come from one first key count together. */
const countOpen = `
  with recursive open as (
    select key_id from uploads where project_id = :projectId and used_at is null and expires_at > now()
  ), line as (
    select id as key_id, id, minted_by from api_keys
    where project_id = :projectId and id in (select key_id from open union select :keyId)
    union all
    select line.key_id, maker.id, maker.minted_by from line
      join api_keys as maker on maker.project_id = :projectId and maker.id = line.minted_by
  ), origin as (
    select key_id, id from line where minted_by is null
  )
  select cast(count(*) as integer) as "ofProject",
    cast(count(*) filter (where id = (select id from origin where key_id = :keyId)) as integer) as "ofKey"
  from open left join origin using (key_id)`;

/** The files that a project has sent, until an operation uses them. */
export class UploadStore extends TenantStore {
  /** How many can still be sent or used. */
  async countOpen(keyId: string): Promise<OpenUploads> {
    return only(await this.sql<OpenUploads>(countOpen, { keyId }));
  }

  async create(keyId: string, tokenHash: Buffer): Promise<{ id: string; expiresAt: string }> {
    const id = newId('upload');
    const rows = await this.unbound('uploads')
      .insert({
        project_id: this.projectId,
        id,
        key_id: keyId,
        token_hash: tokenHash,
        expires_at: raw(`now() + make_interval(mins => ${uploadMinutes})`) as unknown as Date,
      })
      .returning(['expires_at']);
    return { id, expiresAt: timestamp(only(rows).expires_at) };
  }

  find(id: string): Promise<StoredUpload | undefined> {
    return this.read(findUpload, id);
  }

  /**
   * Stores the file of an upload, in a transaction.
   * @returns false if it has one already, or has expired
   */
  async receive(id: string, size: number, sealedPieces: AsyncIterable<Buffer>): Promise<boolean> {
    const [row] = await this.sql(receive, { id, size });
    if (!row) return false;
    let position = 0;
    for await (const sealed_content of sealedPieces) {
      await this.unbound('upload_pieces').insert({
        project_id: this.projectId,
        upload_id: id,
        position,
        sealed_content,
      });
      position += 1;
    }
    return true;
  }

  /** One piece of the file; undefined after the last, and once the upload was used. */
  async piece(id: string, position: number): Promise<Buffer | undefined> {
    const row = await this.table('upload_pieces').where({ upload_id: id, position }).first('sealed_content');
    return row?.sealed_content;
  }

  /** Marks an upload as used and removes its file; returns false if it cannot be used any more. */
  async use(id: string): Promise<boolean> {
    return (await this.sql(use, { id })).length > 0;
  }
}
