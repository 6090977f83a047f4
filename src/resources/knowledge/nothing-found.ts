import { callText } from '../../platform/errors.ts';
import type { KnowledgeSourceStore, SourceState } from './source-store.ts';

/** Characters of a name in a note. */
const longestName = 60;

/** Why a query of a base found nothing: what it has indexed, what is in progress, and what waits or failed. */
export async function nothingFound(sources: KnowledgeSourceStore, knowledgeBaseId: string): Promise<string> {
  const states = await sources.states(knowledgeBaseId);
  if (states.length === 0)
    return `The base has no sources. ${callText('add_knowledge_source', { knowledgeBaseId })} adds one.`;
  const of = (wanted: (state: SourceState) => boolean) => states.find(wanted);
  const running = of(({ status }) => status === 'inProgress');
  const failed = of(({ isFailed }) => isFailed);
  const deferred = of(({ status, isFailed }) => status === 'idle' && !isFailed);
  const indexed = of(({ status }) => status === 'completed');
  return [
    indexed ? `No passage matches. Indexed: ${counted(indexed)}.` : 'Nothing is indexed yet.',
    running && `In progress: ${counted(running)}. Query again in some seconds.`,
    deferred && `Not indexed: ${counted(deferred)}. reindex_knowledge_source indexes it.`,
    failed && `Failed: ${counted(failed)}. get_knowledge_source says why.`,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

function counted({ count, newest }: SourceState): string {
  const characters = Array.from(newest);
  const name = characters.length > longestName ? `${characters.slice(0, longestName - 1).join('')}…` : newest;
  return count === 1 ? JSON.stringify(name) : `${JSON.stringify(name)} and ${count - 1} more`;
}
