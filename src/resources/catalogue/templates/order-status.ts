import { assistantName, businessName, longText, notifyNumber, transferNumber, url } from '../fields.ts';
import { afterCall, commands, textTeam } from '../hooks.ts';
import {
  answer,
  callAgain,
  collect,
  end,
  greeting,
  message,
  numberOf,
  optional,
  required,
  route,
  textVariables,
  transfer,
} from '../steps.ts';
import type { Template } from '../template.ts';

/** Fills a variable from the member `id` of the latest order. */
const mapping = (id: string, variableId: string, defaultValue: string) => ({
  id,
  variableId,
  path: id,
  transform: 'text' as const,
  defaultValue,
});

/** Greets as usual if the latest order left the variable empty. */
const ifEmpty = (id: string, label: string, variableId: string) => ({
  id,
  label,
  predicate: { variable: { variableId }, operator: 'eq' as const, value: '' },
  next: { step: 'welcome' },
});

/** What callers want whether or not their order was found. */
const concerns = [
  [
    'problem',
    'Problem',
    'An order is late, lost, broken, damaged, wrong or incomplete, something is missing, or it needs to be changed or cancelled.',
    'problem',
  ],
  ['question', 'Question', 'Asks how deliveries, returns or refunds work.', 'questions'],
  ['person', 'A person', 'Asks for a person.', 'toService'],
  ['done', 'Done', 'Has heard what they wanted to know.', 'goodbye'],
] as const;

export const orderStatus: Template = {
  key: 'order-status',
  name: 'Order status',
  description:
    'Looks up the latest order by the calling number, explains deliveries and returns, and notes problems.',
  icon: 'package-search',
  fields: [
    businessName('Lumen Living'),
    assistantName('Sam'),
    url(
      'ordersUrl',
      'URL that returns the latest order for ?phone=… as JSON: number, status, delivery',
      'https://shop.lumenliving.example/orders/latest',
    ),
    longText(
      'shippingFacts',
      'How deliveries, returns and refunds work',
      'Orders leave our warehouse within two working days and take three to five more. Returns are free within 30 days, with the label in the parcel. Refunds take up to ten days after a return arrives.',
    ),
    transferNumber('+12025550171'),
    notifyNumber('+12025550172'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome', alternates: ['welcomeBack'] },
    steps: {
      welcome: greeting(
        'Welcome',
        'Hello, this is [[assistantName]], the AI assistant of [[businessName]].',
        {
          whoAmI:
            '[[assistantName]], the AI assistant of the customer service of [[businessName]]: quick and clear.',
          purpose: 'Say where an order is, explain deliveries and returns, and note what went wrong.',
        },
        { next: 'concern' },
      ),
      welcomeBack: greeting(
        'Welcome, order found',
        'Hello, this is [[assistantName]], the AI assistant of [[businessName]]. I have found an order for your number.',
        { purpose: 'Say where the order is, and help with what comes after.' },
        { next: 'latestOrder' },
      ),
      latestOrder: message(
        'The latest order',
        'Your latest order is {{orderNumber}}. Its status is: {{orderStatus}}. Expected delivery: {{delivery}}.',
        { next: 'concernKnown' },
      ),
      concernKnown: route('What else', 'What can I do for you?', { fallback: 'toService' }, [
        [
          'where',
          'Status and delivery',
          'Asks where the order is, whether it was sent, or when it comes or is delivered.',
          'whereItIs',
        ],
        ['other', 'Another one', 'Asks about an older or a different order.', 'otherOrder'],
        ...concerns,
      ]),
      whereItIs: message(
        'Where it is',
        'As far as I can see, order {{orderNumber}} has the status: {{orderStatus}}. Expected delivery: {{delivery}}.',
        { next: 'more' },
      ),
      concern: route('What it is about', 'What can I do for you?', { fallback: 'toService' }, [
        [
          'where',
          'Status and delivery',
          'Asks where an order is, whether it was sent, or when it comes or is delivered.',
          'otherOrder',
        ],
        ...concerns,
      ]),
      otherOrder: collect(
        'Which order',
        'Which order is it? You can find the number in your confirmation.',
        { next: 'handOver', failed: 'toService' },
        [
          required('order', 'askedOrder', 'The order number', {
            question: 'What is the order number?',
            expects: 'text',
          }),
        ],
      ),
      problem: collect(
        'The problem',
        "I'm sorry to hear that. Which order is it, what went wrong, and how can we put it right?",
        { next: 'reachAboutProblem', failed: 'toService' },
        [
          required('order', 'askedOrder', 'The order number', {
            question: 'Which order is it?',
            expects: 'text',
          }),
          required('problem', 'problem', 'What went wrong', {
            question: 'What went wrong?',
            expects: 'reason',
          }),
          optional('wish', 'wish', 'A new parcel, the money back, something else', {
            question: 'How can we put it right?',
            expects: 'text',
          }),
        ],
      ),
      reachAboutProblem: collect(
        'How to reach you about it',
        'And which number may customer service call you back on?',
        { next: 'noted', failed: 'handOver' },
        [numberOf('callbackNumber')],
      ),
      handOver: transfer(
        'To customer service, with the order',
        "Thank you. I'll put you through to customer service, and they will have your order in front of them.",
        { mode: 'warm', failed: 'reachAbout' },
      ),
      reachAbout: collect(
        'How to reach you',
        "I'm sorry, nobody is free right now. Which number may we call you back on?",
        { next: 'noted', failed: 'callAgain' },
        [numberOf('callbackNumber')],
      ),
      questions: answer(
        'Questions',
        'Answer in one or two short sentences, from the facts and nothing else. Promise no date and no refund.',
        '[[shippingFacts]]',
        { next: 'more', noAnswer: 'toService', maxTurns: 1 },
      ),
      more: route('Anything else', 'Is there anything else I can help you with?', { fallback: 'goodbye' }, [
        ['question', 'Question', 'Has another question.', 'questions'],
        ['order', 'A problem', 'Something about an order.', 'problem'],
        ['person', 'A person', 'Asks for a person.', 'toService'],
        ['no', 'No', 'Needs nothing more.', 'goodbye'],
      ]),
      toService: transfer(
        'To customer service',
        "One moment please, I'll put you through to customer service.",
        { mode: 'cold', failed: 'callBack' },
      ),
      callBack: collect(
        'Call back',
        "I'm sorry, nobody is free right now. What is it about, and which number may we call you back on?",
        { next: 'noted', failed: 'callAgain' },
        [
          required('problem', 'problem', 'What it is about', {
            question: 'What is it about?',
            expects: 'reason',
          }),
          numberOf('callbackNumber'),
        ],
      ),
      noted: end('Noted', "Thank you. I've noted it, and we'll call you back. Goodbye!"),
      callAgain,
      goodbye: end('Goodbye', 'Thank you for shopping with [[businessName]]. Goodbye!'),
    },
    variables: textVariables({
      orderNumber: 'Latest order',
      orderStatus: 'Its status',
      delivery: 'Its delivery',
      askedOrder: 'Order that was asked for',
      problem: 'Problem',
      wish: 'Wish',
      callbackNumber: 'Number to call back',
    }),
    hooks: {
      ...commands({ person: 'toService', stop: 'goodbye' }),
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
                mapping('number', 'orderNumber', ''),
                mapping('status', 'orderStatus', ''),
                mapping('delivery', 'delivery', 'not known yet'),
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
                ifEmpty('unknown', 'No order', 'orderNumber'),
                ifEmpty('silent', 'No status', 'orderStatus'),
              ],
              else: { step: 'welcomeBack' },
            },
          },
        },
      },
      ...afterCall(
        { noted: 'tellService' },
        {
          tellService: textTeam(
            'Tell customer service',
            'Call back {{callbackNumber}}: order {{askedOrder}}. {{problem}} {{wish}}',
          ),
        },
      ),
    },
  },
};
