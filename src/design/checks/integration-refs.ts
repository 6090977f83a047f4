import { nodesOf } from '../exits.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: a CRM block refers to an unknown entry of `integrations`, or to one of another kind. */
export function* checkIntegrationRefs(design: Design): Generator<Problem> {
  const entries = new Map((design.integrations ?? []).map(({ id, kind }) => [id, kind]));
  const hint = `Add it to integrations, or use one of these entries: ${someOf(entries.keys())}.`;
  for (const { node, place } of nodesOf(design))
    for (const block of ['crmLookup', 'crmWrite'] as const) {
      const ref = node[block]?.integrationRef;
      if (ref === undefined) continue;
      const at = [...place, block, 'integrationRef'];
      const kind = entries.get(ref);
      if (kind === undefined)
        yield problem('design_invalid', at, `integrations has no entry ${someOf([ref])}.`, hint);
      else if (kind !== 'crm') {
        const message = `The integration entry ${someOf([ref])} is of kind ${kind}, but ${block} requires kind crm.`;
        yield problem('design_invalid', at, message, 'Use an entry of kind crm.');
      }
    }
}
