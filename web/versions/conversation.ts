import type { Output } from '../api/client.ts';

/** A conversation, as its page and the design app read it. */
export type Conversation = Output<'get_conversation'>;
