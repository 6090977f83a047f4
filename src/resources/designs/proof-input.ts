import * as v from 'valibot';
import { PlaceSelector, Property } from '../../design/proof/properties.ts';
import type { InputProblem } from '../../operation/define.ts';
import { document } from '../../operation/document.ts';
import { versionChoices } from '../conversations/schema.ts';

/** A property. It is a document, because the OpenAPI document would repeat its 350 lines in each input and output. */
export const PropertyDocument = document('DesignProperty', Property);

/** Properties that one call proves at most. */
export const maximumProperties = 50;

/** What to prove; the built-in properties if the call says nothing. */
export const PropertiesToProve = v.exactOptional(
  v.pipe(
    v.array(PropertyDocument),
    v.minLength(1),
    v.maxLength(maximumProperties),
    v.description(
      'What to prove. By default everyPathEnds, asksOnce, disclosedBeforeCollecting, disclosedFirst and consentBeforeTranscript.',
    ),
  ),
);

/** Versions that one call proves at most, and proofs: a version has one for each property. */
const [mostVersions, mostProofs] = [10, 100];

/** The versions to prove. */
export const VersionsToProve = v.exactOptional(
  versionChoices({
    most: mostVersions,
    description: 'Number of the version, or a list of numbers. Default: the newest and the active one.',
    describedWithWords: 'Number, newest, active, or a list. Default: newest and active.',
  }),
);

/** The problem of a call that asks for more proofs than one call may. */
export function proofProblems(
  version: v.InferOutput<typeof VersionsToProve> | undefined,
  properties: readonly Property[],
): InputProblem[] {
  const versions = Array.isArray(version) ? version.length : 1;
  return versions * properties.length <= mostProofs
    ? []
    : [
        {
          path: ['properties'],
          message: `${properties.length} properties of ${versions} versions are more than ${mostProofs} proofs: ask for fewer.`,
        },
      ];
}

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
