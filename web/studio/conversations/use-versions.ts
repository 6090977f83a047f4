import { useOperation } from '../api/use-operation.ts';

/** The newest hundred versions of a conversation, with who made them. */
export function useVersions(id: string) {
  return useOperation('list_conversation_versions', { id, limit: 100, details: true });
}
