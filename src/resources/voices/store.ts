import { newId } from '../../platform/id.ts';
import { statement } from '../../postgres/statement.ts';
import { only } from '../../store/queries.ts';
import { type EncodedPiece, piecesQuery, type SealedPiece, sealedPieces } from '../../store/sealed-file.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';

export type VoiceGender = 'male' | 'female' | 'neutral';

/** A custom voice of a project, without its reference audio. */
export interface CustomVoice {
  id: string;
  name: string;
  gender: VoiceGender;
  supportedLanguages: string[];
  vibeTags: string[];
}

/** A custom voice without its audio. */
export interface NewVoice {
  readonly name: string;
  readonly gender: VoiceGender;
  readonly supportedLanguages: readonly string[];
  readonly vibeTags: readonly string[];
  /** The words of the reference audio. */
  readonly transcript: string;
}

/** The audio that a custom voice is cloned from, and its words. */
export interface VoiceReference {
  readonly sealedAudio: AsyncIterable<SealedPiece>;
  readonly transcript: string;
}

export interface VoiceRow {
  project_id: string;
  id: string;
  name: string;
  gender: VoiceGender;
  supported_languages: string[];
  vibe_tags: string[];
  created_at: Date;
}

export interface VoiceReferenceRow {
  project_id: string;
  voice_id: string;
  transcript: string;
  sealed_audio: Buffer;
}

const columns = ['id', 'name', 'gender', 'supported_languages', 'vibe_tags'] as const;
type RecordRow = Pick<VoiceRow, (typeof columns)[number]>;

/** A point read, because every speech request makes it. */
const resolveVoice = statement('resolve_voice', (knex, $) =>
  knex('voices')
    .select(...columns)
    .where({ project_id: $(0) })
    .andWhere((either) => void either.where({ id: $(1) }).orWhere({ name: $(1) }))
    // Every value of a statement is a text or bytes, so `limit()`, which binds a number, cannot be used.
    .orderByRaw('id = :idOrName desc, id desc limit 1', { idOrName: $(1) }),
);

/** One statement for the voice and its reference saves a round trip. */
const createVoice = `
  with voice as (
    insert into voices (project_id, id, name, gender, supported_languages, vibe_tags)
    values (:projectId, :id, :name, :gender, cast(:supportedLanguages as text[]), cast(:vibeTags as text[]))
    returning *
  ), reference as (
    insert into voice_references (project_id, voice_id, transcript, sealed_audio)
    select project_id, id, :transcript, cast(:sealedAudio as bytea) from voice
  )
  select ${columns.join(', ')} from voice`;

const readAudio = piecesQuery(
  'voice_references',
  'sealed_audio',
  'project_id = :projectId and voice_id = :id',
);

function toVoice(row: RecordRow): CustomVoice {
  return {
    id: row.id,
    name: row.name,
    gender: row.gender,
    supportedLanguages: row.supported_languages,
    vibeTags: row.vibe_tags,
  };
}

/** The custom voices of a project. */
export class VoiceStore extends TenantStore {
  /** Lists all of them, newest first. */
  async list(): Promise<CustomVoice[]> {
    const rows = await this.table('voices')
      .select(...columns)
      .orderBy('id', 'desc');
    return rows.map(toVoice);
  }

  count(): Promise<number> {
    return this.countRows('voices');
  }

  /** Finds the voice with this id, or else the newest one with this name. */
  async resolve(idOrName: string): Promise<CustomVoice | undefined> {
    const row = await this.read(resolveVoice, idOrName);
    return row && toVoice(row);
  }

  async reference(id: string): Promise<VoiceReference | undefined> {
    const row = await this.table('voice_references').where({ voice_id: id }).first('transcript');
    const sealedAudio = sealedPieces((from) => this.sql<EncodedPiece>(readAudio, { id, from }));
    return row && { sealedAudio, transcript: row.transcript };
  }

  /** Locks a voice for this transaction, so that nobody deletes it; returns false if it does not exist. */
  async hold(id: string): Promise<boolean> {
    return (await this.table('voices').where({ id }).forKeyShare().first('id')) !== undefined;
  }

  /** Creates a voice; `sealAudio` binds the reference audio to the new id. */
  async create(voice: NewVoice, sealAudio: (id: string) => Promise<Buffer>): Promise<CustomVoice> {
    const id = newId('voice');
    const bindings = { ...voice, id, sealedAudio: await sealAudio(id) };
    return toVoice(only(await this.sql<RecordRow>(createVoice, bindings)));
  }

  /** Moves a voice into the trash, after every transaction that holds it; returns the id of its entry there, or undefined. */
  trash(id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'voice', { id });
  }
}
