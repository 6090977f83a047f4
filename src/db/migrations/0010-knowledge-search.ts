import type { Knex } from 'knex';

/** What a letter is when it is typed without its accent. */
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
 * A chunk is found by the stems of its words in its language, and stems have no accents: they go after stemming, since
 * the endings that stemmers know have theirs. The functions name what they need, whatever path a restore or a vacuum
 * sets. The index has the base in front, so that what other bases hold costs a query nothing but a look. A row of
 * `knowledge_words` says how many chunks of a base and language have a word, and the one of the empty word how many
 * there are; what was deleted may still be counted.
 */
const search = `
  create function knowledge_plain(word text) returns text
    language sql immutable strict parallel safe
    as $$ select pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(
      pg_catalog.translate(word, '${accented}', '${plain}'), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae') $$;

  create function knowledge_vector(language text, words text) returns tsvector
    language plpgsql immutable strict parallel safe set search_path from current
    as $$
    declare
      configuration regconfig := coalesce(
        (select oid from pg_catalog.pg_ts_config
         where cfgname = language and cfgnamespace = 'pg_catalog'::regnamespace),
        'pg_catalog.simple'::regconfig);
      vector tsvector := to_tsvector(configuration, translate(words, U&'\\2019\\02BC\\2011\\00AD', '''''-'));
    begin
      if octet_length(words) = char_length(words) then return vector; end if;
      return knowledge_plain(vector::text)::tsvector;
    end $$;

  alter table knowledge_chunks
    add column search tsvector not null generated always as (
      setweight(knowledge_vector(language, heading), 'A') || knowledge_vector(language, text)
    ) stored,
    alter column search set storage main;
  create index knowledge_chunks_search on knowledge_chunks using gin (knowledge_base_id, search);

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
  create index knowledge_words_similar on knowledge_words using gin (knowledge_base_id, word gin_trgm_ops);
`;

export async function up(db: Knex): Promise<void> {
  for (const extension of ['pg_trgm', 'btree_gin']) await db.raw(`create extension if not exists ${extension}`);
  await db.raw(search);
}

export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
