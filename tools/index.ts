import type { Toolsets } from '../src/environment/toolsets.ts';
import { createAgentProfile } from './agent-profiles/create-agent-profile.ts';
import { deleteAgentProfile } from './agent-profiles/delete-agent-profile.ts';
import { getAgentProfile } from './agent-profiles/get-agent-profile.ts';
import { listAgentProfiles } from './agent-profiles/list-agent-profiles.ts';
import { replaceAgentProfile } from './agent-profiles/replace-agent-profile.ts';
import { updateAgentProfile } from './agent-profiles/update-agent-profile.ts';
import { listTemplates } from './catalogue/list-templates.ts';
import { activateConversationVersion } from './conversations/activate-conversation-version.ts';
import { createConversation } from './conversations/create-conversation.ts';
import { deleteConversation } from './conversations/delete-conversation.ts';
import { getConversation } from './conversations/get-conversation.ts';
import { listConversationVersions } from './conversations/list-conversation-versions.ts';
import { listConversations } from './conversations/list-conversations.ts';
import { rejectVersion } from './conversations/reject-version.ts';
import { restoreVersion } from './conversations/restore-version.ts';
import { updateConversation } from './conversations/update-conversation.ts';
import { describeDesign } from './designs/describe-design.ts';
import { diffDesigns } from './designs/diff-designs.ts';
import { drawDesign } from './designs/draw-design.ts';
import { editDesign } from './designs/edit-design.ts';
import { proveDesign } from './designs/prove-design.ts';
import { readDesign } from './designs/read-design.ts';
import { validateDesign } from './designs/validate-design.ts';
import { writeDesign } from './designs/write-design.ts';
import { activateFlowVersion } from './flows/activate-flow-version.ts';
import { createFlow } from './flows/create-flow.ts';
import { createFlowVersion } from './flows/create-flow-version.ts';
import { deleteFlow } from './flows/delete-flow.ts';
import { editFlow } from './flows/edit-flow.ts';
import { getFlow } from './flows/get-flow.ts';
import { getFlowVersion } from './flows/get-flow-version.ts';
import { listFlowVersions } from './flows/list-flow-versions.ts';
import { listFlows } from './flows/list-flows.ts';
import { updateFlow } from './flows/update-flow.ts';
import { createIntegration } from './integrations/create-integration.ts';
import { deleteIntegration } from './integrations/delete-integration.ts';
import { listIntegrations } from './integrations/list-integrations.ts';
import { createRestrictedKey } from './keys/create-restricted-key.ts';
import { getCurrentKey } from './keys/get-current-key.ts';
import { listKeys } from './keys/list-keys.ts';
import { mintKey } from './keys/mint-key.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { addKnowledgeSource } from './knowledge/add-knowledge-source.ts';
import { createKnowledgeBase } from './knowledge/create-knowledge-base.ts';
import { deleteKnowledgeBase } from './knowledge/delete-knowledge-base.ts';
import { deleteKnowledgeSource } from './knowledge/delete-knowledge-source.ts';
import { getKnowledgeBase } from './knowledge/get-knowledge-base.ts';
import { getKnowledgeSource } from './knowledge/get-knowledge-source.ts';
import { listKnowledgeBases } from './knowledge/list-knowledge-bases.ts';
import { listKnowledgeSources } from './knowledge/list-knowledge-sources.ts';
import { queryKnowledge } from './knowledge/query-knowledge.ts';
import { reindexKnowledgeSource } from './knowledge/reindex-knowledge-source.ts';
import { getHealth } from './meta/get-health.ts';
import { createChatCompletion } from './models/create-chat-completion.ts';
import { createSpeech } from './models/create-speech.ts';
import { createTranscription } from './models/create-transcription.ts';
import { assignConversation } from './phone-numbers/assign-conversation.ts';
import { assignFlow } from './phone-numbers/assign-flow.ts';
import { deletePhoneNumber } from './phone-numbers/delete-phone-number.ts';
import { getPhoneNumber } from './phone-numbers/get-phone-number.ts';
import { importPhoneNumber } from './phone-numbers/import-phone-number.ts';
import { listPhoneNumbers } from './phone-numbers/list-phone-numbers.ts';
import { updatePhoneNumber } from './phone-numbers/update-phone-number.ts';
import { getProject } from './projects/get-project.ts';
import { getProjectOverview } from './projects/get-project-overview.ts';
import { listChanges } from './projects/list-changes.ts';
import { listProjects } from './projects/list-projects.ts';
import { searchProject } from './projects/search-project.ts';
import { updateProject } from './projects/update-project.ts';
import { deleteScenario } from './scenarios/delete-scenario.ts';
import { getScenario } from './scenarios/get-scenario.ts';
import { listScenarios } from './scenarios/list-scenarios.ts';
import { proposeScenarios } from './scenarios/propose-scenarios.ts';
import { runScenarios } from './scenarios/run-scenarios.ts';
import { saveScenarios } from './scenarios/save-scenarios.ts';
import { deleteSecret } from './secrets/delete-secret.ts';
import { listSecrets } from './secrets/list-secrets.ts';
import { setSecret } from './secrets/set-secret.ts';
import { deleteSession } from './sessions/delete-session.ts';
import { getSession } from './sessions/get-session.ts';
import { getSessionStatistics } from './sessions/get-session-statistics.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { simulateConversation } from './simulations/simulate-conversation.ts';
import { simulateLive } from './simulations/simulate-live.ts';
import { listTrash } from './trash/list-trash.ts';
import { restoreDeleted } from './trash/restore-deleted.ts';
import { createUpload } from './uploads/create-upload.ts';
import { getOrganizationUsage } from './usage/get-organization-usage.ts';
import { getProjectUsage } from './usage/get-project-usage.ts';
import { cloneVoice } from './voices/clone-voice.ts';
import { deleteVoice } from './voices/delete-voice.ts';
import { listVoices } from './voices/list-voices.ts';
import { createWebAgent } from './web-sessions/create-web-agent.ts';
import { createWebSession } from './web-sessions/create-web-session.ts';
import { deleteWebAgent } from './web-sessions/delete-web-agent.ts';
import { getWebAgent } from './web-sessions/get-web-agent.ts';
import { listWebAgents } from './web-sessions/list-web-agents.ts';
import { updateWebAgent } from './web-sessions/update-web-agent.ts';

/** The registry: every operation, by the folder that holds it, in the order that callers see. */
export const toolsets = {
  meta: [getHealth],
  projects: [listProjects, getProjectOverview, getProject, searchProject, listChanges, updateProject],
  keys: [getCurrentKey, listKeys, mintKey, createRestrictedKey, revokeKey],
  flows: [
    listFlows,
    createFlow,
    getFlow,
    updateFlow,
    deleteFlow,
    listFlowVersions,
    createFlowVersion,
    getFlowVersion,
    editFlow,
    activateFlowVersion,
  ],
  conversations: [
    listConversations,
    createConversation,
    getConversation,
    updateConversation,
    deleteConversation,
    listConversationVersions,
    activateConversationVersion,
    rejectVersion,
    restoreVersion,
  ],
  designs: [
    describeDesign,
    readDesign,
    validateDesign,
    writeDesign,
    editDesign,
    diffDesigns,
    drawDesign,
    proveDesign,
  ],
  simulations: [simulateConversation, simulateLive],
  scenarios: [listScenarios, getScenario, proposeScenarios, saveScenarios, deleteScenario, runScenarios],
  sessions: [listSessions, getSession, getSessionStatistics, deleteSession],
  catalogue: [listTemplates],
  'agent-profiles': [
    listAgentProfiles,
    createAgentProfile,
    getAgentProfile,
    updateAgentProfile,
    replaceAgentProfile,
    deleteAgentProfile,
  ],
  integrations: [listIntegrations, createIntegration, deleteIntegration],
  knowledge: [
    listKnowledgeBases,
    createKnowledgeBase,
    getKnowledgeBase,
    deleteKnowledgeBase,
    listKnowledgeSources,
    addKnowledgeSource,
    getKnowledgeSource,
    deleteKnowledgeSource,
    reindexKnowledgeSource,
    queryKnowledge,
  ],
  'phone-numbers': [
    listPhoneNumbers,
    importPhoneNumber,
    getPhoneNumber,
    updatePhoneNumber,
    deletePhoneNumber,
    assignFlow,
    assignConversation,
  ],
  'web-sessions': [
    listWebAgents,
    createWebAgent,
    getWebAgent,
    updateWebAgent,
    deleteWebAgent,
    createWebSession,
  ],
  uploads: [createUpload],
  usage: [getProjectUsage, getOrganizationUsage],
  voices: [listVoices, cloneVoice, deleteVoice],
  models: [createChatCompletion, createSpeech, createTranscription],
  secrets: [listSecrets, setSecret, deleteSecret],
  trash: [listTrash, restoreDeleted],
} satisfies Toolsets;
