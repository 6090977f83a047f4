import * as v from 'valibot';

/** A name that `{{secret.NAME}}` can refer to. */
export const SecretName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/),
  v.description('Letters, digits and _; designs name it as {{secret.NAME}}.'),
);

/** A secret without its value, which no operation returns (decisions#secrets). */
export const Secret = v.strictObject({ name: v.string(), createdAt: v.string(), updatedAt: v.string() });
