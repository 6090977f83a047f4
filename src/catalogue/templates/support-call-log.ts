import { assistantName, businessName, transferNumber } from '../fields.ts';
import type { Template } from '../template.ts';

export const supportCallLog: Template = {
  key: 'support-call-log',
  name: 'Support with consent and call log',
  description:
    'Asks for consent to record, helps, and logs the call in your CRM; callers who decline are helped without a log.',
  icon: 'mic',
  fields: [
    businessName('Northwind Software'),
    assistantName('Kim'),
    {
      key: 'recordingPurpose',
      label: 'What calls are recorded for: "so that our team can …"',
      kind: 'text',
      required: false,
      sample: 'follow up on it',
    },
    {
      key: 'supportFacts',
      label: 'How to solve the most frequent problems',
      kind: 'longText',
      required: true,
      sample:
        'Forgotten password: "Forgot password" on the sign-in page sends a link that works for an hour.\nInvoices: under Settings, Billing; the owner of the account sees them.\nThe app does not load: sign out, update the app, sign in again.',
    },
    transferNumber('+12025550121'),
    {
      key: 'callLogUrl',
      label: 'URL of your CRM or automation that receives each call as a webhook',
      kind: 'url',
      required: true,
      sample: 'https://crm.northwind.example/calls',
    },
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: {
        kind: 'greeting',
        name: 'Welcome',
        introLine: 'Hello, this is [[assistantName]], the AI assistant of [[businessName]] support.',
        persona: {
          whoAmI:
            '[[assistantName]], the AI assistant of the support team of [[businessName]]: patient and precise.',
          purpose:
            'Solve what can be solved at once, and pass the rest on to the team with a clear description.',
        },
        on: { next: 'consent' },
      },
      consent: {
        kind: 'recordingConsent',
        name: 'Consent to record',
        line: "I'm an AI assistant. May I record this call, so that our team can [[recordingPurpose]]? If you say no, I'll help you just the same.",
        on: { next: 'caller', declined: 'notRecorded' },
      },
      caller: {
        kind: 'collect',
        name: 'Caller and problem',
        prompt: 'Thank you. May I have your name, the email address of your account, and what it is about?',
        collect: [
          { id: 'name', variableId: 'callerName', description: 'First and last name', required: true },
          { id: 'email', variableId: 'email', description: 'An email address' },
          {
            id: 'problem',
            variableId: 'problem',
            description: 'What does not work, and since when',
            required: true,
          },
        ],
        maxAttempts: 3,
        on: { next: 'help', failed: 'toTeam' },
      },
      help: {
        kind: 'answer',
        name: 'Help',
        instruction:
          'Help with the problem of {{callerName}}: {{problem}}. One step at a time, and wait until it is done. Use only what follows. Never ask for a password or a card number.\n\n[[supportFacts]]',
        maxTurns: 12,
        on: { next: 'isSolved', noAnswer: 'toTeam' },
      },
      isSolved: {
        kind: 'route',
        name: 'Solved?',
        prompt: 'Is it solved?',
        options: [
          { id: 'yes', title: 'Yes', description: 'It works now.', target: 'solved' },
          { id: 'more', title: 'Another question', description: 'Asks something else.', target: 'help' },
          {
            id: 'no',
            title: 'No',
            description: 'It still does not work, or asks for a person.',
            target: 'toTeam',
          },
        ],
        on: { fallback: 'toTeam' },
      },
      toTeam: {
        kind: 'transfer',
        name: 'To the team',
        line: "I'll put you through to the team, and tell them what we have tried.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'warm',
        on: { failed: 'open' },
      },
      solved: {
        kind: 'end',
        name: 'Solved',
        line: "I'm glad that it works now. Thank you for calling. Goodbye!",
      },
      open: {
        kind: 'end',
        name: 'Open',
        line: "I'm sorry, nobody is free right now. The team has everything you told me, and will get back to you. Goodbye!",
      },
      notRecorded: {
        kind: 'message',
        name: 'Not recorded',
        text: 'No problem at all: nothing is recorded.',
        on: { next: 'reasonUnrecorded' },
      },
      reasonUnrecorded: {
        kind: 'route',
        name: 'Reason, not recorded',
        prompt: 'What can I do for you?',
        options: [
          {
            id: 'problem',
            title: 'A problem',
            description: 'Something does not work.',
            target: 'helpUnrecorded',
          },
          { id: 'person', title: 'A person', description: 'Asks for a person.', target: 'toTeamUnrecorded' },
          { id: 'nothing', title: 'Nothing', description: 'Would rather end the call.', target: 'goodbye' },
        ],
        on: { fallback: 'helpUnrecorded' },
      },
      helpUnrecorded: {
        kind: 'answer',
        name: 'Help, not recorded',
        instruction:
          'Help with the problem, one step at a time, and wait until it is done. Use only what follows. Ask for no personal data.\n\n[[supportFacts]]',
        maxTurns: 12,
        on: { next: 'goodbye', noAnswer: 'toTeamUnrecorded' },
      },
      toTeamUnrecorded: {
        kind: 'transfer',
        name: 'To the team, not recorded',
        line: "One moment please, I'll put you through to the team.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'cold',
        on: { failed: 'callAgain' },
      },
      callAgain: {
        kind: 'end',
        name: 'Call again',
        line: "I'm sorry, nobody is free right now. Please call again a little later. Goodbye.",
      },
      goodbye: { kind: 'end', name: 'Goodbye', line: 'Thank you for calling [[businessName]]. Goodbye!' },
    },
    variables: [
      { id: 'callerName', name: 'Name', type: 'text' },
      { id: 'email', name: 'Email', type: 'text' },
      { id: 'problem', name: 'Problem', type: 'text' },
    ],
    hooks: {
      after: {
        // Only ends that a caller who consented can reach: no ends after a refusal, and no early hang-up.
        entryPoints: { solved: 'logCall', open: 'logCall', toTeam: 'logCall' },
        nodes: {
          logCall: {
            id: 'logCall',
            name: 'Log the call',
            webhook: {
              url: '[[callLogUrl]]',
              payload: [
                { id: 'phone', key: 'phone', source: 'variable', systemVariable: 'callerPhone' },
                { id: 'name', key: 'name', source: 'variable', variableId: 'callerName' },
                { id: 'email', key: 'email', source: 'variable', variableId: 'email' },
                { id: 'problem', key: 'problem', source: 'variable', variableId: 'problem' },
                { id: 'summary', key: 'summary', source: 'variable', systemVariable: 'callSummary' },
                {
                  id: 'next',
                  key: 'nextStep',
                  source: 'ai',
                  aiPrompt: 'Say in one sentence what the team has to do next, or "nothing".',
                },
                { id: 'outcome', key: 'outcome', source: 'variable', systemVariable: 'endedAtStep' },
                { id: 'started', key: 'startedAt', source: 'variable', systemVariable: 'callStartedAt' },
                {
                  id: 'seconds',
                  key: 'durationSeconds',
                  source: 'variable',
                  systemVariable: 'callDurationSeconds',
                },
              ],
              timeoutSeconds: 10,
            },
            next: { end: true },
          },
        },
      },
    },
  },
};
