/** What an operation needs and a key may hold (`decisions#access`). */
export const accesses = ['read', 'run', 'draft', 'publish', 'admin'] as const;
export type Access = (typeof accesses)[number];

export const keyScopes = ['service_app', 'service_platform', 'platform'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const keyTypes = ['publishable', 'secret'] as const;
export type KeyType = (typeof keyTypes)[number];

const scopeAccess: Record<KeyScope, readonly Access[]> = {
  service_app: ['read', 'run'],
  service_platform: ['read', 'run', 'draft', 'publish'],
  platform: accesses,
};

/** The access of a key: its scope's, less what it was narrowed by when it was made (null: not narrowed). */
export function accessOfKey(scope: KeyScope, narrowedTo: readonly string[] | null): ReadonlySet<Access> {
  const granted = scopeAccess[scope];
  return new Set(narrowedTo ? granted.filter((access) => narrowedTo.includes(access)) : granted);
}
