import type { Design, HookNode } from '../../design/schema/design.ts';

/** What templates do after a call. */

type NodeWithoutId = Omit<HookNode, 'id'>;
type SmsRecipient = NonNullable<HookNode['sendSms']>['to'];
type Payload = NonNullable<HookNode['webhook']>['payload'];

type Commands = NonNullable<NonNullable<Design['hooks']>['commands']>;

/**
 * What callers may ask for at any step.
 * @param person the step that puts callers through
 * @param stop the step that says goodbye
 * @param others commands of the template
 */
export const commands = (
  { person, stop }: { person: string; stop: string },
  others: Commands = {},
): { commands: Commands } => ({
  commands: {
    person: { next: { step: person } },
    stop: { next: { step: stop } },
    repeat: {},
    human: { line: "I'm an AI assistant, not a human. If you would rather speak to a person, just say so." },
    swearing: { line: "I'm sorry that this is annoying. I'll do my best." },
    ...others,
  },
});

/**
 * Hooks that run after a call.
 * @param entryPoints the node to start with, by the step at which the call ended.
 * @param nodes by id.
 */
export const afterCall = (
  entryPoints: Readonly<Record<string, string>>,
  nodes: Readonly<Record<string, NodeWithoutId>>,
): NonNullable<Design['hooks']> => ({
  after: {
    entryPoints,
    nodes: Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, { id, ...node }])),
  },
});

/** Sends an SMS, and goes on with the node `next` if one is named. */
const text = (to: SmsRecipient, name: string, message: string, next?: string): NodeWithoutId => ({
  name,
  sendSms: { to, message },
  next: next === undefined ? { end: true } : { hookNode: next },
});

export const textCaller = (name: string, message: string, { next }: { next?: string } = {}): NodeWithoutId =>
  text({ systemVariable: 'callerPhone' }, name, message, next);

/** Texts the business. */
export const textTeam = (
  name: string,
  message: string,
  { to = '[[notifyNumber]]', next }: { to?: string; next?: string } = {},
): NodeWithoutId => text({ literalString: to }, name, message, next);

export const postToWebhook = (name: string, url: string, payload: Payload): NodeWithoutId => ({
  name,
  webhook: { url, payload, timeoutSeconds: 10 },
  next: { end: true },
});

/** A member of a webhook's payload: what the caller said. */
export const collected = (id: string, key: string, variableId: string): Payload[number] => ({
  id,
  key,
  source: 'variable',
  variableId,
});

/** A member of a webhook's payload: what the service knows about the call. */
export const ofCall = (id: string, key: string, systemVariable: string): Payload[number] => ({
  id,
  key,
  source: 'variable',
  systemVariable,
});
