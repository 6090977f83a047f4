import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A word that is none of the known ones. */
export interface Mistyped {
  /** The message up to the list of the known words. */
  readonly message: string;
  readonly word: string;
  readonly known: readonly string[];
}

/** The command line is wrong. The message goes to stderr in one line, with exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** If a known word is close to this one, it is suggested instead of listing all. */
  readonly mistyped: Mistyped | undefined;

  constructor(message: string, mistyped?: Mistyped) {
    super(message);
    this.mistyped = mistyped;
  }
}

/** The command cannot do its work, for a reason outside Parley. One line on stderr, exit status 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** A module of `src/command-line/commands`. */
export interface Command {
  /** The arguments: upper case for a value, brackets for what may be left out. */
  readonly usage: string;
  /** One line without a period, for `parley --help`. */
  readonly summary: string;
  /** What else `parley COMMAND --help` explains. */
  readonly details?: string;
  run(args: readonly string[]): Promise<void>;
}

/** Parsed options: a text, or true for a switch. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Parses the arguments of a command.
 * @throws UsageError for an unknown option, a missing value, or the wrong number of positionals
 */
export function parseArguments(
  args: readonly string[],
  options: ParseArgsOptionsConfig,
  positionalNames: readonly string[] = [],
): { values: OptionValues; positionals: string[] } {
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw unknownOption(error, options) ?? new UsageError(`${error.message.split(/\. |\.?\n/, 1)[0]}.`);
  }
  const { values, positionals } = parsed;
  if (positionals.length !== positionalNames.length) {
    const expected = positionalNames.length ? positionalNames.join(' ') : 'no arguments but options';
    throw new UsageError(`Expected ${expected}, got ${positionals.join(' ') || 'nothing'}.`);
  }
  return { values: values as OptionValues, positionals };
}

/** Undefined if the error of parseArgs has another reason. */
function unknownOption(error: Error, options: ParseArgsOptionsConfig): UsageError | undefined {
  const word = /^Unknown option '(-[^']*)'/.exec(error.message)?.[1];
  if (word === undefined) return undefined;
  const known = Object.keys(options).map((name) => `--${name}`);
  const message = `There is no option ${word}.`;
  const all = known.length > 0 ? `The options are ${known.join(', ')}.` : 'This command takes none.';
  return new UsageError(`${message} ${all}`, { message, word, known });
}

/**
 * A text option.
 * @throws UsageError if it is empty or longer than 200 characters
 */
export function textOption(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > 200)
    throw new UsageError(`--${name} takes 1 to 200 characters.`);
  return value;
}

/** @throws UsageError if the option is missing, empty or longer than 200 characters */
export function requiredOption(values: OptionValues, name: string): string {
  const value = textOption(values, name);
  if (value === undefined) throw new UsageError(`--${name} is required.`);
  return value;
}

/**
 * An option that takes one of a few words.
 * @throws UsageError that lists the words
 */
export function wordOption<Word extends string>(
  values: OptionValues,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = textOption(values, name);
  if (value === undefined || words.includes(value as Word)) return value as Word | undefined;
  throw new UsageError(`--${name} takes one of ${words.join(', ')}.`);
}

/** Writes a record to stdout: as one line of JSON, or as lines of `name: value`. */
export function printRecord(record: Readonly<Record<string, unknown>>, asJson: boolean): void {
  const lines = Object.entries(record).map(([name, value]) => `${name}: ${String(value)}`);
  process.stdout.write(`${asJson ? JSON.stringify(record) : lines.join('\n')}\n`);
}
