import { isDeepStrictEqual } from 'node:util';
import type { End, Made } from './task.ts';

/** True if a version of a conversation has these properties; by default those that `prove_design` proves by itself. */
export async function holds(
  { send }: End,
  conversationId: string,
  version: number,
  properties?: readonly Made[],
): Promise<boolean> {
  const body = { version, ...(properties && { properties }) };
  const { body: proof } = await send('POST', `/v1/conversations/${conversationId}/designs/prove`, { body });
  return proof.holds === true;
}

/** True if the solver had these versions of the Clinic line proved, each in a call whose properties pass a test. */
export function hadProved(
  { calls, ids }: End,
  versions: readonly number[],
  isAsked: (properties: readonly Made[]) => boolean,
): boolean {
  const results: Made[][] = calls
    .filter(({ tool, failed, input }) => tool === 'prove_design' && !failed && isClinic(input, ids))
    .map(({ text }) => JSON.parse(text).versions);
  const proofsOf = (proved: Made[], number: number): Made[] => {
    const { proofs, sameProofsAs } = proved.find(({ version }) => version === number) ?? { proofs: [] };
    return proofs ?? proofsOf(proved, sameProofsAs);
  };
  return versions.every((wanted) =>
    results.some((proved) => isAsked(proofsOf(proved, wanted).map(({ property }) => property))),
  );
}

/** True if a place of a property is this step, by its id or by the kind that no other step has. */
export function isPlace(place: Made, step: string, kind: string): boolean {
  return isDeepStrictEqual(place, { step }) || isDeepStrictEqual(place, { kind });
}

function isClinic({ conversationId }: Made, ids: End['ids']): boolean {
  return conversationId === ids['clinic'] || /^clinic line$/i.test(conversationId);
}
