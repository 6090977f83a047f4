import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import classes from './table.module.css';

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Left out on a phone. */
  readonly isMinor?: boolean;
  /** Always on one line: a number, a state, a time. */
  readonly isShort?: boolean;
}

interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string | number;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
}

/** Records of one kind, one in a row. */
export function Table<Row>({ label, rows, idOf, columns }: TableProps<Row>) {
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isMinor, isShort }) => (
              <th
                key={title}
                scope="col"
                className={classNames(isMinor && classes.minor, isShort && classes.short)}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {columns.map(({ title, cell, isMinor, isShort }, index) =>
                index === 0 ? (
                  <th key={title} scope="row" className={classNames(isShort && classes.short)}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} className={classNames(isMinor && classes.minor, isShort && classes.short)}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
