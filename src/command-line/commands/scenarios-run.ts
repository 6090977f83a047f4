import { writeFileSync } from 'node:fs';
import { runScenarios } from '../../../tools/scenarios/run-scenarios.ts';
import { codeOf } from '../../platform/errors.ts';
import { CommandError, parseArguments, UsageError } from '../command.ts';
import { withOperations } from '../scenario-calls.ts';

export const usage = 'CONVERSATION [--tag TAG] [--version N] [--junit FILE]';
export const summary = 'Plays the scenarios of a conversation, for pipelines';
export const details = `Plays the newest version, or --version: a number, newest or active. --tag plays only the scenarios with this tag.
--junit also writes the results as JUnit XML. Exit status 1 if a scenario fails, or if there is none.`;

const options = { tag: { type: 'string' }, version: { type: 'string' }, junit: { type: 'string' } } as const;

interface Outcome {
  readonly name: string;
  readonly holds: boolean;
  readonly failed: readonly { readonly found: string }[];
}

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments(args, options, ['CONVERSATION']);
  const { tag, version, junit } = values;
  const [conversationId = ''] = positionals;
  const input = {
    conversationId,
    ...(typeof tag === 'string' && { tag }),
    ...(typeof version === 'string' && { version: versionOf(version) }),
  };
  await withOperations(async (call) => {
    const report = await call(runScenarios, input);
    const outcomes = report['scenarios'] as Outcome[];
    for (const { name, holds, failed } of outcomes) {
      process.stdout.write(`${holds ? 'passes' : 'FAILS '}  ${name}\n`);
      for (const one of failed) process.stdout.write(`          ${lineOf(one)}\n`);
    }
    process.stdout.write(`${String(report['passed'])} passed, ${String(report['failed'])} failed.\n`);
    if (typeof junit === 'string') writeReport(junit, outcomes);
    if (outcomes.length === 0 || outcomes.some(({ holds }) => !holds)) process.exitCode = 1;
  });
}

function versionOf(text: string): number | string {
  if (text === 'newest' || text === 'active') return text;
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError('--version takes a number, newest or active.');
  return Number(text);
}

function lineOf({ found, ...expectation }: { readonly found: string }): string {
  return Object.keys(expectation).length === 0 ? found : `${JSON.stringify(expectation)}: ${found}`;
}

/** JUnit XML, as pipelines read it. */
function writeReport(file: string, outcomes: readonly Outcome[]): void {
  const failures = outcomes.filter(({ holds }) => !holds).length;
  const cases = outcomes.map(({ name, failed, holds }) => {
    const attributes = `classname="parley" name="${escaped(name)}"`;
    if (holds) return `  <testcase ${attributes}/>`;
    const text = escaped(failed.map(lineOf).join('\n'));
    return `  <testcase ${attributes}><failure message="${escaped(failed[0]?.found ?? '')}">${text}</failure></testcase>`;
  });
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="parley scenarios" tests="${outcomes.length}" failures="${failures}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${codeOf(error)}).`);
  }
}

/** Characters that XML 1.0 has no way to express. */
const unprintable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

function escaped(text: string): string {
  return text
    .replaceAll(unprintable, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
