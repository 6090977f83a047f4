import { type Line, linesOf } from '../../design/find.ts';
import { folded } from '../../design/folded.ts';

/** Members of designs whose texts are not words: ids of other parts, and values of fixed lists. */
const references: ReadonlySet<string> = new Set([
  'id',
  'kind',
  'type',
  'schemaVersion',
  'stepId',
  'variableId',
  'responseVariableId',
  'knowledgeBaseId',
  'integrationId',
  'integrationRef',
  'rootNodeId',
  'prematureHangupNodeId',
  'hookNode',
  'step',
  'next',
  'target',
  'failed',
  'declined',
  'fallback',
  'noAnswer',
  'mode',
  'source',
  'operator',
]);

/** No text contains it, and no search crosses it. */
const separator = '\u001F';

/** The texts of a document that a search reads: all except references. */
export function searchedLines(document: unknown): Line[] {
  return linesOf(document).filter(
    ({ pointer }) => !references.has(pointer.slice(pointer.lastIndexOf('/') + 1)),
  );
}

/** What a search reads of a document: its texts in the form in which texts are compared. */
export function searchTextOf(document: unknown): string {
  const texts = searchedLines(document).map(({ text }) => folded(text));
  // Postgres stores no NUL in a text.
  return texts.join(separator).replaceAll('\0', ' ');
}
