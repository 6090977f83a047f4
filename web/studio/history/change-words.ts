import { routes } from '../api/operations.ts';

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

/** An operation that was called, in words: "Activated flow version" for `activate_flow_version`. */
export function changeInWords(operation: string): string {
  if (operation === 'restore_deleted') return 'Restored from the trash';
  const [verb = '', ...object] = operation.split('_');
  return [pastOf[verb] ?? `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`, ...object].join(' ');
}

/** The operations that may stand in the history, sorted by their words. */
export const changingOperations: readonly { readonly name: string; readonly words: string }[] =
  Object.entries(routes)
    .filter(([name, [method]]) => method !== 'GET' && (name.split('_')[0] ?? '') in pastOf)
    .map(([name]) => ({ name, words: changeInWords(name) }))
    .toSorted((one, other) => one.words.localeCompare(other.words, 'en'));
