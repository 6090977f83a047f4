import * as v from 'valibot';
import { found } from '../../operation/found.ts';
import { Cuid } from '../../operation/reference.ts';
import type { Stores } from '../../store/stores.ts';
import { details } from '../record/details.ts';

const Scope = v.picklist(['voice', 'chat']);
const maximumOrigins = 1000;

export const WebAgentName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxCodePoints(200),
  v.description('For people, such as Homepage chat.'),
);
export const Channel = v.picklist(['widget', 'api']);
export const Scopes = v.pipe(
  v.array(Scope),
  v.minLength(1),
  v.maxLength(100),
  v.description('How visitors talk.'),
);
export const Status = v.picklist(['active', 'disabled']);
export const Mode = v.pipe(
  Scope,
  v.description('One of the scopes; by default voice if they include it, else chat.'),
);

/** The schema of a list of web origins. */
export function origins(description: string) {
  const Origin = v.pipe(v.string(), v.maxCodePoints(10_000));
  return v.pipe(v.array(Origin), v.maxLength(maximumOrigins), v.description(description));
}

/** The record of `service-api#web-agent`. */
export const WebAgent = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  name: v.string(),
  channel: Channel,
  scopes: v.array(Scope),
  allowedOrigins: v.array(v.string()),
  conversationId: Cuid,
  status: Status,
});

/** Where a web agent hands visitors over. A user or a password in it would be shown with it. */
export const HandoverUrl = v.pipe(
  v.string(),
  v.maxCodePoints(2_000),
  v.url(),
  v.regex(/^https?:\/\/[^/?#@\s]+(?:[/?#]\S*)?$/, 'Expected an address with http or https, without a user.'),
);

export const HandoverDetails = details('handoverUrl');

/** Throws 404 if the project has no such conversation. */
export async function requireConversation(stores: Stores, conversationId: string): Promise<void> {
  found(await stores.conversations.find(conversationId), 'conversation', conversationId);
}

/** Returns each item once, in the order of their first occurrence. */
export function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
