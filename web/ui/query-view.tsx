import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { Loading } from './loading.tsx';

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** What is being read, as in "Loading the conversations…". */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/** What a query has read; grey lines until then, and what went wrong if it failed. */
export function QueryView<Data>({ query, what, children }: QueryViewProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading what={what} />;
}
