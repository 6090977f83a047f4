import type { GrantKey } from './store.ts';

/** The account of a grant is the key that was made for it. */
export function accountOf({ projectId, keyId }: GrantKey): string {
  return `${projectId}/${keyId}`;
}

export function keyOfAccount(account: string): GrantKey {
  const [projectId = '', keyId = ''] = account.split('/');
  return { projectId, keyId };
}
