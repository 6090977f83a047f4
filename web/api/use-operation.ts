import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Input, OperationName, Output } from './client.ts';
import { useSession } from './session.ts';

interface ReadOptions<Data> {
  readonly enabled?: boolean;
  /** Milliseconds after which it is read again while the tab is visible, or false. */
  readonly readAgainAfter?: (data: Data | undefined) => number | false;
}

/** Reads with an operation, and again when the window gets the focus. */
export function useOperation<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { readAgainAfter, ...options }: ReadOptions<Output<Name>> = {},
): UseQueryResult<Output<Name>> {
  const { api } = useSession();
  return useQuery({
    queryKey: [name, input],
    queryFn: ({ signal }) => api.call(name, input, signal),
    refetchInterval: ({ state: { data } }) => readAgainAfter?.(data) ?? false,
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
 *
 * @param removes the operation that reads what the change deletes, which is not read again
 * @param waits true if the change is pending until everything is read again; `mutateAsync` then outlives the component
 */
export function useChange<Name extends OperationName>(
  name: Name,
  { removes, waits = false }: { readonly removes?: OperationName; readonly waits?: boolean } = {},
): UseMutationResult<Output<Name>, Error, Input<Name>> {
  const { api } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<Name>) => api.call(name, input),
    onSuccess: () => {
      const reading = queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== removes });
      return waits ? reading : undefined;
    },
  });
}
