import { bounded, growing } from './growth.ts';
import { markdownOf, type Table, tableIn } from './table.ts';

/** What the page holds: the work of calls, and what they leave for later. */
export interface Tables {
  call: Table;
  later: Table;
}

const same = ['statements', 'rows', 'round trips', 'sent', 'received'];
const ofVersions = ['buffers 18', 'WAL 18', 'buffers 15', 'WAL 15'];

/** Pages in a project with 50,000 records of each kind, on the embedded Postgres. */
export const ofLarge = 'buffers of 50,000';

/** Reads the tables of a page. */
export function tablesOf(page: string): Tables {
  return { call: tableIn(page, 'Calls'), later: tableIn(page, 'Background work') };
}

/** Writes the page. */
export const pageOf = ({ call, later }: Tables) => `# The work of each operation

What the example of each operation (\`test/contract/operation-table.ts\`) costs over REST, in a project with nothing else, once
connections and statements are prepared: statements that Postgres runs (those of functions and triggers included), rows
that it returns or changes, the times that Parley waits for it, bytes that Parley sends to it and receives from it, bytes of
the response, pages of 8 KiB that Postgres looks at, and bytes of its write-ahead log.

Statements and rows must be the same on each machine and each Postgres, the round trips within one, and the bytes within 1 %.
Pages and the log may differ by 10 %, and are recorded for the embedded Postgres, version 18, and for Debian's version 15, which
is measured if it is installed. \`UPDATE_WORK=1 npx vitest run --config test/vitest.config.ts test/work\` writes this file.

## Calls

${markdownOf(call, [...same, 'response', ...ofVersions, ofLarge])}

## Background work

What a call leaves for later, if nothing else waits: usage is written each second, and workers look for sources to index or to
remove each second. Each counts one batch for one call; a busy server shares a batch among many calls. The table leaves out the
statement that stores every five seconds when the keys of that time were last used.

${markdownOf(later, [...same, ...ofVersions])}

## Growth

No operation does more work in a project with 1,000 or 50,000 records of each kind than in one with nothing else, except that
indexes are deeper, and except for the operations below. The last column above has the pages with 50,000 records, within 25 %.

With 1,000 records, but not more with 50,000:

${listOf(bounded)}

With each record:

${listOf(growing)}
`;

function listOf(reasons: Readonly<Record<string, string>>): string {
  return Object.entries(reasons)
    .map(([name, reason]) => `- \`${name}\`: ${reason}`)
    .join('\n');
}
