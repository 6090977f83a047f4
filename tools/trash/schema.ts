import * as v from 'valibot';

/** What kinds of resource the trash holds. */
export const TrashKind = v.picklist(['flow', 'conversation', 'agentProfile', 'voice']);
