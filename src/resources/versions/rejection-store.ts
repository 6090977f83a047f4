import { only, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import type { Handler } from './handler.ts';

/** That a person has judged a version: it must not go live. */
export interface Rejection {
  /** The name of the key that rejected it; null on the command line. */
  readonly by: string | null;
  readonly at: string;
  readonly reason: string | null;
}

/** A version that is rejected. */
export interface RejectedVersion {
  readonly version: number;
  readonly rejection: Rejection;
}

/** A place that a rejected version brought: a value, a text, a lost value, or an order of items, each as a digest. */
export interface RejectedPlace {
  /** Where it stood (RFC 6901), for people. */
  readonly pointer: string;
  readonly value?: string;
  readonly text?: string;
  /** The place alone. Rejections of an earlier release lack it, and what follows. */
  readonly at?: string;
  /** What the live version had at the place, on the first entry of the place. */
  readonly live?: readonly string[];
  /** The words of the text, as a whole and by its shingles, if the live version lacked them. */
  readonly spoken?: string;
  readonly words?: string;
  /** The list whose order changed, and its items as the live version had them. */
  readonly list?: string;
  readonly items?: readonly string[];
  readonly lost?: string;
  /** How many values stood at the place that lost one. */
  readonly of?: number;
  readonly order?: string;
  /** True for the last one, if there were more than a rejection keeps. */
  readonly isRest?: true;
}

/** That a rejection no longer applies to a later version, nor to those after it. */
interface Lift {
  readonly version: number;
}

/** What a place said in a rejected version and says in another, in short; null if there was or is nothing. */
export interface ChangedPlace {
  /** A pointer into the other version. */
  readonly path: string;
  readonly rejected: string | null;
  readonly now: string | null;
}

/** A rejection that applies to later versions. */
export interface StandingRejection extends RejectedVersion {
  /** What the version brought; null if an earlier release stored the rejection. */
  readonly places: readonly RejectedPlace[] | null;
  /** True if a later version has gone live since: whoever put it live has seen the rejection. */
  readonly isSettled: boolean;
  /** The later versions for which somebody has lifted it; null if there are none. */
  readonly lifts: readonly Lift[] | null;
}

/** A rejection in another flow or conversation of the project. */
export interface RejectionElsewhere extends RejectedVersion {
  readonly of: Handler & { readonly name: string };
  readonly places: readonly RejectedPlace[];
}

/** That a version still holds places of a version that is rejected, or comes after one. */
export interface HeldPlaces {
  readonly version: number;
  /** The first pointers; empty if the version holds none of them. */
  readonly places: readonly string[];
  readonly changes?: readonly ChangedPlace[];
  /** The other flow or conversation that the rejected version belongs to. */
  readonly id?: string;
}

/** A version that is rejected, and the places of it that another version still holds. */
export interface InheritedRejection extends Rejection {
  readonly version: number;
  /** The first pointers; empty if all of them have changed since. */
  readonly places: string[];
  /** What the first places said and say; left out by an earlier release, and for a version of another flow or conversation. */
  readonly changes?: ChangedPlace[];
  /** True if it keeps the version from going live. */
  readonly blocks: boolean;
  /** The other flow or conversation that the rejected version belongs to. */
  readonly of?: Handler & { readonly name: string };
}

/** The rejections that keep a version from going live. */
export interface AppliedRejections {
  readonly rejection: Rejection | null;
  readonly inherited: InheritedRejection[];
}

/** What {@link selectInherited} reads. */
export type SelectedInherited = readonly (Omit<InheritedRejection, 'blocks' | 'of' | 'changes'> & {
  readonly of: InheritedRejection['of'] | null;
  readonly changes: ChangedPlace[] | null;
})[];

/** A version with what it holds: the design of a conversation, or the configuration of a flow. */
export interface VersionDocument {
  readonly version: number;
  readonly document: unknown;
}

/** A version, and which rejected places it holds. */
interface LabelledVersion extends VersionDocument {
  readonly held: readonly HeldPlaces[] | null;
}

/** A draft, and the version that was live. */
interface Compared {
  readonly draft: unknown;
  readonly live: unknown;
}

/** The columns of a version that say whether it is rejected. Those of a rejection are null unless it is. */
export interface RejectionColumns {
  rejected_at: Date | null;
  /** The key that rejected it; null on the command line. */
  rejected_by: string | null;
  rejection_reason: string | null;
  /** What it brought. */
  rejected_places: RejectedPlace[] | null;
  /** The later versions for which it was lifted. */
  rejection_lifts: Lift[] | null;
  /** The earlier versions of which it holds rejected places, whether or not their rejections still stand. */
  inherited_rejections: HeldPlaces[] | null;
}

/** What a statement selects of a version with {@link selectRejection}. */
export interface RejectionRow extends Pick<RejectionColumns, 'rejected_at' | 'rejection_reason'> {
  readonly rejected_by_name: string | null;
}

/** SQL for the columns of {@link RejectionRow}, from a table of versions. */
export const selectRejection = (versions: string) => `rejected_at, rejection_reason, (
  select name from api_keys where api_keys.project_id = ${versions}.project_id and api_keys.id = rejected_by
) as rejected_by_name`;

/** The rejection of a version; null if it is not rejected. */
export function rejectionOf({
  rejected_at,
  rejected_by_name,
  rejection_reason,
}: RejectionRow): Rejection | null {
  return rejected_at && { by: rejected_by_name, at: timestamp(rejected_at), reason: rejection_reason };
}

/** The versions of a flow and of a conversation: their table, and its columns for the record and the number. */
const versionsOf = {
  flow: { table: 'flow_versions', record: 'flow_id', number: 'version' },
  conversation: { table: 'conversation_versions', record: 'conversation_id', number: 'n' },
} as const satisfies Record<Handler['kind'], object>;

/** Standing rejections of one flow or conversation that apply to its later versions: the newest. */
const mostStanding = 100;

/** Later versions that a rejection labels at most. Whether one goes live does not depend on its label. */
const mostLabelled = 20;

/** Rejections in the rest of the project whose texts a new version is compared with: the newest. */
const mostElsewhere = 20;

/** SQL: true if a version after this rejected one has gone live since its rejection. */
const isSettled = (kind: Handler['kind'], rejected: string) => {
  const { table, record, number } = versionsOf[kind];
  return `exists (select from ${table} later where later.project_id = ${rejected}.project_id
    and later.${record} = ${rejected}.${record} and later.${number} > ${rejected}.${number}
    and later.live_at > ${rejected}.rejected_at)`;
};

/** SQL of the rejected versions that `held` names, of one kind. */
const heldOf = (kind: Handler['kind'], own: string, versions: string) => {
  const { table, record, number } = versionsOf[kind];
  const places = `json_array_length(held -> 'places')`;
  return `select rejected.${number} as version, rejected_at, rejection_reason, (
      select name from api_keys where api_keys.project_id = rejected.project_id and api_keys.id = rejected_by
    ) as rejected_by_name, case when held ->> 'id' is not null
      then json_build_object('kind', '${kind}', 'id', ${kind}s.id, 'name', ${kind}s.name) end as of
    from ${table} rejected join ${kind}s on ${kind}s.project_id = rejected.project_id and ${kind}s.id = rejected.${record}
    where rejected.project_id = ${versions}.project_id and rejected.${record} = ${own}
      and rejected.${number} = cast(held ->> 'version' as bigint) and rejected_at is not null
      and (held ->> 'id' is not null or ${places} > 0 or not ${isSettled(kind, 'rejected')})`;
};

/** SQL of the {@link SelectedInherited}, as JSON; null if no rejection stands. */
export const selectInherited = (kind: Handler['kind'], versions: string) => {
  const other = kind === 'flow' ? 'conversation' : 'flow';
  const own = `coalesce(held ->> 'id', ${versions}.${versionsOf[kind].record})`;
  return `(
    select json_agg(json_build_object('version', version, 'by', rejected_by_name, 'at', rejected_at,
      'reason', rejection_reason, 'places', held -> 'places', 'changes', held -> 'changes', 'of', of) order by of is not null, version desc)
    from json_array_elements(${versions}.inherited_rejections) as held
    cross join lateral (
      ${heldOf(kind, own, versions)} union all ${heldOf(other, `held ->> 'id'`, versions)}
    ) rejections
  )`;
};

/** The rejections that {@link selectInherited} has read. */
export function inheritedOf(selected: SelectedInherited | null): InheritedRejection[] {
  return (selected ?? []).map(({ of, at, changes, ...one }) => ({
    ...one,
    at: timestamp(new Date(at)),
    ...(changes && { changes }),
    blocks: one.places.length > 0 && of === null,
    ...(of && { of }),
  }));
}

function statementsOf(kind: Handler['kind']) {
  const { table, record, number } = versionsOf[kind];
  const document = kind === 'flow' ? 'flow_schema' : 'design';
  const active =
    kind === 'flow'
      ? '(select version from flow_versions where project_id = :projectId and flow_id = :id and is_active)'
      : '(select active_version from conversations where project_id = :projectId and id = :id)';
  const selected = `${number} as version, ${selectRejection(table)}`;
  const ofRecord = `project_id = :projectId and ${record} = :id`;
  return {
    standing: `select ${selected}, rejected_places as places, rejection_lifts as lifts,
      ${isSettled(kind, table)} as "isSettled" from ${table}
      where ${ofRecord} and ${number} <= :version and rejected_at is not null
      order by ${number} desc limit ${mostStanding}`,
    reject: `update ${table}
      set rejected_at = now(), rejected_by = cast(:author as text), rejection_reason = cast(:reason as text),
        rejected_places = cast(:places as json), rejection_lifts = null
      where ${ofRecord} and ${number} = :version returning ${selected}`,
    keepPlaces: `update ${table} set rejected_places = cast(:places as json)
      where ${ofRecord} and ${number} = :version and rejected_places is null`,
    takeBack: `update ${table}
      set rejected_at = null, rejected_by = null, rejection_reason = null, rejected_places = null,
        rejection_lifts = null
      where ${ofRecord} and ${number} = :version`,
    lift: `update ${table}
      set rejection_lifts = (coalesce(cast(rejection_lifts as jsonb), '[]')
        || jsonb_build_object('version', cast(:lifted as bigint)))::json
      where ${ofRecord} and ${number} = :version`,
    document: `select ${number} as version, ${document} as document, inherited_rejections as held from ${table}
      where ${ofRecord} and ${number} = :version`,
    label: `update ${table} set inherited_rejections = cast(:held as json)
      where ${ofRecord} and ${number} = :version`,
    compared: `select draft.${document} as draft, live.${document} as live from ${table} draft left join ${table} live
      on live.project_id = draft.project_id and live.${record} = draft.${record} and live.${number} = coalesce(
        cast(:live as bigint), (
          select ${number} from ${table} where ${ofRecord} and live_periods @> cast(draft.rejected_at as timestamptz)
          order by ${number} desc limit 1
        ), ${active})
      where draft.project_id = :projectId and draft.${record} = :id and draft.${number} = :version`,
    later: `select ${number} as version, ${document} as document, inherited_rejections as held from ${table}
      where ${ofRecord} and ${number} > :version order by ${number} desc limit ${mostLabelled}`,
    live: `select ${document} as document from ${table}
      where ${ofRecord} and ${number} = ${active} and ${number} <> :version`,
    applied: `select ${selectRejection(table)}, ${selectInherited(kind, table)} as inherited from ${table}
      where ${ofRecord} and ${number} = :version`,
  };
}

/** SQL: true if any version of the project is rejected. An insert returns it, which saves a statement where none is. */
export const isAnyRejected = `(${(['flow', 'conversation'] as const)
  .map(
    (kind) =>
      `exists (select from ${versionsOf[kind].table} where project_id = :projectId and rejected_at is not null)`,
  )
  .join(' or ')}) as "isAnyRejected"`;

/** What {@link isAnyRejected} selects. */
export interface AnyRejected {
  readonly isAnyRejected: boolean;
}

const statements = { flow: statementsOf('flow'), conversation: statementsOf('conversation') };

const rejectedElsewhere = (kind: Handler['kind']) => {
  const { table, record, number } = versionsOf[kind];
  return `select json_build_object('kind', '${kind}', 'id', ${kind}s.id, 'name', ${kind}s.name) as of,
      ${number} as version, rejected_places as places, ${selectRejection(table)}
    from ${table} join ${kind}s on ${kind}s.project_id = ${table}.project_id and ${kind}s.id = ${record}
    where ${table}.project_id = :projectId and ${record} <> :id and rejected_at is not null and rejected_places is not null`;
};

const elsewhere = `${rejectedElsewhere('flow')} union all ${rejectedElsewhere('conversation')}
  order by rejected_at desc limit ${mostElsewhere}`;

/** Which versions of flows and conversations are rejected, and which later ones hold what was rejected. */
export class RejectionStore extends TenantStore {
  /** The newest rejections that stand of a version and of earlier ones, the highest number first. */
  async standing({ kind, id }: Handler, version: number): Promise<StandingRejection[]> {
    type Row = RejectionRow & Omit<StandingRejection, 'rejection'>;
    const rows = await this.sql<Row>(statements[kind].standing, { id, version });
    return rows.flatMap((row) => {
      const rejection = rejectionOf(row);
      const { version, places, isSettled, lifts } = row;
      return rejection ? [{ version, rejection, places, isSettled, lifts }] : [];
    });
  }

  /** The newest rejections in the other flows and conversations of the project; in all, if there is no record yet. */
  async elsewhere(of?: Handler): Promise<RejectionElsewhere[]> {
    type Row = RejectionRow & Omit<RejectionElsewhere, 'rejection'>;
    const rows = await this.sql<Row>(elsewhere, { id: of?.id ?? '' });
    return rows.flatMap((row) => {
      const rejection = rejectionOf(row);
      const { of, version, places } = row;
      return rejection ? [{ of, version, rejection, places }] : [];
    });
  }

  /** What callers meet of a flow or conversation; undefined if that is this version. */
  async live({ kind, id }: Handler, version = 0): Promise<unknown> {
    const [row] = await this.sql<{ document: unknown }>(statements[kind].live, { id, version });
    return row?.document;
  }

  /** Rejects a version that exists. The caller holds its flow or conversation. */
  async reject(
    { kind, id }: Handler,
    version: number,
    { reason, places }: { readonly reason: string | null; readonly places: readonly RejectedPlace[] },
  ): Promise<Rejection | null> {
    const bindings = { id, version, reason, author: this.author, places: JSON.stringify(places) };
    return rejectionOf(only(await this.sql<RejectionRow>(statements[kind].reject, bindings)));
  }

  /** Keeps the places of a rejection of an earlier release. */
  async keepPlaces({ kind, id }: Handler, version: number, places: readonly RejectedPlace[]): Promise<void> {
    await this.sql(statements[kind].keepPlaces, { id, version, places: JSON.stringify(places) });
  }

  /** Takes the rejection of a version back, if it has one, and with it what follows from it for later versions. */
  async takeBack({ kind, id }: Handler, version: number): Promise<void> {
    await this.sql(statements[kind].takeBack, { id, version });
  }

  /** Keeps that a rejection no longer applies to a later version. */
  async lift({ kind, id }: Handler, version: number, lifted: number): Promise<void> {
    await this.sql(statements[kind].lift, { id, version, lifted });
  }

  /** What a version holds, and what it inherits. */
  async document({ kind, id }: Handler, version: number): Promise<LabelledVersion | undefined> {
    const [row] = await this.sql<LabelledVersion>(statements[kind].document, { id, version });
    return row;
  }

  /** Says of a version which rejected places it holds. */
  async label({ kind, id }: Handler, version: number, held: readonly HeldPlaces[]): Promise<void> {
    await this.sql(statements[kind].label, {
      id,
      version,
      held: held.length > 0 ? JSON.stringify(held) : null,
    });
  }

  /**
   * What a version holds, and what callers met instead of it.
   * @param live the version that they met; found out from when the version was rejected if undefined
   */
  async compared({ kind, id }: Handler, version: number, live?: number): Promise<Compared> {
    return only(await this.sql<Compared>(statements[kind].compared, { id, version, live: live ?? null }));
  }

  /** The newest versions after one, with what they hold, of which each says what it inherits. */
  async later({ kind, id }: Handler, version: number): Promise<LabelledVersion[]> {
    return this.sql(statements[kind].later, { id, version });
  }

  /** The rejection of a version itself, and those of earlier versions that it inherits. */
  async of({ kind, id }: Handler, version: number): Promise<AppliedRejections> {
    type Row = RejectionRow & { readonly inherited: SelectedInherited | null };
    const [row] = await this.sql<Row>(statements[kind].applied, { id, version });
    return { rejection: row ? rejectionOf(row) : null, inherited: inheritedOf(row?.inherited ?? null) };
  }
}
