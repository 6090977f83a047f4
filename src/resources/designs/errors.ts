import { designCodes } from '../../design/problem.ts';
import type { ToolErrors } from '../../operation/define.ts';

/** Every operation that names a record lists `not_found` already. */
const [_notFound, ...refusals] = designCodes;

/** The errors of an operation that stores a design (decisions#order-of-design-errors). */
export const designErrors = {
  422: refusals,
  501: ['not_yet_supported'],
  503: ['validation_unavailable'],
} as const satisfies ToolErrors;
