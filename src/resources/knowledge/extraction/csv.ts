import { parse } from 'csv-parse/sync';
import type { Content } from './blocks.ts';
import { oneLine } from './clean-text.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { Outline } from './outline.ts';

const mostColumns = 1000;
const delimiters = [',', ';', '\t', '|'];

/**
 * Reads a table whose first line names the columns. The delimiter is the one that the first line has most often.
 * @throws ExtractionFailure if the table has more than 1,000 columns
 */
export function readCsv(text: string): Content {
  const [firstLine = ''] = text.trimStart().split(/\r\n?|\n/, 1);
  const unquoted = firstLine.replaceAll(/"[^"]*"/g, '');
  const counts = delimiters.map((delimiter) => unquoted.split(delimiter).length);
  const columns = Math.max(...counts);
  if (columns > mostColumns)
    throw new ExtractionFailure(
      `The table has more than ${mostColumns.toLocaleString('en')} columns. Split it into smaller ones.`,
    );
  const rows = parse(text, {
    bom: true,
    delimiter: delimiters[counts.indexOf(columns)] ?? ',',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: 1_000_000,
  }).map((row) => row.slice(0, mostColumns).map(oneLine));
  const [header = [], ...rest] = rows.filter((row) => row.some(Boolean));
  const outline = new Outline();
  if (rest.length > 0) outline.add({ kind: 'table', caption: '', header, rows: rest });
  else if (header.length > 0) outline.add({ kind: 'text', text: header.filter(Boolean).join(' | ') });
  return { sections: outline.finished() };
}
