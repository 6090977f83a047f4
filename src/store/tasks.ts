import type { Knex } from 'knex';
import { runSql } from '../postgres/sql.ts';
import { now, only, raw } from './queries.ts';
import { TenantStore } from './tenant-store.ts';

/** Hours that a task is kept, from its creation. */
const taskHours = 24;
/** Seconds without a word from the process of a call, after which the call has failed. A long proof may block it for some. */
const leaseSeconds = 30;
/** Calls that may run as tasks at once, of a key and of a project, and tasks that a project keeps. */
const [mostOfKey, mostOfProject, mostKept] = [10, 50, 1_000];

export type TaskStatus = 'working' | 'completed' | 'failed' | 'cancelled';

export interface TaskRow {
  project_id: string;
  id: string;
  /** The key of the call. */
  key_id: string;
  /** What its caller was allowed to do; null in tasks of earlier releases. */
  access: string[] | null;
  tool: string;
  status: TaskStatus;
  /** The result of a completed task; of work that goes on by itself, what the call returned until then. Encrypted. */
  sealed_content: Buffer | null;
  /** Null for work that goes on by itself. */
  lease_until: Date | null;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
}

/** A task as its key sees it. */
export interface Task {
  readonly id: string;
  readonly access: readonly string[] | null;
  readonly tool: string;
  readonly status: TaskStatus;
  readonly sealedContent: Buffer | null;
  /** True if a process runs the call, false if the work goes on by itself. */
  readonly isCall: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
}

/** A call that runs in this process as a task. */
export interface HeldTask {
  readonly projectId: string;
  readonly id: string;
}

/** The process of a call that has not renewed its lease is gone, and the call with it. */
const columns = `id, access, tool, sealed_content as "sealedContent", lease_until is not null as "isCall",
  case when status = 'working' and lease_until <= now() then 'failed' else status end as status,
  created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt"`;

const findTask = `
  select ${columns} from tasks
  where project_id = :projectId and id = :id and key_id = :keyId and expires_at > now()`;

const countTasks = `
  select cast(count(*) as integer) as kept,
    cast(count(*) filter (where status = 'working' and lease_until > now()) as integer) as running,
    cast(count(*) filter (where status = 'working' and lease_until > now() and key_id = :keyId) as integer) as own
  from tasks where project_id = :projectId`;

/** A task that has ended stays as it ended. */
const isOpen = `status = 'working' and coalesce(lease_until > now(), true)`;

const renewLeases = `
  update tasks set lease_until = now() + make_interval(secs => ${leaseSeconds})
  from unnest(cast(:projectIds as text[]), cast(:ids as text[])) as held (project_id, id)
  where tasks.project_id = held.project_id and tasks.id = held.id and ${isOpen} and exists (
    select from api_keys where api_keys.project_id = tasks.project_id and api_keys.id = key_id
      and api_keys.status = 'active' and (api_keys.expires_at is null or api_keys.expires_at > now()))
  returning tasks.id`;

/** Renews the leases of calls: one statement. Returns the ids of those that were not cancelled and whose key is active. */
export async function renewTasks(knex: Knex, held: readonly HeldTask[]): Promise<string[]> {
  const rows = await runSql<{ id: string }>(knex, renewLeases, {
    projectIds: held.map(({ projectId }) => projectId),
    ids: held.map(({ id }) => id),
  });
  return rows.map(({ id }) => id);
}

/** The calls of a project that go on after their response. */
export class TaskStore extends TenantStore {
  /** Creates a task, in a transaction that holds the project. Undefined if the key or the project has too many. */
  async create(task: {
    readonly id: string;
    readonly keyId: string;
    readonly access: readonly string[];
    readonly tool: string;
    /** What the call returned, if the work goes on by itself. */
    readonly sealedContent: Buffer | null;
  }): Promise<Task | undefined> {
    const { id, keyId, access, tool, sealedContent } = task;
    const isCall = sealedContent === null;
    const counts = await this.sql<{ kept: number; running: number; own: number }>(countTasks, { keyId });
    const { kept, running, own } = only(counts);
    if (kept >= mostKept || (isCall && (running >= mostOfProject || own >= mostOfKey))) return undefined;
    await this.unbound('tasks').insert({
      project_id: this.projectId,
      id,
      key_id: keyId,
      access: [...access],
      tool,
      sealed_content: sealedContent,
      lease_until: isCall ? after(`secs => ${leaseSeconds}`) : null,
      expires_at: after(`hours => ${taskHours}`),
    });
    return only(await this.sql<Task>(findTask, { id, keyId }));
  }

  /** The task of a key; undefined if it has none with this id, or if the task has expired. */
  async find(keyId: string, id: string): Promise<Task | undefined> {
    const [task] = await this.sql<Task>(findTask, { id, keyId });
    return task;
  }

  /** Ends an open task: with its result, or as failed or cancelled. */
  async end(id: string, status: TaskStatus, sealedContent: Buffer | null): Promise<void> {
    await this.table('tasks')
      .where({ id })
      .andWhereRaw(isOpen)
      .update({ status, sealed_content: sealedContent, updated_at: now() });
  }
}

/** A moment from now, with the type that Knex expects for a timestamp column. */
function after(interval: string): Date {
  return raw(`now() + make_interval(${interval})`) as unknown as Date;
}
