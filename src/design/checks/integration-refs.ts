import { nodesOf } from '../exits.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: a CRM block refers to an unknown entry of `integrations`, or to one of another kind. */
export function checkIntegrationRefs(design: Design): Problem[] {
  const entries = new Map((design.integrations ?? []).map(({ id, kind }) => [id, kind]));
  const hint = `Add it to integrations, or use one of these entries: ${someOf(entries.keys())}.`;
  return [...nodesOf(design)].flatMap(({ node, place }) =>
    (['crmLookup', 'crmWrite'] as const).flatMap((block) => {
      const ref = node[block]?.integrationRef;
      if (ref === undefined) return [];
      const at = [...place, block, 'integrationRef'];
      const kind = entries.get(ref);
      if (kind === undefined)
        return [problem('design_invalid', at, `integrations has no entry ${someOf([ref])}.`, hint)];
      if (kind === 'crm') return [];
      const message = `The integration entry ${someOf([ref])} is of kind ${kind}, but ${block} requires kind crm.`;
      return [problem('design_invalid', at, message, 'Use an entry of kind crm.')];
    }),
  );
}
