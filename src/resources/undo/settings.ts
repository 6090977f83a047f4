import type { Caller } from '../../operation/context.ts';
import { found } from '../../operation/found.ts';
import type { Stores } from '../../store/stores.ts';
import { lockAgentProfile, lockVoice } from '../agent-profiles/schema.ts';
import { requireSimpleAgent } from '../agent-profiles/simple-agent.ts';
import type { AgentProfileContent } from '../agent-profiles/store.ts';
import { lockAgent } from '../conversations/schema.ts';
import type { ConversationChange } from '../conversations/store.ts';
import type { FlowChange } from '../flows/store.ts';
import { lockHandler } from '../phone-numbers/schema.ts';
import type { PhoneNumberChange } from '../phone-numbers/store.ts';
import { requireScenarioGate } from '../scenarios/gate.ts';
import type { ScenarioContent } from '../scenarios/schema.ts';
import type { Handler } from '../versions/handler.ts';
import { requireConversation } from '../web-sessions/schema.ts';
import type { WebAgentChange } from '../web-sessions/web-agent-store.ts';
import type { RecordTable } from './history.ts';

/** What a change of settings works with. */
export interface Context {
  readonly stores: Stores;
  readonly caller: Caller;
}

/** Former values of a record that differ from its present ones, by column. */
export type Settings = Readonly<Record<string, unknown>>;

/** The inputs of operations that set columns, if they are not called like these. */
const inputNames: Readonly<Record<string, string>> = {
  agent_profile_id: 'agentProfileId',
  is_default: 'isDefault',
  supported_input_languages: 'supportedInputLanguages',
  reasoning_mode: 'reasoningMode',
  output_voice_id: 'outputVoiceId',
  requires_scenarios: 'requireScenarios',
  allowed_origins: 'allowedOrigins',
  conversation_id: 'conversationId',
  flow_id: 'flowId',
  external_phone_fields: 'externalPhoneFields',
  require_disclosure: 'requireDisclosure',
  session_retention_days: 'sessionRetentionDays',
  time_zone: 'timeZone',
  opening_hours: 'openingHours',
  closed_on: 'closedOn',
};

export function inputName(column: string): string {
  return inputNames[column] ?? column;
}

/** The settings by the names of inputs. They were inputs once, so they have the types of these. */
function change(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).map(([column, value]) => [inputName(column), value]));
}

/**
 * Sets the former values of a record, by the rules of the operations that set them.
 * @throws ToolError what these operations throw
 */
export const setBack: {
  readonly [Table in RecordTable]?: (context: Context, id: string, settings: Settings) => Promise<void>;
} = {
  async projects({ stores }, _id, settings) {
    await stores.projects.update(change(settings));
  },

  async agent_profiles({ stores }, id, settings) {
    const given = change(settings) as Partial<AgentProfileContent>;
    if (given.isDefault) await stores.agentProfiles.yieldDefault(id);
    if (given.outputVoiceId !== undefined) await lockVoice(stores, given.outputVoiceId);
    const current = found(await stores.agentProfiles.find(id), 'agentProfile', id);
    await stores.agentProfiles.update(current, given, undefined);
  },

  async flows({ stores }, id, settings) {
    const given = change(settings) as FlowChange;
    const { agentProfileId } = given;
    if (agentProfileId) await lockAgentProfile(stores, agentProfileId);
    await stores.flows.update(id, given);
    if (agentProfileId) await requireSimpleAgent(stores, agentProfileId);
  },

  async conversations({ stores }, id, { agent_profile_id: agentId, ...settings }) {
    const given = {
      ...(change(settings) as ConversationChange),
      agentId: agentId as string | null | undefined,
    };
    await lockAgent(stores, given.agentId);
    await stores.conversations.update(id, given);
  },

  async scenarios({ stores, caller }, id, settings) {
    const before = found(await stores.scenarios.find(id), 'scenario', id);
    const { name, conversationId } = before;
    const { tags, content } = { ...before, ...settings };
    await stores.conversations.hold(conversationId);
    const after = content as ScenarioContent;
    await requireScenarioGate({ stores, caller }, conversationId, [{ name, before, after }]);
    // The next run notes again what it passes.
    await stores.scenarios.save(conversationId, [{ name, tags, content, touches: [] }]);
  },

  async phone_numbers({ stores }, id, { flow_id, conversation_id, ...settings }) {
    const { externalPhoneFields: trunk, ...given } = change(settings) as PhoneNumberChange & {
      externalPhoneFields?: PhoneNumberChange['trunk'];
    };
    await stores.phoneNumbers.update(id, { ...given, trunk });
    if (flow_id === undefined && conversation_id === undefined) return;
    const handler = handlerOf(flow_id, conversation_id);
    await lockHandler(stores, handler);
    await stores.phoneNumbers.assign(id, handler);
  },

  async web_agents({ stores }, id, settings) {
    const given = change(settings) as WebAgentChange;
    if (given.conversationId !== undefined) await requireConversation(stores, given.conversationId);
    await stores.webAgents.update(id, given);
  },
};

function handlerOf(flowId: unknown, conversationId: unknown): Handler | null {
  if (typeof flowId === 'string') return { kind: 'flow', id: flowId };
  return typeof conversationId === 'string' ? { kind: 'conversation', id: conversationId } : null;
}
