/** The commit that was built. `npm run build` puts it here; sources that run as they are do not know theirs. */
export const builtFrom: string | undefined = undefined;
