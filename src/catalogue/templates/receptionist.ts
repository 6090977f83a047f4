import { assistantName, businessName, notifyNumber, transferNumber } from '../fields.ts';
import type { Template } from '../template.ts';

export const receptionist: Template = {
  key: 'receptionist',
  name: 'Receptionist',
  description: 'Answers simple questions, puts callers through, and takes a message if nobody is free.',
  icon: 'concierge-bell',
  fields: [
    businessName('Harbour & Lane'),
    assistantName('Robin'),
    {
      key: 'businessFacts',
      label: 'What callers ask about: hours, address, services, prices',
      kind: 'longText',
      required: true,
      sample:
        'Harbour & Lane is a firm of architects at 12 Quay Street. Open Monday to Friday, 9 am to 5 pm. It plans private houses and conversions. A first meeting is free and lasts an hour.',
    },
    transferNumber('+12025550143'),
    notifyNumber('+12025550144'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: {
        kind: 'greeting',
        name: 'Welcome',
        introLine: "Hello, you have reached [[businessName]]. I'm [[assistantName]], the AI assistant.",
        persona: {
          whoAmI:
            '[[assistantName]], the AI receptionist of [[businessName]]: warm, brief and never in a hurry.',
          purpose: 'Find out why people call, answer what is simple, and get everybody else to a person.',
        },
        on: { next: 'reason' },
      },
      reason: {
        kind: 'route',
        name: 'Reason for the call',
        prompt: 'How can I help you?',
        options: [
          {
            id: 'question',
            title: 'Question',
            description: 'Asks about hours, the address, services or prices.',
            target: 'answers',
          },
          {
            id: 'person',
            title: 'A person',
            description: 'Asks for a person, or has something that only a person can settle.',
            target: 'putThrough',
          },
          {
            id: 'message',
            title: 'Message',
            description: 'Wants to leave a message or to be called back.',
            target: 'takeMessage',
          },
          {
            id: 'selling',
            title: 'Sales call',
            description: 'Wants to sell something to the business.',
            target: 'noSales',
          },
          {
            id: 'wrong',
            title: 'Wrong number',
            description: 'Has the wrong number.',
            target: 'goodbye',
          },
        ],
        on: { fallback: 'putThrough' },
      },
      answers: {
        kind: 'answer',
        name: 'Questions',
        instruction:
          'Answer in one or two short sentences, from these facts about [[businessName]] and nothing else. If they do not contain the answer, say so and do not guess.\n\n[[businessFacts]]',
        maxTurns: 6,
        on: { next: 'more', noAnswer: 'notKnown' },
      },
      more: {
        kind: 'route',
        name: 'Anything else',
        prompt: 'Is there anything else I can do for you?',
        options: [
          { id: 'question', title: 'Question', description: 'Has another question.', target: 'answers' },
          { id: 'person', title: 'A person', description: 'Would like a person now.', target: 'putThrough' },
          {
            id: 'message',
            title: 'Message',
            description: 'Wants to leave a message.',
            target: 'takeMessage',
          },
          { id: 'no', title: 'No', description: 'Needs nothing more.', target: 'goodbye' },
        ],
        on: { fallback: 'goodbye' },
      },
      notKnown: {
        kind: 'message',
        name: 'Not known',
        text: "I don't know that for certain, and I don't want to guess. Let me find someone who does.",
        on: { next: 'putThrough' },
      },
      putThrough: {
        kind: 'transfer',
        name: 'Put through',
        line: "One moment please, I'll put you through.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'warm',
        on: { failed: 'nobodyFree' },
      },
      nobodyFree: {
        kind: 'message',
        name: 'Nobody is free',
        text: "I'm sorry, everybody is on another call. Let me take a message, and we'll call you back.",
        on: { next: 'takeMessage' },
      },
      takeMessage: {
        kind: 'collect',
        name: 'Message',
        prompt: 'May I have your name, the best number to reach you on, and what it is about?',
        collect: [
          { id: 'name', variableId: 'callerName', description: 'First and last name', required: true },
          {
            id: 'number',
            variableId: 'callbackNumber',
            description: 'A phone number; the one they are calling from will do',
            required: true,
          },
          { id: 'message', variableId: 'message', description: 'What to pass on', required: true },
        ],
        maxAttempts: 3,
        on: { next: 'messageTaken', failed: 'messageFailed' },
      },
      noSales: {
        kind: 'end',
        name: 'Sales call',
        line: 'Thank you, but we do not take offers by phone. Please send them in writing. Goodbye.',
      },
      messageTaken: {
        kind: 'end',
        name: 'Message taken',
        line: "Thank you, {{callerName}}. I'll pass that on right away, and someone will call you back. Goodbye!",
      },
      messageFailed: {
        kind: 'end',
        name: 'No message',
        line: "I'm sorry, I couldn't take that down. Please call again a little later. Goodbye.",
      },
      goodbye: { kind: 'end', name: 'Goodbye', line: 'Thank you for calling [[businessName]]. Goodbye!' },
    },
    variables: [
      { id: 'callerName', name: 'Name', type: 'text' },
      { id: 'callbackNumber', name: 'Number to call back', type: 'text' },
      { id: 'message', name: 'Message', type: 'text' },
    ],
    hooks: {
      after: {
        entryPoints: { messageTaken: 'tellTeam' },
        nodes: {
          tellTeam: {
            id: 'tellTeam',
            name: 'Tell the team',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message: 'Message from {{callerName}}, {{callbackNumber}}: {{message}}',
            },
            next: { end: true },
          },
        },
      },
    },
  },
};
