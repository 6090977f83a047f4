/** Runs SQL with values for `$1`, `$2` and so on. Returns the rows. */
export type Rows = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Selects every row that a design operation could write, with the last transaction that wrote it. */
const everyRow = `
  select 'version ' || conversation_id || ' ' || n as row, xmin::text from conversation_versions where project_id = $1
  union all select 'conversation ' || id, xmin::text from conversations where project_id = $1
  union all select 'trash ' || id, xmin::text from trash where project_id = $1
  union all select 'idempotency key ' || key, xmin::text from idempotency_keys where project_id = $1
  union all select 'knowledge base ' || id, xmin::text from knowledge_bases where project_id = $1
  union all select 'integration ' || id, xmin::text from integrations where project_id = $1`;

/** Watches the rows of a project. An accepted write must explain each new or changed row. */
export async function rowWatch(rows: Rows, projectId: string) {
  const look = async () =>
    new Map((await rows(everyRow, [projectId])).map(({ row, xmin }) => [String(row), String(xmin)]));
  const audits = async () =>
    Number((await rows('select count(*) from audit_log where project_id = $1', [projectId]))[0]?.['count']);
  let before = await look();
  let auditsBefore = await audits();
  const created = new Set<string>();
  const changed = new Set<string>();
  let expected = new Set<string>();
  let expectedAudits = 0;
  return {
    knows: (conversationId: string) => created.has(conversationId),
    isChanged: (conversationId: string) => changed.has(conversationId),
    /** Inserts a conversation with these versions, without any check. Version 1 is active. */
    async create(id: string, ...designs: string[]): Promise<void> {
      await rows(
        `with conversation as (
           insert into conversations (project_id, id, name, kind, newest_version, active_version)
           values ($1, $2, 'Line', 'advanced', cardinality($3::text[]), 1) returning project_id, id
         )
         insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes)
         select project_id, id, n, 'v' || n, design::json, octet_length(design)
         from conversation, unnest($3::text[]) with ordinality as version (design, n)`,
        [projectId, id, designs],
      );
      created.add(id);
      expected.add(`conversation ${id}`);
      for (const index of designs.keys()) expected.add(`version ${id} ${index + 1}`);
    },
    /** Notes that the API accepted a write as version `n`. */
    acknowledge(id: string, n: number): void {
      changed.add(id);
      expected.add(`conversation ${id}`).add(`version ${id} ${n}`);
      expectedAudits += 1;
    },
    activated(id: string): void {
      expected.add(`conversation ${id}`);
      expectedAudits += 1;
    },
    /**
     * Compares the rows with those of the last call. Returns rows that changed or vanished without an
     * accepted write, and accepted rows that are missing.
     */
    async stray(): Promise<string[]> {
      const [now, auditsNow] = [await look(), await audits()];
      const found = [...now].filter(([row, xmin]) => before.get(row) !== xmin && !expected.has(row));
      const gone = [...before.keys(), ...expected].filter((row) => !now.has(row));
      const surplus = auditsNow - auditsBefore - expectedAudits;
      [before, auditsBefore, expected, expectedAudits] = [now, auditsNow, new Set(), 0];
      return [
        ...found.map(([row]) => `${row} was written`),
        ...gone.map((row) => `${row} is missing`),
        ...(surplus === 0 ? [] : [`${surplus} audit rows too many`]),
      ];
    },
  };
}
