import type { Knex } from 'knex';
import { knowledgeVector } from './0050-baseline.ts';

/** What was left of the search before migration 0062. A database that began with the baseline never had it. */
const functions = [
  'search_conversation',
  'search_conversation_changed',
  'search_conversation_version_added',
  'search_flow',
  'search_flow_changed',
  'search_flow_version_changed',
  'search_index',
  'search_knowledge_source',
  'search_knowledge_source_changed',
  'search_later',
  'search_lines',
  'search_pattern',
  'search_record_changed',
  'search_record_deleted',
  'search_store',
  'search_versioned_record_deleted',
  'search_words',
];
const tables = ['search_backlog', 'search_entries', 'search_pending'];

/** Earlier databases have a second function for the accents of words. */
const words = `
  ${knowledgeVector}
  drop function if exists knowledge_plain;
`;

export async function up(db: Knex): Promise<void> {
  // Cascades to the triggers that call them.
  await db.raw(`drop function if exists ${functions.join(', ')} cascade`);
  await db.raw(`drop table if exists ${tables.join(', ')}`);
  await db.raw(words);
}
