import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import type { Input, OperationName, Output } from './client.ts';

/** Reads with an operation, and again when the window gets the focus. */
export function useOperation<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: { readonly enabled?: boolean; readonly refetchInterval?: number } = {},
): UseQueryResult<Output<Name>> {
  const { api } = useSession();
  return useQuery({
    queryKey: [name, input],
    queryFn: ({ signal }) => api.call(name, input, signal),
    ...options,
  });
}

/** Reads text with an operation that returns no JSON, such as a drawing as SVG. */
export function useText<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: { readonly enabled?: boolean } = {},
): UseQueryResult<string> {
  const { api } = useSession();
  return useQuery({
    queryKey: [name, input, 'text'],
    queryFn: async ({ signal }) => (await api.fetch(name, input, signal)).text(),
    ...options,
  });
}

/**
 * Changes something with an operation. Afterwards, everything on the page is read again. The callbacks of `mutate` do not
 * wait for that: a component that goes away with what is read would never get them.
 */
export function useChange<Name extends OperationName>(
  name: Name,
): UseMutationResult<Output<Name>, Error, Input<Name>> {
  const { api } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<Name>) => api.call(name, input),
    onSuccess: () => void queries.invalidateQueries(),
  });
}
