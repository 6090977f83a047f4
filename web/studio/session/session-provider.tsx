import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { apiWith } from '../../api/client.ts';
import { SessionContext } from '../../api/session.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { SignIn } from './sign-in.tsx';

/** The key lives as long as the tab, and no other tab or site sees it. */
const storedAs = 'parley.key';

const wrongKey = 'This key is not valid. Check that you copied all of it.';

/** Asks for a key, checks it, and shows the pages below once it is known. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [key, setKey] = useState(() => sessionStorage.getItem(storedAs));
  const [reason, setReason] = useState<string>();
  const signOut = useCallback(
    (why?: string) => {
      sessionStorage.removeItem(storedAs);
      queries.clear();
      setReason(why);
      setKey(null);
    },
    [queries],
  );
  const api = useMemo(
    () =>
      apiWith(key ?? '', () => {
        const wasValid = queries.getQueryData(['session', key]) !== undefined;
        signOut(wasValid ? 'This key is no longer valid. Sign in with another one.' : wrongKey);
      }),
    [key, queries, signOut],
  );
  const current = useQuery({
    queryKey: ['session', key],
    queryFn: ({ signal }) => api.call('get_current_key', { details: true }, signal),
    enabled: key !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const session = useMemo(
    () =>
      current.data && {
        api,
        projectId: current.data.projectId,
        keyId: current.data.id,
        keyName: current.data.name,
        access: new Set(current.data.access),
        signOut: () => signOut(),
      },
    [api, current.data, signOut],
  );
  const signIn = (typed: string) => {
    sessionStorage.setItem(storedAs, typed);
    setReason(undefined);
    setKey(typed);
  };
  if (key === null) return <SignIn reason={reason} onKey={signIn} />;
  if (current.error) {
    if (current.error instanceof ApiError && current.error.status === 0)
      return <ErrorNotice error={current.error} onRetry={() => void current.refetch()} />;
    return <SignIn reason={refusalOf(current.error)} onKey={signIn} />;
  }
  if (!session) return <Loading what="your project" />;
  return <SessionContext value={session}>{children}</SessionContext>;
}

function refusalOf(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 403)
    return `This key may not read the project, so it cannot sign in. Use a secret key. (${error.message})`;
  return error.message;
}
