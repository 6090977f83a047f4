import { isSipFixed, isUrlFixed, takesValues } from '../addresses.ts';
import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/**
 * `design_invalid`: a placeholder where it decides who receives a request or a call. Whoever speaks on a call could choose
 * the host that gets a secret. It prevents activation, too: earlier releases stored such designs.
 */
export function* checkAddresses(design: Design): Generator<Problem> {
  for (const { node, place } of nodesOf(design))
    for (const block of ['webhook', 'fetch'] as const) {
      const url = node[block]?.url;
      if (url !== undefined && !isUrlFixed(url)) yield openUrl([...place, block, 'url']);
    }
  for (const [stepId, step] of Object.entries(design.steps)) {
    if (step.kind !== 'transfer') continue;
    const { kind, value } = step.destination;
    const place = ['steps', stepId, 'destination', 'value'];
    if (kind === 'sip' && !isSipFixed(value))
      yield problem(
        'design_invalid',
        place,
        'A placeholder stands outside of the user of this SIP address, so that a caller could choose who gets the call.',
        'Write scheme, host, parameters and headers out, and use placeholders in the user only: sip:{{extension}}@pbx.example.com.',
      );
    if (kind === 'conversation' && takesValues(value))
      yield problem(
        'design_invalid',
        place,
        'A placeholder stands in the id of a conversation.',
        'Write the id of a conversation. list_conversations shows the ids.',
      );
  }
}

function openUrl(place: Place): Problem {
  return problem(
    'design_invalid',
    place,
    'A placeholder stands in the scheme, user, host or port of this URL, so that a caller could choose who gets the request.',
    'Write the URL out up to its path, and use placeholders in path and query only: https://shop.example/orders/{{orderId}}.',
  );
}
