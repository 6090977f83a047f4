import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import { type PlayedCaller, playAgainstTemplate, readCallers } from './callers.ts';

const file = new URL('../../docs/measurements/callers.md', import.meta.url);
const sets = [1, 2, 3, 4, 5] as const;

const played = sets.map((set) => ({ set, calls: readCallers(set).map(playAgainstTemplate) }));

test.each(played)('set $set: templates serve at least as many callers as recorded', ({ set, calls }) => {
  if (process.env['UPDATE_CALLERS'] === '1') writeFileSync(file, report());
  const recorded = recordedIn(existsSync(file) ? readFileSync(file, 'utf8') : '');
  expect(calls).toHaveLength(96);
  const fewer = templates
    .map(({ key }) => ({ key, served: servedOf(calls, key), recorded: recorded.get(`${set} ${key}`) }))
    .filter((row) => row.recorded === undefined || row.served < row.recorded);
  expect(fewer, 'UPDATE_CALLERS=1 records the present figures').toEqual([]);
});

function servedOf(calls: readonly PlayedCaller[], key: string): number {
  return calls.filter(({ caller, reasons }) => caller.agent === key && reasons.length === 0).length;
}

/** The recorded count, by set and template. */
function recordedIn(text: string): ReadonlyMap<string, number> {
  const rows = [...text.matchAll(/^\| (\d) +\| ([\w-]+) +\| +(\d+)/gm)];
  return new Map(rows.map(([, set, key, count]) => [`${set} ${key}`, Number(count)]));
}

function report(): string {
  const rows = played.flatMap(({ set, calls }) =>
    templates.map(({ key }) => {
      const own = calls.filter(({ caller }) => caller.agent === key);
      const twice = own.reduce((sum, { saidTwice }) => sum + saidTwice.length, 0);
      const first = own.flatMap(({ reasons }) => reasons.slice(0, 1)).slice(0, 3);
      return `| ${set} | ${key} | ${servedOf(calls, key)} | ${twice} | ${first.join('; ')} |`;
    }),
  );
  const sums = played.map(
    ({ set, calls }) =>
      `Set ${set}: ${calls.filter(({ reasons }) => reasons.length === 0).length} of ${calls.length} are served.`,
  );
  return `# Blind callers

\`test/calls/callers.ts\` plays the callers of \`test/calls/blind\` against the templates, without a model. A caller is served if
nothing speaks against it: the ending, what was kept, and what the agent said. Said twice: facts that a caller had said before.
\`UPDATE_CALLERS=1 npx vitest run --config test/vitest.config.ts test/calls/callers.test.ts\` writes this file.
\`npx node test/calls/show-caller.ts 1 "name of the caller"\` prints one call; without a name, every caller who is not served.

${sums.join('\n')}

| set | template | served of 12 | said twice | first reasons |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}
