import type { ErrorCode } from '../errors.ts';
import { jsonPointer } from '../errors.ts';

/**
 * The codes of what can be wrong with a design whose shape is right, in the order in which they decide the status
 * and code of a refusal (`decisions` 4).
 */
export const designCodes = [
  'not_found',
  'invalid_transition',
  'invalid_route_option',
  'invalid_layout_ref',
  'unknown_integration_ref',
  'integration_kind_mismatch',
  'ai_disclosure_required',
  'plan_limit_exceeded',
  'design_invalid',
] as const satisfies readonly ErrorCode[];

export type DesignCode = (typeof designCodes)[number];

/** Something about a design that its author should mend; only errors keep it from being stored. */
export interface Problem {
  readonly code: DesignCode | 'invalid_request';
  readonly severity: 'error' | 'warning';
  /** JSON pointer (RFC 6901) into the design. */
  readonly path: string;
  /** The step, else the hook node, else `""`. */
  readonly stepId: string;
  readonly message: string;
  /** How to mend it. */
  readonly hint: string;
}

/** Member names and indices from the top of a design. */
export type Place = readonly (string | number)[];

/** Makes a problem at a place of the design, which says which step or node it is about. */
export function problem(
  code: Problem['code'],
  place: Place,
  message: string,
  hint: string,
  severity: Problem['severity'] = 'error',
): Problem {
  return { code, severity, path: jsonPointer(place), stepId: stepIdAt(place), message, hint };
}

/** Makes a problem that does not keep the design from being stored. */
export function warning(place: Place, message: string, hint: string): Problem {
  return problem('design_invalid', place, message, hint, 'warning');
}

/** The step or hook node that a place of the design belongs to, or `""`. */
function stepIdAt([first, second, third, fourth]: Place): string {
  if (first === 'steps' || first === 'layout') return String(second ?? '');
  if (first === 'compliance' && second === 'aiDisclosure') return String(third ?? '');
  return first === 'hooks' && third === 'nodes' ? String(fourth ?? '') : '';
}

/** The first few names of a list, in quotes, for a hint. */
export function someOf(names: Iterable<string>): string {
  const all = [...names];
  const shown = all
    .slice(0, 10)
    .map((name) => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name));
  if (shown.length === 0) return 'none';
  return all.length > shown.length
    ? `${shown.join(', ')} and ${all.length - shown.length} more`
    : shown.join(', ');
}
