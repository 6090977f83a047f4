import { type Queries, timestamp } from './queries.ts';

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
}
