import type { Knex } from 'knex';
import * as foundation from './0001-foundation.ts';
import * as conversations from './0002-conversations.ts';
import * as secrets from './0003-secrets.ts';
import * as webAgents from './0004-web-agents.ts';
import * as phoneNumbers from './0005-phone-numbers.ts';
import * as integrationCredentials from './0006-integration-credentials.ts';
import * as usage from './0007-usage.ts';
import * as voices from './0008-voices.ts';
import * as knowledge from './0009-knowledge.ts';
import * as knowledgeSearch from './0010-knowledge-search.ts';
import * as knowledgeRemovals from './0011-knowledge-removals.ts';
import * as knowledgeEmbedding from './0012-knowledge-embedding.ts';
import * as flowsOfProfile from './0013-flows-of-profile.ts';
import * as rateLimits from './0014-rate-limits.ts';
import * as knowledgeDetails from './0015-knowledge-details.ts';
import * as integrationUnverified from './0016-integration-unverified.ts';
import * as projectSearch from './0027-project-search.ts';
import * as changes from './0028-changes.ts';
import * as restrictedKeys from './0029-restricted-keys.ts';
import * as requireDisclosure from './0030-require-disclosure.ts';
import * as versionAuthors from './0031-version-authors.ts';
import * as searchPending from './0032-search-pending.ts';
import * as uploads from './0034-uploads.ts';
import * as scenarios from './0036-scenarios.ts';
import * as trashResources from './0038-trash-resources.ts';
import * as sessions from './0040-sessions.ts';
import * as sessionRecords from './0042-session-records.ts';
import * as handover from './0043-handover.ts';
import * as oauth from './0044-oauth.ts';
import * as oauthSignIns from './0045-oauth-sign-ins.ts';
import * as secretRequests from './0046-secret-requests.ts';
import * as livePeriodsAndWorkers from './0047-live-periods-and-workers.ts';
import * as tasks from './0048-tasks.ts';
import * as oauthClients from './0049-oauth-clients.ts';
import * as rejections from './0050-rejections.ts';
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

/** Every migration, in order. The SQL of a released migration never changes. */
const migrations: readonly [name: string, migration: Pick<Knex.Migration, 'up'>][] = [
  ['0001-foundation', foundation],
  ['0002-conversations', conversations],
  ['0003-secrets', secrets],
  ['0004-web-agents', webAgents],
  ['0005-phone-numbers', phoneNumbers],
  ['0006-integration-credentials', integrationCredentials],
  ['0007-usage', usage],
  ['0008-voices', voices],
  ['0009-knowledge', knowledge],
  ['0010-knowledge-search', knowledgeSearch],
  ['0011-knowledge-removals', knowledgeRemovals],
  ['0012-knowledge-embedding', knowledgeEmbedding],
  ['0013-flows-of-profile', flowsOfProfile],
  ['0014-rate-limits', rateLimits],
  ['0015-knowledge-details', knowledgeDetails],
  ['0016-integration-unverified', integrationUnverified],
  ['0027-project-search', projectSearch],
  ['0028-changes', changes],
  ['0029-restricted-keys', restrictedKeys],
  ['0030-require-disclosure', requireDisclosure],
  ['0031-version-authors', versionAuthors],
  ['0032-search-pending', searchPending],
  ['0034-uploads', uploads],
  ['0036-scenarios', scenarios],
  ['0038-trash-resources', trashResources],
  ['0040-sessions', sessions],
  ['0042-session-records', sessionRecords],
  ['0043-handover', handover],
  ['0044-oauth', oauth],
  ['0045-oauth-sign-ins', oauthSignIns],
  ['0046-secret-requests', secretRequests],
  ['0047-live-periods-and-workers', livePeriodsAndWorkers],
  ['0048-tasks', tasks],
  ['0049-oauth-clients', oauthClients],
  ['0050-rejections', rejections],
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
