import type { Knex } from 'knex';
import { hasCode } from '../error-code.ts';
import { MissingExtensionError } from '../missing-extension.ts';

/** Maps a letter to the one without its accent. */
const plainLetters: Readonly<Record<string, string>> = {
  a: 'àáâãäåāăą',
  c: 'çćč',
  d: 'ďđ',
  e: 'èéêëēėęě',
  g: 'ğ',
  i: 'ìíîïīįı',
  l: 'ł',
  n: 'ñńň',
  o: 'òóôõöøōő',
  r: 'ř',
  s: 'śšşș',
  t: 'ťţț',
  u: 'ùúûüūůűų',
  y: 'ýÿ',
  z: 'źżž',
};
const accented = Object.values(plainLetters).join('');
const plain = Object.entries(plainLetters)
  .map(([letter, others]) => letter.repeat(others.length))
  .join('');

/**
 * Keeps the columns that a scan of many chunks reads in the row. By default, Postgres would move even ids out of a row of
 * more than 2 KB, as most are, and fetch them one by one.
 */
const keptInRow = ['search', 'project_id', 'knowledge_base_id', 'source_id', 'url', 'heading', 'language'];

/**
 * A chunk is found by the stems of its words in its language, without accents. Accents are removed after stemming, because
 * stemmers know endings with accents. Typographic apostrophes and hyphens count as typed ones, and characters that may
 * divide a word do not. The index starts with the base, so that other bases cost a query little. The functions set their
 * own search path, because a restore or a vacuum may set another one.
 */
const search = `
  create function knowledge_plain(words text) returns text
    language sql immutable strict parallel safe
    as $$ select pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(
      pg_catalog.translate(words, '${accented}', '${plain}'), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae') $$;

  create function knowledge_vector(language text, words text) returns tsvector
    language plpgsql immutable strict parallel safe set search_path from current
    as $$
    declare
      configuration regconfig := coalesce(
        (select oid from pg_catalog.pg_ts_config
         where cfgname = language and cfgnamespace = 'pg_catalog'::regnamespace),
        'pg_catalog.simple'::regconfig);
      vector tsvector := to_tsvector(configuration, translate(words, U&'\\2019\\02BC\\2011\\00AD', '''''-'));
      written text := vector;
    begin
      if octet_length(written) = char_length(written) then return vector; end if;
      return knowledge_plain(written)::tsvector;
    end $$;

  alter table knowledge_chunks
    add column search tsvector not null generated always as (
      setweight(knowledge_vector(language, heading), 'A') || knowledge_vector(language, text)
    ) stored,
    ${keptInRow.map((column) => `alter column ${column} set storage main`).join(', ')},
    set (toast_tuple_target = 4080);
  create index knowledge_chunks_search on knowledge_chunks using gin (knowledge_base_id, search);
`;

const hasWords = `cross join lateral (select unnest(tsvector_to_array(search)) union all select '') as has (word)`;

/**
 * The number of chunks of a base and language that contain a word; under the empty word, the number of all chunks.
 * Triggers count, because chunks are also deleted with their pages, sources and bases. Writers to one base take turns
 * until the end of their transaction, because the commonest words are in every chunk.
 */
const words = `
  create table knowledge_words (
    project_id text collate "C" not null,
    knowledge_base_id text collate "C" not null,
    language text collate "C" not null,
    word text collate "C" not null,
    chunks integer not null,
    primary key (project_id, knowledge_base_id, language, word),
    constraint knowledge_words_knowledge_base
      foreign key (project_id, knowledge_base_id) references knowledge_bases on delete cascade
  );
  comment on table knowledge_words is 'made by triggers';
  create index knowledge_words_similar on knowledge_words using gin (knowledge_base_id, word gin_trgm_ops);

  insert into knowledge_words (project_id, knowledge_base_id, language, word, chunks)
  select project_id, knowledge_base_id, language, word, count(*)
  from knowledge_chunks ${hasWords}
  group by project_id, knowledge_base_id, language, word;

  create function knowledge_words_added() returns trigger
    language plpgsql set search_path from current
    as $function$
    begin
      perform pg_advisory_xact_lock(hashtextextended(knowledge_base_id, 0))
      from (select distinct knowledge_base_id from changed order by 1) as bases;
      insert into knowledge_words as known (project_id, knowledge_base_id, language, word, chunks)
      select project_id, knowledge_base_id, language, word, count(*)
      from changed ${hasWords}
      group by project_id, knowledge_base_id, language, word
      on conflict (project_id, knowledge_base_id, language, word)
        do update set chunks = known.chunks + excluded.chunks;
      return null;
    end $function$;

  create function knowledge_words_removed() returns trigger
    language plpgsql set search_path from current
    as $function$
    begin
      -- The words of a deleted base are deleted with it.
      perform from changed join knowledge_bases as base
        on base.project_id = changed.project_id and base.id = changed.knowledge_base_id
        limit 1;
      if not found then return null; end if;
      perform pg_advisory_xact_lock(hashtextextended(knowledge_base_id, 0))
      from (select distinct knowledge_base_id from changed order by 1) as bases;
      with gone as materialized (
        select project_id, knowledge_base_id, language, word, count(*) as chunks
        from changed ${hasWords}
        group by project_id, knowledge_base_id, language, word
      ), last as (
        delete from knowledge_words as known using gone
        where known.project_id = gone.project_id and known.knowledge_base_id = gone.knowledge_base_id
          and known.language = gone.language and known.word = gone.word and known.chunks <= gone.chunks
      )
      update knowledge_words as known set chunks = known.chunks - gone.chunks
      from gone
      where known.project_id = gone.project_id and known.knowledge_base_id = gone.knowledge_base_id
        and known.language = gone.language and known.word = gone.word and known.chunks > gone.chunks;
      return null;
    end $function$;

  create trigger knowledge_chunks_added after insert on knowledge_chunks
    referencing new table as changed for each statement execute function knowledge_words_added();
  create trigger knowledge_chunks_removed after delete on knowledge_chunks
    referencing old table as changed for each statement execute function knowledge_words_removed();
`;

/** SQLSTATEs: the extension's files are missing, or the role may not create it. */
const [undefinedFile, featureNotSupported, insufficientPrivilege] = ['58P01', '0A000', '42501'];

export async function up(db: Knex): Promise<void> {
  for (const extension of ['btree_gin', 'pg_trgm']) {
    try {
      await db.raw('create extension if not exists ??', [extension]);
    } catch (error) {
      if (!hasCode(error, undefinedFile, featureNotSupported, insufficientPrivilege)) throw error;
      throw new MissingExtensionError(extension, { cause: error });
    }
  }
  await db.raw(search);
  await db.raw(words);
}
