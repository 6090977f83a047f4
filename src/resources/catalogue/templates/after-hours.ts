import { assistantName, businessName, longText, notifyNumber, openingHours, phone } from '../fields.ts';
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

export const afterHours: Template = {
  key: 'after-hours',
  name: 'After hours',
  description:
    'Answers while you are closed: emergencies reach the person on call, and everything else is taken as a message.',
  icon: 'moon',
  fields: [
    businessName('Keller Heating and Plumbing'),
    assistantName('Nora'),
    openingHours('Monday to Saturday, 7 am to 6 pm'),
    longText(
      'emergencies',
      'What counts as an emergency for the person on call',
      'Water is running out of a pipe or through a ceiling; the heating has failed in freezing weather; a drain is blocked and the water is rising.',
    ),
    phone('onCallNumber', 'Phone number of the person on call', '+12025550191'),
    notifyNumber('+12025550192'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: greeting(
        'Welcome',
        "Hello, you have reached [[businessName]]. We're closed right now. I'm [[assistantName]], the AI assistant.",
        {
          whoAmI:
            '[[assistantName]], the AI assistant that answers for [[businessName]] at night: calm and clear.',
          purpose: 'Tell emergencies from what can wait, and make sure that both reach the right person.',
        },
        { next: 'safety' },
      ),
      safety: message(
        'Safety first',
        'If anybody is in danger, please hang up and call the emergency services.',
        { next: 'reason' },
      ),
      reason: route(
        'Reason for the call',
        'Is it urgent, or can it wait until we are back?',
        { fallback: 'takeMessage' },
        [
          [
            'urgent',
            'Urgent',
            'Says that it cannot wait, or describes something like this: [[emergencies]]',
            'emergency',
          ],
          [
            'message',
            'It can wait',
            'It is not urgent, no hurry, no rush, nothing dramatic: wants to leave a message, an appointment or to be called back.',
            'takeMessage',
          ],
          ['hours', 'Hours', 'Asks when the business is open.', 'hours'],
        ],
      ),
      hours: answer(
        'Opening hours',
        'Say when the business is open, in one short sentence. Answer nothing else.',
        'Opening hours: [[openingHours]]',
        { next: 'afterHoursTold', noAnswer: 'takeMessage', maxTurns: 1 },
      ),
      afterHoursTold: route(
        'Offer to take a message',
        'Would you like to leave a message?',
        { fallback: 'goodbye' },
        [
          ['yes', 'Yes', 'Wants to leave a message.', 'takeMessage'],
          ['urgent', 'Urgent', 'It is urgent after all.', 'emergency'],
          ['no', 'No', 'Needs nothing more.', 'goodbye'],
        ],
      ),
      emergency: collect(
        'What has happened',
        'What has happened, where, and which number can we reach you on?',
        { next: 'isEmergency', failed: 'onCall' },
        [
          required('what', 'message', 'What has happened', {
            question: 'What has happened?',
            expects: 'reason',
          }),
          required('where', 'address', 'Street and town', {
            question: 'Where is it, please: street and town?',
            expects: 'text',
          }),
          numberOf('callbackNumber'),
        ],
      ),
      isEmergency: route('An emergency?', undefined, { fallback: 'onCall' }, [
        [
          'yes',
          'Emergency',
          'What the caller has said is of this kind, or may be: [[emergencies]]',
          'onCall',
        ],
        ['no', 'It can wait', 'It is clearly not an emergency.', 'canWait'],
      ]),
      onCall: transfer(
        'Person on call',
        "I'll put you through to our person on call. Please stay on the line.",
        { mode: 'warm', to: '[[onCallNumber]]', failed: 'alarmSent' },
      ),
      canWait: end(
        'It can wait',
        "Thank you, I've noted all of it. Someone will call you as soon as we are back: [[openingHours]]. Goodbye!",
      ),
      takeMessage: collect(
        'Message',
        'May I have your name, your number and your message?',
        { next: 'messageTaken', failed: 'callAgain' },
        [
          nameOf('callerName'),
          numberOf('callbackNumber'),
          required('message', 'message', 'What to pass on', {
            question: 'And what may I pass on?',
            expects: 'reason',
          }),
        ],
      ),
      alarmSent: end(
        'Alert by SMS',
        'Nobody picked up, so I am texting the person on call right now. They will call you back on the number you are calling from. If anybody is in danger, call the emergency services.',
      ),
      messageTaken: end(
        'Message taken',
        "Thank you, {{callerName}}. We'll call you back once we are open: [[openingHours]]. Goodbye!",
      ),
      callAgain: end(
        'Call again',
        "I'm sorry, I couldn't take that down. We are here [[openingHours]]. Goodbye.",
      ),
      goodbye,
    },
    variables: textVariables({
      callerName: 'Name',
      callbackNumber: 'Number to call back',
      message: 'What it is about',
      address: 'Address',
    }),
    hooks: {
      ...commands(
        { person: 'takeMessage', stop: 'goodbye' },
        { emergency: { description: '[[emergencies]]', next: { step: 'emergency' } } },
      ),
      ...afterCall(
        { alarmSent: 'alarm', canWait: 'tellTeam', messageTaken: 'tellTeam' },
        {
          alarm: textTeam(
            'Alert the person on call',
            'EMERGENCY, called from {{callerPhone}}: {{message}} {{address}} {{callbackNumber}}',
            { to: '[[onCallNumber]]', next: 'tellTeam' },
          ),
          tellTeam: textTeam(
            'Tell the team',
            'Overnight: {{callerName}} {{callbackNumber}} (from {{callerPhone}}): {{message}} {{address}}',
          ),
        },
      ),
    },
  },
};
