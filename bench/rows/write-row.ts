import { type HttpRow, httpRow } from '../http-row.ts';
import type { Row } from '../row.ts';

interface WriteRow extends Omit<HttpRow, 'limit' | 'unit' | 'better' | 'figure' | 'reach' | 'floor'> {
  /** What the limit does between the request and the response. */
  readonly statements: string;
}

/**
 * Returns a row for an operation that writes. Its figure is the CPU time, because requests per second vary with the
 * rest of the machine and with its disk.
 */
export function writeRow(row: WriteRow): Row {
  return httpRow(cpuRow(row));
}

/** Returns a row in which all connections write to one project, and another in which each has its own project. */
export function writeRows(row: WriteRow): Row[] {
  return [httpRow(cpuRow(row)), httpRow(inManyProjects(cpuRow(row)))];
}

function cpuRow({ statements, ...row }: WriteRow): HttpRow {
  const limit = `bare node:http + pg, ${statements}`;
  return { ...row, limit, unit: 'ms CPU', better: 'lower', figure: 'cpu', reach: 1.5, floor: 2 };
}

/** The same row with a project for each connection. It shows what it costs that writers of one project share its row. */
export function inManyProjects(row: HttpRow): HttpRow {
  const { name, path, connections } = row;
  return {
    ...row,
    name: `${name}-${connections}`,
    path: `${path} with their own projects`,
    manyProjects: true,
  };
}

/** The headers of a request with a body. */
export function headersWith(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}
