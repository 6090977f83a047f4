import { lasting, newFlow } from '../new-flow.ts';
import { headersWith, writeRows } from './write-row.ts';

/** Each connection has its own profile with one flow, which stays. */
export const replaceAgentProfile = writeRows({
  name: 'replace-agent-profile',
  path: 'PUT /v1/agent-profiles/{id}, 32 connections',
  statements: 'BEGIN, status, locks of the profile and its flows, update of both, audit row, COMMIT',
  baseline: 'http.ts',
  connections: 32,
  async request({ projectId, key }, create) {
    const flowId = await create(`/v1/projects/${projectId}/flows`, newFlow);
    const profile = {
      name: 'Reception',
      flowIds: [flowId],
      isDefault: false,
      supportedInputLanguages: ['en', 'de'],
      reasoningMode: 'fast',
      outputVoiceId: 'alloy',
    };
    const id = await create(`/v1/projects/${projectId}/agent-profiles`, profile);
    return {
      method: 'PUT',
      path: `/v1/agent-profiles/${id}`,
      headers: headersWith(key),
      body: JSON.stringify(profile),
    };
  },
  compare: lasting,
  sameLength: true,
});
