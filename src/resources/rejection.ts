import { callText, ToolError } from '../errors.ts';
import type { Handler } from '../store/phone-numbers.ts';
import type { RejectedVersion } from '../store/rejections.ts';
import type { Stores } from '../store/stores.ts';

/**
 * Refuses to make a rejected version live. The caller holds the flow or conversation, so that nobody rejects it meanwhile.
 * @throws ToolError `version_rejected`
 */
export async function refuseRejected(stores: Stores, of: Handler, version: number): Promise<void> {
  const [rejected] = await stores.rejections.find(of, [version]);
  if (rejected) throw versionRejected(of, rejected, 'It does not go live.');
}

/**
 * Warns that what a call stores builds on rejected versions, with the reasons.
 * @param rejected those of the versions on which it builds that are rejected
 * @param activate true if it is to go live at once, which is refused: its author has not read the reasons yet
 * @throws ToolError `version_rejected`
 */
export function warnOfRejected(of: Handler, rejected: readonly RejectedVersion[], activate = false) {
  const [first] = rejected;
  if (first && activate)
    throw versionRejected(
      of,
      first,
      'This builds on it. Nothing was stored: leave activate out to store it as a draft.',
    );
  return rejected.map((one) => ({
    path: '',
    message: `${rejectedInWords(one)} This builds on it.`,
    hint: `Correct what was rejected. To start from the live version instead, ${callText('restore_version', { ...inputOf(of), version: 'active' })} first.`,
  }));
}

/** The input that names a flow or conversation. */
function inputOf({ kind, id }: Handler) {
  return { [`${kind}Id`]: id };
}

function versionRejected(of: Handler, rejected: RejectedVersion, consequence: string): ToolError {
  const { version, rejection } = rejected;
  return new ToolError('version_rejected', `${rejectedInWords(rejected)} ${consequence}`, {
    details: { version, ...rejection },
    hint: `${callText('reject_version', { ...inputOf(of), version, undo: true })} takes the rejection back, if a person wants that.`,
  });
}

/** Such as `Version 4 was rejected by Anna: The number is wrong.` */
function rejectedInWords({ version, rejection: { by, reason } }: RejectedVersion): string {
  const who = by === null ? '' : ` by ${by}`;
  return `Version ${version} was rejected${who}${reason === null ? '.' : `: ${sentence(reason)}`}`;
}

/** A text that ends like a sentence. */
function sentence(text: string): string {
  return /[.!?…。؟]$/u.test(text) ? text : `${text}.`;
}
