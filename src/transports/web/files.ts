/** Where the built web files are, as an address from the bundle. A bundle replaces this module; a checkout builds them. */
export const files: { readonly built: string | undefined } = { built: undefined };
