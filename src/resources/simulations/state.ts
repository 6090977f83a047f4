import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CallState } from '../../calls/call-state.ts';
import { readCallState, UnknownCallFormat } from '../../calls/stored-call.ts';
import type { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { DesignHome } from '../record/design-owner.ts';

/** Characters of a signed state. */
export const longestState = 65_536;

/** The conversation or flow, or the project of a new design, and the design to which a state belongs. */
export interface StateOf {
  readonly owner: DesignHome;
  readonly design: Design;
}

type Signing = Pick<ToolContext, 'caller' | 'services'>;

/**
 * The state of a call as a client keeps it: compressed, and signed together with its owner and the design. Null if it
 * would be longer than `longestState`.
 */
export function signedState({ caller, services }: Signing, of: StateOf, state: CallState): string | null {
  const content = deflateRawSync(JSON.stringify(state)).toString('base64url');
  const text = `${content}.${services.sign(caller, signedText(of, content))}`;
  return text.length > longestState ? null : text;
}

/**
 * Reads what {@link signedState} made.
 * @throws ToolError `invalid_request` if it was changed, belongs to another conversation, flow or design, or if a newer release has
 * made it
 */
export function openedState({ caller, services }: Signing, of: StateOf, text: string): CallState {
  const [content = '', signature = ''] = text.split('.', 2);
  if (!services.isSigned(caller, signedText(of, content), signature))
    throw wrongState(
      'Is not the state of a call through this design. Send it as it came, with the conversation or flow and the design that it came from.',
    );
  try {
    return readCallState(JSON.parse(inflateRawSync(Buffer.from(content, 'base64url')).toString()));
  } catch (error) {
    if (!(error instanceof UnknownCallFormat)) throw error;
    throw wrongState(
      'Is the state of a call that a newer release of Parley has played. Play the call again from its start.',
    );
  }
}

function wrongState(message: string) {
  return invalidRequest([{ in: 'body', path: '/state', message }]);
}

function signedText({ owner, design }: StateOf, content: string): string {
  const [id] = Object.values(owner);
  return `simulation ${id} ${content} ${JSON.stringify(design)}`;
}
