import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Failures that may be over in a moment: no connection, an overloaded server, a database that restarts. */
const passing = new Set([0, 429, 502, 503, 504]);

/** What the Studio has read. It is fresh for 10 s, because agents change designs while people look at them. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && error instanceof ApiError && passing.has(error.status),
    },
  },
});
