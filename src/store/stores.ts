import type { Knex } from 'knex';
import { KnowledgeSearch } from '../search/knowledge-search.ts';
import { AgentProfileStore } from './agent-profiles.ts';
import { ChangeStore } from './changes.ts';
import { ConversationVersionStore } from './conversation-versions.ts';
import { ConversationStore } from './conversations.ts';
import { EntranceStore } from './entrances.ts';
import { FlowVersionStore } from './flow-versions.ts';
import { FlowStore } from './flows.ts';
import { IntegrationStore } from './integrations.ts';
import { KeyStore } from './keys.ts';
import { KnowledgeBaseStore } from './knowledge-bases.ts';
import { KnowledgeSourceStore } from './knowledge-sources.ts';
import { LiveAgentStore } from './live-agents.ts';
import { NamedRecordStore } from './named-records.ts';
import { OverviewStore } from './overview.ts';
import { PhoneNumberStore } from './phone-numbers.ts';
import { ProjectSearchStore } from './project-search.ts';
import { ProjectStore } from './projects.ts';
import { type Queries, queriesOn } from './queries.ts';
import { RecordNameStore } from './record-names.ts';
import { RejectionStore } from './rejections.ts';
import { ScenarioStore } from './scenarios.ts';
import { SecretRequestStore } from './secret-requests.ts';
import { SecretStore } from './secrets.ts';
import { SessionRecordStore } from './session-records.ts';
import { SessionStore } from './sessions.ts';
import { TaskStore } from './tasks.ts';
import { TrashStore } from './trash.ts';
import { UploadStore } from './uploads.ts';
import { UsageStore } from './usage.ts';
import { UseStore } from './uses.ts';
import { VoiceStore } from './voices.ts';
import { WebAgentStore } from './web-agents.ts';

/**
 * The stores of a project on a pool or in a transaction of Knex. A worker finds by itself what to index.
 * @param author the key that makes versions
 */
export function storesIn(knex: Knex, projectId: string, author?: string): Stores {
  return new Stores({ ...queriesOn(knex), author }, projectId);
}

/** Every store, bound to one project: its holder can neither read nor write another project. */
export class Stores {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  get projects(): ProjectStore {
    return new ProjectStore(this.#queries, this.#projectId);
  }

  get projectSearch(): ProjectSearchStore {
    return new ProjectSearchStore(this.#queries, this.#projectId);
  }

  get uses(): UseStore {
    return new UseStore(this.#queries, this.#projectId);
  }

  get changes(): ChangeStore {
    return new ChangeStore(this.#queries, this.#projectId);
  }

  get liveAgents(): LiveAgentStore {
    return new LiveAgentStore(this.#queries, this.#projectId);
  }

  get rejections(): RejectionStore {
    return new RejectionStore(this.#queries, this.#projectId);
  }

  get overview(): OverviewStore {
    return new OverviewStore(this.#queries, this.#projectId);
  }

  get keys(): KeyStore {
    return new KeyStore(this.#queries, this.#projectId);
  }

  get flows(): FlowStore {
    return new FlowStore(this.#queries, this.#projectId);
  }

  get flowVersions(): FlowVersionStore {
    return new FlowVersionStore(this.#queries, this.#projectId);
  }

  get agentProfiles(): AgentProfileStore {
    return new AgentProfileStore(this.#queries, this.#projectId);
  }

  get conversations(): ConversationStore {
    return new ConversationStore(this.#queries, this.#projectId);
  }

  get conversationVersions(): ConversationVersionStore {
    return new ConversationVersionStore(this.#queries, this.#projectId);
  }

  get namedRecords(): NamedRecordStore {
    return new NamedRecordStore(this.#queries, this.#projectId);
  }

  get entrances(): EntranceStore {
    return new EntranceStore(this.#queries, this.#projectId);
  }

  get recordNames(): RecordNameStore {
    return new RecordNameStore(this.#queries, this.#projectId);
  }

  get integrations(): IntegrationStore {
    return new IntegrationStore(this.#queries, this.#projectId);
  }

  get knowledgeSearch(): KnowledgeSearch {
    return new KnowledgeSearch(this.#queries.knex, this.#projectId);
  }

  get phoneNumbers(): PhoneNumberStore {
    return new PhoneNumberStore(this.#queries, this.#projectId);
  }

  get scenarios(): ScenarioStore {
    return new ScenarioStore(this.#queries, this.#projectId);
  }

  get secrets(): SecretStore {
    return new SecretStore(this.#queries, this.#projectId);
  }

  get sessions(): SessionStore {
    return new SessionStore(this.#queries, this.#projectId);
  }

  get sessionRecords(): SessionRecordStore {
    return new SessionRecordStore(this.#queries, this.#projectId);
  }

  get webAgents(): WebAgentStore {
    return new WebAgentStore(this.#queries, this.#projectId);
  }

  get voices(): VoiceStore {
    return new VoiceStore(this.#queries, this.#projectId);
  }

  get knowledgeBases(): KnowledgeBaseStore {
    return new KnowledgeBaseStore(this.#queries, this.#projectId);
  }

  get knowledgeSources(): KnowledgeSourceStore {
    return new KnowledgeSourceStore(this.#queries, this.#projectId);
  }

  get trash(): TrashStore {
    return new TrashStore(this.#queries, this.#projectId);
  }

  get secretRequests(): SecretRequestStore {
    return new SecretRequestStore(this.#queries, this.#projectId);
  }

  get tasks(): TaskStore {
    return new TaskStore(this.#queries, this.#projectId);
  }

  get uploads(): UploadStore {
    return new UploadStore(this.#queries, this.#projectId);
  }

  get usage(): UsageStore {
    return new UsageStore(this.#queries, this.#projectId);
  }
}
