/** What an operation requires and a key may have (`decisions#access`). */
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

/** The access of a key: that of its scope, reduced to `narrowedTo` unless null. */
export function accessOfKey(scope: KeyScope, narrowedTo: readonly string[] | null): ReadonlySet<Access> {
  const granted = scopeAccess[scope];
  return new Set(narrowedTo ? granted.filter((access) => narrowedTo.includes(access)) : granted);
}
