import { callText } from '../../platform/errors.ts';
import type { Facts } from '../facts.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `unknown_integration_ref`: the project has no such integration. Another project may (`decisions#tenancy`). */
export function* checkIntegrationsExist(
  { integrations = [] }: Design,
  { integrationKinds, nameHints }: Pick<Facts, 'integrationKinds' | 'nameHints'>,
): Generator<Problem> {
  for (const [index, { integrationId, kind }] of integrations.entries())
    if (!integrationKinds.has(integrationId))
      yield problem(
        'unknown_integration_ref',
        ['integrations', index, 'integrationId'],
        `There is no integration ${someOf([integrationId])} in this project.`,
        `${nameHints?.get(`integration ${integrationId}`) ?? 'list_integrations shows the ids.'} ${callText('create_integration', { kind, provider: '…', name: '…', credentials: {} })} adds one. Or remove the entry and the blocks that refer to it.`,
      );
}

/** `integration_kind_mismatch`: the kind of the entry is not the kind of the integration. */
export function* checkIntegrationKinds(
  { integrations = [] }: Design,
  { integrationKinds }: Facts,
): Generator<Problem> {
  for (const [index, { integrationId, kind }] of integrations.entries()) {
    const actual = integrationKinds.get(integrationId);
    if (actual === undefined || actual === kind) continue;
    yield problem(
      'integration_kind_mismatch',
      ['integrations', index, 'kind'],
      `The integration ${integrationId} is of kind ${actual}, not ${kind}.`,
      `Change kind to ${actual}, or use an integration of kind ${kind}. list_integrations shows the kinds.`,
    );
  }
}
