import * as v from 'valibot';

/** The kinds of resource that the trash holds. */
export const TrashKind = v.picklist([
  'flow',
  'conversation',
  'agentProfile',
  'webAgent',
  'integration',
  'phoneNumber',
  'voice',
  'knowledgeBase',
  'knowledgeSource',
  'scenario',
]);
