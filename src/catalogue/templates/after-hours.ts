import { assistantName, businessName, notifyNumber, openingHours } from '../fields.ts';
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
    {
      key: 'emergencies',
      label: 'What counts as an emergency for the person on call',
      kind: 'longText',
      required: true,
      sample:
        'Water is running out of a pipe or through a ceiling; the heating has failed in freezing weather; a drain is blocked and the water is rising.',
    },
    {
      key: 'onCallNumber',
      label: 'Phone number of the person on call',
      kind: 'phone',
      required: true,
      sample: '+12025550191',
    },
    notifyNumber('+12025550192'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: {
        kind: 'greeting',
        name: 'Welcome',
        introLine:
          "Hello, you have reached [[businessName]]. We're closed right now. I'm [[assistantName]], the AI assistant.",
        persona: {
          whoAmI:
            '[[assistantName]], the AI assistant that answers for [[businessName]] at night: calm and clear.',
          purpose: 'Tell emergencies from what can wait, and make sure that both reach the right person.',
        },
        on: { next: 'safety' },
      },
      safety: {
        kind: 'message',
        name: 'Safety first',
        text: 'If anybody is in danger, please hang up and call the emergency services.',
        on: { next: 'reason' },
      },
      reason: {
        kind: 'route',
        name: 'Reason for the call',
        prompt: 'Is it urgent, or can it wait until we are back?',
        options: [
          {
            id: 'urgent',
            title: 'Urgent',
            description: 'Says that it cannot wait, or describes something like this: [[emergencies]]',
            target: 'emergency',
          },
          {
            id: 'message',
            title: 'It can wait',
            description: 'Wants to leave a message or to be called back.',
            target: 'takeMessage',
          },
          { id: 'hours', title: 'Hours', description: 'Asks when the business is open.', target: 'hours' },
        ],
        on: { fallback: 'takeMessage' },
      },
      hours: {
        kind: 'message',
        name: 'Opening hours',
        text: 'We are here [[openingHours]].',
        on: { next: 'afterHoursTold' },
      },
      afterHoursTold: {
        kind: 'route',
        name: 'Offer to take a message',
        prompt: 'Would you like to leave a message?',
        options: [
          { id: 'yes', title: 'Yes', description: 'Wants to leave a message.', target: 'takeMessage' },
          { id: 'urgent', title: 'Urgent', description: 'It is urgent after all.', target: 'emergency' },
          { id: 'no', title: 'No', description: 'Needs nothing more.', target: 'goodbye' },
        ],
        on: { fallback: 'goodbye' },
      },
      emergency: {
        kind: 'collect',
        name: 'What has happened',
        prompt: 'What has happened, where, and which number can we reach you on?',
        collect: [
          { id: 'what', variableId: 'message', description: 'What has happened', required: true },
          { id: 'where', variableId: 'address', description: 'Street and town', required: true },
          { id: 'number', variableId: 'callbackNumber', description: 'A phone number', required: true },
        ],
        maxAttempts: 2,
        on: { next: 'isEmergency', failed: 'onCall' },
      },
      isEmergency: {
        kind: 'route',
        name: 'An emergency?',
        options: [
          {
            id: 'yes',
            title: 'Emergency',
            description: 'What the caller has said is of this kind, or may be: [[emergencies]]',
            target: 'onCall',
          },
          {
            id: 'no',
            title: 'It can wait',
            description: 'It is clearly not an emergency.',
            target: 'canWait',
          },
        ],
        on: { fallback: 'onCall' },
      },
      onCall: {
        kind: 'transfer',
        name: 'Person on call',
        line: "I'll put you through to our person on call. Please stay on the line.",
        destination: { kind: 'phoneNumber', value: '[[onCallNumber]]' },
        mode: 'warm',
        on: { failed: 'alarmSent' },
      },
      canWait: {
        kind: 'end',
        name: 'It can wait',
        line: "Thank you, I've noted all of it. Someone will call you as soon as we are back: [[openingHours]]. Goodbye!",
      },
      takeMessage: {
        kind: 'collect',
        name: 'Message',
        prompt: 'May I have your name, your number and your message?',
        collect: [
          { id: 'name', variableId: 'callerName', description: 'First and last name', required: true },
          { id: 'number', variableId: 'callbackNumber', description: 'A phone number', required: true },
          { id: 'message', variableId: 'message', description: 'What to pass on', required: true },
        ],
        maxAttempts: 3,
        on: { next: 'messageTaken', failed: 'callAgain' },
      },
      alarmSent: {
        kind: 'end',
        name: 'Alert by SMS',
        line: 'Nobody picked up, so I am texting the person on call right now. They will call you back on the number you are calling from. If anybody is in danger, call the emergency services.',
      },
      messageTaken: {
        kind: 'end',
        name: 'Message taken',
        line: "Thank you, {{callerName}}. We'll call you back once we are open: [[openingHours]]. Goodbye!",
      },
      callAgain: {
        kind: 'end',
        name: 'Call again',
        line: "I'm sorry, I couldn't take that down. We are here [[openingHours]]. Goodbye.",
      },
      goodbye: { kind: 'end', name: 'Goodbye', line: 'Thank you for calling [[businessName]]. Goodbye!' },
    },
    variables: [
      { id: 'callerName', name: 'Name', type: 'text' },
      { id: 'callbackNumber', name: 'Number to call back', type: 'text' },
      { id: 'message', name: 'What it is about', type: 'text' },
      { id: 'address', name: 'Address', type: 'text' },
    ],
    hooks: {
      after: {
        entryPoints: { alarmSent: 'alarm', canWait: 'tellTeam', messageTaken: 'tellTeam' },
        nodes: {
          alarm: {
            id: 'alarm',
            name: 'Alert the person on call',
            sendSms: {
              to: { literalString: '[[onCallNumber]]' },
              message: 'EMERGENCY, called from {{callerPhone}}: {{message}} {{address}} {{callbackNumber}}',
            },
            next: { hookNode: 'tellTeam' },
          },
          tellTeam: {
            id: 'tellTeam',
            name: 'Tell the team',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message:
                'Overnight: {{callerName}} {{callbackNumber}} (from {{callerPhone}}): {{message}} {{address}}',
            },
            next: { end: true },
          },
        },
      },
    },
  },
};
