import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { OwnTransactionContext } from '../../environment/context.ts';
import type { Access } from '../../operation/access.ts';
import { found } from '../../operation/found.ts';
import { callText, invalidRequest, ToolError } from '../../platform/errors.ts';
import { timestamp } from '../../store/queries.ts';
import type { Stores } from '../../store/stores.ts';
import { activateConversation } from '../designs/activate-conversation.ts';
import { readNewest } from '../designs/newest-version.ts';
import { type Rules, rulesFor } from '../designs/rules.ts';
import { loadDesign } from '../designs/stored-design.ts';
import { activateFlow } from '../flows/activate-flow.ts';
import type { Plan } from '../projects/store.ts';
import { restoreDesign, restoreFlow } from '../version-control/restoration.ts';
import { deleteRecord } from './deletions.ts';
import {
  type RecordedChange,
  type RecordTable,
  recordKinds,
  recordTables,
  type Target,
  targetsOf,
} from './history.ts';
import { lasting, undoable } from './operations.ts';
import { restoreEntry } from './restore-entry.ts';
import { type Context, inputName, type Settings, setBack } from './settings.ts';
import type { CurrentRow } from './store.ts';

/** Changes that one call reads, and records that it locks. A record is set back once, however many changes it has had. */
export const [mostChanges, mostRecords] = [1_000, 500];

/** What to undo. */
export interface Wish {
  readonly since: Date;
  /** Only the changes of this key. */
  readonly by: string | undefined;
  readonly isPreview: boolean;
  /** From the preview that the call is to repeat. */
  readonly token: string | undefined;
}

/** One part of a record that is as it was again. */
export interface Undone {
  readonly kind: (typeof recordKinds)[RecordTable];
  readonly id: string;
  readonly name: string;
  readonly what: string;
}

/** What stays as it is, and why. */
export interface Lasting {
  readonly what: string;
  readonly reason: string;
}

export interface Outcome {
  readonly changes: number;
  readonly undone: Undone[];
  readonly stays: Lasting[];
  /** What was undone, in words. */
  readonly summary: string[];
  /** Of a preview. */
  readonly token?: string;
}

/** A record and what was undone of it, in one line. */
export function inWords({ kind, name, what }: Undone): string {
  return `${kind} ${JSON.stringify(name)}: ${what}`;
}

/** Ends the transaction of a preview. It never leaves this file. */
class Previewed extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('a preview changes nothing');
    this.outcome = outcome;
  }
}

/**
 * Undoes the changes of a project since a time, as far as it holds what they replaced. A preview does the same and then rolls
 * back, so it shows what the checks would refuse, too.
 * @throws ToolError `invalid_request` for too many changes; `version_conflict` if there is another change than in the preview
 */
export async function undoChanges(context: OwnTransactionContext, wish: Wish): Promise<Outcome> {
  const { caller, write } = context;
  // The model is asked before the transaction starts, so that no lock waits for it.
  const rules = await rulesOfTargets(context, wish);
  try {
    return await write(async (stores) => {
      const { token, ...outcome } = await new Undoing({ stores, caller }, wish, rules).run();
      if (wish.isPreview) throw new Previewed({ ...outcome, token });
      if (wish.token !== undefined && wish.token !== token) throw changedSincePreview(wish);
      return outcome;
    });
  } catch (ended) {
    if (ended instanceof Previewed) return ended.outcome;
    throw ended;
  }
}

/** The rules for the designs that become the newest ones again. */
async function rulesOfTargets(
  context: OwnTransactionContext,
  wish: Wish,
): Promise<ReadonlyMap<string, Rules>> {
  const { stores } = context;
  const targets = targetsOf(await changesOf(stores, wish), wish.by);
  const rules = new Map<string, Rules>();
  for (const { table, id, values } of targets) {
    const version = values.get('newest_version');
    if (table !== 'conversations' || typeof version !== 'number') continue;
    if (!(await stores.conversations.find(id))) continue;
    const [design, newest] = [await loadDesign(stores, id, version), await readNewest(stores, id)];
    rules.set(id, await rulesFor(context, design, newest.design));
  }
  return rules;
}

/** The changes to undo, and those of other keys to the same records; newest first. */
async function changesOf(stores: Stores, { since, by }: Wish): Promise<RecordedChange[]> {
  const operations = [...undoable, ...Object.keys(lasting)];
  const period = { operations, since, limit: mostChanges + 1 };
  const own = await stores.undo.changes({ ...period, by });
  if (own.length > mostChanges) throw tooMany(`more than ${mostChanges} changes`, since);
  if (by === undefined) return own;
  const records = targetsOf(own, by).map(({ id }) => id);
  const others = await stores.undo.changesOfOthers({ ...period, by }, records);
  if (others.length > mostChanges)
    throw tooMany(`more than ${mostChanges} changes of the same records by other keys`, since);
  return [...own, ...others].toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** The work of one call, in its transaction. */
class Undoing {
  readonly #context: Context;
  readonly #wish: Wish;
  readonly #rules: ReadonlyMap<string, Rules>;
  readonly #undone: Undone[] = [];
  readonly #stays: Lasting[] = [];
  #rows = new Map<string, CurrentRow>();

  constructor(context: Context, wish: Wish, rules: ReadonlyMap<string, Rules>) {
    this.#context = context;
    this.#wish = wish;
    this.#rules = rules;
  }

  async run(): Promise<Outcome & { readonly token: string }> {
    const { stores } = this.#context;
    // Of two calls at once, the second finds nothing left to undo, or another state than its preview.
    const { plan } = await stores.projects.hold();
    const changes = await this.#lockedChanges();
    const targets = targetsOf(changes, this.#wish.by);
    await this.#restore(targets, plan);
    await this.#lock(targets);
    for (const target of inOrder(targets)) await this.#setBack(target);
    await this.#delete(targets);
    this.#explain(changes, targets);
    const own = this.#own(changes);
    const { undone, stays } = await this.#named();
    return {
      changes: own.length,
      undone,
      stays,
      summary: undone.map(inWords),
      token: this.#tokenOf(own, targets, changes),
    };
  }

  /** Locks the records of the changes. A change that was made before the locks were there is among these, too. */
  async #lockedChanges(): Promise<RecordedChange[]> {
    const { stores } = this.#context;
    let changes = await changesOf(stores, this.#wish);
    for (let attempt = 1; ; attempt++) {
      await this.#lock(targetsOf(changes, this.#wish.by));
      const again = await changesOf(stores, this.#wish);
      if (again[0]?.id === changes[0]?.id) return again;
      if (attempt === 3) throw changedSincePreview(this.#wish);
      changes = again;
    }
  }

  async #lock(targets: readonly Target[]): Promise<void> {
    if (targets.length > mostRecords) throw tooMany(`more than ${mostRecords} records`, this.#wish.since);
    const ids = new Map<RecordTable, string[]>();
    for (const { table, id } of targets) ids.set(table, [...(ids.get(table) ?? []), id]);
    this.#rows = await this.#context.stores.undo.lock(ids);
  }

  async #restore(targets: readonly Target[], plan: Plan): Promise<void> {
    const { stores } = this.#context;
    const gone = inOrder(targets).filter(({ id, existed }) => existed === true && !this.#rows.has(id));
    const entries = await stores.undo.trashed(gone.map(({ id }) => id));
    const restored = new Set<string>();
    for (const target of gone) {
      const entry = entries.get(target.id);
      // It was deleted with what it belongs to, and comes back with it.
      if (entry === undefined && target.parent !== undefined && restored.has(target.parent)) continue;
      const isDone = await this.#step(target, 'publish', async () => {
        if (entry === undefined) throw new ToolError('not_found', 'The trash no longer has it.');
        await restoreEntry(stores, plan, entry);
        return 'comes back from the trash';
      });
      if (isDone) restored.add(target.id);
    }
  }

  async #setBack(target: Target): Promise<void> {
    const { table, id, existed, values } = target;
    const row = this.#rows.get(id);
    if (!row || existed === false) return;
    await this.#activate(target, row);
    await this.#repeat(target, row);
    const settings = Object.fromEntries(
      [...values].filter(([column, value]) => !isVersion(column) && !isDeepStrictEqual(row[column], value)),
    );
    const sealed = Object.keys(settings).filter((column) => column.startsWith('sealed_'));
    for (const column of sealed) {
      delete settings[column];
      this.#leave(target, column === 'sealed_auth_password' ? passwordStays : handoverStays);
    }
    const apply = setBack[table];
    if (Object.keys(settings).length === 0 || !apply) return;
    await this.#step(target, accessOf(table), async () => {
      await apply(this.#context, id, settings);
      return settingsInWords(settings);
    });
  }

  async #activate({ id, values, ...target }: Target, row: CurrentRow): Promise<void> {
    const version = values.get('active_version');
    if (typeof version !== 'number' || version === row['active_version']) return;
    const { stores } = this.#context;
    await this.#step({ id, values, ...target }, 'publish', async () => {
      if (target.table === 'conversations') await activateConversation(stores, id, version);
      else {
        const stored = found(await stores.flowVersions.findNumber(id, version), 'flow', id);
        await activateFlow(stores, stored.id);
      }
      return `version ${version} is live again`;
    });
  }

  /** Stores what was the newest version again, so that the next edit goes on from there. */
  async #repeat(target: Target, row: CurrentRow): Promise<void> {
    const { table, id, values } = target;
    const { stores } = this.#context;
    const [version, newest] = [values.get('newest_version'), row['newest_version']];
    if (typeof version !== 'number' || typeof newest !== 'number' || version === newest) return;
    if (
      isDeepStrictEqual(
        await documentOf(stores, table, id, version),
        await documentOf(stores, table, id, newest),
      )
    )
      return;
    await this.#step(target, 'draft', async () => {
      const made =
        table === 'flows'
          ? await restoreFlow(stores, id, version, false)
          : await restoreDesign(
              stores,
              id,
              { restored: version, design: await loadDesign(stores, id, version) },
              { rules: this.#rulesOf(id), activate: false },
            );
      return `version ${made.version} repeats version ${version}`;
    });
  }

  async #delete(targets: readonly Target[]): Promise<void> {
    const made = inOrder(targets)
      .toReversed()
      .filter(({ id, existed }) => existed === false && this.#rows.has(id));
    const deleted = new Set(made.map(({ id }) => id));
    for (const target of made) {
      const { table, parent } = target;
      if (table === 'projects' || (parent !== undefined && deleted.has(parent))) continue;
      await this.#step(target, table === 'scenarios' ? 'draft' : 'publish', async () => {
        await deleteRecord[table](this.#context, target);
        return 'goes to the trash';
      });
    }
  }

  /** Does one part, or says why it stays undone. */
  async #step(target: Target, access: Access, work: () => Promise<string>): Promise<boolean> {
    const { stores, caller } = this.#context;
    if (!caller.access.has(access)) {
      this.#leave(target, `That needs the access "${access}".`);
      return false;
    }
    let what = '';
    const refusal = await stores.undo.attempt(async () => {
      what = await work();
    });
    if (refusal) this.#leave(target, refusal.message);
    else this.#undone.push({ kind: recordKinds[target.table], id: target.id, name: '', what });
    return !refusal;
  }

  #leave({ table, id }: Target, reason: string): void {
    this.#stays.push({ what: `${recordKinds[table]} ${id}`, reason });
  }

  /** Lists what no step could try. */
  #explain(changes: readonly RecordedChange[], targets: readonly Target[]): void {
    for (const target of targets) for (const reason of target.reasons) this.#leave(target, reason);
    for (const { operation, resourceId, at, former } of this.#own(changes)) {
      const what = `${operation}${resourceId === null ? '' : ` ${resourceId}`} at ${timestamp(at)}`;
      const reason = lasting[operation];
      if (reason !== undefined) this.#stays.push({ what, reason });
      else if (former === null) this.#stays.push({ what, reason: olderRelease });
      else if (former.some((entry) => 'more' in entry)) this.#stays.push({ what, reason: tooMuch });
    }
  }

  #own(changes: readonly RecordedChange[]): RecordedChange[] {
    const { by } = this.#wish;
    return changes.filter(({ keyId }) => by === undefined || keyId === by);
  }

  #rulesOf(conversationId: string): Rules {
    const rules = this.#rules.get(conversationId);
    if (!rules) throw changedSincePreview(this.#wish);
    return rules;
  }

  /** Names in place of ids. */
  async #named(): Promise<Pick<Outcome, 'undone' | 'stays'>> {
    const undone = perRecord(this.#undone);
    const texts = [...undone, ...this.#stays].flatMap((one) => Object.values<string>({ ...one }));
    const names = await this.#context.stores.changes.names([
      ...new Set(texts.flatMap((text) => text.match(idInWords) ?? [])),
    ]);
    const name = (text: string) =>
      text.replaceAll(idInWords, (id) => {
        const called = names.get(id);
        return called === undefined ? id : JSON.stringify(called);
      });
    return {
      undone: undone.map((one) => ({ ...one, name: names.get(one.id) ?? '', what: name(one.what) })),
      stays: this.#stays.map(({ what, reason }) => ({ what: name(what), reason: name(reason) })),
    };
  }

  /** Stands for what the call has done, and for every change that it has undone. */
  #tokenOf(
    own: readonly RecordedChange[],
    targets: readonly Target[],
    changes: readonly RecordedChange[],
  ): string {
    const ids = new Set(targets.map(({ id }) => id));
    const seen = changes.filter(({ former }) => former?.some((entry) => 'id' in entry && ids.has(entry.id)));
    const state = [[...own, ...seen].map(({ id }) => id), this.#undone, this.#stays];
    return hash('sha256', JSON.stringify(state), 'base64url').slice(0, 16);
  }
}

/** An id in words (`decisions#ids`). */
const idInWords = /\bc[a-z]{2}[0-9a-v]{26}\b/g;

const olderRelease = 'An earlier release did not keep what it replaced.';
const tooMuch = 'It changed more than is kept of one change.';
const passwordStays = 'Parley keeps no former password of a trunk.';
const handoverStays = 'Parley keeps no former secret of a handover: set handoverUrl again.';

/** Characters of a former value that its line shows. */
const longestValue = 60;

function settingsInWords(settings: Settings): string {
  return Object.entries(settings)
    .map(([column, value]) => {
      const text = JSON.stringify(value);
      return text.length > longestValue
        ? `${inputName(column)} as it was`
        : `${inputName(column)}: ${idOf(value) ?? text}`;
    })
    .join(', ');
}

/** Without the quotes of JSON, because a quoted name takes its place. */
function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && new RegExp(`^${idInWords.source}$`).test(value) ? value : undefined;
}

/** One entry for each record, with what was undone of it. */
function perRecord(parts: readonly Undone[]): Undone[] {
  const records = new Map<string, Undone>();
  for (const part of parts) {
    const before = records.get(part.id);
    records.set(part.id, before ? { ...before, what: `${before.what}; ${part.what}` } : part);
  }
  return [...records.values()];
}

function inOrder(targets: readonly Target[]): Target[] {
  return recordTables.flatMap((table) => targets.filter((target) => target.table === table));
}

function isVersion(column: string): boolean {
  return column === 'newest_version' || column === 'active_version';
}

function accessOf(table: RecordTable): Access {
  if (table === 'projects') return 'admin';
  return table === 'scenarios' ? 'draft' : 'publish';
}

async function documentOf(stores: Stores, table: RecordTable, id: string, version: number): Promise<unknown> {
  if (table === 'conversations') return stores.conversationVersions.design(id, version);
  return (await stores.flowVersions.findNumber(id, version))?.flowSchema;
}

function tooMany(what: string, since: Date): ToolError {
  const from = timestamp(since);
  const message = `There are ${what} since ${from}, too many for one call.`;
  return invalidRequest([{ in: 'body', path: '/since', message }], {
    hint: `${callText('list_changes', { from })} lists them: undo the newest first, with a later since.`,
  });
}

function changedSincePreview({ since }: Wish): ToolError {
  return new ToolError('version_conflict', 'The project has changed since the preview. Nothing was undone.', {
    hint: `${callText('undo_changes', { since: timestamp(since), preview: true })} shows what the call would do now.`,
  });
}
