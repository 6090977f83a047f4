import {
  type HeaderUse,
  headerNameProblem,
  isSameHeader,
  usualSignatureHeader,
} from '../../platform/outbound/header-names.ts';
import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem, shortName } from '../problem.ts';
import type { Design } from '../schema/design.ts';
import { requestHeaders } from '../secrets.ts';

/**
 * `design_invalid`: a header that no request can set, or that the signature of a webhook would replace. It prevents activation,
 * too: earlier releases stored such designs.
 */
export function* checkHeaders(design: Design): Generator<Problem> {
  for (const { node, place } of nodesOf(design)) {
    for (const [at, name] of requestHeaders(node, place)) {
      const use: HeaderUse = at.includes('webhook') ? 'webhook' : 'fetch';
      const reason = headerNameProblem(name, use);
      if (reason !== undefined) yield wrongHeader(at, name, reason);
    }
    const { headers = {}, signatureHeader = usualSignatureHeader } = node.webhook ?? {};
    const at = [...place, 'webhook', 'signatureHeader'];
    const reason = headerNameProblem(signatureHeader, 'signature');
    if (reason !== undefined) yield wrongHeader(at, signatureHeader, reason);
    else if (Object.keys(headers).some((name) => isSameHeader(name, signatureHeader)))
      yield wrongHeader(at, signatureHeader, 'carries the signature, and has a value, too');
  }
}

function wrongHeader(place: Place, name: string, reason: string): Problem {
  const message = `The header ${shortName(name)} ${reason}, so this request could not be sent as it is written.`;
  return problem('design_invalid', place, message, 'Name another header, or leave it out.');
}
