import { assistantName, businessName, longText, notifyNumber, transferNumber } from '../fields.ts';
import { afterCall, commands, textTeam } from '../hooks.ts';
import {
  answer,
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

export const receptionist: Template = {
  key: 'receptionist',
  name: 'Receptionist',
  description: 'Answers simple questions, puts callers through, and takes a message if nobody is free.',
  icon: 'concierge-bell',
  fields: [
    businessName('Harbour & Lane'),
    assistantName('Robin'),
    longText(
      'businessFacts',
      'What callers ask about: hours, address, services, prices',
      'Harbour & Lane is a firm of architects at 12 Quay Street. Open Monday to Friday, 9 am to 5 pm. It plans private houses and conversions. A first meeting is free and lasts an hour.',
    ),
    transferNumber('+12025550143'),
    notifyNumber('+12025550144'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: greeting(
        'Welcome',
        "Hello, you have reached [[businessName]]. I'm [[assistantName]], the AI assistant.",
        {
          whoAmI:
            '[[assistantName]], the AI receptionist of [[businessName]]: warm, brief and never in a hurry.',
          purpose: 'Find out why people call, answer what is simple, and get everybody else to a person.',
        },
        { next: 'reason' },
      ),
      reason: route('Reason for the call', 'How can I help you?', { fallback: 'putThrough' }, [
        ['question', 'Question', 'Asks for hours, the address, services or prices.', 'answers'],
        [
          'person',
          'A person',
          'Asks for a person, or has something that only a person can settle.',
          'putThrough',
        ],
        [
          'message',
          'Message',
          'Wants to leave a message, to tell somebody something or have it passed on, or that somebody should call or ring back.',
          'takeMessage',
        ],
        ['selling', 'Offer', 'Is a salesperson who has something to sell to the business.', 'noSales'],
        ['wrong', 'Not for us', 'Has dialled wrong, or takes the business for another one.', 'wrongBusiness'],
      ]),
      answers: answer(
        'Questions',
        'Answer in one or two short sentences, from the facts about [[businessName]] and nothing else. If they do not contain the answer, say so and do not guess.',
        '[[businessFacts]]',
        { next: 'more', noAnswer: 'notKnown', maxTurns: 1 },
      ),
      more: route('Anything else', 'Is there anything else I can do for you?', { fallback: 'goodbye' }, [
        ['question', 'Question', 'Has another question.', 'answers'],
        ['person', 'A person', 'Would like a person now.', 'putThrough'],
        ['message', 'Message', 'Wants to leave a message.', 'takeMessage'],
        ['no', 'No', 'Needs nothing more.', 'goodbye'],
      ]),
      notKnown: message(
        'Not known',
        "I don't know that for certain, and I don't want to guess. Let me find someone who does.",
        { next: 'putThrough' },
      ),
      putThrough: transfer('Put through', "One moment please, I'll put you through.", {
        mode: 'warm',
        failed: 'nobodyFree',
      }),
      nobodyFree: message(
        'Nobody is free',
        "I'm sorry, everybody is on another call. Let me take a message, and we'll call you back.",
        { next: 'takeMessage' },
      ),
      takeMessage: collect(
        'Message',
        'May I have your name, the best number to reach you on, and what it is about?',
        { next: 'messageTaken', failed: 'messageFailed' },
        [
          nameOf('callerName'),
          numberOf('callbackNumber'),
          required('message', 'message', 'What to pass on', {
            question: 'What is it about?',
            expects: 'reason',
          }),
        ],
      ),
      noSales: end(
        'Sales call',
        'Thank you, but we do not take offers by phone. Please send them in writing. Goodbye.',
      ),
      wrongBusiness: end(
        'Wrong business',
        'I am afraid this is not who you are looking for. [[businessFacts]] Goodbye!',
      ),
      messageTaken: end(
        'Message taken',
        "Thank you, {{callerName}}. I'll pass that on right away, and someone will call you back. Goodbye!",
      ),
      messageFailed: end(
        'No message',
        "I'm sorry, I couldn't take that down. Please call again a little later. Goodbye.",
      ),
      goodbye,
    },
    variables: textVariables({
      callerName: 'Name',
      callbackNumber: 'Number to call back',
      message: 'Message',
    }),
    hooks: {
      ...commands({ person: 'putThrough', stop: 'goodbye' }),
      ...afterCall(
        { messageTaken: 'tellTeam' },
        {
          tellTeam: textTeam('Tell the team', 'Message from {{callerName}}, {{callbackNumber}}: {{message}}'),
        },
      ),
    },
  },
};
