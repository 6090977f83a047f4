import { found } from '../../operation/found.ts';
import { ToolError } from '../../platform/errors.ts';
import { refuseInUse } from '../record/in-use.ts';
import { requireScenarioGate } from '../scenarios/gate.ts';
import { defaultVoiceId } from '../voices/catalogue.ts';
import type { RecordTable, Target } from './history.ts';
import type { Context } from './settings.ts';

/**
 * Moves a record into the trash, by the rules of the operation that deletes it.
 * @throws ToolError what this operation throws
 */
export const deleteRecord: {
  readonly [Table in Exclude<RecordTable, 'projects'>]: (context: Context, target: Target) => Promise<void>;
} = {
  async agent_profiles({ stores }, { id }) {
    refuseInUse('agentProfile', id, await stores.agentProfiles.referrers(id));
    await stores.agentProfiles.trash(id);
  },
  async knowledge_bases({ stores }, { id }) {
    refuseInUse('knowledgeBase', id, await stores.knowledgeBases.referrers(id));
    await stores.knowledgeBases.trash(id);
  },
  async knowledge_sources({ stores }, { id, parent = '' }) {
    await stores.knowledgeSources.trash(parent, id);
  },
  async integrations({ stores }, { id }) {
    refuseInUse('integration', id, await stores.integrations.referrers(id));
    await stores.integrations.trash(id);
  },
  async voices({ stores }, { id }) {
    await stores.voices.trash(id);
    await stores.agentProfiles.replaceVoice(id, defaultVoiceId);
  },
  async flows({ stores }, { id }) {
    refuseInUse('flow', id, await stores.flows.referrers(id));
    await stores.flows.trash(id);
  },
  async conversations({ stores }, { id }) {
    refuseInUse('conversation', id, await stores.conversations.referrers(id));
    await stores.conversations.trash(id);
  },
  async scenarios({ stores, caller }, { id, parent = '' }) {
    await stores.conversations.hold(parent);
    const before = found(await stores.scenarios.find(id), 'scenario', id);
    await requireScenarioGate({ stores, caller }, parent, [{ name: before.name, before, after: undefined }]);
    await stores.scenarios.trash(id);
  },
  async phone_numbers({ stores }, { id }) {
    const { type } = found(await stores.phoneNumbers.find(id), 'phoneNumber', id);
    if (type === 'native') throw new ToolError('in_use', nativeStays);
    await stores.phoneNumbers.trash(id);
  },
  async web_agents({ stores }, { id }) {
    await stores.webAgents.trash(id);
  },
};

const nativeStays =
  'A native number that was imported stays, because another project could take it. delete_phone_number gives it up.';
