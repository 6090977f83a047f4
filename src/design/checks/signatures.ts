import { callText } from '../../platform/errors.ts';
import { nodesOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { type Problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';
import { signedWith, signingSecret } from '../signing.ts';

/** Warns about webhooks that name a secret or a header for their signature, and are not signed as they say. */
export function* checkSignatures(design: Design, { secretBindings }: Facts): Generator<Problem> {
  for (const { node, place } of nodesOf(design)) {
    const { webhook } = node;
    if (!webhook) continue;
    const { secretHint, signatureHeader } = webhook;
    const signing = signedWith(webhook, (name) => secretBindings.has(name));
    const isSigned = signing === undefined ? 'is not signed' : `is signed with the secret ${signing}`;
    if (secretHint !== undefined && signing !== secretHint)
      yield warning(
        [...place, 'webhook', 'secretHint'],
        `There is no secret ${JSON.stringify(secretHint)} in this project, so this webhook ${isSigned}.`,
        `${setting(secretHint)} signs it. list_secrets shows the names.`,
      );
    else if (signatureHeader !== undefined && signing === undefined)
      yield warning(
        [...place, 'webhook', 'signatureHeader'],
        `This webhook names a header for its signature, and ${isSigned}: the project has no secret ${signingSecret}.`,
        `${setting(signingSecret)} signs every webhook that names no other secret in secretHint.`,
      );
  }
}

function setting(name: string): string {
  return callText('set_secret', { name, value: '…' });
}
