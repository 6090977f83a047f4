import { statement } from '../db/pipelined.ts';
import { newId } from '../id.ts';
import { only, type Queries } from './queries.ts';
import { trashDays } from './trash.ts';

export type VoiceGender = 'male' | 'female' | 'neutral';

/** A custom voice of a project, without its reference audio. */
export interface CustomVoice {
  id: string;
  name: string;
  gender: VoiceGender;
  supportedLanguages: string[];
  vibeTags: string[];
}

/** What a custom voice is made of, besides its audio. */
export interface NewVoice {
  readonly name: string;
  readonly gender: VoiceGender;
  readonly supportedLanguages: readonly string[];
  readonly vibeTags: readonly string[];
  /** What is said in the reference audio. */
  readonly transcript: string;
}

/** What a custom voice is cloned from. */
export interface VoiceReference {
  readonly sealedAudio: Buffer;
  readonly transcript: string;
}

interface VoiceRow {
  id: string;
  name: string;
  gender: VoiceGender;
  supported_languages: string[];
  vibe_tags: string[];
}

const columns = ['id', 'name', 'gender', 'supported_languages', 'vibe_tags'] as const;

/** The voice with an id, else the newest with that name; it is asked for with every speech. */
const resolveVoice = statement('resolve_voice', (knex, $) =>
  knex('voices')
    .select(...columns)
    .where({ project_id: $(0) })
    .whereRaw('(id = ? or name = ?)', [$(1), $(1)])
    // Every value of such a statement is a text, so that a limit of knex's cannot stand here.
    .orderByRaw('id = ? desc, id desc limit 1', [$(1)]),
);

/** One statement: the voice and its reference, without a round trip between them. */
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

/** The voice moves into the trash, and its audio as the bytes that it is. */
const trashVoice = `
  with voice as (
    delete from voices where project_id = :projectId and id = :id returning *
  ), reference as (
    delete from voice_references where project_id = :projectId and voice_id = :id returning *
  )
  insert into trash (project_id, id, kind, resource_id, name, rows, sealed_content, expires_at)
  select voice.project_id, :trashId, 'voice', voice.id, voice.name,
    json_build_object(
      'voices', json_build_array(row_to_json(voice)),
      'voice_references', json_build_array(json_build_object('transcript', transcript))),
    sealed_audio, now() + make_interval(days => :days)
  from voice join reference on voice_id = voice.id
  returning id`;

function toVoice(row: VoiceRow): CustomVoice {
  return {
    id: row.id,
    name: row.name,
    gender: row.gender,
    supportedLanguages: row.supported_languages,
    vibeTags: row.vibe_tags,
  };
}

/** The custom voices of a project. */
export class VoiceStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** All of them, newest first. */
  async list(): Promise<CustomVoice[]> {
    return (
      await this.#voices()
        .select(...columns)
        .orderBy('id', 'desc')
    ).map(toVoice);
  }

  async count(): Promise<number> {
    const { count } = only(await this.#voices().count<{ count: number }[]>('* as count'));
    return count;
  }

  /** The one with this id, else the newest with this name. */
  async resolve(idOrName: string): Promise<CustomVoice | undefined> {
    const [row] = await this.#queries.point.query(resolveVoice, [this.#projectId, idOrName]);
    return row && toVoice(row as unknown as VoiceRow);
  }

  /** What a voice is cloned from. */
  async reference(id: string): Promise<VoiceReference | undefined> {
    const row = await this.#queries
      .knex<{ project_id: string; voice_id: string; transcript: string; sealed_audio: Buffer }>(
        'voice_references',
      )
      .where({ project_id: this.#projectId, voice_id: id })
      .first('transcript', 'sealed_audio');
    return row && { sealedAudio: row.sealed_audio, transcript: row.transcript };
  }

  /** Whether there is such a voice, held for this transaction: nobody deletes it meanwhile. */
  async hold(id: string): Promise<boolean> {
    return (await this.#voices().where({ id }).forKeyShare().first('id')) !== undefined;
  }

  /** Creates a voice; `sealAudio` seals the reference audio for its id. */
  async create(voice: NewVoice, sealAudio: (id: string) => Buffer): Promise<CustomVoice> {
    const id = newId('voice');
    const { rows } = await this.#queries.knex.raw<{ rows: VoiceRow[] }>(createVoice, {
      ...voice,
      supportedLanguages: [...voice.supportedLanguages],
      vibeTags: [...voice.vibeTags],
      projectId: this.#projectId,
      id,
      sealedAudio: sealAudio(id),
    });
    return toVoice(only(rows));
  }

  /** Moves a voice into the trash; false where there is none. Who holds it is waited for. */
  async trash(id: string): Promise<boolean> {
    const binding = { projectId: this.#projectId, id, trashId: newId('trash'), days: trashDays };
    const { rows } = await this.#queries.knex.raw<{ rows: unknown[] }>(trashVoice, binding);
    return rows.length > 0;
  }

  #voices() {
    return this.#queries.knex<VoiceRow & { project_id: string }>('voices').where({
      project_id: this.#projectId,
    });
  }
}
