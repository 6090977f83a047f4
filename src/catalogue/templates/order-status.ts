import { assistantName, businessName, notifyNumber, transferNumber } from '../fields.ts';
import type { Template } from '../template.ts';

export const orderStatus: Template = {
  key: 'order-status',
  name: 'Order status',
  description:
    'Looks up the latest order by the calling number, explains deliveries and returns, and notes problems.',
  icon: 'package-search',
  fields: [
    businessName('Lumen Living'),
    assistantName('Sam'),
    {
      key: 'ordersUrl',
      label: 'URL that returns the latest order for ?phone=… as JSON: number, status, delivery',
      kind: 'url',
      required: true,
      sample: 'https://shop.lumenliving.example/orders/latest',
    },
    {
      key: 'shippingFacts',
      label: 'How deliveries, returns and refunds work',
      kind: 'longText',
      required: true,
      sample:
        'Orders leave our warehouse within two working days and take three to five more. Returns are free within 30 days, with the label in the parcel. Refunds take up to ten days after a return arrives.',
    },
    transferNumber('+12025550171'),
    notifyNumber('+12025550172'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome', alternates: ['welcomeBack'] },
    steps: {
      welcome: {
        kind: 'greeting',
        name: 'Welcome',
        introLine: 'Hello, this is [[assistantName]], the AI assistant of [[businessName]].',
        persona: {
          whoAmI:
            '[[assistantName]], the AI assistant of the customer service of [[businessName]]: quick and clear.',
          purpose: 'Say where an order is, explain deliveries and returns, and note what went wrong.',
        },
        on: { next: 'concern' },
      },
      welcomeBack: {
        kind: 'greeting',
        name: 'Welcome, order found',
        introLine:
          'Hello, this is [[assistantName]], the AI assistant of [[businessName]]. I have found an order for your number.',
        persona: { purpose: 'Say where the order is, and help with what comes after.' },
        on: { next: 'latestOrder' },
      },
      latestOrder: {
        kind: 'message',
        name: 'The latest order',
        text: 'Your latest order is {{orderNumber}}. Its status is: {{orderStatus}}. Expected delivery: {{delivery}}.',
        on: { next: 'concern' },
      },
      concern: {
        kind: 'route',
        name: 'What it is about',
        prompt: 'What can I do for you?',
        options: [
          {
            id: 'where',
            title: 'Where is it',
            description: 'Asks about another order.',
            target: 'otherOrder',
          },
          {
            id: 'problem',
            title: 'Problem',
            description:
              'An order is late, lost, damaged, wrong or incomplete, or needs to be changed or cancelled.',
            target: 'problem',
          },
          {
            id: 'question',
            title: 'Question',
            description: 'Asks how deliveries, returns or refunds work.',
            target: 'questions',
          },
          { id: 'person', title: 'A person', description: 'Asks for a person.', target: 'toService' },
          {
            id: 'done',
            title: 'Done',
            description: 'Has heard what they wanted to know.',
            target: 'goodbye',
          },
        ],
        on: { fallback: 'toService' },
      },
      otherOrder: {
        kind: 'collect',
        name: 'Which order',
        prompt: 'Which order is it? You can find the number in your confirmation.',
        collect: [{ id: 'order', variableId: 'askedOrder', description: 'The order number', required: true }],
        maxAttempts: 3,
        on: { next: 'handOver', failed: 'toService' },
      },
      problem: {
        kind: 'collect',
        name: 'The problem',
        prompt: "I'm sorry to hear that. Which order is it, what went wrong, and how can we put it right?",
        collect: [
          { id: 'order', variableId: 'askedOrder', description: 'The order number', required: true },
          { id: 'problem', variableId: 'problem', description: 'What went wrong', required: true },
          { id: 'wish', variableId: 'wish', description: 'A new parcel, the money back, something else' },
        ],
        maxAttempts: 3,
        on: { next: 'handOver', failed: 'toService' },
      },
      handOver: {
        kind: 'transfer',
        name: 'To customer service, with the order',
        line: "Thank you. I'll put you through to customer service, and they will have your order in front of them.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'warm',
        on: { failed: 'reachAbout' },
      },
      reachAbout: {
        kind: 'collect',
        name: 'How to reach you',
        prompt: "I'm sorry, nobody is free right now. Which number may we call you back on?",
        collect: [
          { id: 'number', variableId: 'callbackNumber', description: 'A phone number', required: true },
        ],
        maxAttempts: 3,
        on: { next: 'noted', failed: 'callAgain' },
      },
      questions: {
        kind: 'answer',
        name: 'Questions',
        instruction:
          'Answer in one or two short sentences, from what follows and nothing else. Promise no date and no refund.\n\n[[shippingFacts]]',
        maxTurns: 6,
        on: { next: 'more', noAnswer: 'toService' },
      },
      more: {
        kind: 'route',
        name: 'Anything else',
        prompt: 'Is there anything else I can help you with?',
        options: [
          { id: 'question', title: 'Question', description: 'Has another question.', target: 'questions' },
          { id: 'order', title: 'An order', description: 'Something about an order.', target: 'problem' },
          { id: 'person', title: 'A person', description: 'Asks for a person.', target: 'toService' },
          { id: 'no', title: 'No', description: 'Needs nothing more.', target: 'goodbye' },
        ],
        on: { fallback: 'goodbye' },
      },
      toService: {
        kind: 'transfer',
        name: 'To customer service',
        line: "One moment please, I'll put you through to customer service.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'cold',
        on: { failed: 'callBack' },
      },
      callBack: {
        kind: 'collect',
        name: 'Call back',
        prompt:
          "I'm sorry, nobody is free right now. What is it about, and which number may we call you back on?",
        collect: [
          { id: 'problem', variableId: 'problem', description: 'What it is about', required: true },
          { id: 'number', variableId: 'callbackNumber', description: 'A phone number', required: true },
        ],
        maxAttempts: 3,
        on: { next: 'noted', failed: 'callAgain' },
      },
      noted: {
        kind: 'end',
        name: 'Noted',
        line: "Thank you. I've noted it, and we'll call you back. Goodbye!",
      },
      callAgain: {
        kind: 'end',
        name: 'Call again',
        line: "I'm sorry, I couldn't take that down. Please call again a little later. Goodbye.",
      },
      goodbye: {
        kind: 'end',
        name: 'Goodbye',
        line: 'Thank you for shopping with [[businessName]]. Goodbye!',
      },
    },
    variables: [
      { id: 'orderNumber', name: 'Latest order', type: 'text' },
      { id: 'orderStatus', name: 'Its status', type: 'text' },
      { id: 'delivery', name: 'Its delivery', type: 'text' },
      { id: 'askedOrder', name: 'Order that was asked for', type: 'text' },
      { id: 'problem', name: 'Problem', type: 'text' },
      { id: 'wish', name: 'Wish', type: 'text' },
      { id: 'callbackNumber', name: 'Number to call back', type: 'text' },
    ],
    hooks: {
      before: {
        rootNodeId: 'findOrder',
        nodes: {
          findOrder: {
            id: 'findOrder',
            name: 'Find the latest order',
            fetch: {
              url: '[[ordersUrl]]',
              method: 'GET',
              query: { phone: '{{callerPhone}}' },
              responseFormat: 'json',
              responseMappings: [
                {
                  id: 'number',
                  variableId: 'orderNumber',
                  path: 'number',
                  transform: 'text',
                  defaultValue: '',
                },
                {
                  id: 'status',
                  variableId: 'orderStatus',
                  path: 'status',
                  transform: 'text',
                  defaultValue: '',
                },
                {
                  id: 'delivery',
                  variableId: 'delivery',
                  path: 'delivery',
                  transform: 'text',
                  defaultValue: 'not known yet',
                },
              ],
            },
            next: { hookNode: 'isFound' },
          },
          isFound: {
            id: 'isFound',
            name: 'Found?',
            condition: {
              mode: 'logic',
              branches: [
                {
                  id: 'unknown',
                  label: 'No order',
                  predicate: { variable: { variableId: 'orderNumber' }, operator: 'eq', value: '' },
                  next: { step: 'welcome' },
                },
                {
                  id: 'silent',
                  label: 'No status',
                  predicate: { variable: { variableId: 'orderStatus' }, operator: 'eq', value: '' },
                  next: { step: 'welcome' },
                },
              ],
              else: { step: 'welcomeBack' },
            },
          },
        },
      },
      after: {
        entryPoints: { noted: 'tellService' },
        nodes: {
          tellService: {
            id: 'tellService',
            name: 'Tell customer service',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message: 'Call back {{callbackNumber}}: order {{askedOrder}}. {{problem}} {{wish}}',
            },
            next: { end: true },
          },
        },
      },
    },
  },
};
