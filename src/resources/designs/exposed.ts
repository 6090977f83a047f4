import type { Design } from '../../design/schema/design.ts';
import { isStepKind } from '../../design/schema/steps.ts';
import { ToolError } from '../../errors.ts';
import { isJsonObject } from '../../tool/json.ts';

/**
 * A stored design, where the API exposes every kind of its steps. What was imported may hold others.
 * @throws ToolError 501 `unsupported_step`
 */
export function readableDesign(stored: unknown): Design {
  const design = exposedDesign(stored);
  if (design === null)
    throw new ToolError(
      'unsupported_step',
      'This design holds a kind of step that the API does not expose.',
      {
        hint: 'Another version may be readable: list_conversation_versions shows the numbers.',
      },
    );
  return design;
}

/** The same, or null where the design cannot be shown, or there is none. */
export function exposedDesign(stored: unknown): Design | null {
  const steps = isJsonObject(stored) && isJsonObject(stored['steps']) ? Object.values(stored['steps']) : [];
  const exposed = steps.every((step) => isJsonObject(step) && isStepKind(step['kind']));
  return exposed ? (stored as Design | null) : null;
}
