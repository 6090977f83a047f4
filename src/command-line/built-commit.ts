/** The commit of the bundle, which `npm run build` puts here. Undefined if the sources run. */
export const builtCommit: string | undefined = undefined;
