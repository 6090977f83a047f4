import type { Knex } from 'knex';
import { newId } from '../id.ts';
import type { Plan, ProjectMode, ProjectType } from './projects.ts';

/** What the API does not make: organizations, projects and secret keys, for whoever runs Parley. */
export interface NewProject {
  readonly name: string;
  readonly organizationId: string;
  readonly plan?: Plan | undefined;
  readonly mode?: ProjectMode | undefined;
  readonly type?: ProjectType | undefined;
}

/** @returns the new organization's id */
export async function createOrganization(knex: Knex, name: string): Promise<string> {
  const id = newId('organization');
  await knex('organizations').insert({ id, name });
  return id;
}

export async function organizationExists(knex: Knex, id: string): Promise<boolean> {
  return (await knex('organizations').where({ id }).first('id')) !== undefined;
}

/** True while nothing was ever made here. */
export async function isEmpty(knex: Knex): Promise<boolean> {
  return (await knex('organizations').first('id')) === undefined;
}

/** @returns the new project's id */
export async function createProject(knex: Knex, project: NewProject): Promise<string> {
  const { organizationId, ...columns } = project;
  const id = newId('project');
  const set = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  await knex('projects').insert({ id, organization_id: organizationId, ...set });
  return id;
}

/** The organization of a project; undefined where there is no such project. */
export async function organizationOf(knex: Knex, projectId: string): Promise<string | undefined> {
  const row = await knex<{ id: string; organization_id: string }>('projects')
    .where({ id: projectId })
    .first('organization_id');
  return row?.organization_id;
}

/** The files of sources that are neither there nor in the trash. */
const purgeFiles = `
  with deleted as (
    select trash.project_id, source->>'id' as source_id
    from trash, json_array_elements(rows->'knowledge_sources') as source
    where kind in ('knowledgeBase', 'knowledgeSource')
  )
  delete from knowledge_files as file
  where not exists (
    select from knowledge_sources where project_id = file.project_id and id = file.source_id
  ) and not exists (
    select from deleted where project_id = file.project_id and source_id = file.source_id
  )`;

/** Removes what has outlived its time: the trash after thirty days, and the files of its sources; stored answers after one. */
export async function purgeExpired(knex: Knex): Promise<void> {
  await knex('trash').where('expires_at', '<=', knex.fn.now()).delete();
  await knex.raw(purgeFiles);
  await knex('idempotency_keys').whereRaw(`created_at < now() - interval '24 hours'`).delete();
}
