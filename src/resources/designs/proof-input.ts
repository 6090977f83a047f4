import * as v from 'valibot';
import { PlaceSelector, Property } from '../../design/proof/properties.ts';
import type { InputProblem } from '../../tool/define.ts';

/** Properties that one call proves at most. */
export const maximumProperties = 50;

/** What to prove; the built-in properties if the call says nothing. */
export const PropertiesToProve = v.exactOptional(
  v.pipe(
    v.array(Property),
    v.minLength(1),
    v.maxLength(maximumProperties),
    v.description(
      'What to prove. By default everyPathEnds, asksOnce, disclosedBeforeCollecting, disclosedFirst and consentBeforeTranscript.',
    ),
  ),
);

/** Problems of properties whose place is selected by none or by several members. */
export function selectorProblems(properties: readonly Property[]): InputProblem[] {
  return properties.flatMap((property, index) =>
    Object.entries<string | PlaceSelector>(property).flatMap(([member, value]) =>
      typeof value === 'object' && Object.keys(value).length !== 1
        ? [
            {
              path: ['properties', index, member] as const,
              message: `Expected exactly one of ${Object.keys(PlaceSelector.entries).join(', ')}.`,
            },
          ]
        : [],
    ),
  );
}
