import { nodesOf } from './exits.ts';
import type { Place } from './problem.ts';
import type { Design, HookNode } from './schema/design.ts';
import type { SecretPlace } from './secret-binding.ts';
import { secretNamesIn } from './secret-reference.ts';

/** A reference to a secret of the project, written `{{secret.NAME}}` (`decisions#secrets`). */
export interface SecretReference extends SecretPlace {
  readonly place: Place;
  readonly name: string;
}

/** Every reference to a secret in the URLs, queries and headers of a design's webhooks and fetches. */
export function secretReferences(design: Design): SecretReference[] {
  return [...nodesOf(design)].flatMap(({ node, place }) =>
    requestTexts(node, place).flatMap(([at, text]) =>
      secretNamesIn(text).map((name) => ({
        place: at,
        name,
        url: (at.includes('fetch') ? node.fetch?.url : node.webhook?.url) ?? '',
        header: at.at(-2) === 'headers' ? String(at.at(-1)) : null,
      })),
    ),
  );
}

export function requestHeaders(
  { webhook, fetch }: HookNode,
  place: Place,
): [Place, name: string, value: string][] {
  return [
    ...Object.entries(webhook?.headers ?? {}).map(([name, value]): [Place, string, string] => [
      [...place, 'webhook', 'headers', name],
      name,
      value,
    ]),
    ...Object.entries(fetch?.headers ?? {}).map(([name, value]): [Place, string, string] => [
      [...place, 'fetch', 'headers', name],
      name,
      value,
    ]),
  ];
}

function requestTexts(node: HookNode, place: Place): [Place, string][] {
  const { webhook, fetch } = node;
  return [
    ...(webhook ? [[[...place, 'webhook', 'url'], webhook.url] satisfies [Place, string]] : []),
    ...(fetch ? [[[...place, 'fetch', 'url'], fetch.url] satisfies [Place, string]] : []),
    ...Object.entries(fetch?.query ?? {}).map(([name, text]): [Place, string] => [
      [...place, 'fetch', 'query', name],
      text,
    ]),
    ...requestHeaders(node, place).map(([at, , text]): [Place, string] => [at, text]),
  ];
}
