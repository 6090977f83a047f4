import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The command line was used wrong: one line on stderr, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked cannot be done, through no fault of ours: one line on stderr, exit status 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** One subcommand. */
export interface Command {
  /** Its arguments, as `--help` shows them. */
  readonly usage: string;
  run(args: readonly string[]): Promise<void>;
}

/** The values of options that take a text or are switches. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Parses the arguments of a subcommand.
 * @throws UsageError for an unknown option, a missing value, or another number of positionals.
 */
export function parseArguments(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  positionalNames: readonly string[] = [],
): { values: Values; positionals: string[] } {
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message.split(/\. |\.?\n/, 1)[0]);
    throw error;
  }
  const { values, positionals } = parsed;
  if (positionals.length !== positionalNames.length) {
    const wanted = positionalNames.length ? positionalNames.join(' ') : 'no further words';
    throw new UsageError(`expected ${wanted}, got ${positionals.join(' ') || 'nothing'}`);
  }
  return { values: values as Values, positionals };
}

/**
 * A text option, at most 200 characters.
 * @throws UsageError where it is required and missing, or empty.
 */
export function textOption(values: Values, name: string): string | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > 200)
    throw new UsageError(`--${name} takes 1 to 200 characters`);
  return value;
}

export function requiredOption(values: Values, name: string): string {
  const value = textOption(values, name);
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}

/**
 * An option that takes one of a few words.
 * @throws UsageError naming the words.
 */
export function wordOption<Word extends string>(
  values: Values,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = textOption(values, name);
  if (value === undefined || words.includes(value as Word)) return value as Word | undefined;
  throw new UsageError(`--${name} takes one of ${words.join(', ')}`);
}

/** Writes a command's answer to stdout: as JSON for programs, else as lines of `name: value`. */
export function printRecord(record: Readonly<Record<string, unknown>>, asJson: boolean): void {
  const lines = Object.entries(record).map(([name, value]) => `${name}: ${String(value)}`);
  process.stdout.write(`${asJson ? JSON.stringify(record) : lines.join('\n')}\n`);
}
