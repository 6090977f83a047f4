import type { KnowledgeChunkRow } from '../services/search/indexed-chunks.ts';
import type { KnowledgeEmbeddingRow } from '../services/search/indexed-vectors.ts';
import type { CalendarHoldRow } from '../store/slot-holds.ts';
import type { TaskRow } from '../store/tasks.ts';
import type { AgentProfileRow } from './agent-profiles/store.ts';
import type { AuditRow } from './changes/store.ts';
import type { ConversationRow } from './conversations/store.ts';
import type { ConversationVersionRow } from './conversations/version-store.ts';
import type { FlowRow } from './flows/store.ts';
import type { FlowVersionRow } from './flows/version-store.ts';
import type { IntegrationRow } from './integrations/store.ts';
import type { KeyRow } from './keys/store.ts';
import type { KnowledgeBaseRow } from './knowledge/base-store.ts';
import type { KnowledgeRemovalRow } from './knowledge/removals.ts';
import type { KnowledgeFileRow, KnowledgePageRow } from './knowledge/runs.ts';
import type { KnowledgeSourceRow } from './knowledge/source-store.ts';
import type { PhoneNumberRow } from './phone-numbers/store.ts';
import type { OrganizationRow } from './projects/provisioning.ts';
import type { ProjectRow } from './projects/store.ts';
import type { ScenarioChangeRow, ScenarioResultRow, ScenarioRow } from './scenarios/store.ts';
import type { SecretRequestRow } from './secrets/request-store.ts';
import type { SecretRow } from './secrets/store.ts';
import type { SessionRow, SessionTurnRow } from './sessions/store.ts';
import type { TrashRow } from './trash/store.ts';
import type { UploadPieceRow, UploadRow } from './uploads/store.ts';
import type { VoiceCallRow, VoiceWorkerRow } from './voice-calls/store.ts';
import type { VoiceReferenceRow, VoiceRow } from './voices/store.ts';
import type { WebAgentRow } from './web-sessions/web-agent-store.ts';

/** Tells Knex the type of each table's rows, so that `knex('flows')` is typed everywhere. */
declare module 'knex/types/tables.js' {
  interface Tables {
    agent_profiles: AgentProfileRow;
    api_keys: KeyRow;
    audit_log: AuditRow;
    calendar_holds: CalendarHoldRow;
    conversation_versions: ConversationVersionRow;
    conversations: ConversationRow;
    flow_versions: FlowVersionRow;
    flows: FlowRow;
    integrations: IntegrationRow;
    knowledge_bases: KnowledgeBaseRow;
    knowledge_chunks: KnowledgeChunkRow;
    knowledge_embeddings: KnowledgeEmbeddingRow;
    knowledge_files: KnowledgeFileRow;
    knowledge_pages: KnowledgePageRow;
    knowledge_removals: KnowledgeRemovalRow;
    knowledge_sources: KnowledgeSourceRow;
    organizations: OrganizationRow;
    phone_numbers: PhoneNumberRow;
    projects: ProjectRow;
    scenario_changes: ScenarioChangeRow;
    scenario_results: ScenarioResultRow;
    scenarios: ScenarioRow;
    secrets: SecretRow;
    session_turns: SessionTurnRow;
    sessions: SessionRow;
    tasks: TaskRow;
    trash: TrashRow;
    secret_requests: SecretRequestRow;
    upload_pieces: UploadPieceRow;
    uploads: UploadRow;
    voice_references: VoiceReferenceRow;
    voices: VoiceRow;
    voice_calls: VoiceCallRow;
    voice_workers: VoiceWorkerRow;
    web_agents: WebAgentRow;
  }
}
