import type { ErrorCode } from '../platform/errors.ts';
import { jsonPointer } from '../platform/errors.ts';

/**
 * The codes of problems in a design that matches the schema. The first code in this order that occurs becomes the error
 * of the write (`decisions#order-of-design-errors`).
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

/** A problem in a design. Errors prevent a write; warnings do not. */
export interface Problem {
  readonly code: DesignCode | 'invalid_request';
  readonly severity: 'error' | 'warning';
  /** JSON pointer (RFC 6901) into the design. */
  readonly path: string;
  /** The id of the step or hook node that it is about, or `""`. */
  readonly stepId: string;
  readonly message: string;
  readonly hint: string;
}

/** A path from the root of a design: member names and indexes. */
export type Place = readonly (string | number)[];

/** Creates a problem. `stepId` is derived from the place. */
export function problem(
  code: Problem['code'],
  place: Place,
  message: string,
  hint: string,
  severity: Problem['severity'] = 'error',
): Problem {
  return { code, severity, path: jsonPointer(place), stepId: stepIdAt(place), message, hint };
}

/** Creates a problem that does not prevent a write. */
export function warning(place: Place, message: string, hint: string): Problem {
  return problem('design_invalid', place, message, hint, 'warning');
}

/** The step or hook node that a place of the design belongs to, or `""`. */
function stepIdAt([first, second, third, fourth]: Place): string {
  if (first === 'steps' || first === 'layout') return String(second ?? '');
  if (first === 'compliance' && second === 'aiDisclosure') return String(third ?? '');
  return first === 'hooks' && third === 'nodes' ? String(fourth ?? '') : '';
}

/** Up to ten names for a message, quoted and shortened to 100 characters; `none` for an empty list. */
export function someOf(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, 10).map(shortName);
  if (shown.length === 0) return 'none';
  return all.length > shown.length
    ? `${shown.join(', ')} and ${all.length - shown.length} more`
    : shown.join(', ');
}

/** A name for a message, quoted and shortened to 100 characters. */
export function shortName(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
