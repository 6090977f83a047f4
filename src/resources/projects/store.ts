import type { ProjectStatus } from '../../operation/context.ts';
import { definedIn, now, only, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';

export type Plan = 'free' | 'starter' | 'growth' | 'pro' | 'enterprise';
export type ProjectType = 'hotline' | 'platform';
export type ProjectMode = 'simple' | 'advanced';
export type Channel = 'phone' | 'website';

/** A project (service-api#project). */
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

/** A project with what no record of the contract shows (decisions#projects). */
export interface ProjectWithRules extends Project {
  requireDisclosure: boolean;
  /** Days for which the project keeps the texts of a session that has ended. */
  sessionRetentionDays: number;
}

export interface ProjectRow extends Omit<Project, 'organizationId' | 'createdAt' | 'updatedAt'> {
  organization_id: string;
  /** No version of a flow goes live unless its greeting discloses the AI. */
  require_disclosure: boolean;
  session_retention_days: number;
  created_at: Date;
  updated_at: Date;
}

/** A change of a project; members that are left out stay as they are. */
export interface ProjectChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly status?: ProjectStatus | undefined;
  readonly channels?: readonly Channel[] | undefined;
  readonly industry?: string | null | undefined;
  readonly requireDisclosure?: boolean | undefined;
  readonly sessionRetentionDays?: number | undefined;
}

const columns = [
  'id',
  'organization_id',
  'name',
  'description',
  'status',
  'plan',
  'type',
  'mode',
  'channels',
  'industry',
  'created_at',
  'updated_at',
] as const;
type RecordRow = Pick<ProjectRow, (typeof columns)[number]>;

/** The project that a store is bound to. */
export class ProjectStore extends TenantStore {
  async current(): Promise<Project> {
    return toProject(only(await this.#project().select(...columns)));
  }

  /** Locks the project for this transaction, so that whoever counts records against the plan's limits counts alone. */
  async hold(): Promise<Project> {
    return toProject(
      only(
        await this.#project()
          .select(...columns)
          .forNoKeyUpdate(),
      ),
    );
  }

  /** True if no version of a flow may go live unless its greeting discloses the AI. */
  async requiresDisclosure(): Promise<boolean> {
    return only(await this.#project().select('require_disclosure')).require_disclosure;
  }

  /** Days for which the project keeps the texts of a session that has ended. */
  async sessionRetentionDays(): Promise<number> {
    return only(await this.#project().select('session_retention_days')).session_retention_days;
  }

  /** Sets what the change names. A change that names nothing leaves `updatedAt` as it is. */
  async update(change: ProjectChange): Promise<ProjectWithRules> {
    const { channels, requireDisclosure, sessionRetentionDays, ...others } = change;
    const set = definedIn({
      ...others,
      channels: channels && [...channels],
      require_disclosure: requireDisclosure,
      session_retention_days: sessionRetentionDays,
    });
    const shown = [...columns, 'require_disclosure', 'session_retention_days'] as const;
    const rows =
      Object.keys(set).length === 0
        ? await this.#project().select(...shown)
        : await this.#project()
            .update({ ...set, updated_at: now() })
            .returning([...shown]);
    const row = only(rows);
    return {
      ...toProject(row),
      requireDisclosure: row.require_disclosure,
      sessionRetentionDays: row.session_retention_days,
    };
  }

  #project() {
    return this.unbound('projects').where({ id: this.projectId });
  }
}

function toProject(row: RecordRow): Project {
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
