import { readFileSync } from 'node:fs';
import type { Config } from '../platform/config/config.ts';
import { shortestPassphrase } from '../platform/config/variables.ts';
import { codeOf } from '../platform/errors.ts';
import { CommandError, type OptionValues, textOption, UsageError } from './command.ts';

/**
 * The passphrase of a backup: the text of `--passphrase-file` without its last line break, or
 * PARLEY_BACKUP_PASSPHRASE. No argument takes it, because every user of the machine could read that.
 * @throws UsageError if there is no passphrase, CommandError if the file is unreadable or holds too short a one
 */
export function readPassphrase(config: Config, values: OptionValues): string {
  const file = textOption(values, 'passphrase-file');
  const text = file === undefined ? config.backupPassphrase : readText(file);
  if (text === undefined)
    throw new UsageError(
      'There is no passphrase. Set PARLEY_BACKUP_PASSPHRASE, or name a --passphrase-file.',
    );
  if (text.length < shortestPassphrase)
    throw new CommandError(
      `The passphrase in ${file} has fewer than ${shortestPassphrase} characters. Use a longer one.`,
    );
  return text;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new CommandError(`The passphrase file ${file} cannot be read (${codeOf(error)}).`);
  }
}
