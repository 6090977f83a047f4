import { callText } from '../../platform/errors.ts';
import { nodesOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';
import { bindingProblem, widened } from '../secret-binding.ts';
import { requestHeaders, secretReferences } from '../secrets.ts';

/**
 * Warns about secrets that the project does not have or that may not be sent there, and about literal credentials in headers,
 * which every reader of an immutable version sees. A version that names such a secret cannot be activated.
 */
export function* checkSecrets(design: Design, { secretBindings }: Facts): Generator<Problem> {
  yield* unusableSecrets(design, secretBindings);
  yield* literalCredentials(design);
}

/** A warning for each reference to a secret that the project does not have, or that is not bound to its place. */
export function* unusableSecrets(design: Design, known: Facts['secretBindings']): Generator<Problem> {
  for (const { place, name, ...sentTo } of secretReferences(design)) {
    const binding = known.get(name);
    if (binding === undefined)
      yield warning(
        place,
        `There is no secret ${JSON.stringify(name)} in this project.`,
        `Create it with ${callText('set_secret', { ...widened(name, null, sentTo), value: '…' })} before you activate this version. list_secrets shows the names.`,
      );
    else {
      const problem = bindingProblem(binding, sentTo);
      if (problem !== undefined)
        yield warning(
          place,
          `The secret ${JSON.stringify(name)} ${problem}.`,
          `If it may be sent there: ${callText('set_secret', widened(name, binding, sentTo))} keeps its value. Until then, this version cannot be activated.`,
        );
    }
  }
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
