import { nodesOf } from './exits.ts';
import type { Place } from './problem.ts';
import type { Design, HookNode } from './schema/design.ts';

/** A reference to a secret of the project, written `{{secret.NAME}}` (`decisions#secrets`). */
export interface SecretReference {
  readonly place: Place;
  readonly name: string;
}

const reference = /\{\{\s*secret\.([^{}]*)\}\}/g;

/** Every reference to a secret in the URLs, queries and headers of a design's webhooks and fetches. */
export function secretReferences(design: Design): SecretReference[] {
  return [...nodesOf(design)].flatMap(({ node, place }) =>
    requestTexts(node, place).flatMap(([at, text]) =>
      [...text.matchAll(reference)].map(([, name = '']) => ({ place: at, name: name.trim() })),
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
