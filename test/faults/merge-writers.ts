import { isDeepStrictEqual } from 'node:util';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import type { Tenant } from '../helpers/world.ts';

/** What both agents change: a line, two fields of one step, and a list to which they add. */
const start = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'hours' } },
    hours: { kind: 'message', text: 'We are open.', name: 'Hours', on: { next: 'bye' } },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
  variables: [],
};

type Field = 'line' | 'text' | 'name' | 'variable';

/** What the two agents change in a round, and how many versions ago they last looked. */
const rounds: readonly { readonly fields: readonly [Field, Field]; readonly age: number }[] = [
  { fields: ['line', 'line'], age: 0 },
  { fields: ['text', 'name'], age: 0 },
  { fields: ['variable', 'variable'], age: 0 },
  { fields: ['line', 'text'], age: 1 },
  { fields: ['name', 'variable'], age: 3 },
];

/** An edit of one field to a value that no other edit has. */
interface Edit {
  readonly field: Field;
  readonly value: string;
}

/** An edit that was acknowledged: the version that its agent had read, and the one that it became. */
interface Stored extends Edit {
  readonly base: number;
  readonly n: number;
}

/** A refusal, which names the field in conflict and what each side wants there. */
interface Refused extends Edit {
  readonly newestVersion: number;
  readonly conflicts: readonly { readonly path: string; readonly theirs: unknown; readonly yours: unknown }[];
}

/** The results of a run. */
export interface MergeReport {
  readonly edits: number;
  /** Edits that met another one and were merged with it. */
  readonly merged: number;
  /** Refusals for a field that both agents had changed; each edit was then made again on the newest version. */
  readonly conflicts: number;
  /** Those of them that did not name the field, or not both values. */
  readonly wrongConflicts: number;
  /** Acknowledged values that a later version does not hold, though nobody who had read them replaced them. */
  readonly lost: number;
  readonly versions: number;
  /** Numbers without a version, and acknowledged edits that share one. */
  readonly gaps: number;
}

/** Runs rounds in which two agents, each on its own replica, edit one conversation at once. */
export async function tryMerging(
  bases: readonly [string, string],
  { projectId, key }: Tenant,
  count: number,
): Promise<MergeReport> {
  const call = (base: string, method: string, route: string, body?: object) =>
    send(base + route, method, key, body);
  const created = await call(bases[0], 'POST', `/v1/projects/${projectId}/conversations`, {
    name: 'Shared',
    design: start,
  });
  const address = `/v1/conversations/${created.body.id}/versions`;
  const stored: Stored[] = [];
  const refused: Refused[] = [];
  const newest = async (base: string): Promise<number> =>
    (await call(base, 'GET', `${address}?limit=1`)).body.versions[0].n;

  const agent = async (base: string, edit: Edit, seen: number): Promise<void> => {
    for (let read = seen; ; read = await newest(base)) {
      const { status, body } = await call(base, 'PATCH', `${address}/${read}/design`, {
        patch: patchOf(edit),
        onConflict: 'merge',
      });
      if (status === 201) return void stored.push({ ...edit, base: read, n: body.version });
      if (status !== 409) throw new Error(`${edit.value} answered ${status}: ${JSON.stringify(body)}`);
      refused.push({ ...edit, ...body.error.details });
    }
  };
  for (let round = 0; round < count; round++) {
    const { fields, age } = rounds[round % rounds.length] ?? { fields: ['line', 'line'], age: 0 };
    const seen = Math.max(1, (await newest(bases[0])) - age);
    await Promise.all(
      bases.map((base, index) =>
        agent(base, { field: fields[index] ?? 'line', value: `${index === 0 ? 'A' : 'B'}${round}` }, seen),
      ),
    );
  }
  const last = await newest(bases[1]);
  const designs: unknown[] = [];
  for (let n = 1; n <= last; n++) designs[n] = (await call(bases[1], 'GET', `${address}/${n}/design`)).body;
  return judge(stored, refused, designs);
}

function patchOf({ field, value }: Edit): object[] {
  if (field === 'variable') return [{ op: 'add', path: '/variables/-', value: { id: value, type: 'text' } }];
  return [{ op: 'replace', path: pathOf(field), value }];
}

function pathOf(field: Field): string {
  return field === 'line' ? '/steps/bye/line' : `/steps/hours/${field}`;
}

function judge(
  stored: readonly Stored[],
  refused: readonly Refused[],
  designs: readonly unknown[],
): MergeReport {
  const inOrder = stored.toSorted((one, other) => one.n - other.n);
  /** The expected value of each field, by its last edit. */
  const current = new Map<string, Stored>();
  const lost = new Set<string>();
  for (const edit of inOrder) {
    const field = edit.field === 'variable' ? edit.value : edit.field;
    const before = current.get(field);
    // Whoever replaces a value must have read it.
    if (before && before.n > edit.base) lost.add(before.value);
    current.set(field, edit);
    for (const { value, ...of } of current.values())
      if (!holds(designs[edit.n], of.field, value)) lost.add(value);
  }
  const isWrong = ({ field, value, newestVersion, conflicts }: Refused) => {
    const [conflict, ...more] = conflicts ?? [];
    const theirs = inOrder.findLast((edit) => edit.field === field && edit.n <= newestVersion)?.value;
    return !isDeepStrictEqual(
      [conflict?.path, conflict?.theirs, conflict?.yours, more],
      [pathOf(field), theirs, value, []],
    );
  };
  const numbers = new Set(inOrder.map(({ n }) => n));
  const versions = designs.length - 1;
  return {
    edits: stored.length,
    merged: stored.filter(({ base, n }) => n > base + 1).length,
    conflicts: refused.length,
    wrongConflicts: refused.filter(isWrong).length,
    lost: lost.size,
    versions,
    gaps: versions - 1 - numbers.size + (stored.length - numbers.size),
  };
}

function holds(design: unknown, field: Field, value: string): boolean {
  const { steps, variables } = design as {
    steps: Record<string, Record<string, unknown>>;
    variables: { id: string }[];
  };
  if (field === 'variable') return variables.filter(({ id }) => id === value).length === 1;
  return steps[field === 'line' ? 'bye' : 'hours']?.[field] === value;
}

async function send(address: string, method: string, key: string, body?: object) {
  const reply = await fetch(address, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as ReturnType<typeof JSON.parse> };
}

await runAsScript(import.meta.url, 'rounds', 200, async (databaseUrl, count) => {
  const began = performance.now();
  const one = await startReplica(databaseUrl);
  const other = await startReplica(databaseUrl);
  const laboratory = openLaboratory(databaseUrl);
  try {
    const report = await tryMerging([one.base, other.base], await laboratory.tenant(), count);
    console.log(`rounds of two agents                       ${count}`);
    console.log(`edits acknowledged                         ${report.edits}`);
    console.log(`merged with what the other had written     ${report.merged}`);
    console.log(`conflicts reported, and settled            ${report.conflicts}`);
    console.log(`conflicts without field or values          ${report.wrongConflicts}`);
    console.log(`edits lost                                 ${report.lost}`);
    console.log(`versions                                   ${report.versions}`);
    console.log(`gaps between them                          ${report.gaps}`);
    console.log(
      `seconds                                    ${Math.round((performance.now() - began) / 1000)}`,
    );
    return report.edits === 2 * count && report.lost + report.gaps + report.wrongConflicts === 0;
  } finally {
    await laboratory.close();
    await one.kill();
    await other.kill();
  }
});
