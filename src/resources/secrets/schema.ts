import * as v from 'valibot';

/** What `{{secret.NAME}}` can name. */
export const SecretName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/),
  v.description('Letters, digits and _; designs name it as {{secret.NAME}}.'),
);

/** A secret without its value, which nothing answers (`decisions` 10). */
export const Secret = v.strictObject({ name: v.string(), createdAt: v.string(), updatedAt: v.string() });
