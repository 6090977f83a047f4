import { createHash, randomUUID } from 'node:crypto';
import { isSamePlace } from '../../calls/addresses.ts';
import type { EffectOutcome } from '../../calls/call-driver.ts';
import type { OutwardEffect, TransferEffect } from '../../calls/call-state.ts';
import type { Json } from '../../calls/json-value.ts';
import type { Design } from '../../design/schema/design.ts';
import { hostOf } from '../../design/secret-binding.ts';
import { secretReferences } from '../../design/secrets.ts';
import { signedWith, signingNames, signingSecret } from '../../design/signing.ts';
import type { ToolContext } from '../../environment/context.ts';
import type { Caller } from '../../operation/context.ts';
import { OutsideFailure } from '../../platform/errors.ts';
import type { CrmProvider } from '../../services/providers/crm.ts';
import { Pieces } from './pieces.ts';
import { type Filling, type ProjectSecrets, placeholderFor, readSecrets } from './project-secrets.ts';
import { useCalendar } from './use-calendar.ts';

/** What a CRM is told about the call. */
export interface CallFacts {
  readonly startedAt: string;
  readonly durationSeconds: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The turns so far, one a line. */
  readonly transcript: string;
  readonly summary: string;
}

type Context = Pick<ToolContext, 'stores' | 'services' | 'requestId'> & {
  readonly caller: Pick<Caller, 'projectId'>;
  /** Names the call in the `webhook-id` of its webhooks, so that they have the same one if a turn is played again. */
  readonly callId?: string | undefined;
};

/** What the receiver of a call learns about it. */
export interface Handover {
  readonly type: 'session.transfer';
  readonly sessionId: string;
  /** Null if a flow answers. */
  readonly conversationId: string | null;
  readonly flowId?: string;
  readonly version: number;
  readonly webAgentId: string | null;
  readonly destination: TransferEffect['destination'];
  readonly mode: TransferEffect['mode'];
  readonly variables: Readonly<Record<string, Json>>;
  readonly transcript: readonly { readonly who: 'agent' | 'caller'; readonly text: string }[];
}

/** What a run may do with the secrets of its project, and the credentials of its integrations (decisions#secrets). */
export interface SecretUse {
  readonly filling: Filling;
  /** False if the run's reader may not see what hosts and integrations return that got a secret or a credential. */
  readonly showsResponses: boolean;
}

/** Visitors play versions that somebody with the access `publish` has made live. */
export const ofVisitors: SecretUse = { filling: 'live', showsResponses: true };

/**
 * What a run for this key may do with secrets. A draft is whatever is not the live version as it was stored: its author may be
 * somebody who must not read a secret.
 */
export function secretUseOf({ access }: Pick<Caller, 'access'>, isDraft: boolean): SecretUse {
  if (access.has('publish')) return { filling: isDraft ? 'bound' : 'live', showsResponses: true };
  return { filling: isDraft ? 'none' : 'bound', showsResponses: false };
}

/** Who gets a handover. */
interface Receiver {
  readonly url: string;
  /** Signs what is sent. */
  readonly secret: string | undefined;
  /** Takes secrets out of a text. */
  readonly masked: (text: string) => string;
}

/** Requests, messages and calls of a CRM that one call may send. */
const mostEffects = 50;

/** The address that takes over conversations whose web agent names none, if the project has one. */
const handoverSecret = 'HANDOVER_WEBHOOK_URL';
/** For all attempts together. */
const handoverSeconds = 10;
/** What a provider has not done, for a reader who may not see its response. */
const refusals = {
  sms: 'The text message was not sent.',
  crmLookup: 'The CRM found nothing.',
  crmWrite: 'The CRM did not store everything.',
  calendar: 'The calendar refused.',
} as const;
const twilioSecrets = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;

/** Performs the outward effects of a call for real, with the secrets and integrations of its project. */
export class LiveEffects {
  readonly #context: Context;
  readonly #design: Design;
  readonly #use: SecretUse;
  readonly #notes = new Set<string>();
  /** The hosts that got a secret in this run. */
  readonly #informed = new Set<string>();
  #secrets: Promise<ProjectSecrets> | undefined;
  #performed = 0;

  constructor(context: Context, design: Design, use: SecretUse) {
    this.#context = context;
    this.#design = design;
    this.#use = use;
  }

  /** What was left out or replaced because of the run's {@link SecretUse}. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /**
   * Performs an effect. What fails outside, and a secret that is missing, is an outcome.
   * @throws the signal's reason, and errors of the database
   */
  async perform(effect: OutwardEffect, facts: CallFacts, signal: AbortSignal): Promise<EffectOutcome> {
    if (this.#performed >= mostEffects) return { failed: `${mostEffects} requests were sent already.` };
    this.#performed += 1;
    const secrets = await this.#read();
    try {
      switch (effect.kind) {
        case 'request':
          return await this.#request(effect, secrets, signal);
        case 'sms':
          return await this.#sms(effect, secrets, signal);
        case 'crmLookup':
          return await this.#lookUp(effect, signal);
        case 'crmWrite':
          return await this.#write(effect, facts, signal);
        case 'calendar':
          return await this.#useCalendar(effect, signal);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutsideFailure)) throw error;
      // The message of a provider repeats its response.
      if (effect.kind !== 'request' && !this.#use.showsResponses)
        return { failed: `${refusals[effect.kind]} Only a key that may publish learns why.` };
      return { failed: secrets.masked(error.message) };
    }
  }

  /**
   * Sends a webhook to whoever takes over: the address of the web agent, else the one of the project. Without either, the
   * visitor reaches the destination; the transfer then succeeds, too.
   * @throws the signal's reason, and errors of the database
   */
  async handOver(
    effect: TransferEffect,
    handover: Handover,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: EffectOutcome; readonly isSent: boolean }> {
    const receiver = await this.#receiver(handover.webAgentId);
    if (receiver === undefined) return { outcome: { result: null }, isSent: false };
    const { services, caller, requestId } = this.#context;
    const { url, secret, masked } = receiver;
    try {
      const { status } = await services.requests.send(
        {
          method: 'POST',
          url,
          query: {},
          headers: {},
          body: JSON.stringify(handover),
          timeoutSeconds: handoverSeconds,
          isWebhook: true,
          webhookId: this.#webhookId(effect.id),
          ...(secret !== undefined && { signing: { secret } }),
        },
        { id: requestId, projectId: caller.projectId },
        signal,
      );
      const isTaken = status >= 200 && status <= 299;
      return {
        outcome: isTaken ? { result: null } : { failed: `The address that takes over returned ${status}.` },
        isSent: isTaken,
      };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutsideFailure)) throw error;
      return { outcome: { failed: masked(error.message) }, isSent: false };
    }
  }

  /** Who takes over; undefined if nobody does. */
  async #receiver(webAgentId: string | null): Promise<Receiver | undefined> {
    const { stores, services, caller } = this.#context;
    const own = webAgentId === null ? undefined : await stores.webAgents.handover(webAgentId);
    if (own && webAgentId !== null) {
      const secret = services.open(caller, 'web_agents', webAgentId, own.sealedSecret).toString('utf8');
      return { url: own.url, secret, masked: (text) => text };
    }
    const secrets = await this.#read();
    const url = secrets.value(handoverSecret);
    if (url === undefined) return undefined;
    return { url, secret: secrets.value(signingSecret), masked: (text) => secrets.masked(text) };
  }

  #read(): Promise<ProjectSecrets> {
    this.#secrets ??= readSecrets(this.#context, [
      ...secretReferences(this.#design).map(({ name }) => name),
      ...signingNames(this.#design),
      signingSecret,
      handoverSecret,
      ...twilioSecrets,
    ]);
    return this.#secrets;
  }

  #webhookId(effectId: string): string | undefined {
    const { callId } = this.#context;
    return callId === undefined ? undefined : `msg_${callId}_${effectId}`;
  }

  async #request(
    {
      id,
      block,
      method,
      url,
      outline,
      query,
      headers,
      body,
      timeoutSeconds,
      secretHint,
      signatureHeader,
    }: OutwardEffect & {
      kind: 'request';
    },
    secrets: ProjectSecrets,
    signal: AbortSignal,
  ): Promise<EffectOutcome> {
    const { services, caller, requestId } = this.#context;
    const { filling, showsResponses } = this.#use;
    const signing = signedWith({ secretHint }, (name) => secrets.value(name) !== undefined);
    const secret = signing === undefined || filling === 'none' ? undefined : secrets.value(signing);
    if (filling === 'none' && signing !== undefined && block === 'webhook')
      this.#notes.add(`Webhooks were not signed with the secret ${signing}: this key may not publish.`);
    const { names, outline: place, ...filled } = secrets.filled({ url, outline, query, headers }, filling);
    if (filling === 'none') for (const name of names) this.#notePlaceholder(name);
    if (!isSamePlace(filled.url, place))
      return { failed: 'Nothing was sent: a value would lead to another host or path.' };
    const host = hostOf(filled.url);
    if (filling !== 'none' && names.length > 0) this.#informed.add(host);
    const response = await services.requests.send(
      {
        ...filled,
        method,
        body: method === 'GET' ? null : JSON.stringify(body),
        timeoutSeconds,
        isWebhook: block === 'webhook',
        webhookId: this.#webhookId(id),
        ...(secret !== undefined && { signing: { secret, header: signatureHeader } }),
      },
      { id: requestId, projectId: caller.projectId },
      signal,
    );
    if (this.#informed.has(host) && !showsResponses) {
      this.#notes.add(
        `Responses of ${hostOf(url) || 'an address in a secret'} were left out: it got a secret, and this key may not publish.`,
      );
      return { result: { status: response.status, body: '' } };
    }
    const pieces = new Pieces(async () => {
      await services.turn(caller);
      signal.throwIfAborted();
    });
    return { result: { status: response.status, body: await pieces.run(secrets.masking(response.body)) } };
  }

  #notePlaceholder(name: string): void {
    this.#notes.add(
      `The secret ${name} was not used: this key may not publish, so ${placeholderFor(name)} was sent in its place.`,
    );
  }

  async #sms(
    { to, message }: OutwardEffect & { kind: 'sms' },
    secrets: ProjectSecrets,
    signal: AbortSignal,
  ): Promise<EffectOutcome> {
    const [accountSid, authToken, from] = twilioSecrets.map((name) => secrets.value(name));
    if (accountSid === undefined || authToken === undefined || from === undefined)
      return {
        failed: `Text messages are sent over Twilio. Set the secrets ${twilioSecrets.join(', ')} with set_secret.`,
      };
    if (this.#use.filling === 'none')
      return { failed: 'Text messages of a draft are sent for keys with the access "publish" only.' };
    const { services } = this.#context;
    await services.openSms({ accountSid, authToken, from }).send({ to, text: message }, signal);
    return { result: null };
  }

  async #lookUp(
    { integration, phone, email, fields }: OutwardEffect & { kind: 'crmLookup' },
    signal: AbortSignal,
  ): Promise<EffectOutcome> {
    const crm = await this.#crm(integration);
    if (typeof crm === 'string') return { failed: crm };
    const contact = await crm.findContact({ phone, email, fields }, signal);
    if (!contact || this.#use.showsResponses) return { result: contact };
    this.#notes.add('What the CRM knows about the contact was left out: this key may not publish.');
    return { result: { id: contact['id'] ?? null } };
  }

  async #write(
    { integration, contact, operations }: OutwardEffect & { kind: 'crmWrite' },
    facts: CallFacts,
    signal: AbortSignal,
  ): Promise<EffectOutcome> {
    const crm = await this.#crm(integration);
    if (typeof crm === 'string') return { failed: crm };
    const { createContactIfMissing, properties, note, logCall } = operations as unknown as CrmOperations;
    const known = textProperties(properties ?? {});
    let id = contact;
    if (id === '') {
      if (!createContactIfMissing)
        return { failed: 'The call has no contact, and createContactIfMissing is not set.' };
      id = await crm.createContact(
        { ...(facts.from !== undefined && { phone: facts.from }), ...known },
        signal,
      );
    } else if (Object.keys(known).length > 0) await crm.updateContact(id, known, signal);
    if (note !== undefined) await crm.addNote(id, note, facts.startedAt, signal);
    if (logCall) {
      const { subject, includeSummary, includeTranscript } = logCall;
      const { transcript, summary, ...call } = facts;
      const parts = [includeSummary ? summary : '', includeTranscript ? transcript : ''];
      const body = parts.filter((part) => part !== '').join('\n\n');
      await crm.logCall(id, { ...call, title: subject || 'Call', body }, signal);
    }
    return { result: null };
  }

  /** An appointment has the same id if the turn is played again, so that it is made once. */
  async #useCalendar(
    { id, integration, ...wish }: OutwardEffect & { kind: 'calendar' },
    signal: AbortSignal,
  ): Promise<EffectOutcome> {
    if (this.#use.filling === 'none')
      return { failed: 'A draft uses the calendar for keys with the access "publish" only.' };
    const { callId } = this.#context;
    const entry = this.#design.integrations?.find((one) => one.id === integration);
    if (!entry) return { failed: `The project has no integration for ${integration}.` };
    const name = callId === undefined ? randomUUID() : `${callId} ${id} ${wish.day} ${wish.time}`;
    const result = await useCalendar(
      this.#context,
      {
        ...wish,
        id: `parley${createHash('sha256').update(name).digest('hex').slice(0, 20)}`,
        integrationId: entry.integrationId,
      },
      signal,
    );
    return { result: { ...result, times: [...result.times] } };
  }

  /** Opens the CRM that an entry of `integrations` names; a text says why that is impossible. */
  async #crm(reference: string): Promise<CrmProvider | string> {
    if (this.#use.filling === 'none') return 'A draft uses the CRM for keys with the access "publish" only.';
    const { stores, services, caller } = this.#context;
    const entry = this.#design.integrations?.find(({ id }) => id === reference);
    const integration = entry && (await stores.integrations.credentials(entry.integrationId));
    if (!entry || !integration) return `The project has no integration for ${reference}.`;
    const { provider, sealed } = integration;
    if (!sealed)
      return 'The integration was created without credentials. create_integration adds one with them.';
    const text = services.open(caller, 'integrations', entry.integrationId, sealed).toString('utf8');
    return services.openCrm(provider, JSON.parse(text) as Readonly<Record<string, string>>);
  }
}

/** What `crmWrite` asks for, as the engine states it. */
interface CrmOperations {
  readonly createContactIfMissing: boolean;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly note?: string;
  readonly logCall?: {
    readonly subject: string;
    readonly includeTranscript: boolean;
    readonly includeSummary: boolean;
  };
}

/** CRMs take texts. A property without a value stays as it is. */
function textProperties(properties: Readonly<Record<string, Json>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) =>
      value === null ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  );
}
