import type { Knex } from 'knex';
import { newId } from '../../platform/id.ts';
import { definedIn } from '../../store/queries.ts';
import type { Plan, ProjectMode, ProjectType } from './store.ts';

export interface OrganizationRow {
  id: string;
  name: string;
  created_at: Date;
}

/** A project that the command line creates: the API creates no organizations, projects or secret keys. */
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

/** True until the first organization is created. */
export async function hasNoOrganization(knex: Knex): Promise<boolean> {
  return (await knex('organizations').first('id')) === undefined;
}

/** @returns the new project's id */
export async function createProject(knex: Knex, project: NewProject): Promise<string> {
  const { organizationId, ...columns } = project;
  const id = newId('project');
  await knex('projects').insert({ id, organization_id: organizationId, ...definedIn(columns) });
  return id;
}

/** The organization of a project; undefined if the project does not exist. */
export async function organizationOf(knex: Knex, projectId: string): Promise<string | undefined> {
  const row = await knex('projects').where({ id: projectId }).first('organization_id');
  return row?.organization_id;
}
