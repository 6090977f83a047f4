import type { HookNode, Step } from './schema/design.ts';
import type { ActionBlock } from './schema/hooks.ts';

/** One valid step of each kind. */
export const stepExamples: { readonly [Kind in Step['kind']]: Extract<Step, { kind: Kind }> } = {
  greeting: {
    kind: 'greeting',
    name: 'Welcome',
    introLine: 'Hello, I am the AI assistant of Sunny Dental. How can I help you?',
    persona: { whoAmI: 'The receptionist of a dental practice.', purpose: 'Takes appointments.' },
    on: { next: 'consent' },
  },
  recordingConsent: {
    kind: 'recordingConsent',
    line: 'I am an AI assistant. May I record this call so that the practice can follow up?',
    on: { next: 'menu', declined: 'goodbye' },
  },
  message: {
    kind: 'message',
    text: 'We are open Monday to Friday, 8 am to 6 pm.',
    mode: 'exact',
    on: { next: 'menu' },
  },
  collect: {
    kind: 'collect',
    prompt: 'May I have your name and a day that suits you?',
    collect: [
      {
        id: 'name',
        variableId: 'callerName',
        description: 'First and last name',
        question: 'May I have your name?',
        expects: 'name',
        required: true,
      },
      { id: 'day', variableId: 'preferredDay', expects: 'date' },
    ],
    readBack: 'So that is {{callerName}}, {{preferredDay}}. Is that right?',
    maxAttempts: 3,
    on: { next: 'confirm', failed: 'toReception' },
  },
  route: {
    kind: 'route',
    prompt: 'Would you like an appointment, or our opening hours?',
    options: [
      { id: 'book', title: 'Appointment', description: 'Wants to book or move one.', target: 'askDay' },
      { id: 'hours', title: 'Opening hours', description: 'Asks when we are open.', target: 'hours' },
    ],
    on: { fallback: 'answerQuestions' },
  },
  answer: {
    kind: 'answer',
    instruction: 'Answer questions about treatments from the knowledge base.',
    facts: 'Opening hours: Monday to Friday, 8 am to 6 pm.\nA cleaning takes 45 minutes.',
    knowledgeIds: ['treatments'],
    maxTurns: 5,
    on: { next: 'goodbye', noAnswer: 'toReception' },
  },
  appointment: {
    kind: 'appointment',
    line: 'One moment, please.',
    calendar: {
      integrationRef: 'appointments',
      action: 'book',
      durationMinutes: 30,
      hours: { tuesday: [{ from: '08:00', to: '18:00' }], thursday: [{ from: '08:00', to: '18:00' }] },
      daySource: { variableId: 'preferredDay' },
      timeSource: { variableId: 'preferredTime' },
      nameSource: { variableId: 'callerName' },
      phoneSource: { systemVariable: 'callerPhone' },
      title: 'Check-up of {{callerName}}',
      offeredVariableId: 'offered',
      startVariableId: 'appointment',
    },
    on: { next: 'confirm', taken: 'askTime', none: 'toReception' },
  },
  transfer: {
    kind: 'transfer',
    line: 'I am putting you through to reception.',
    destination: { kind: 'phoneNumber', value: '+15550100' },
    mode: 'warm',
    on: { failed: 'goodbye' },
  },
  end: { kind: 'end', line: 'Thank you for calling. Goodbye.' },
};

/** One valid hook node for each action block. */
export const blockExamples: Readonly<Record<ActionBlock, HookNode>> = {
  webhook: {
    id: 'notify',
    next: { end: true },
    webhook: {
      url: 'https://example.com/calls',
      headers: { 'x-source': 'parley' },
      signatureHeader: 'webhook-signature',
      payload: [
        { id: 'p1', key: 'name', source: 'variable', variableId: 'callerName' },
        { id: 'p2', key: 'summary', source: 'ai', aiPrompt: 'Summarise the call in one sentence.' },
      ],
      timeoutSeconds: 10,
      responseVariableId: 'ticket',
      responsePath: 'ticket.id',
    },
  },
  fetch: {
    id: 'order',
    next: { hookNode: 'isShipped' },
    fetch: {
      url: 'https://example.com/orders',
      method: 'GET',
      query: { phone: '{{callerPhone}}' },
      responseFormat: 'json',
      responseMappings: [
        { id: 'm1', variableId: 'orderStatus', path: 'status', transform: 'text', defaultValue: 'unknown' },
      ],
    },
  },
  condition: {
    id: 'isShipped',
    condition: {
      mode: 'logic',
      branches: [
        {
          id: 'b1',
          label: 'Shipped',
          predicate: { variable: { variableId: 'orderStatus' }, operator: 'eq', value: 'shipped' },
          next: { step: 'sayShipped' },
        },
        {
          id: 'b2',
          label: 'Closed at Christmas',
          calendarDate: { from: '12-24', to: '12-26', openingHours: 'closed' },
          next: { step: 'sayClosed' },
        },
      ],
      else: { step: 'greeting' },
    },
  },
  setVariable: {
    id: 'mark',
    next: { hookNode: 'notify' },
    setVariable: { variableId: 'channel', value: 'phone' },
  },
  sendSms: {
    id: 'text',
    next: { end: true },
    sendSms: { to: { systemVariable: 'callerPhone' }, message: 'Thank you for calling, {{callerName}}.' },
  },
  crmLookup: {
    id: 'findContact',
    next: { step: 'greeting' },
    crmLookup: {
      integrationRef: 'crm',
      matchBy: ['phone'],
      phoneSource: { systemVariable: 'callerPhone' },
      fieldMappings: [{ id: 'f1', field: 'firstname', variableId: 'callerName', defaultValue: '' }],
      includePrimaryDeal: false,
      onNotFound: { step: 'greeting' },
    },
  },
  crmWrite: {
    id: 'log',
    next: { end: true },
    crmWrite: {
      integrationRef: 'crm',
      contactIdSource: { variableId: 'contactId' },
      createContactIfMissing: true,
      operations: ['log_call', 'create_note'],
      logCall: {
        subjectTemplate: 'Call of {{callerName}}',
        includeTranscript: true,
        includeSummary: true,
        includeRecordingUrl: false,
      },
      createNote: { bodyTemplate: 'Asked for {{preferredDay}}.' },
    },
  },
  calendar: {
    id: 'findTimes',
    next: { step: 'greeting' },
    calendar: {
      integrationRef: 'appointments',
      action: 'freeTimes',
      durationMinutes: 30,
      offeredVariableId: 'offered',
      onNone: { step: 'greeting' },
    },
  },
};
