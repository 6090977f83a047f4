import type { Design } from '../../src/design/schema/design.ts';
import { newId } from '../../src/id.ts';
import { undisclosing } from '../designs/disclosed.ts';

/** A design as damages treat it. */
type Untyped = ReturnType<typeof JSON.parse>;

/**
 * For each code of a design write one damage that calls for it and for no other, in the order in which the codes
 * decide a refusal (`decisions` 4). `clinic` can take all of them at once.
 */
export const codeDamages: readonly { code: string; status: number; damage: (design: Untyped) => void }[] = [
  {
    code: 'invalid_request',
    status: 400,
    damage: (design) => {
      design.surplus = 1;
    },
  },
  {
    code: 'not_found',
    status: 404,
    damage: (design) => {
      design.knowledge[0].knowledgeBaseId = newId('knowledgeBase');
    },
  },
  {
    code: 'invalid_transition',
    status: 422,
    damage: (design) => {
      design.steps.welcome.on.next = 'nobody';
    },
  },
  {
    code: 'invalid_route_option',
    status: 422,
    damage: (design) => void delete design.steps.reason.options[0].title,
  },
  {
    code: 'invalid_layout_ref',
    status: 422,
    damage: (design) => {
      design.layout = { ...design.layout, nobody: { x: 0, y: 0 } };
    },
  },
  {
    code: 'unknown_integration_ref',
    status: 422,
    damage: (design) =>
      void design.integrations.push({ id: 'more', kind: 'crm', integrationId: newId('integration') }),
  },
  {
    code: 'integration_kind_mismatch',
    status: 422,
    damage: (design) => {
      const { integrationId } = design.integrations[0];
      design.integrations.push({ id: 'same', kind: 'knowledge', integrationId });
    },
  },
  {
    code: 'ai_disclosure_required',
    status: 422,
    damage: (design) => {
      design.steps.consent.line = undisclosing;
    },
  },
  {
    code: 'plan_limit_exceeded',
    status: 422,
    damage: (design) => {
      for (let index = 0; index < 250; index++) design.steps[`more-${index}`] = { kind: 'end' };
    },
  },
  {
    code: 'design_invalid',
    status: 422,
    damage: (design) => void design.variables.push(structuredClone(design.variables[0])),
  },
];

/** A design with some of the damages. */
export function damagedFor(design: Design, codes: readonly string[]): Untyped {
  const copy = structuredClone(design);
  for (const { code, damage } of codeDamages) if (codes.includes(code)) damage(copy);
  return copy;
}
