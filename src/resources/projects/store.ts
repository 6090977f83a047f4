import type { ProjectStatus } from '../../operation/context.ts';
import { definedIn, now, only, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import type { OpeningHours, ProjectTime } from '../project-time/opening-hours.ts';

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

/** A project with its settings, which the record of the contract does not have (decisions#projects). */
export interface ProjectWithSettings extends Project, ProjectTime {
  closedOn: string[];
  requireDisclosure: boolean;
  /** Days for which the project keeps the texts of a session that has ended. */
  sessionRetentionDays: number;
}

export interface ProjectRow extends Omit<Project, 'organizationId' | 'createdAt' | 'updatedAt'> {
  organization_id: string;
  /** No version of a flow goes live unless its greeting discloses the AI. */
  require_disclosure: boolean;
  session_retention_days: number;
  time_zone: string;
  opening_hours: OpeningHours | null;
  closed_on: string[];
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
  readonly timeZone?: string | undefined;
  readonly openingHours?: OpeningHours | null | undefined;
  readonly closedOn?: readonly string[] | undefined;
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

const timeColumns = ['time_zone', 'opening_hours', 'closed_on'] as const;
const settings = [...columns, 'require_disclosure', 'session_retention_days', ...timeColumns] as const;
type SettingsRow = Pick<ProjectRow, (typeof settings)[number]>;

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

  async settings(): Promise<ProjectWithSettings> {
    return withSettings(only(await this.#project().select(...settings)));
  }

  /** When the project is open, and in which time zone. */
  async time(): Promise<ProjectTime> {
    return toTime(only(await this.#project().select(...timeColumns)));
  }

  /** Sets what the change names. A change that names nothing leaves `updatedAt` as it is. */
  async update(change: ProjectChange): Promise<ProjectWithSettings> {
    const { channels, requireDisclosure, sessionRetentionDays, timeZone, openingHours, closedOn, ...others } =
      change;
    const set = definedIn({
      ...others,
      channels: channels && [...channels],
      require_disclosure: requireDisclosure,
      session_retention_days: sessionRetentionDays,
      time_zone: timeZone,
      opening_hours: openingHours,
      closed_on: closedOn && [...closedOn],
    });
    if (Object.keys(set).length === 0) return this.settings();
    const rows = await this.#project()
      .update({ ...set, updated_at: now() })
      .returning([...settings]);
    return withSettings(only(rows));
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

function toTime(
  row: Pick<SettingsRow, (typeof timeColumns)[number]>,
): Pick<ProjectWithSettings, keyof ProjectTime> {
  return { timeZone: row.time_zone, openingHours: row.opening_hours, closedOn: row.closed_on };
}

function withSettings(row: SettingsRow): ProjectWithSettings {
  return {
    ...toProject(row),
    requireDisclosure: row.require_disclosure,
    sessionRetentionDays: row.session_retention_days,
    ...toTime(row),
  };
}
