import type { Knex } from 'knex';
import { KnowledgeSearch } from '../services/search/knowledge-search.ts';
import { type Queries, queriesOn } from '../store/queries.ts';
import type { Stores } from '../store/stores.ts';
import { TaskStore } from '../store/tasks.ts';
import { AgentProfileStore } from './agent-profiles/store.ts';
import { ChangeStore } from './changes/store.ts';
import { ConversationStore } from './conversations/store.ts';
import { ConversationVersionStore } from './conversations/version-store.ts';
import { LiveAgentStore } from './designs/live-agents.ts';
import { NamedRecordStore } from './designs/named-records.ts';
import { FlowStore } from './flows/store.ts';
import { FlowVersionStore } from './flows/version-store.ts';
import { IntegrationStore } from './integrations/store.ts';
import { KeyStore } from './keys/store.ts';
import { KnowledgeBaseStore } from './knowledge/base-store.ts';
import { KnowledgeSourceStore } from './knowledge/source-store.ts';
import { RecordNameStore } from './names/store.ts';
import { PhoneNumberStore } from './phone-numbers/store.ts';
import { OverviewStore } from './projects/overview.ts';
import { ProjectStore } from './projects/store.ts';
import { ScenarioStore } from './scenarios/store.ts';
import { ProjectSearchStore } from './search/project-search.ts';
import { UseStore } from './search/uses.ts';
import { SecretRequestStore } from './secrets/request-store.ts';
import { SecretStore } from './secrets/store.ts';
import { SessionRecordStore } from './sessions/record-store.ts';
import { SessionStore } from './sessions/store.ts';
import { TrashStore } from './trash/store.ts';
import { UndoStore } from './undo/store.ts';
import { UploadStore } from './uploads/store.ts';
import { UsageStore } from './usage/store.ts';
import { EntranceStore } from './versions/entrances.ts';
import { RejectionStore } from './versions/rejection-store.ts';
import { VoiceStore } from './voices/store.ts';
import { WebAgentStore } from './web-sessions/web-agent-store.ts';

/** Tells handlers and rules which stores a project has, without an import of the resources. */
declare module '../store/stores.ts' {
  interface Stores {
    readonly projects: ProjectStore;
    readonly projectSearch: ProjectSearchStore;
    readonly uses: UseStore;
    readonly changes: ChangeStore;
    readonly liveAgents: LiveAgentStore;
    readonly rejections: RejectionStore;
    readonly overview: OverviewStore;
    readonly keys: KeyStore;
    readonly flows: FlowStore;
    readonly flowVersions: FlowVersionStore;
    readonly agentProfiles: AgentProfileStore;
    readonly conversations: ConversationStore;
    readonly conversationVersions: ConversationVersionStore;
    readonly namedRecords: NamedRecordStore;
    readonly entrances: EntranceStore;
    readonly recordNames: RecordNameStore;
    readonly integrations: IntegrationStore;
    readonly knowledgeSearch: KnowledgeSearch;
    readonly phoneNumbers: PhoneNumberStore;
    readonly scenarios: ScenarioStore;
    readonly secrets: SecretStore;
    readonly sessions: SessionStore;
    readonly sessionRecords: SessionRecordStore;
    readonly webAgents: WebAgentStore;
    readonly voices: VoiceStore;
    readonly knowledgeBases: KnowledgeBaseStore;
    readonly knowledgeSources: KnowledgeSourceStore;
    readonly trash: TrashStore;
    readonly secretRequests: SecretRequestStore;
    readonly undo: UndoStore;
    readonly uploads: UploadStore;
    readonly usage: UsageStore;
  }
}

/**
 * The stores of a project on a pool or in a transaction of Knex. A worker finds by itself what to index.
 * @param author the key that makes versions
 */
export function storesIn(knex: Knex, projectId: string, author?: string): Stores {
  return new ProjectStores({ ...queriesOn(knex), author }, projectId);
}

/** Every store, bound to one project: its holder can neither read nor write another project. */
export class ProjectStores implements Stores {
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

  get undo(): UndoStore {
    return new UndoStore(this.#queries, this.#projectId);
  }

  get uploads(): UploadStore {
    return new UploadStore(this.#queries, this.#projectId);
  }

  get usage(): UsageStore {
    return new UsageStore(this.#queries, this.#projectId);
  }
}
