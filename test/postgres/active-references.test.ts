import { expect, onTestFinished, test } from 'vitest';
import { migrateTo } from '../../src/postgres/migrate.ts';
import { migrationNames } from '../../src/postgres/migrations/index.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { emptyDatabase } from '../helpers/parley.ts';

/** Designs that older builds may have stored: the active version and a draft. */
const designs: readonly [conversation: string, active: unknown, draft: unknown][] = [
  [
    'ccvnames0',
    {
      integrations: [
        { integrationId: 'cincrm000' },
        { integrationId: 'cincrm000' },
        { integrationId: 'cingone00' },
        { integrationId: 'cinother0' },
        {},
      ],
      knowledge: [{ knowledgeBaseId: 'ckbfaq000' }],
    },
    { integrations: [{ integrationId: 'cindraft0' }] },
  ],
  ['ccvodd000', { integrations: { integrationId: 'cincrm000' }, knowledge: ['ckbfaq000', null, 1] }, null],
  ['ccvnone00', null, { knowledge: [{ knowledgeBaseId: 'ckbfaq000' }] }],
];

test('the migration protects only the records that active designs reference', async () => {
  const connectionString = await emptyDatabase();
  const db = openPool({ connectionString, mode: 'write', max: 1, warn: (line) => console.error(line) });
  onTestFinished(() => db.destroy());
  await migrateTo(db, migrationNames.indexOf('0006-integration-credentials'));
  await db.raw(`
    insert into organizations values ('cog000000', 'Org');
    insert into projects (id, organization_id, name) values ('cpr000000', 'cog000000', 'P'), ('cprother0', 'cog000000', 'P');
    insert into knowledge_bases (project_id, id, name) values ('cpr000000', 'ckbfaq000', 'FAQ');
    insert into integrations (project_id, id, kind, provider, name) values
      ('cpr000000', 'cincrm000', 'crm', 'hubspot', 'CRM'), ('cpr000000', 'cindraft0', 'crm', 'hubspot', 'CRM'),
      ('cprother0', 'cinother0', 'crm', 'hubspot', 'CRM')`);
  for (const [id, active, draft] of designs) {
    await db.raw(
      `insert into conversations (project_id, id, name, kind, newest_version, active_version)
       values ('cpr000000', ?, 'C', 'advanced', 2, 2)`,
      [id],
    );
    for (const [n, design] of [draft, active].entries())
      await db('conversation_versions').insert({
        project_id: 'cpr000000',
        conversation_id: id,
        n: n + 1,
        tag: '',
        design: JSON.stringify(design),
        design_bytes: 0,
      });
  }
  await migrateTo(db);
  expect(await db('conversation_integrations').select('conversation_id', 'integration_id')).toStrictEqual([
    { conversation_id: 'ccvnames0', integration_id: 'cincrm000' },
  ]);
  expect(await db('conversation_knowledge_bases').select('knowledge_base_id')).toStrictEqual([
    { knowledge_base_id: 'ckbfaq000' },
  ]);
});
