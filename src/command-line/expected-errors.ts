import { EmbeddedError, fileTrouble } from '../postgres/embedded/error.ts';
import { UnknownSchemaError } from '../postgres/migrate.ts';
import { MissingExtensionError } from '../postgres/missing-extension.ts';
import { PoolerError } from '../postgres/pgbouncer.ts';
import { CommandError } from './command.ts';

/**
 * Turns an error that the person at this machine can mend into a CommandError: a file or folder that cannot be used, the
 * embedded Postgres, a database of another build, a missing extension, a pooler. Returns any other error unchanged.
 */
export function asCommandError(error: unknown): unknown {
  if (
    error instanceof UnknownSchemaError ||
    error instanceof MissingExtensionError ||
    error instanceof PoolerError ||
    error instanceof EmbeddedError
  )
    return new CommandError(error.message);
  const message = fileTrouble(error);
  return message === undefined ? error : new CommandError(message);
}
