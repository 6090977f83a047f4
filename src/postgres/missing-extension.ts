/** The database lacks a required extension. The message is one line for the person who starts Parley. */
export class MissingExtensionError extends Error {
  override readonly name = 'MissingExtensionError';

  constructor(extension: string, options: ErrorOptions) {
    super(
      `the database needs the extension ${extension}, which comes with Postgres (postgresql-contrib). Install that, and ` +
        `let Parley's role create it or run "create extension ${extension}" there as a superuser.`,
      options,
    );
  }
}
