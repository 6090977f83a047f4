import { readFileSync } from 'node:fs';
import { type Config, shortestPassphrase } from '../config.ts';
import { codeOf } from '../errors.ts';
import { CommandError, textOption, UsageError, type Values } from './command.ts';

/**
 * The passphrase of a backup: the text of `--passphrase-file`, less its line's end, or PARLEY_BACKUP_PASSPHRASE;
 * never an argument, which every user of the machine could read.
 * @throws UsageError where there is none, CommandError where the file has none
 */
export function passphraseOf(config: Config, values: Values): string {
  const file = textOption(values, 'passphrase-file');
  const text = file === undefined ? config.backupPassphrase : readText(file);
  if (text === undefined) throw new UsageError('set PARLEY_BACKUP_PASSPHRASE, or name a --passphrase-file');
  if (text.length < shortestPassphrase)
    throw new CommandError(`${file} has no passphrase of at least ${shortestPassphrase} characters`);
  return text;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${codeOf(error)})`);
  }
}
