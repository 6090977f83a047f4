import type { Facts } from '../facts.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `unknown_integration_ref`: the project has no such integration. Another project may (`decisions#tenancy`). */
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
            'list_integrations shows the ids; create_integration adds one. Or remove the entry and the blocks that refer to it.',
          ),
        ],
  );
}

/** `integration_kind_mismatch`: the kind of the entry is not the kind of the integration. */
export function checkIntegrationKinds({ integrations = [] }: Design, { integrationKinds }: Facts): Problem[] {
  return integrations.flatMap(({ integrationId, kind }, index) => {
    const actual = integrationKinds.get(integrationId);
    if (actual === undefined || actual === kind) return [];
    return [
      problem(
        'integration_kind_mismatch',
        ['integrations', index, 'kind'],
        `The integration ${integrationId} is of kind ${actual}, not ${kind}.`,
        `Change kind to ${actual}, or use an integration of kind ${kind}. list_integrations shows the kinds.`,
      ),
    ];
  });
}
