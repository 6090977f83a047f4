/**
 * Measures the disclosure rule on the blind lines and writes `reports/disclosure.md`.
 *
 * Usage: npm run disclosure
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { lineCodes, type Measured, measure } from './disclosure-lines.ts';

const root = path.resolve(import.meta.dirname, '../..');

function row(name: string, languages: readonly Measured[]): string {
  const sum = (count: (language: Measured) => number) =>
    languages.reduce((total, language) => total + count(language), 0);
  const disclosing = sum((language) => language.disclosing);
  const undisclosed = sum((language) => language.undisclosed);
  const refused = sum((language) => language.refused.length);
  const share = `${((refused / disclosing) * 100).toFixed(1)} %`;
  const passing = sum((language) => language.passing.length);
  return `| ${name} | ${disclosing + undisclosed} | ${passing} of ${undisclosed} | ${refused} of ${disclosing} | ${share} |`;
}

const measured = lineCodes.map(measure);
const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
const commit = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const misses = measured.flatMap(({ code, refused, passing }) => [
  ...passing.map((line) => `- ${code}, passes: ${line}`),
  ...refused.map((line) => `- ${code}, refused: ${line}`),
]);
const report = `# The disclosure rule, measured

\`npm run disclosure\` on ${new Date().toISOString()}, at commit ${commit}: the lines of
\`test/design/disclosure-lines\`, with which the rule was tuned after they were written.

| language | lines | undisclosed, pass | disclosed, refused | |
|---|---|---|---|---|
${measured.map((language) => row(language.code, [language])).join('\n')}
${row('**all**', measured)}

## Lines that the rule reads otherwise

${misses.join('\n')}
`;
writeFileSync(path.join(root, 'reports/disclosure.md'), report);
process.stdout.write(report);
