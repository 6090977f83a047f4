import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { codeOf } from '../errors.ts';
import { CommandError } from './command.ts';
import { troubleOf } from './trouble.ts';

/**
 * A JSON file under PARLEY_HOME; undefined where it is not there.
 * @param remedy what the person can do about a file that holds something else.
 * @throws CommandError where the file cannot be read, or holds something else.
 */
export function readHomeFile<Content extends v.GenericSchema>(
  file: string,
  content: Content,
  remedy: string,
): v.InferOutput<Content> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw troubleOf(error);
  }
  const damaged = `${file} is damaged: ${remedy}`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new CommandError(damaged);
  }
  const checked = v.safeParse(content, parsed);
  if (!checked.success) throw new CommandError(damaged);
  return checked.output;
}

/**
 * Writes a JSON file for this user's eyes only; a reader never sees half of it.
 * @throws CommandError where a file or folder stands in the way.
 */
export function writeHomeFile(file: string, content: object): void {
  const fresh = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o711 });
    writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw troubleOf(error);
  }
}
