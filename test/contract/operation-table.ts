import type { Access } from '../../src/operation/access.ts';
import type { Method } from '../../src/operation/define.ts';

/** The public properties of an operation: its route, its access, and 201 if it creates a record. */
export type OperationRow = readonly [method: Method, path: string, access: Access | 'none', status?: 201];

const project = '/v1/projects/{projectId}';
const conversation = '/v1/conversations/{id}';
const version = `${conversation}/versions/{n}`;
const knowledge = '/v1/knowledge/{kbId}';

/**
 * Every operation of the product, implemented or not (`decisions#operations`). Names, routes and access are public, so
 * a change must be made twice: here and in the definition.
 */
export const operationTable: Readonly<Record<string, OperationRow>> = {
  get_health: ['GET', '/healthz', 'none'],

  list_projects: ['GET', '/v1/projects', 'read'],
  get_project_overview: ['GET', `${project}/overview`, 'read'],
  get_project: ['GET', project, 'read'],
  search_project: ['GET', `${project}/search`, 'read'],
  list_changes: ['GET', `${project}/changes`, 'read'],
  update_project: ['PATCH', project, 'admin'],

  mint_key: ['POST', `${project}/keys`, 'admin', 201],
  create_restricted_key: ['POST', `${project}/restricted-keys`, 'draft', 201],
  list_keys: ['GET', `${project}/keys`, 'admin'],
  get_current_key: ['GET', '/v1/keys/current', 'read'],
  revoke_key: ['POST', '/v1/keys/{id}/revoke', 'admin'],

  list_flows: ['GET', `${project}/flows`, 'read'],
  create_flow: ['POST', `${project}/flows`, 'draft', 201],
  get_flow: ['GET', '/v1/flows/{flowId}', 'read'],
  update_flow: ['PATCH', '/v1/flows/{flowId}', 'publish'],
  delete_flow: ['DELETE', '/v1/flows/{flowId}', 'publish'],
  list_flow_versions: ['GET', '/v1/flows/{flowId}/versions', 'read'],
  create_flow_version: ['POST', '/v1/flows/{flowId}/versions', 'draft', 201],
  get_flow_version: ['GET', '/v1/flow-versions/{versionId}', 'read'],
  edit_flow: ['PATCH', '/v1/flows/{flowId}/versions/{version}/schema', 'draft', 201],
  activate_flow_version: ['POST', '/v1/flow-versions/{versionId}/activate', 'publish'],

  list_conversations: ['GET', `${project}/conversations`, 'read'],
  create_conversation: ['POST', `${project}/conversations`, 'draft', 201],
  get_conversation: ['GET', conversation, 'read'],
  update_conversation: ['PATCH', conversation, 'publish'],
  delete_conversation: ['DELETE', conversation, 'publish'],
  list_conversation_versions: ['GET', `${conversation}/versions`, 'read'],
  activate_conversation_version: ['POST', `${version}/activate`, 'publish'],
  reject_version: ['POST', '/v1/conversations/{id}/versions/{n}/reject', 'publish'],
  reject_flow_version: ['POST', '/v1/flows/{flowId}/versions/{version}/reject', 'publish'],
  restore_version: ['POST', '/v1/conversations/{id}/versions/{n}/restore', 'draft', 201],
  restore_flow_version: ['POST', '/v1/flows/{flowId}/versions/{version}/restore', 'draft', 201],

  read_design: ['GET', `${version}/design`, 'read'],
  edit_design: ['PATCH', `${version}/design`, 'draft', 201],
  write_design: ['POST', `${conversation}/versions`, 'draft', 201],
  validate_design: ['POST', `${conversation}/designs/validate`, 'read'],
  validate_new_design: ['POST', `${project}/designs/validate`, 'read'],
  diff_designs: ['GET', `${version}/diff`, 'read'],
  draw_design: ['GET', `${version}/diagram`, 'read'],
  prove_live_designs: ['POST', `${project}/designs/prove`, 'read'],
  prove_design: ['POST', '/v1/conversations/{id}/designs/prove', 'read'],
  simulate_conversation: ['POST', `${conversation}/simulations`, 'draft'],
  simulate_live: ['POST', `${conversation}/live-simulations`, 'run'],
  list_scenarios: ['GET', `${conversation}/scenarios`, 'read'],
  get_scenario: ['GET', '/v1/scenarios/{scenarioId}', 'read'],
  propose_scenarios: ['GET', `${conversation}/proposed-scenarios`, 'read'],
  save_scenarios: ['PATCH', `${conversation}/scenarios`, 'draft'],
  delete_scenario: ['DELETE', '/v1/scenarios/{scenarioId}', 'draft'],
  run_scenarios: ['POST', `${conversation}/scenario-runs`, 'draft'],
  describe_design: ['GET', '/v1/designs/schema', 'read'],

  list_agent_profiles: ['GET', `${project}/agent-profiles`, 'read'],
  create_agent_profile: ['POST', `${project}/agent-profiles`, 'publish', 201],
  get_agent_profile: ['GET', '/v1/agent-profiles/{agentProfileId}', 'read'],
  update_agent_profile: ['PATCH', '/v1/agent-profiles/{agentProfileId}', 'publish'],
  replace_agent_profile: ['PUT', '/v1/agent-profiles/{agentProfileId}', 'publish'],
  delete_agent_profile: ['DELETE', '/v1/agent-profiles/{agentProfileId}', 'publish'],

  list_voices: ['GET', '/v1/voices', 'read'],
  clone_voice: ['POST', '/v1/voices', 'draft', 201],
  delete_voice: ['DELETE', '/v1/voices/{voice_id}', 'publish'],

  create_chat_completion: ['POST', '/v1/chat/completions', 'run'],
  create_speech: ['POST', '/v1/audio/speech', 'run'],
  create_transcription: ['POST', '/v1/audio/transcriptions', 'run'],

  create_upload: ['POST', `${project}/uploads`, 'draft', 201],

  list_web_agents: ['GET', `${project}/web-sessions/agents`, 'read'],
  create_web_agent: ['POST', `${project}/web-sessions/agents`, 'publish', 201],
  get_web_agent: ['GET', '/v1/web-sessions/agents/{webAgentId}', 'read'],
  update_web_agent: ['PATCH', '/v1/web-sessions/agents/{webAgentId}', 'publish'],
  delete_web_agent: ['DELETE', '/v1/web-sessions/agents/{webAgentId}', 'publish'],
  create_web_session: ['POST', '/v1/web-sessions', 'run', 201],

  list_knowledge_bases: ['GET', `${project}/knowledge-bases`, 'read'],
  create_knowledge_base: ['POST', `${project}/knowledge-bases`, 'publish', 201],
  get_knowledge_base: ['GET', knowledge, 'read'],
  delete_knowledge_base: ['DELETE', knowledge, 'publish'],
  list_knowledge_sources: ['GET', `${knowledge}/sources`, 'read'],
  add_knowledge_source: ['POST', `${knowledge}/sources`, 'publish', 201],
  get_knowledge_source: ['GET', `${knowledge}/sources/{id}`, 'read'],
  delete_knowledge_source: ['DELETE', `${knowledge}/sources/{id}`, 'publish'],
  reindex_knowledge_source: ['POST', `${knowledge}/sources/{id}/reindex`, 'publish'],
  query_knowledge: ['POST', `${knowledge}/query`, 'read'],

  list_phone_numbers: ['GET', `${project}/phone-numbers`, 'read'],
  import_phone_number: ['POST', `${project}/phone-numbers`, 'publish', 201],
  get_phone_number: ['GET', '/v1/phone-numbers/{phoneNumberId}', 'read'],
  update_phone_number: ['PATCH', '/v1/phone-numbers/{phoneNumberId}', 'publish'],
  delete_phone_number: ['DELETE', '/v1/phone-numbers/{phoneNumberId}', 'publish'],
  assign_flow: ['PATCH', '/v1/phone-numbers/{phoneNumberId}/flow', 'publish'],
  assign_conversation: ['PATCH', '/v1/numbers/{id}', 'publish'],

  get_project_usage: ['GET', `${project}/usage`, 'read'],
  get_organization_usage: ['GET', '/v1/organization/usage', 'admin'],

  list_sessions: ['GET', `${project}/sessions`, 'read'],
  get_session: ['GET', '/v1/sessions/{sessionId}', 'read'],
  get_session_statistics: ['GET', '/v1/conversations/{id}/session-statistics', 'read'],
  delete_session: ['DELETE', '/v1/sessions/{sessionId}', 'publish'],

  list_templates: ['GET', '/v1/catalogue/templates', 'read'],

  list_integrations: ['GET', `${project}/integrations`, 'read'],
  create_integration: ['POST', `${project}/integrations`, 'publish', 201],
  delete_integration: ['DELETE', '/v1/integrations/{integrationId}', 'publish'],

  list_secrets: ['GET', `${project}/secrets`, 'read'],
  set_secret: ['PATCH', `${project}/secrets/{name}`, 'publish'],
  delete_secret: ['DELETE', `${project}/secrets/{name}`, 'publish'],

  list_trash: ['GET', `${project}/trash`, 'read'],
  restore_deleted: ['POST', `${project}/trash/{trashId}/restore`, 'publish'],
};
