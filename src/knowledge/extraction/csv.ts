import { parse } from 'csv-parse/sync';
import type { Content } from './blocks.ts';
import { oneLine } from './clean-text.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { Outline } from './outline.ts';

const mostColumns = 1000;
const delimiters = [',', ';', '\t', '|'];

/**
 * Reads a table whose first line names the columns; what parts them is what stands there most often.
 * Throws ExtractionFailure for too many columns.
 */
export function readCsv(text: string): Content {
  const [firstLine = ''] = text.trimStart().split(/\r\n?|\n/, 1);
  const unquoted = firstLine.replaceAll(/"[^"]*"/g, '');
  const counts = delimiters.map((delimiter) => unquoted.split(delimiter).length);
  const columns = Math.max(...counts);
  if (columns > mostColumns)
    throw new ExtractionFailure(`The table has more than ${mostColumns.toLocaleString('en')} columns.`);
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
