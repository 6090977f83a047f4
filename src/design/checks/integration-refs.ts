import { calendarUsesOf } from '../calendars.ts';
import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: a CRM or calendar block refers to an unknown entry of `integrations`, or to one of another kind. */
export function* checkIntegrationRefs(design: Design): Generator<Problem> {
  const entries = new Map((design.integrations ?? []).map(({ id, kind }) => [id, kind]));
  const hint = `Add it to integrations, or use one of these entries: ${someOf(entries.keys())}.`;
  for (const { ref, at, block, needed } of refsIn(design)) {
    const kind = entries.get(ref);
    if (kind === undefined)
      yield problem('design_invalid', at, `integrations has no entry ${someOf([ref])}.`, hint);
    else if (kind !== needed) {
      const message = `The integration entry ${someOf([ref])} is of kind ${kind}, but ${block} requires kind ${needed}.`;
      yield problem('design_invalid', at, message, `Use an entry of kind ${needed}.`);
    }
  }
}

interface Ref {
  readonly ref: string;
  readonly at: Place;
  readonly block: string;
  readonly needed: 'crm' | 'calendar';
}

function* refsIn(design: Design): Generator<Ref> {
  for (const { node, place } of nodesOf(design))
    for (const block of ['crmLookup', 'crmWrite'] as const) {
      const ref = node[block]?.integrationRef;
      if (ref !== undefined) yield { ref, at: [...place, block, 'integrationRef'], block, needed: 'crm' };
    }
  for (const { use, place } of calendarUsesOf(design))
    yield {
      ref: use.integrationRef,
      at: [...place, 'integrationRef'],
      block: 'calendar',
      needed: 'calendar',
    };
}
