import type { Knex } from 'knex';
import * as baseline from './0050-baseline.ts';
import * as taskAccess from './0051-task-access.ts';
import * as secretBindings from './0052-secret-bindings.ts';
import * as sessionAddresses from './0053-session-addresses.ts';
import * as spending from './0054-spending.ts';
import * as inheritedRejections from './0056-inherited-rejections.ts';
import * as oauthFairness from './0057-oauth-fairness.ts';
import * as scenarioChanges from './0059-scenario-changes.ts';
import * as sessionNetworks from './0060-session-networks.ts';
import * as approvedConversations from './0061-approved-conversations.ts';
import * as searchText from './0062-search-text.ts';
import * as rejectionsElsewhere from './0063-rejections-elsewhere.ts';
import * as liftedRejections from './0064-lifted-rejections.ts';
import * as listIndexes from './0065-list-indexes.ts';
import * as formerSearch from './0066-former-search.ts';
import * as projectTime from './0067-project-time.ts';
import * as formerValues from './0068-former-values.ts';
import * as calendarHolds from './0069-calendar-holds.ts';
import * as voiceCalls from './0070-voice-calls.ts';
import * as flowSessions from './0071-flow-sessions.ts';

/**
 * The baseline replaces the migrations up to this one, and is recorded under its name. A database that has it continues with
 * the next one, and replicas of its release accept a database that began with the baseline.
 */
export const baselineName = '0050-rejections';

/** Every migration, in order. The SQL of a migration never changes once it has landed. The numbers 0055 and 0058 were never used. */
const migrations: readonly [name: string, migration: Pick<Knex.Migration, 'up'>][] = [
  [baselineName, baseline],
  ['0051-task-access', taskAccess],
  ['0052-secret-bindings', secretBindings],
  ['0053-session-addresses', sessionAddresses],
  ['0054-spending', spending],
  ['0056-inherited-rejections', inheritedRejections],
  ['0057-oauth-fairness', oauthFairness],
  ['0059-scenario-changes', scenarioChanges],
  ['0060-session-networks', sessionNetworks],
  ['0061-approved-conversations', approvedConversations],
  ['0062-search-text', searchText],
  ['0063-rejections-elsewhere', rejectionsElsewhere],
  ['0064-lifted-rejections', liftedRejections],
  ['0065-list-indexes', listIndexes],
  ['0066-former-search', formerSearch],
  ['0067-project-time', projectTime],
  ['0068-former-values', formerValues],
  ['0069-calendar-holds', calendarHolds],
  ['0070-voice-calls', voiceCalls],
  ['0071-flow-sessions', flowSessions],
];

export const migrationNames: readonly string[] = migrations.map(([name]) => name);

/** The first `count` migrations, for knex. */
export const firstMigrations = (count: number): Knex.MigrationSource<(typeof migrations)[number]> => ({
  getMigrations: async () => migrations.slice(0, count),
  getMigrationName: ([name]) => name,
  getMigration: async ([, { up }]) => ({ up: withoutLimit(up), down }),
});

/** A migration of many rows takes long. The role or a pooler may limit statements. */
const withoutLimit =
  (up: Knex.Migration['up']): Knex.Migration['up'] =>
  async (trx) => {
    await trx.raw('set local statement_timeout = 0');
    await up(trx);
  };

async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
