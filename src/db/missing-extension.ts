/** The database lacks what Parley cannot do without; the message is one line for the person who starts it. */
export class MissingExtensionError extends Error {
  override readonly name = 'MissingExtensionError';

  constructor(extension: string, options: ErrorOptions) {
    super(
      `the database needs the extension ${extension}, which comes with Postgres (postgresql-contrib): install that and ` +
        `let the role that Parley connects as create it, or run "create extension ${extension}" there as a superuser`,
      options,
    );
  }
}
