import type { Work } from './meter.ts';

/** What the table holds of an operation: the work in Postgres, and the bytes of the response's content. */
export interface Row extends Work {
  readonly response: number;
}

type Column = keyof Row;

/** The columns in their order, with their titles, and by how much a measurement may differ from the recorded figure. */
const columns: Readonly<Record<Column, { readonly title: string; readonly tolerance: number }>> = {
  statements: { title: 'statements', tolerance: 0 },
  rows: { title: 'rows', tolerance: 0 },
  roundTrips: { title: 'round trips', tolerance: 0 },
  buffers: { title: 'buffers', tolerance: 0.1 },
  wal: { title: 'WAL', tolerance: 0.1 },
  sent: { title: 'sent', tolerance: 0.01 },
  received: { title: 'received', tolerance: 0.01 },
  response: { title: 'response', tolerance: 0.01 },
};
const names = Object.keys(columns) as Column[];
/**
 * Figures below this differ by one page, or by one row of a list, more easily than by the tolerance: a page of an index
 * may be full, Postgres leaves out zeros at the end of a time, and of two statements that are sent together, the second may
 * leave after the first response.
 */
const slack: Readonly<Partial<Record<Column, number>>> = {
  roundTrips: 1,
  buffers: 6,
  wal: 160,
  sent: 4,
  received: 16,
  response: 8,
};

/** Whether a measured figure is the recorded one, within the tolerance of its column. */
function isWithin(column: Column, recorded: number, measured: number): boolean {
  const most = Math.max(recorded * columns[column].tolerance, slack[column] ?? 0);
  return Math.abs(measured - recorded) <= most;
}

/** Returns what differs, a line for each figure, such as `create_flow: statements 12 → 30`. */
export function differences(
  recorded: ReadonlyMap<string, Row>,
  measured: ReadonlyMap<string, Row>,
): readonly string[] {
  const lines: string[] = [];
  for (const operation of new Set([...recorded.keys(), ...measured.keys()])) {
    const [before, now] = [recorded.get(operation), measured.get(operation)];
    if (!before || !now)
      lines.push(`${operation}: ${before ? 'is no operation any more' : 'is not recorded'}`);
    else
      for (const name of names)
        if (!isWithin(name, before[name], now[name]))
          lines.push(`${operation}: ${columns[name].title} ${before[name]} → ${now[name]}`);
  }
  return lines;
}

/** Returns the measured rows, with the recorded figure wherever the measured one is within the tolerance. */
export function settled(
  recorded: ReadonlyMap<string, Row>,
  measured: ReadonlyMap<string, Row>,
): ReadonlyMap<string, Row> {
  return new Map(
    [...measured].map(([operation, row]) => {
      const before = recorded.get(operation);
      const kept = names.filter((name) => before && isWithin(name, before[name], row[name]));
      return [operation, { ...row, ...Object.fromEntries(kept.map((name) => [name, before?.[name]])) }];
    }),
  );
}

/** The lines of a Markdown table. */
export function tableOf(rows: ReadonlyMap<string, Row>): string {
  const cells = [
    ['operation', ...names.map((name) => columns[name].title)],
    ...[...rows].map(([operation, row]) => [operation, ...names.map((name) => String(row[name]))]),
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

/** Reads what `tableOf` has written. */
export function rowsOf(table: string): ReadonlyMap<string, Row> {
  const lines = table.split('\n').filter((line) => /^\| \w+ +\| +\d/.test(line));
  return new Map(
    lines.map((line) => {
      const [operation = '', ...figures] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [
        operation,
        Object.fromEntries(names.map((name, index) => [name, Number(figures[index])])) as unknown as Row,
      ];
    }),
  );
}
