import { assistantName, businessName, notifyNumber, transferNumber } from '../fields.ts';
import type { Template } from '../template.ts';

export const faq: Template = {
  key: 'faq',
  name: 'Frequent questions',
  description: 'Answers frequent questions, sends a link to more by SMS, and passes the rest on to a person.',
  icon: 'book-open',
  fields: [
    businessName('Riverside Pool'),
    assistantName('Jo'),
    {
      key: 'questions',
      label: 'Frequent questions, each with its answer',
      kind: 'longText',
      required: true,
      sample:
        'When are you open? Every day from 7 am to 9 pm.\nWhat does it cost? Adults 8 dollars, children 4 dollars, under three free.\nMay I bring food? Yes, but no glass.\nIs there parking? Yes, free for three hours.',
    },
    {
      key: 'website',
      label: 'Web page that callers get by SMS',
      kind: 'url',
      required: true,
      sample: 'https://riverside-pool.example/visit',
    },
    transferNumber('+12025550181'),
    notifyNumber('+12025550182'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: {
        kind: 'greeting',
        name: 'Welcome',
        introLine:
          "Hello, this is [[businessName]]. You're speaking with [[assistantName]], our AI assistant.",
        persona: {
          whoAmI: '[[assistantName]], the AI assistant of [[businessName]]: cheerful, plain and brief.',
          purpose: 'Answer what people ask most, and pass everything else on to a person.',
        },
        on: { next: 'ask' },
      },
      ask: {
        kind: 'route',
        name: 'What it is about',
        prompt: 'What would you like to know?',
        options: [
          { id: 'question', title: 'Question', description: 'Asks something.', target: 'answers' },
          { id: 'person', title: 'A person', description: 'Asks for a person.', target: 'putThrough' },
          {
            id: 'complaint',
            title: 'Complaint or emergency',
            description: 'Is upset, has lost something, or reports that something has happened.',
            target: 'putThrough',
          },
        ],
        on: { fallback: 'answers' },
      },
      answers: {
        kind: 'answer',
        name: 'Questions',
        instruction:
          'Answer in one or two short sentences, from these questions and answers and nothing else. If they do not contain the answer, say so and do not guess.\n\n[[questions]]',
        maxTurns: 8,
        on: { next: 'more', noAnswer: 'notKnown' },
      },
      more: {
        kind: 'route',
        name: 'Anything else',
        prompt: 'Anything else? I can also text you a link to our website.',
        options: [
          { id: 'question', title: 'Question', description: 'Has another question.', target: 'answers' },
          { id: 'link', title: 'Link', description: 'Would like the link.', target: 'linkSent' },
          { id: 'person', title: 'A person', description: 'Would like a person.', target: 'putThrough' },
          { id: 'no', title: 'No', description: 'Needs nothing more.', target: 'goodbye' },
        ],
        on: { fallback: 'goodbye' },
      },
      notKnown: {
        kind: 'route',
        name: 'Not known',
        prompt:
          "I'm afraid I don't know that. Shall I put you through to someone, or text you a link to our website?",
        options: [
          { id: 'person', title: 'A person', description: 'Would like a person.', target: 'putThrough' },
          { id: 'link', title: 'Link', description: 'Would like the link.', target: 'linkSent' },
          { id: 'other', title: 'Another question', description: 'Asks something else.', target: 'answers' },
          { id: 'no', title: 'Neither', description: 'Needs nothing more.', target: 'goodbye' },
        ],
        on: { fallback: 'putThrough' },
      },
      putThrough: {
        kind: 'transfer',
        name: 'Put through',
        line: "One moment please, I'll put you through.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'cold',
        on: { failed: 'leaveQuestion' },
      },
      leaveQuestion: {
        kind: 'collect',
        name: 'Leave a question',
        prompt:
          "I'm sorry, nobody is free right now. Leave me your name, your number and your question, and we'll call you back.",
        collect: [
          { id: 'name', variableId: 'callerName', description: 'First and last name', required: true },
          { id: 'number', variableId: 'callbackNumber', description: 'A phone number', required: true },
          { id: 'question', variableId: 'question', description: 'What they want to know', required: true },
        ],
        maxAttempts: 3,
        on: { next: 'questionNoted', failed: 'callAgain' },
      },
      linkSent: { kind: 'end', name: 'Link sent', line: 'The link is on its way to your phone. Goodbye!' },
      questionNoted: {
        kind: 'end',
        name: 'Question noted',
        line: "Thank you, {{callerName}}. I've noted your question, and we'll call you back. Goodbye!",
      },
      callAgain: {
        kind: 'end',
        name: 'Call again',
        line: "I'm sorry, I couldn't take that down. Please call again a little later. Goodbye.",
      },
      goodbye: { kind: 'end', name: 'Goodbye', line: 'Thank you for calling [[businessName]]. Goodbye!' },
    },
    variables: [
      { id: 'callerName', name: 'Name', type: 'text' },
      { id: 'callbackNumber', name: 'Number to call back', type: 'text' },
      { id: 'question', name: 'Question', type: 'text' },
    ],
    hooks: {
      after: {
        entryPoints: { linkSent: 'textLink', questionNoted: 'tellTeam' },
        nodes: {
          textLink: {
            id: 'textLink',
            name: 'Text the link',
            sendSms: { to: { systemVariable: 'callerPhone' }, message: '[[businessName]]: [[website]]' },
            next: { end: true },
          },
          tellTeam: {
            id: 'tellTeam',
            name: 'Tell the team',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message: 'Question of {{callerName}}, {{callbackNumber}}: {{question}}',
            },
            next: { end: true },
          },
        },
      },
    },
  },
};
