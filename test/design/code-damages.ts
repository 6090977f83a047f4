import type { Design } from '../../src/design/schema/design.ts';
import { newId } from '../../src/platform/id.ts';
import { undisclosing } from '../designs/disclosed.ts';

/** An untyped design, because tests break it on purpose. */
type Untyped = ReturnType<typeof JSON.parse>;

/**
 * For each error code of a design write, a damage that causes this code only. In the order of
 * `decisions#order-of-design-errors`. All damages can be applied to `clinic` together.
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

/** A copy of a design with the damages of these codes. */
export function damagedFor(design: Design, codes: readonly string[]): Untyped {
  const copy = structuredClone(design);
  for (const { code, damage } of codeDamages) if (codes.includes(code)) damage(copy);
  return copy;
}
