import { useSearchParams } from 'wouter';

/** The filters of a list. The address keeps them, so a link leads to the same list. */
export interface AddressFilters<Name extends string> {
  /** Those that are set. */
  readonly chosen: Readonly<Partial<Record<Name, string>>>;
  readonly isEmpty: boolean;
  /** Changes with every filter, as the key of a list that then starts at its first page. */
  readonly key: string;
  /** Sets filters. An empty text clears one. */
  readonly choose: (changes: Readonly<Partial<Record<Name, string>>>) => void;
  readonly clear: () => void;
}

/** Reads the filters with these names from the address of the page. */
export function useAddressFilters<Name extends string>(names: readonly Name[]): AddressFilters<Name> {
  const [parameters, setParameters] = useSearchParams();
  const chosen: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = parameters.get(name);
    if (value) chosen[name] = value;
  }
  return {
    chosen,
    isEmpty: Object.keys(chosen).length === 0,
    key: parameters.toString(),
    choose: (changes) =>
      setParameters(
        (now) => {
          const next = new URLSearchParams(now);
          for (const [name, value] of Object.entries<string | undefined>(changes))
            if (value) next.set(name, value);
            else next.delete(name);
          return next;
        },
        { replace: true },
      ),
    clear: () => setParameters({}, { replace: true }),
  };
}
