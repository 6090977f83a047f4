import { assistantName, businessName, longText, notifyNumber, transferNumber, url } from '../fields.ts';
import { afterCall, commands, textCaller, textTeam } from '../hooks.ts';
import {
  answer,
  callAgain,
  collect,
  end,
  goodbye,
  greeting,
  message,
  nameOf,
  numberOf,
  required,
  route,
  textVariables,
  transfer,
} from '../steps.ts';
import type { Template } from '../template.ts';

export const faq: Template = {
  key: 'faq',
  name: 'Frequent questions',
  description: 'Answers frequent questions, sends a link to more by SMS, and passes the rest on to a person.',
  icon: 'book-open',
  fields: [
    businessName('Riverside Pool'),
    assistantName('Jo'),
    longText(
      'questions',
      'Frequent questions, each with its answer',
      'When are you open? Every day from 7 am to 9 pm.\nWhat does it cost? Adults 8 dollars, children 4 dollars, under three free.\nMay I bring food? Yes, but no glass.\nIs there parking? Yes, free for three hours.',
    ),
    url('website', 'Web page that callers get by SMS', 'https://riverside-pool.example/visit'),
    transferNumber('+12025550181'),
    notifyNumber('+12025550182'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: greeting(
        'Welcome',
        "Hello, this is [[businessName]]. You're speaking with [[assistantName]], our AI assistant.",
        {
          whoAmI: '[[assistantName]], the AI assistant of [[businessName]]: cheerful, plain and brief.',
          purpose: 'Answer what people ask most, and pass everything else on to a person.',
        },
        { next: 'ask' },
      ),
      ask: route('What it is about', 'What would you like to know?', { fallback: 'answers' }, [
        ['question', 'Question', 'Asks something.', 'answers'],
        ['person', 'A person', 'Asks for a person.', 'putThrough'],
        [
          'callBack',
          'Call back',
          'Wants to be called back or rung later, and not to be put through.',
          'leaveQuestion',
        ],
        [
          'complaint',
          'Complaint or emergency',
          'Is upset, has lost something, or reports that something has happened.',
          'putThrough',
        ],
      ]),
      answers: answer(
        'Questions',
        'Answer in one or two short sentences, from the facts and nothing else. If they do not contain the answer, say so and do not guess.',
        '[[questions]]',
        { next: 'more', noAnswer: 'notKnown', maxTurns: 1 },
      ),
      more: route(
        'Anything else',
        'Anything else? I can also text you a link to our website.',
        { fallback: 'goodbye' },
        [
          ['question', 'Question', 'Has another question.', 'answers'],
          ['link', 'Link', 'Would like the link.', 'linkSent'],
          ['person', 'A person', 'Would like a person.', 'putThrough'],
          ['callBack', 'Call back', 'Would like to be called back.', 'leaveQuestion'],
          ['no', 'No', 'Needs nothing more.', 'goodbye'],
        ],
      ),
      notKnown: route(
        'Not known',
        "I'm afraid I don't know that. Shall I put you through to someone, shall somebody call you back, or shall I text you a link to our website?",
        { fallback: 'putThrough' },
        [
          ['person', 'A person', 'Would like a person.', 'putThrough'],
          ['link', 'Link', 'Would like the link.', 'linkSent'],
          [
            'callBack',
            'Call back',
            'Would like to be called back, or not to be put through.',
            'leaveQuestion',
          ],
          ['other', 'Another question', 'Asks something else.', 'answers'],
          ['no', 'No', 'Needs nothing more.', 'goodbye'],
        ],
      ),
      putThrough: transfer('Put through', "One moment please, I'll put you through.", {
        mode: 'cold',
        failed: 'nobodyFree',
      }),
      nobodyFree: message('Nobody is free', "I'm sorry, nobody is free right now.", {
        next: 'leaveQuestion',
      }),
      leaveQuestion: collect(
        'Leave a question',
        "Leave me your name, your number and your question, and we'll call you back.",
        { next: 'questionNoted', failed: 'callAgain' },
        [
          nameOf('callerName'),
          numberOf('callbackNumber'),
          required('question', 'question', 'What they want to know', {
            question: 'And what is your question?',
            expects: 'reason',
          }),
        ],
      ),
      linkSent: end('Link sent', 'The link is on its way to your phone. Goodbye!'),
      questionNoted: end(
        'Question noted',
        "Thank you, {{callerName}}. I've noted your question, and we'll call you back. Goodbye!",
      ),
      callAgain,
      goodbye,
    },
    variables: textVariables({
      callerName: 'Name',
      callbackNumber: 'Number to call back',
      question: 'Question',
    }),
    hooks: {
      ...commands({ person: 'putThrough', stop: 'goodbye' }),
      ...afterCall(
        { linkSent: 'textLink', questionNoted: 'tellTeam' },
        {
          textLink: textCaller('Text the link', '[[businessName]]: [[website]]'),
          tellTeam: textTeam('Tell the team', 'Question of {{callerName}}, {{callbackNumber}}: {{question}}'),
        },
      ),
    },
  },
};
