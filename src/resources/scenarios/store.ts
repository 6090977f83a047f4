import { newId } from '../../platform/id.ts';
import { type Page, type PageRequest, pageOf } from '../../store/page.ts';
import { timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';

/** A scenario without what it plays (decisions#scenarios). */
export interface ScenarioSummary {
  id: string;
  name: string;
  tags: string[];
  createdAt: string;
  updatedAt: string;
  /** Its newest result. */
  result: ScenarioResult | null;
}

export interface ScenarioResult {
  version: number;
  holds: boolean;
  /** The model that took part. */
  model: string | null;
  playedAt: string;
}

/** A scenario with what it plays: caller, mocks, variables, channel, now and expect. */
export interface StoredScenario {
  id: string;
  conversationId: string;
  name: string;
  tags: string[];
  content: unknown;
  updatedAt: string;
}

export interface NewScenario {
  readonly name: string;
  readonly tags: readonly string[];
  readonly content: unknown;
  /** The places that it passes. */
  readonly touches: readonly string[];
}

export interface SavedScenario {
  id: string;
  name: string;
  created: boolean;
  updatedAt: string;
}

/** What a run found. `updatedAt` is that of the scenario that was played. */
export interface PlayedScenario {
  readonly id: string;
  readonly updatedAt: string;
  readonly holds: boolean;
  readonly failed: unknown;
  readonly model: string | null;
  readonly touches: readonly string[];
}

export interface ScenarioRow {
  project_id: string;
  id: string;
  conversation_id: string;
  name: string;
  tags: string[];
  content: unknown;
  touches: string[];
  created_at: Date;
  updated_at: Date;
}

/** How a scenario differs from what it was before. */
export type ScenarioChange = 'added' | 'removed' | 'weakened' | 'changed' | 'strengthened';

/** What has become of a scenario since a newer version last went live. */
export interface ListedScenarioChange {
  readonly name: string;
  readonly change: ScenarioChange;
  /** The name of the key that changed it last; null on the command line. */
  readonly by: string | null;
  readonly at: string;
}

export interface ScenarioChangeRow {
  project_id: string;
  conversation_id: string;
  name: string;
  change: ScenarioChange;
  before: unknown;
  changed_by: string | null;
  changed_at: Date;
}

export interface ScenarioResultRow {
  project_id: string;
  scenario_id: string;
  conversation_id: string;
  n: number;
  holds: boolean;
  failed: unknown;
  model: string | null;
  played_at: Date;
}

type SummaryRow = Pick<ScenarioRow, 'id' | 'name' | 'tags' | 'created_at' | 'updated_at'> & {
  n: number | null;
  holds: boolean | null;
  model: string | null;
  played_at: Date | null;
};

const storedColumns = ['id', 'conversation_id', 'name', 'tags', 'content', 'updated_at'] as const;

/** With the result of the newest version that was played. */
const listScenarios = `
  select scenarios.id, name, tags, scenarios.created_at, scenarios.updated_at, n, holds, model, played_at
  from scenarios left join lateral (
    select n, holds, model, played_at from scenario_results
    where project_id = scenarios.project_id and scenario_id = scenarios.id order by n desc limit 1
  ) as newest on true
  where project_id = :projectId and conversation_id = :conversationId and (cast(:cursor as text) is null or id < :cursor)
    and (cast(:tag as text) is null or :tag = any(tags))
  order by id desc limit :limit`;

/** Creates or replaces scenarios by their names. A result of what a scenario was before says nothing any more. */
const saveScenarios = `
  with items as (
    select * from json_to_recordset(cast(:items as json))
      as item(id text, name text, tags text[], content json, touches text[])
  ), saved as (
    insert into scenarios (project_id, id, conversation_id, name, tags, content, touches)
    select :projectId, id, :conversationId, name, tags, content, touches from items
    on conflict (project_id, conversation_id, name) do update
      set tags = excluded.tags, content = excluded.content, touches = excluded.touches, updated_at = now()
    returning id, name, updated_at
  ), outdated as (
    delete from scenario_results using saved
    where project_id = :projectId and scenario_id = saved.id
  )
  select saved.id, name, saved.id = items.id as created, updated_at from saved join items using (name)
  order by name`;

/** A scenario that was changed or deleted meanwhile gets no result. */
const saveResults = `
  with items as (
    select * from json_to_recordset(cast(:items as json))
      as item(id text, "updatedAt" timestamptz(3), holds boolean, failed json, model text, touches text[])
  ), played as (
    update scenarios set touches = items.touches from items
    where project_id = :projectId and scenarios.id = items.id and updated_at = items."updatedAt"
    returning scenarios.id, conversation_id, items.holds, items.failed, items.model
  )
  insert into scenario_results (project_id, scenario_id, conversation_id, n, holds, failed, model)
  select :projectId, id, conversation_id, :version, holds, failed, model from played
  on conflict (project_id, scenario_id, n) do update
    set holds = excluded.holds, failed = excluded.failed, model = excluded.model, played_at = now()`;

/** A scenario that keeps a version from going live. */
export interface UnmetScenario {
  readonly name: string;
  /** What was found instead, if it was played; else null. */
  readonly found: string | null;
}

/**
 * Scenarios without a result that holds for a version, if the conversation requires them, those that failed first. None for an
 * older version that was live: going back must work.
 */
const unmetScenarios = `
  select scenarios.name, case when holds is false then coalesce(failed->0->>'found', '') end as found from scenarios
  join conversations on conversations.project_id = scenarios.project_id and conversations.id = conversation_id
  left join scenario_results on scenario_results.project_id = scenarios.project_id
    and scenario_id = scenarios.id and n = :version
  where scenarios.project_id = :projectId and scenarios.conversation_id = :conversationId
    and requires_scenarios and holds is not true
    and (active_version < cast(:version as bigint) or not exists (
      select from conversation_versions versions
      where versions.project_id = :projectId and versions.conversation_id = :conversationId
        and versions.n = :version and (versions.n = 1 or live_at is not null)))
  order by holds nulls last, scenarios.name`;

/** A change of null takes the record away: the scenario is as it was. */
const recordChanges = `
  with items as (
    select * from json_to_recordset(cast(:items as json)) as item(name text, change text, before json)
  ), undone as (
    delete from scenario_changes using items
    where project_id = :projectId and conversation_id = :conversationId and scenario_changes.name = items.name
      and items.change is null
  )
  insert into scenario_changes (project_id, conversation_id, name, change, before, changed_by)
  select :projectId, :conversationId, name, change, before, cast(:author as text) from items where change is not null
  on conflict (project_id, conversation_id, name) do update
    set change = excluded.change, changed_by = excluded.changed_by, changed_at = now()`;

const listChanges = `
  select name, change, changed_at,
    (select name from api_keys where api_keys.project_id = scenario_changes.project_id and id = changed_by) as by
  from scenario_changes where project_id = :projectId and conversation_id = :conversationId
  order by name limit :limit`;

const touchingScenarios = `
  select name from scenarios
  where project_id = :projectId and conversation_id = :conversationId and touches && cast(:places as text[])
  order by name`;

/** The scenarios of a project's conversations. */
export class ScenarioStore extends TenantStore {
  /** Lists the scenarios of a conversation, newest first. */
  async list(
    conversationId: string,
    { tag, ...page }: PageRequest & { readonly tag?: string | undefined },
  ): Promise<Page<ScenarioSummary>> {
    const rows = await this.sql<SummaryRow>(listScenarios, {
      conversationId,
      tag: tag ?? null,
      cursor: page.cursor ?? null,
      limit: page.limit + 1,
    });
    return pageOf(rows.map(toSummary), page, ({ id }) => id);
  }

  /** The scenarios of a conversation with what they play, by name. */
  async withContent(conversationId: string, tag: string | undefined): Promise<StoredScenario[]> {
    const query = this.table('scenarios')
      .andWhere({ conversation_id: conversationId })
      .orderBy('name')
      .select(...storedColumns);
    if (tag !== undefined) query.andWhereRaw('? = any(tags)', [tag]);
    return (await query).map(toStored);
  }

  async find(id: string): Promise<StoredScenario | undefined> {
    const row = await this.table('scenarios')
      .andWhere({ id })
      .first(...storedColumns);
    return row && toStored(row);
  }

  /** Those of these scenarios that the conversation has. */
  async named(conversationId: string, names: readonly string[]): Promise<StoredScenario[]> {
    const rows = await this.table('scenarios')
      .andWhere({ conversation_id: conversationId })
      .andWhereRaw('name = any(cast(:names as text[]))', { names: [...names] })
      .select(...storedColumns);
    return rows.map(toStored);
  }

  /** The results of a scenario, those of the newest versions first, with what failed. */
  async results(id: string, limit: number): Promise<(ScenarioResult & { failed: unknown })[]> {
    const rows = await this.table('scenario_results')
      .andWhere({ scenario_id: id })
      .orderBy('n', 'desc')
      .limit(limit)
      .select('n', 'holds', 'failed', 'model', 'played_at');
    return rows.map(({ n, holds, failed, model, played_at }) => ({
      version: n,
      holds,
      failed,
      model,
      playedAt: timestamp(played_at),
    }));
  }

  async count(conversationId: string): Promise<number> {
    const [row] = await this.sql<{ count: number }>(
      'select count(*) as count from scenarios where project_id = :projectId and conversation_id = :conversationId',
      { conversationId },
    );
    return row?.count ?? 0;
  }

  /** Creates or replaces scenarios of a conversation by their names, each name once. */
  async save(conversationId: string, scenarios: readonly NewScenario[]): Promise<SavedScenario[]> {
    const items = scenarios.map((scenario) => ({ ...scenario, id: newId('scenario') }));
    type Row = Pick<ScenarioRow, 'id' | 'name' | 'updated_at'> & { created: boolean };
    const rows = await this.sql<Row>(saveScenarios, { conversationId, items: JSON.stringify(items) });
    return rows.map(({ id, name, created, updated_at: updatedAt }) => ({
      id,
      name,
      created,
      updatedAt: timestamp(updatedAt),
    }));
  }

  /** Keeps what a run of a version found. */
  async keepResults(version: number, played: readonly PlayedScenario[]): Promise<void> {
    await this.sql(saveResults, { version, items: JSON.stringify(played) });
  }

  /** The scenarios that keep a version from going live, those that failed first. */
  unmet(conversationId: string, version: number): Promise<UnmetScenario[]> {
    return this.sql<UnmetScenario>(unmetScenarios, { conversationId, version });
  }

  /** What these scenarios were when a newer version last went live, by name; null if there was none. */
  async changed(conversationId: string, names: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const rows = await this.table('scenario_changes')
      .andWhere({ conversation_id: conversationId })
      .andWhereRaw('name = any(cast(:names as text[]))', { names: [...names] })
      .select('name', 'before');
    return new Map(rows.map(({ name, before }) => [name, before]));
  }

  /**
   * Records what has become of scenarios since a newer version last went live; undefined takes a record away. `before`
   * counts for a scenario without a record only.
   */
  async recordChanges(
    conversationId: string,
    changes: readonly {
      readonly name: string;
      readonly change: ScenarioChange | undefined;
      readonly before: unknown;
    }[],
  ): Promise<void> {
    const items = JSON.stringify(changes);
    await this.sql(recordChanges, { conversationId, items, author: this.author });
  }

  /** What has become of scenarios since a newer version last went live, by name. */
  async changes(conversationId: string, limit: number): Promise<ListedScenarioChange[]> {
    type Row = Pick<ScenarioChangeRow, 'name' | 'change' | 'changed_at'> & { by: string | null };
    const rows = await this.sql<Row>(listChanges, { conversationId, limit });
    return rows.map(({ name, change, by, changed_at }) => ({ name, change, by, at: timestamp(changed_at) }));
  }

  /** The names of the scenarios that pass one of these places. */
  async touching(conversationId: string, places: readonly string[]): Promise<string[]> {
    const rows = await this.sql<{ name: string }>(touchingScenarios, { conversationId, places: [...places] });
    return rows.map(({ name }) => name);
  }

  /** Moves a scenario into the trash; returns the id of its entry, or undefined. */
  trash(id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'scenario', { id });
  }
}

function toSummary(row: SummaryRow): ScenarioSummary {
  const { n, holds, model, played_at: playedAt } = row;
  return {
    id: row.id,
    name: row.name,
    tags: row.tags,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
    result:
      n === null || holds === null || playedAt === null
        ? null
        : { version: n, holds, model, playedAt: timestamp(playedAt) },
  };
}

function toStored(row: Pick<ScenarioRow, (typeof storedColumns)[number]>): StoredScenario {
  const { id, conversation_id: conversationId, name, tags, content } = row;
  return { id, conversationId, name, tags, content, updatedAt: timestamp(row.updated_at) };
}
