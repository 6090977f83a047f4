import { nodesOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';
import { requestHeaders, secretReferences } from '../secrets.ts';

/**
 * Warnings for secrets that the project does not have, and for credentials that stand in a header as they are: every
 * reader of the design sees those, and versions cannot be changed. A version that names a missing secret cannot be
 * activated.
 */
export function checkSecrets(design: Design, { secretNames }: Facts): Problem[] {
  return [...missingSecrets(design, secretNames), ...literalCredentials(design)];
}

/** The places that name a secret which the project does not have. */
export function missingSecrets(design: Design, known: ReadonlySet<string>): Problem[] {
  return secretReferences(design)
    .filter(({ name }) => !known.has(name))
    .map(({ place, name }) =>
      warning(
        place,
        `There is no secret ${JSON.stringify(name)} in this project.`,
        'set_secret makes it; list_secrets shows the names. Without it this version cannot be activated.',
      ),
    );
}

const sensitiveHeader = /^(?:proxy-)?authorization$|^cookie$|^x-api-key$|^api-key$|token$|secret$/i;

function literalCredentials(design: Design): Problem[] {
  return [...nodesOf(design)].flatMap(({ node, place }) =>
    requestHeaders(node, place).flatMap(([at, name, value]) =>
      sensitiveHeader.test(name) && !value.includes('{{')
        ? [
            warning(
              at,
              'Holds a credential that every reader of this version sees.',
              'Keep it with set_secret and write {{secret.NAME}} in its place.',
            ),
          ]
        : [],
    ),
  );
}
