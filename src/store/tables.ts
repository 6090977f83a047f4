import type { KnowledgeChunkRow } from '../search/indexed-chunks.ts';
import type { KnowledgeEmbeddingRow } from '../search/indexed-vectors.ts';
import type { AgentProfileRow } from './agent-profiles.ts';
import type { AuditRow } from './changes.ts';
import type { ConversationVersionRow } from './conversation-versions.ts';
import type { ConversationRow } from './conversations.ts';
import type { FlowVersionRow } from './flow-versions.ts';
import type { FlowRow } from './flows.ts';
import type { IntegrationRow } from './integrations.ts';
import type { KeyRow } from './keys.ts';
import type { KnowledgeBaseRow } from './knowledge-bases.ts';
import type { KnowledgeRemovalRow } from './knowledge-removals.ts';
import type { KnowledgeFileRow, KnowledgePageRow } from './knowledge-runs.ts';
import type { KnowledgeSourceRow } from './knowledge-sources.ts';
import type { PhoneNumberRow } from './phone-numbers.ts';
import type { ProjectRow } from './projects.ts';
import type { OrganizationRow } from './provisioning.ts';
import type { ScenarioChangeRow, ScenarioResultRow, ScenarioRow } from './scenarios.ts';
import type { SecretRequestRow } from './secret-requests.ts';
import type { SecretRow } from './secrets.ts';
import type { SessionRow, SessionTurnRow } from './sessions.ts';
import type { TaskRow } from './tasks.ts';
import type { TrashRow } from './trash.ts';
import type { UploadPieceRow, UploadRow } from './uploads.ts';
import type { VoiceReferenceRow, VoiceRow } from './voices.ts';
import type { WebAgentRow } from './web-agents.ts';

/** Tells Knex the type of each table's rows, so that `knex('flows')` is typed everywhere. */
declare module 'knex/types/tables.js' {
  interface Tables {
    agent_profiles: AgentProfileRow;
    api_keys: KeyRow;
    audit_log: AuditRow;
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
    web_agents: WebAgentRow;
  }
}
