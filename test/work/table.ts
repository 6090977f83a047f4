/** Figures by their titles. What depends on the version of Postgres ends in it, such as `buffers 18`. */
export type Figures = Readonly<Record<string, number>>;

/** The figures of each operation. */
export type Table = ReadonlyMap<string, Figures>;

/**
 * By how much a measurement may differ from the recorded figure: by a part of it, and in any case by `slack`. A page of an
 * index may be full, Postgres leaves out zeros at the end of a time, and of two statements that are sent together, the second
 * may leave after the first response.
 */
const tolerances: Readonly<Record<string, { readonly part: number; readonly slack: number }>> = {
  'round trips': { part: 0, slack: 1 },
  buffers: { part: 0.1, slack: 6 },
  // What a sample of the rows lets Postgres plan.
  'buffers of 50,000': { part: 0.25, slack: 16 },
  WAL: { part: 0.1, slack: 160 },
  sent: { part: 0.01, slack: 4 },
  received: { part: 0.01, slack: 16 },
  response: { part: 0.01, slack: 8 },
};

const exact = { part: 0, slack: 0 };

/** Whether a measured figure is the recorded one, within its tolerance. */
function isWithin(title: string, recorded: number | undefined, measured: number): boolean {
  if (recorded === undefined) return false;
  const { part, slack } = tolerances[title] ?? tolerances[title.replace(/ \d+$/, '')] ?? exact;
  return Math.abs(measured - recorded) <= Math.max(recorded * part, slack);
}

/** Returns what differs, a line for each measured figure, such as `create_flow: statements 12 → 30`. */
export function differences(recorded: Table, measured: Table): readonly string[] {
  const gone = [...recorded.keys()].filter((operation) => !measured.has(operation));
  const changed = [...measured].flatMap(([operation, figures]) =>
    Object.entries(figures).flatMap(([title, now]) => {
      const before = recorded.get(operation)?.[title];
      return isWithin(title, before, now)
        ? []
        : [`${operation}: ${title} ${before ?? 'not recorded'} → ${now}`];
    }),
  );
  return [...gone.map((operation) => `${operation}: is recorded, and not measured`), ...changed];
}

/** Returns the measured figures, but the recorded one of each that is within the tolerance or was not measured. */
export function settled(recorded: Table, measured: Table): Table {
  return new Map(
    [...measured].map(([operation, figures]) => {
      const before = recorded.get(operation) ?? {};
      const changed = Object.entries(figures).filter(([title, now]) => !isWithin(title, before[title], now));
      return [operation, { ...before, ...Object.fromEntries(changed) }];
    }),
  );
}

/** The lines of a Markdown table with these columns. */
export function markdownOf(table: Table, titles: readonly string[]): string {
  const cells = [
    ['operation', ...titles],
    ...[...table].map(([operation, figures]) => [
      operation,
      ...titles.map((title) => `${figures[title] ?? ''}`),
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, index) =>
    Math.max(...cells.map((line) => line[index]?.length ?? 0)),
  );
  const [head, ...lines] = cells.map((line) => {
    const padded = line.map((cell, index) =>
      index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  });
  const rule = widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [head, `| ${rule.join(' | ')} |`, ...lines].join('\n');
}

/** Reads the table below a heading of a Markdown page; an empty one if there is none. */
export function tableIn(page: string, heading: string): Table {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const [titles = [], , ...lines] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  return new Map(
    lines.map(([operation = '', ...cells]) => {
      const figures = cells.map((cell, index) => [titles[index + 1], cell] as const);
      const given = figures.filter(([, cell]) => cell !== '');
      return [operation, Object.fromEntries(given.map(([title, cell]) => [title, Number(cell)]))];
    }),
  );
}
