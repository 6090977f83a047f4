import type { Design } from '../../design/schema/design.ts';
import { isStepKind } from '../../design/schema/steps.ts';
import { found } from '../../operation/found.ts';
import { isJsonObject } from '../../operation/json.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import { designNotYetSupported, versionNotFound } from '../conversations/schema.ts';
import type { FoundVersion } from '../conversations/version-store.ts';

/**
 * Loads the design of a version. Versions never change, so this takes no lock.
 * @throws ToolError `not_found`, 501 `not_yet_supported` for a conversation of kind simple, and 501 `unsupported_step`.
 */
export async function loadDesign(stores: Stores, conversationId: string, n: number): Promise<Design> {
  return (await loadSized(stores, conversationId, n)).design;
}

/** Does the same, and returns the bytes that the design takes as JSON. */
export async function loadSized(stores: Stores, conversationId: string, n: number) {
  const version = await stores.conversationVersions.find(conversationId, n);
  return { design: designIn(version, conversationId, n), bytes: version?.designBytes ?? 0 };
}

/**
 * The design of a version that was found.
 * @throws as {@link loadDesign}
 */
export function designIn(
  version: Pick<FoundVersion, 'kind' | 'n' | 'design'> | undefined,
  conversationId: string,
  n: number,
): Design {
  const { kind, design, ...stored } = found(version, 'conversation', conversationId);
  if (kind === 'simple') throw designNotYetSupported();
  if (stored.n === null) throw versionNotFound(conversationId, n);
  return requireExposed(design, conversationId);
}

/**
 * A stored design that the API may show.
 * @throws ToolError 501 `unsupported_step`
 */
export function requireExposed(stored: unknown, conversationId: string): Design {
  const design = exposedDesign(stored);
  if (design === null)
    throw new ToolError(
      'unsupported_step',
      'This design has a step of a kind that the API does not expose.',
      {
        hint: `Try another version: ${callText('list_conversation_versions', { conversationId })} shows the numbers.`,
      },
    );
  return design;
}

/** A stored design, or null if there is none or if an imported step is of a kind that the API does not expose. */
export function exposedDesign(stored: unknown): Design | null {
  const steps = isJsonObject(stored) && isJsonObject(stored['steps']) ? Object.values(stored['steps']) : [];
  const isExposed = steps.every((step) => isJsonObject(step) && isStepKind(step['kind']));
  return isExposed ? (stored as Design | null) : null;
}
