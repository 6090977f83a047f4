import type { Knex } from 'knex';

/**
 * What a search reads of a version: its texts, without case and accents. Whoever stores a version writes it. It is null in
 * versions of earlier releases, which may also come out of the trash or an archive: a worker writes it then, and until it
 * has, a search reads the document.
 */
const texts = `
  alter table flow_versions add column search_text text;
  create index flow_versions_without_text on flow_versions (project_id, id) where search_text is null;
  alter table conversation_versions add column search_text text;
  create index conversation_versions_without_text on conversation_versions (project_id, conversation_id, n)
    where search_text is null;
`;

/** The form in which texts are compared. ASCII, which most names are, takes a fifth of the time in the collation "C". */
const plain = `
  create or replace function search_plain(words text) returns text
    language sql immutable strict parallel safe
    as $$ select case when octet_length(words) = char_length(words)
      then lower(translate(words, E'\\n\\r\\t', '   ') collate "C")
      else regexp_replace(normalize(lower(translate(words, E'\\n\\r\\t\\u00A0', '    ')), NFD),
        E'[\\u0300-\\u036F]', '', 'g') end $$;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(texts);
  await db.raw(plain);
}
