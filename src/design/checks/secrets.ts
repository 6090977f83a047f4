import { callText } from '../../errors.ts';
import { nodesOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';
import { requestHeaders, secretReferences } from '../secrets.ts';

/**
 * Warns about secrets that the project does not have, and about literal credentials in headers, which every reader of an
 * immutable version sees. A version that names a missing secret cannot be activated.
 */
export function* checkSecrets(design: Design, { secretNames }: Facts): Generator<Problem> {
  yield* missingSecrets(design, secretNames);
  yield* literalCredentials(design);
}

/** A warning for each reference to a secret that the project does not have. */
export function* missingSecrets(design: Design, known: ReadonlySet<string>): Generator<Problem> {
  for (const { place, name } of secretReferences(design))
    if (!known.has(name))
      yield warning(
        place,
        `There is no secret ${JSON.stringify(name)} in this project.`,
        `Create it with ${callText('set_secret', { name, value: '…' })} before you activate this version. list_secrets shows the names.`,
      );
}

const sensitiveHeader = /^(?:proxy-)?authorization$|^cookie$|^x-api-key$|^api-key$|token$|secret$/i;

function* literalCredentials(design: Design): Generator<Problem> {
  for (const { node, place } of nodesOf(design))
    for (const [at, name, value] of requestHeaders(node, place))
      if (sensitiveHeader.test(name) && !value.includes('{{'))
        yield warning(
          at,
          'This header contains a credential that everyone who reads this version sees.',
          `Store it with ${callText('set_secret', { name: 'NAME', value: '…' })}, and write {{secret.NAME}} here instead.`,
        );
}
