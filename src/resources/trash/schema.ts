import * as v from 'valibot';

/** What the trash can hold. */
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
]);
