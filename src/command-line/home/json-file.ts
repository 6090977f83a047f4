import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { codeOf } from '../../platform/errors.ts';
import { makeFolder } from '../../postgres/make-folder.ts';
import { CommandError } from '../command.ts';
import { asCommandError } from '../expected-errors.ts';

/**
 * Reads a JSON file under PARLEY_HOME. Undefined if it does not exist.
 * @param remedy a sentence for the person whose file is damaged
 * @throws CommandError if the file is unreadable or does not match `schema`
 */
export function readHomeFile<Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
  remedy: string,
): v.InferOutput<Schema> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw asCommandError(error);
  }
  const damaged = `${file} is damaged. ${remedy}`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new CommandError(damaged);
  }
  const checked = v.safeParse(schema, parsed);
  if (!checked.success) throw new CommandError(damaged);
  return checked.output;
}

/**
 * Writes a JSON file that only this user can read. The rename keeps readers from seeing half a file.
 * @throws CommandError if PARLEY_HOME cannot be written
 */
export function writeHomeFile(file: string, content: object): void {
  const partial = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    makeFolder(path.dirname(file), 0o711);
    writeFileSync(partial, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw asCommandError(error);
  }
}
