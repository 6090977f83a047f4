import { EmbeddedError, fileTrouble } from '../db/embedded-error.ts';
import { NewerSchemaError } from '../db/migrate.ts';
import { MissingExtensionError } from '../db/missing-extension.ts';
import { CommandError } from './command.ts';

/**
 * What stands in the way on this machine (a file or folder, the embedded Postgres, a database of a newer build) as one
 * line for the person in front of it; any other error as it is.
 */
export function troubleOf(error: unknown): unknown {
  if (
    error instanceof NewerSchemaError ||
    error instanceof MissingExtensionError ||
    error instanceof EmbeddedError
  )
    return new CommandError(error.message);
  const trouble = fileTrouble(error);
  return trouble === undefined ? error : new CommandError(trouble);
}
