import { routes } from '../../api/operations.ts';

/** What somebody did, by the verb of the operation. */
const pastOf: Readonly<Record<string, string>> = {
  activate: 'Activated',
  add: 'Added',
  assign: 'Assigned',
  clone: 'Cloned',
  create: 'Created',
  delete: 'Deleted',
  edit: 'Edited',
  import: 'Imported',
  mint: 'Made',
  reindex: 'Reindexed',
  reject: 'Rejected',
  replace: 'Replaced',
  restore: 'Restored',
  revoke: 'Revoked',
  run: 'Ran',
  save: 'Saved',
  set: 'Set',
  simulate: 'Simulated',
  update: 'Updated',
  write: 'Wrote',
};

/** What was done to a record: the words before and after its name. */
interface ChangeWords {
  readonly before: string;
  readonly after: string;
}

/** The operations that put a version live, and their words in the filter. */
const activations: ReadonlyMap<string, string> = new Map([
  ['activate_conversation_version', 'Put a version of a conversation live'],
  ['activate_flow_version', 'Put a version of a flow live'],
]);

/** The operations that make a version. */
const versionMakers: readonly string[] = [
  'create_flow_version',
  'edit_design',
  'edit_flow',
  'write_design',
  'restore_version',
  'restore_flow_version',
];

/** Operations whose names are not what a person would say. */
const phrases: Readonly<Record<string, ChangeWords>> = {
  assign_conversation: { before: 'Chose what answers', after: '' },
  assign_flow: { before: 'Chose what answers', after: '' },
  restore_deleted: { before: 'Restored', after: 'from the trash' },
  run_scenarios: { before: 'Ran the scenarios of', after: '' },
  save_scenarios: { before: 'Saved scenarios of', after: '' },
};

/** A change in the words of a person: "Put version 2 of", the record's name, "live". */
export function changeInWords(operation: string, summary: string | null): ChangeWords {
  const version = /(?:^|; )version (\d+)/.exec(summary ?? '')?.[1];
  const which = version === undefined ? 'a version' : `version ${version}`;
  if (activations.has(operation)) return { before: `Put ${which} of`, after: 'live' };
  if (/^restore_(?:flow_)?version$/.test(operation))
    return { before: 'Restored an old version of', after: `as ${which}` };
  if (isJudgement(operation)) return { before: `${judgementInWords(summary)} ${which} of`, after: '' };
  if (versionMakers.includes(operation)) return { before: `Made ${which} of`, after: '' };
  const [verb = '', ...object] = operation.split('_');
  return phrases[operation] ?? { before: `${pastOf[verb] ?? verb} the ${object.join(' ')}`, after: '' };
}

/** True for an operation that rejects a version or takes a rejection back. */
function isJudgement(operation: string): boolean {
  return /^reject_(?:flow_)?version$/.test(operation);
}

function judgementInWords(summary: string | null): string {
  if (/^version \d+; rejection taken back/.test(summary ?? '')) return 'Took up again';
  return / freed from the rejection of version \d+$/.test(summary ?? '')
    ? 'Lifted a rejection for'
    : 'Rejected';
}

/** What of a summary a person can use. The tab Changes shows what a version changes, so nothing here repeats it. */
export function detailOf(operation: string, summary: string | null): string {
  if (summary === null || activations.has(operation) || versionMakers.includes(operation)) return '';
  if (isJudgement(operation)) return /; rejected: ([\s\S]+)$/.exec(summary)?.[1] ?? '';
  return summary
    .replace(/^"(?:[^"\\]|\\.)*"(?:; )?/, '')
    .replace(/^changed [\w, ]+/, (members) =>
      members.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    )
    .replace(/^(?:flow|conversation)Id: none/, 'nothing answers')
    .replace(/^(flow|conversation)Id: /, 'the $1 ');
}

/** The operations that may stand in the history, sorted by their words. */
export const changingOperations: readonly { readonly name: string; readonly words: string }[] =
  Object.entries(routes)
    .filter(([name, [method]]) => method !== 'GET' && (name.split('_')[0] ?? '') in pastOf)
    .map(([name]) => ({ name, words: kindInWords(name) }))
    .toSorted((one, other) => one.words.localeCompare(other.words, 'en'));

/** An operation of any record, in words: "Created flow" for `create_flow`. */
function kindInWords(operation: string): string {
  if (operation === 'restore_deleted') return 'Restored from the trash';
  const [verb = '', ...object] = operation.split('_');
  return activations.get(operation) ?? [pastOf[verb] ?? verb, ...object].join(' ');
}
