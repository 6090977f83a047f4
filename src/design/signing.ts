import { nodesOf } from './exits.ts';
import type { Design } from './schema/design.ts';

/** Signs webhooks whose design names no other secret, or one that the project does not have. */
export const signingSecret = 'WEBHOOK_SIGNING_SECRET';

/** The name of the secret that signs a webhook; undefined if the project has none that does. */
export function signedWith(
  { secretHint }: { readonly secretHint?: string | undefined },
  isSet: (name: string) => boolean,
): string | undefined {
  return [secretHint, signingSecret].find((name) => name !== undefined && isSet(name));
}

/** The names of all secrets that may sign webhooks of a design. */
export function signingNames(design: Design): string[] {
  return [...nodesOf(design)].flatMap(({ node: { webhook } }) =>
    webhook ? [...(webhook.secretHint === undefined ? [] : [webhook.secretHint]), signingSecret] : [],
  );
}
