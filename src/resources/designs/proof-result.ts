import * as v from 'valibot';
import { holdsForEveryCall } from '../../design/proof/prove.ts';
import { Cuid } from '../../operation/reference.ts';
import type { JsonObject } from '../../operation/result.ts';
import { VersionNumber } from '../conversations/schema.ts';
import { shortenList } from '../record/shorten-list.ts';
import { PropertyDocument } from './proof-input.ts';

const Exit = v.strictObject({
  at: v.pipe(v.picklist(['step', 'before', 'after']), v.description('step, or the hook that has the node.')),
  id: v.string(),
  exit: v.pipe(v.nullable(v.string()), v.description('The exit that the call takes; null at the end.')),
});

const ShownProof = v.strictObject({
  property: PropertyDocument,
  holds: v.boolean(),
  message: v.pipe(v.string(), v.description('Why; if a line discloses the AI, with that line.')),
  counterexample: v.exactOptional(
    v.pipe(
      v.nullable(v.array(Exit)),
      v.description('The shortest call that breaks it; null if it holds, missing for a whole project.'),
    ),
  ),
  call: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.description('The counterexample in words, shortened: what the caller hears and does in each place.'),
    ),
  ),
});

/** A version with what was proved of it. */
export const ProvedVersion = v.strictObject({
  kind: v.exactOptional(v.picklist(['flow', 'conversation'])),
  id: v.exactOptional(Cuid),
  name: v.exactOptional(v.string()),
  version: VersionNumber,
  tag: v.exactOptional(v.string()),
  isActive: v.pipe(v.boolean(), v.description('It is the live version.')),
  reachedBy: v.exactOptional(
    v.pipe(v.array(v.string()), v.description('Numbers and web agents on which callers meet it.')),
  ),
  holds: v.pipe(v.boolean(), v.description('Every property holds.')),
  note: v.exactOptional(v.pipe(v.string(), v.description('Why nothing is proved of it.'))),
  proofs: v.array(ShownProof),
});

/** What proofs return: of versions of one conversation, or of all that is live in a project. */
export const ProvedVersions = v.strictObject({
  holds: v.pipe(v.boolean(), v.description('Every property holds for every version here.')),
  versions: v.array(ProvedVersion),
  leftOut: v.exactOptional(
    v.pipe(
      v.number(),
      v.description('How many more flows and conversations there are, not proved or not shown.'),
    ),
  ),
});

export type ProvedVersion = v.InferOutput<typeof ProvedVersion>;
export type ProvedVersions = v.InferOutput<typeof ProvedVersions>;

/** The note on a design with steps that the API does not expose. */
export const notProved = 'It has a step of a kind that the API does not expose, so nothing is proved.';

/** Bytes of a result on MCP. Hosts refuse more than 40,000. */
const mostBytes = 36_000;

/**
 * The result as MCP shows it: calls in words only, a message only if it says more than `holds`, proofs that two versions
 * share once, and of what holds in a whole project only which it is.
 */
export function briefProof(result: ProvedVersions): JsonObject {
  const first = new Map<string, number>();
  const versions = result.versions.map(({ proofs, id, ...version }): JsonObject => {
    if (version.kind !== undefined && version.holds) return version;
    const shown = proofs.map(({ counterexample: _, message, ...proof }) =>
      message === holdsForEveryCall ? proof : { ...proof, message },
    );
    const named = { ...version, ...(id !== undefined && { id }) };
    if (version.kind !== undefined || version.note !== undefined) return { ...named, proofs: shown };
    const same = first.get(JSON.stringify(shown));
    if (same !== undefined) return { ...named, sameProofsAs: same };
    first.set(JSON.stringify(shown), version.version);
    return { ...named, proofs: shown };
  });
  const brief = { ...result, versions };
  return Buffer.byteLength(JSON.stringify(brief)) <= mostBytes ? brief : shortenedProof(result);
}

/** A character takes at most three bytes. Of each version only what a call breaks, without the calls. */
function shortenedProof(result: ProvedVersions): JsonObject {
  const room = mostBytes / 3 / result.versions.length;
  const versions = result.versions.map(({ proofs, ...version }) => {
    const broken = proofs.flatMap(({ property, holds, message }) =>
      holds ? [] : [{ property, holds, message }],
    );
    return { ...version, proofs: shortenList(broken, room) };
  });
  return {
    ...result,
    versions,
    truncated: true,
    hint: 'Only broken properties are shown, and not all. Prove fewer versions or properties in one call.',
  };
}
