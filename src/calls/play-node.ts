import { takesValues } from '../design/addresses.ts';
import { isAt } from '../design/moments.ts';
import type { HookNode, HookPhase, Target } from '../design/schema/design.ts';
import { fillUrl, percentEncoded, phoneNumberOf } from './addresses.ts';
import { type Call, placeOfTarget } from './call.ts';
import { holds } from './conditions.ts';
import type { Json } from './json-value.ts';
import { defaultTimeout, type HttpResponse, isSuccess, mappedValues, webhookValue } from './requests.ts';
import { calendarFinished, requestCalendar } from './scheduling.ts';
import { fillTemplate } from './templates.ts';
import { valuesIn } from './understood.ts';

/** The blocks of a node, in the order in which they run. A condition comes last, because it chooses the way. */
const blocks = ['setVariable', 'crmLookup', 'fetch', 'calendar', 'webhook', 'sendSms', 'crmWrite'] as const;
type Block = (typeof blocks)[number];

type Source = {
  readonly source: 'variable' | 'custom' | 'ai';
  readonly systemVariable?: string;
  readonly variableId?: string;
  readonly value?: string;
};
interface Way {
  readonly exit: string;
  readonly target: Target;
}

function wayTo(exit: string, target: Target | undefined): Way | undefined {
  return target && { exit, target };
}

type Reference = { readonly systemVariable?: string; readonly variableId?: string };

/** An effect of a node has finished; undefined: it has failed. */
export function nodeFinished(call: Call, phase: HookPhase, node: HookNode, result: Json | undefined): void {
  const { block, stage } = call.progress;
  const name = blocks[block];
  if (name === undefined) throw new TypeError('no block of the node waits');
  if (stage === 'values') {
    call.progress = { ...call.progress, stage: '', texts: valuesIn(result) };
    startBlock(call, node, name);
    return;
  }
  const way = finishBlock(call, node, name, result);
  if (way) leaveBy(call, phase, way.exit, way.target);
  else {
    call.progress = { ...call.progress, block: block + 1, texts: {} };
    playNode(call, phase, node);
  }
}

/** Plays a node: runs its blocks until one waits, and leaves the node after the last one. */
export function playNode(call: Call, phase: HookPhase, node: HookNode): void {
  for (let { block } = call.progress; block < blocks.length; block++) {
    call.progress = { ...call.progress, block };
    const name = blocks[block];
    if (name === undefined || node[name] === undefined) continue;
    const prompts = promptsOf(node, name);
    if (Object.keys(prompts).length > 0) {
      const { here: step, history } = call;
      call.request(
        { kind: 'understand', reads: 'values', step, text: '', prompts, history },
        { stage: 'values' },
      );
      return;
    }
    startBlock(call, node, name);
    if (call.waiting) return;
  }
  const { condition, next } = node;
  if (condition) {
    const branch = condition.branches.find((one) =>
      'predicate' in one
        ? holds(one.predicate, referenced(call, one.predicate.variable))
        : call.moment !== undefined && isAt(one.calendarDate, call.moment),
    );
    leaveBy(call, phase, branch?.id ?? 'else', branch?.next ?? condition.else);
  } else leaveBy(call, phase, next ? 'next' : 'end', next ?? {});
}

/** Leaves a node. A chain of `before` that ends leads to the entry; one of `after` ends the call. */
function leaveBy(call: Call, phase: HookPhase, exit: string, target: Target): void {
  const to = placeOfTarget(call.design, phase, target);
  const entry = { at: 'step', id: call.design.entry.stepId } as const;
  call.leave(exit, to ?? (phase === 'before' ? entry : undefined), exit);
}

function startBlock(call: Call, node: HookNode, name: Block): void {
  const { setVariable, crmLookup, fetch, calendar, webhook, sendSms, crmWrite } = node;
  if (name === 'setVariable' && setVariable) call.set(setVariable.variableId, call.filled(setVariable.value));
  else if (name === 'crmLookup' && crmLookup) {
    const { integrationRef, matchBy, phoneSource, emailSource, fieldMappings, includePrimaryDeal } =
      crmLookup;
    const phone = matchBy.includes('phone') ? referenced(call, phoneSource) : undefined;
    const email = matchBy.includes('email') ? referenced(call, emailSource) : undefined;
    call.request({
      kind: 'crmLookup',
      node: node.id,
      integration: integrationRef,
      ...(typeof phone === 'string' && { phone }),
      ...(typeof email === 'string' && { email }),
      fields: fieldMappings
        .map(({ field }) => field)
        .filter((field) => includePrimaryDeal === true || !field.startsWith('deal.')),
    });
  } else if (name === 'fetch' && fetch) {
    const { url, method, query = {}, headers = {}, body = [] } = fetch;
    const address = addressOf(call, node, name, url);
    if (!address) return;
    call.request({
      kind: 'request',
      node: node.id,
      block: 'fetch',
      method,
      ...address,
      query: mapped(query, (text) => call.filled(text)),
      headers: mapped(headers, (text, header) => headerOf(call, header, text)),
      body: method === 'GET' ? null : valuesOf(call, body),
      timeoutSeconds: defaultTimeout,
    });
  } else if (name === 'calendar' && calendar) requestCalendar(call, node.id, calendar);
  else if (name === 'webhook' && webhook) {
    const { url, headers = {}, payload, timeoutSeconds = defaultTimeout } = webhook;
    const { secretHint, signatureHeader } = webhook;
    const address = addressOf(call, node, name, url);
    if (!address) return;
    call.request({
      kind: 'request',
      node: node.id,
      block: 'webhook',
      method: 'POST',
      ...address,
      query: {},
      headers: mapped(headers, (text, header) => headerOf(call, header, text)),
      body: valuesOf(call, payload),
      timeoutSeconds,
      ...(secretHint !== undefined && { secretHint }),
      ...(signatureHeader !== undefined && { signatureHeader }),
    });
  } else if (name === 'sendSms' && sendSms) {
    const { to, message } = sendSms;
    const number = recipientOf(call, to);
    if (number === '') call.fail('sendSms', 'there is no number to send to');
    else if (number === undefined) call.fail('sendSms', 'the value is not a phone number');
    else call.request({ kind: 'sms', node: node.id, to: number, message: call.filled(message) });
  } else if (name === 'crmWrite' && crmWrite) {
    const contact = referenced(call, crmWrite.contactIdSource);
    call.request({
      kind: 'crmWrite',
      node: node.id,
      integration: crmWrite.integrationRef,
      contact: typeof contact === 'string' ? contact : '',
      operations: crmOperations(call, crmWrite),
    });
  }
}

/** Takes over what a block has brought. Returns a way if the call has to take it at once. */
function finishBlock(call: Call, node: HookNode, name: Block, result: Json | undefined): Way | undefined {
  const { fetch, webhook, crmLookup, calendar } = node;
  if (name === 'fetch' && fetch) {
    const response = result as HttpResponse | undefined;
    if (response && !isSuccess(response)) call.fail('fetch', `status ${response.status}`);
    for (const [variableId, value] of Object.entries(mappedValues(fetch, response)))
      call.set(variableId, value);
  } else if (name === 'webhook' && webhook) {
    const response = result as HttpResponse | undefined;
    if (response && !isSuccess(response)) call.fail('webhook', `status ${response.status}`);
    else if (response && webhook.responseVariableId !== undefined) {
      const value = webhookValue(webhook, response);
      if (value !== undefined) call.set(webhook.responseVariableId, value);
    }
  } else if (name === 'crmLookup' && crmLookup) {
    const contact = (result ?? null) as Readonly<Record<string, Json>> | null;
    for (const { field, variableId, defaultValue } of crmLookup.fieldMappings) {
      const value = contact && Object.hasOwn(contact, field) ? contact[field] : undefined;
      const given = value ?? defaultValue;
      if (given !== undefined && given !== null) call.set(variableId, given);
    }
    if (!contact) return wayTo('onNotFound', crmLookup.onNotFound);
    if (typeof contact['id'] === 'string') call.know('contactId', contact['id']);
  } else if (name === 'calendar' && calendar) {
    const exit = calendarFinished(call, calendar, result);
    // Without a way of its own, a time that is taken goes where all else goes that fails.
    if (exit === 'taken' && calendar.onTaken) return wayTo('onTaken', calendar.onTaken);
    if (exit !== 'next') return wayTo('onNone', calendar.onNone);
  }
  return undefined;
}

/** The prompts of a block's values that a model writes, by their keys. */
function promptsOf({ webhook, fetch, crmWrite }: HookNode, name: Block): Record<string, string> {
  const items =
    name === 'webhook'
      ? webhook?.payload
      : name === 'fetch'
        ? fetch?.body
        : name === 'crmWrite'
          ? crmWrite?.updateContact?.propertyMappings.map((mapping) => ({
              ...mapping,
              key: mapping.property,
            }))
          : [];
  return Object.fromEntries(
    (items ?? []).flatMap(({ key, source, aiPrompt }) =>
      source === 'ai' && aiPrompt !== undefined ? [[key, aiPrompt] as const] : [],
    ),
  );
}

function valuesOf(call: Call, items: readonly (Source & { readonly key: string })[]): Json {
  return Object.fromEntries(items.map((item) => [item.key, sourced(call, item, item.key) ?? null]));
}

function sourced(call: Call, item: Source, key: string): Json | undefined {
  if (item.source === 'custom') return call.filled(item.value ?? '');
  if (item.source === 'ai') return call.progress.texts[key];
  return referenced(call, item);
}

function referenced(call: Call, reference: Reference | undefined): Json | undefined {
  const name = reference?.variableId ?? reference?.systemVariable;
  return name === undefined ? undefined : call.valueOf(name);
}

/** The address of a request; undefined if it cannot be filled in, which has the same outcome as a request that failed. */
function addressOf(call: Call, node: HookNode, name: 'fetch' | 'webhook', template: string) {
  const address = fillUrl(template, (value) => call.textOf(value));
  if (!('refused' in address)) return address;
  call.fail(name, `nothing was sent: ${address.refused}`);
  finishBlock(call, node, name, undefined);
  return undefined;
}

/** The value of a header. That of a cookie has a syntax of its own (RFC 6265); others go as they are, or not at all. */
function headerOf(call: Call, header: string, text: string): string {
  if (header.toLowerCase() !== 'cookie') return call.filled(text);
  return fillTemplate(
    text,
    (name) => percentEncoded(call.textOf(name)),
    () => undefined,
  );
}

/** Whom a text message goes to: empty if nobody is named, undefined if a value is not a phone number. */
function recipientOf(call: Call, to: NonNullable<HookNode['sendSms']>['to']): string | undefined {
  const { literalString } = to;
  if (literalString !== undefined && !takesValues(literalString)) return literalString;
  const text = literalString === undefined ? referenced(call, to) : call.filled(literalString);
  return typeof text === 'string' && text !== '' ? phoneNumberOf(text) : '';
}

function mapped(
  map: Readonly<Record<string, string>>,
  fill: (text: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([name, text]) => [name, fill(text, name)]));
}

function crmOperations(call: Call, crmWrite: NonNullable<HookNode['crmWrite']>): Json {
  const { operations, createContactIfMissing = false, logCall, createNote, updateContact } = crmWrite;
  const wants = (operation: (typeof operations)[number]) => operations.includes(operation);
  return {
    createContactIfMissing,
    ...(wants('log_call') &&
      logCall && {
        logCall: {
          subject: call.filled(logCall.subjectTemplate ?? ''),
          includeTranscript: logCall.includeTranscript,
          includeSummary: logCall.includeSummary,
          includeRecordingUrl: logCall.includeRecordingUrl,
        },
      }),
    ...(wants('create_note') && createNote && { note: call.filled(createNote.bodyTemplate) }),
    ...(wants('update_contact') &&
      updateContact && {
        properties: Object.fromEntries(
          updateContact.propertyMappings.map((mapping) => [
            mapping.property,
            sourced(call, mapping, mapping.property) ?? null,
          ]),
        ),
      }),
  };
}
