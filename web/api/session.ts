import { createContext, useContext } from 'react';
import type { Api } from './client.ts';
import type { Operations } from './operations.ts';

/** What a key may do. */
export type Access = NonNullable<Operations['get_current_key']['output']['access']>[number];

/** The signed-in key. */
export interface Session {
  readonly api: Api;
  readonly projectId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly access: ReadonlySet<Access>;
  readonly signOut: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the page. Only pages below SessionProvider have one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is no session above this component');
  return session;
}

const wantedFor: Readonly<Record<Access, string>> = {
  read: 'Reading needs',
  run: 'Running needs',
  draft: 'Changing drafts needs',
  publish: 'Changing what callers meet needs',
  admin: 'Managing keys needs',
};

/** Why the key may not do something; undefined if it may. */
export function useRefusal(needs: Access): string | undefined {
  const { access } = useSession();
  if (access.has(needs)) return undefined;
  return `${wantedFor[needs]} a key with access ${needs}. This key has ${[...access].join(', ') || 'none'}.`;
}
