import { assistantName, businessName, notifyNumber, openingHours, transferNumber } from '../fields.ts';
import type { Template } from '../template.ts';

export const appointmentBooking: Template = {
  key: 'appointment-booking',
  name: 'Appointment booking',
  description: 'Takes requests for new appointments and for changes, which the team confirms.',
  icon: 'calendar-check',
  fields: [
    businessName('Sunny Dental'),
    assistantName('Mia'),
    {
      key: 'services',
      label: 'What can be booked, how long it takes, and what it costs',
      kind: 'longText',
      required: true,
      sample:
        'Check-up, 30 minutes. Cleaning, 45 minutes, 90 dollars. Fillings and crowns, by arrangement. New patients should come ten minutes early.',
    },
    openingHours('Monday to Friday, 8 am to 6 pm'),
    transferNumber('+12025550151'),
    notifyNumber('+12025550152'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: {
        kind: 'greeting',
        name: 'Welcome',
        introLine: 'Hello, this is [[assistantName]], the AI assistant of [[businessName]].',
        persona: {
          whoAmI:
            '[[assistantName]], the AI assistant at the front desk of [[businessName]]: calm and precise.',
          purpose: 'Note what callers would like to book or change, so that the team can confirm it.',
        },
        on: { next: 'wish' },
      },
      wish: {
        kind: 'route',
        name: 'What it is about',
        prompt: 'Would you like to book an appointment, change one, or do you have a question?',
        options: [
          { id: 'book', title: 'Book', description: 'Wants a new appointment.', target: 'appointment' },
          {
            id: 'change',
            title: 'Change or cancel',
            description: 'Has an appointment to move or to cancel, or is running late for it.',
            target: 'change',
          },
          {
            id: 'question',
            title: 'Question',
            description: 'Asks about services, prices or opening hours.',
            target: 'questions',
          },
          {
            id: 'person',
            title: 'A person',
            description: 'Asks for a person, or it is urgent.',
            target: 'frontDesk',
          },
        ],
        on: { fallback: 'frontDesk' },
      },
      appointment: {
        kind: 'collect',
        name: 'Appointment',
        prompt: 'With pleasure. What would you like to come in for, and which day and time would suit you?',
        collect: [
          { id: 'service', variableId: 'service', description: 'One of: [[services]]', required: true },
          {
            id: 'day',
            variableId: 'preferredDay',
            description: 'A date within the opening hours: [[openingHours]]',
            required: true,
          },
          {
            id: 'time',
            variableId: 'preferredTime',
            description: 'A time of day within the opening hours',
            required: true,
          },
        ],
        maxAttempts: 3,
        on: { next: 'person', failed: 'frontDesk' },
      },
      person: {
        kind: 'collect',
        name: 'Name and number',
        prompt: 'Thank you. And may I have your name, and a number where we can reach you?',
        collect: [
          { id: 'name', variableId: 'callerName', description: 'First and last name', required: true },
          { id: 'number', variableId: 'callbackNumber', description: 'A phone number', required: true },
          { id: 'first', variableId: 'firstVisit', description: 'Whether it is their first visit' },
        ],
        maxAttempts: 3,
        on: { next: 'readBack', failed: 'frontDesk' },
      },
      readBack: {
        kind: 'message',
        name: 'Read back',
        text: 'Let me read that back: {{service}}, {{preferredDay}} at {{preferredTime}}, for {{callerName}}.',
        on: { next: 'confirm' },
      },
      confirm: {
        kind: 'route',
        name: 'Confirm',
        prompt: 'Is that right?',
        options: [
          { id: 'yes', title: 'Yes', description: 'Everything is right.', target: 'requested' },
          { id: 'no', title: 'No', description: 'Something has to be changed.', target: 'correction' },
        ],
        on: { fallback: 'correction' },
      },
      correction: {
        kind: 'collect',
        name: 'Correction',
        prompt: 'What should I change?',
        collect: [
          { id: 'correction', variableId: 'correction', description: 'What is different', required: true },
        ],
        maxAttempts: 2,
        on: { next: 'requested', failed: 'requested' },
      },
      change: {
        kind: 'collect',
        name: 'Change an appointment',
        prompt: 'May I have your name, the day of your appointment, and what you would like to change?',
        collect: [
          { id: 'name', variableId: 'callerName', description: 'First and last name', required: true },
          {
            id: 'day',
            variableId: 'bookedDay',
            description: 'Day and time of the appointment',
            required: true,
          },
          {
            id: 'change',
            variableId: 'change',
            description: 'Another day or time, a delay, or that it is cancelled',
            required: true,
          },
        ],
        maxAttempts: 3,
        on: { next: 'changeNoted', failed: 'frontDesk' },
      },
      questions: {
        kind: 'answer',
        name: 'Questions',
        instruction:
          'Answer in one or two short sentences, from the facts below and nothing else. Give no medical, legal or financial advice. Do not promise that a time is free: the team confirms each request.\n\nOpening hours: [[openingHours]]\n\n[[services]]',
        maxTurns: 6,
        on: { next: 'bookNow', noAnswer: 'frontDesk' },
      },
      bookNow: {
        kind: 'route',
        name: 'Book now',
        prompt: 'Would you like to book an appointment?',
        options: [
          { id: 'yes', title: 'Yes', description: 'Wants to book.', target: 'appointment' },
          { id: 'question', title: 'Question', description: 'Has another question.', target: 'questions' },
          { id: 'no', title: 'No', description: 'Needs nothing more.', target: 'goodbye' },
        ],
        on: { fallback: 'goodbye' },
      },
      frontDesk: {
        kind: 'transfer',
        name: 'Front desk',
        line: "One moment please, I'll put you through to the team.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'warm',
        on: { failed: 'callBack' },
      },
      callBack: {
        kind: 'collect',
        name: 'Call back',
        prompt:
          "I'm sorry, nobody is free right now. May I have your name and number, and what it is about? We'll call you back.",
        collect: [
          { id: 'name', variableId: 'callerName', description: 'First and last name', required: true },
          { id: 'number', variableId: 'callbackNumber', description: 'A phone number', required: true },
          { id: 'reason', variableId: 'reason', description: 'What it is about', required: true },
        ],
        maxAttempts: 3,
        on: { next: 'callBackNoted', failed: 'callAgain' },
      },
      requested: {
        kind: 'end',
        name: 'Requested',
        line: "Thank you, {{callerName}}. I've noted your request. The team will confirm it shortly. Goodbye!",
      },
      changeNoted: {
        kind: 'end',
        name: 'Change noted',
        line: "Thank you, {{callerName}}. I've passed that on, and the team will get back to you. Goodbye!",
      },
      callBackNoted: {
        kind: 'end',
        name: 'Call back noted',
        line: "Thank you, {{callerName}}. We'll call you back. Goodbye!",
      },
      callAgain: {
        kind: 'end',
        name: 'Call again',
        line: "I'm sorry, I couldn't take that down. We are here [[openingHours]]. Please call again. Goodbye.",
      },
      goodbye: { kind: 'end', name: 'Goodbye', line: 'Thank you for calling [[businessName]]. Goodbye!' },
    },
    variables: [
      { id: 'service', name: 'Service', type: 'text' },
      { id: 'preferredDay', name: 'Day', type: 'text' },
      { id: 'preferredTime', name: 'Time', type: 'text' },
      { id: 'callerName', name: 'Name', type: 'text' },
      { id: 'callbackNumber', name: 'Number', type: 'text' },
      { id: 'firstVisit', name: 'First visit', type: 'text' },
      { id: 'correction', name: 'Correction', type: 'text' },
      { id: 'bookedDay', name: 'Booked day', type: 'text' },
      { id: 'change', name: 'Change', type: 'text' },
      { id: 'reason', name: 'Reason', type: 'text' },
    ],
    hooks: {
      after: {
        entryPoints: { requested: 'tellCaller', changeNoted: 'tellOfChange', callBackNoted: 'tellOfCall' },
        nodes: {
          tellCaller: {
            id: 'tellCaller',
            name: 'Text the caller',
            sendSms: {
              to: { systemVariable: 'callerPhone' },
              message:
                '[[businessName]]: we received your request ({{service}}, {{preferredDay}} {{preferredTime}}) and will confirm it shortly.',
            },
            next: { hookNode: 'tellOfRequest' },
          },
          tellOfRequest: {
            id: 'tellOfRequest',
            name: 'Tell the team of a request',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message:
                'To confirm: {{service}}, {{preferredDay}} {{preferredTime}}, {{callerName}}, {{callbackNumber}}. First visit: {{firstVisit}}. Correction: {{correction}}',
            },
            next: { end: true },
          },
          tellOfChange: {
            id: 'tellOfChange',
            name: 'Tell the team of a change',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message: 'Change: {{callerName}}, {{bookedDay}}: {{change}}. Called from {{callerPhone}}',
            },
            next: { end: true },
          },
          tellOfCall: {
            id: 'tellOfCall',
            name: 'Tell the team to call back',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message: 'Please call back {{callerName}}, {{callbackNumber}}: {{reason}}',
            },
            next: { end: true },
          },
        },
      },
    },
  },
};
