import type { Facts } from '../facts.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `unknown_integration_ref`: the project lacks the integration; foreign and missing alike (`decisions` 4). */
export function checkIntegrationsExist(
  { integrations = [] }: Design,
  { integrationKinds }: Pick<Facts, 'integrationKinds'>,
): Problem[] {
  return integrations.flatMap(({ integrationId }, index) =>
    integrationKinds.has(integrationId)
      ? []
      : [
          problem(
            'unknown_integration_ref',
            ['integrations', index, 'integrationId'],
            `There is no integration ${someOf([integrationId])} in this project.`,
            'list_integrations shows the ids, create_integration makes one; or remove the entry and what refers to it.',
          ),
        ],
  );
}

/** `integration_kind_mismatch`: the integration is of another kind than the document says. */
export function checkIntegrationKinds({ integrations = [] }: Design, { integrationKinds }: Facts): Problem[] {
  return integrations.flatMap(({ integrationId, kind }, index) => {
    const actual = integrationKinds.get(integrationId);
    if (actual === undefined || actual === kind) return [];
    return [
      problem(
        'integration_kind_mismatch',
        ['integrations', index, 'kind'],
        `The integration ${integrationId} is of kind ${actual}, not ${kind}.`,
        `Say ${actual}, or name an integration of kind ${kind}: list_integrations shows the kinds.`,
      ),
    ];
  });
}
