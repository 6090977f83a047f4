import { assistantName, businessName, longText, optionalText, transferNumber, url } from '../fields.ts';
import { afterCall, collected, commands, ofCall, postToWebhook } from '../hooks.ts';
import {
  answer,
  collect,
  end,
  goodbye,
  greeting,
  nameOf,
  numberOf,
  optional,
  required,
  route,
  textVariables,
  transfer,
} from '../steps.ts';
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
    optionalText(
      'recordingPurpose',
      'What calls are recorded for: "so that our team can …"',
      'follow up on it',
    ),
    longText(
      'supportFacts',
      'How to solve the most frequent problems',
      'Forgotten password: "Forgot password" on the sign-in page sends a link that works for an hour.\nInvoices: under Settings, Billing; the owner of the account sees them.\nThe app does not load: sign out, update the app, sign in again.',
    ),
    transferNumber('+12025550121'),
    url(
      'callLogUrl',
      'URL of your CRM or automation that receives each call as a webhook',
      'https://crm.northwind.example/calls',
    ),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: greeting(
        'Welcome',
        'Hello, this is [[assistantName]], the AI assistant of [[businessName]] support.',
        {
          whoAmI:
            '[[assistantName]], the AI assistant of the support team of [[businessName]]: patient and precise.',
          purpose:
            'Solve what can be solved at once, and pass the rest on to the team with a clear description.',
        },
        { next: 'consent' },
      ),
      consent: {
        kind: 'recordingConsent',
        name: 'Consent to record',
        line: "I'm an AI assistant. May I record this call, so that our team can [[recordingPurpose]]? If you say no, I'll help you just the same.",
        on: { next: 'caller', declined: 'reasonUnrecorded' },
      },
      caller: collect(
        'Caller and problem',
        'Thank you. May I have your name, the email address of your account, and what it is about?',
        { next: 'help', failed: 'toTeam' },
        [
          nameOf('callerName'),
          optional('email', 'email', 'An email address', {
            question: 'What is the email address of your account?',
            expects: 'emailAddress',
          }),
          required('problem', 'problem', 'What does not work, and since when', {
            question: 'What is it about?',
            expects: 'reason',
          }),
        ],
      ),
      help: answer(
        'Help',
        'Help with the problem of {{callerName}}: {{problem}}. One step at a time, and wait until it is done. Use only the facts. Never ask for a password or a card number.',
        '[[supportFacts]]',
        { next: 'isSolved', noAnswer: 'notKnown', maxTurns: 12 },
      ),
      notKnown: route(
        'Not known',
        "I can't solve that myself. Shall I put you through to the team, or shall they call you back?",
        { fallback: 'toTeam' },
        [
          ['person', 'A person', 'Would like to be put through now.', 'toTeam'],
          ['callBack', 'Call back', 'Would like to be called back, or has no time now.', 'reach'],
          ['more', 'Another question', 'Asks something else.', 'help'],
          ['no', 'No', 'Needs nothing more.', 'goodbye'],
        ],
      ),
      isSolved: route('Solved?', 'Is it solved?', { fallback: 'toTeam' }, [
        ['yes', 'Yes', 'It works now.', 'solved'],
        ['more', 'Another question', 'Asks something else.', 'help'],
        ['callBack', 'Call back', 'Would like to be called back, or has no time now.', 'reach'],
        ['no', 'No', 'It still does not work, or asks for a person.', 'toTeam'],
      ]),
      reach: collect(
        'How to reach you',
        'Which number may we call you back on?',
        { next: 'callBackNoted', failed: 'toTeam' },
        [numberOf('callbackNumber')],
      ),
      callBackNoted: end(
        'Call back noted',
        'Thank you. The team has everything you told me, and will call you back. Goodbye!',
      ),
      toTeam: transfer('To the team', "I'll put you through to the team, and tell them what we have tried.", {
        mode: 'warm',
        failed: 'open',
      }),
      solved: end('Solved', "I'm glad that it works now. Thank you for calling. Goodbye!"),
      open: end(
        'Open',
        "I'm sorry, nobody is free right now. The team has everything you told me, and will get back to you. Goodbye!",
      ),
      // Whoever has said already what it is about is not asked again.
      reasonUnrecorded: collect(
        'Reason, not recorded',
        'No problem at all: nothing is recorded. What can I do for you?',
        { next: 'helpUnrecorded', failed: 'toTeamUnrecorded' },
        [
          required('problem', 'problem', 'What it is about', {
            question: 'What can I do for you?',
            expects: 'reason',
          }),
        ],
      ),
      helpUnrecorded: answer(
        'Help, not recorded',
        'Help with the problem, one step at a time, and wait until it is done. Use only the facts. Ask for no personal data.',
        '[[supportFacts]]',
        { next: 'goodbye', noAnswer: 'toTeamUnrecorded', maxTurns: 12 },
      ),
      toTeamUnrecorded: transfer(
        'To the team, not recorded',
        "One moment please, I'll put you through to the team.",
        { mode: 'cold', failed: 'callAgain' },
      ),
      callAgain: end(
        'Call again',
        "I'm sorry, nobody is free right now. Please call again a little later. Goodbye.",
      ),
      goodbye,
    },
    variables: textVariables({
      callerName: 'Name',
      email: 'Email',
      problem: 'Problem',
      callbackNumber: 'Number to call back',
    }),
    hooks: {
      // Whoever declined the recording gets to a person without a log.
      ...commands({ person: 'toTeamUnrecorded', stop: 'goodbye' }),
      ...afterCall(
        // Only ends that a caller who consented can reach: no ends after a refusal, and no early hang-up.
        { solved: 'logCall', open: 'logCall', toTeam: 'logCall', callBackNoted: 'logCall' },
        {
          logCall: postToWebhook('Log the call', '[[callLogUrl]]', [
            ofCall('phone', 'phone', 'callerPhone'),
            collected('name', 'name', 'callerName'),
            collected('email', 'email', 'email'),
            collected('callback', 'callbackNumber', 'callbackNumber'),
            collected('problem', 'problem', 'problem'),
            ofCall('summary', 'summary', 'callSummary'),
            {
              id: 'next',
              key: 'nextStep',
              source: 'ai',
              aiPrompt: 'Say in one sentence what the team has to do next, or "nothing".',
            },
            ofCall('outcome', 'outcome', 'endedAtStep'),
            ofCall('started', 'startedAt', 'callStartedAt'),
            ofCall('seconds', 'durationSeconds', 'callDurationSeconds'),
          ]),
        },
      ),
    },
  },
};
