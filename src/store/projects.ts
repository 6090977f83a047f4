import { now, only, type Queries, timestamp } from './queries.ts';

export type ProjectStatus = 'active' | 'archived' | 'paused';
export type Plan = 'free' | 'starter' | 'growth' | 'pro' | 'enterprise';
export type ProjectType = 'hotline' | 'platform';
export type ProjectMode = 'simple' | 'advanced';
export type Channel = 'phone' | 'website';

/** Project, `service-api` part 2. */
export interface Project {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  status: ProjectStatus;
  plan: Plan;
  type: ProjectType;
  mode: ProjectMode;
  channels: Channel[];
  industry: string | null;
  createdAt: string;
  updatedAt: string;
}

interface ProjectRow extends Omit<Project, 'organizationId' | 'createdAt' | 'updatedAt'> {
  organization_id: string;
  created_at: Date;
  updated_at: Date;
}

/** What a change of a project may set; what is left out stays. */
export interface ProjectChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly status?: ProjectStatus | undefined;
  readonly channels?: readonly Channel[] | undefined;
  readonly industry?: string | null | undefined;
}

/** The caller's project. */
export class ProjectStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** The project that the caller's key belongs to. */
  async current(): Promise<Project> {
    const row = await this.#queries.knex<ProjectRow>('projects').where({ id: this.#projectId }).first();
    if (!row) throw new Error(`project ${this.#projectId} is gone while its key is in use`);
    return toProject(row);
  }

  /** The same, held for this transaction: who counts what the plan limits counts alone. */
  async hold(): Promise<Project> {
    const rows = this.#queries.knex<ProjectRow>('projects').where({ id: this.#projectId });
    return toProject(only(await rows.forNoKeyUpdate()));
  }

  /** Sets what the change names. A change that names nothing leaves `updatedAt` alone. */
  async update(change: ProjectChange): Promise<Project> {
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (Object.keys(set).length === 0) return this.current();
    const { knex } = this.#queries;
    const rows = await knex<ProjectRow>('projects')
      .where({ id: this.#projectId })
      .update({ ...set, updated_at: now(knex) })
      .returning('*');
    return toProject(only(rows));
  }
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    status: row.status,
    plan: row.plan,
    type: row.type,
    mode: row.mode,
    channels: row.channels,
    industry: row.industry,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}
