import {
  assistantName,
  businessName,
  longText,
  notifyNumber,
  openingHours,
  transferNumber,
} from '../fields.ts';
import { afterCall, commands, textCaller, textTeam } from '../hooks.ts';
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

export const appointmentBooking: Template = {
  key: 'appointment-booking',
  name: 'Appointment booking',
  description: 'Takes requests for new appointments and for changes, which the team confirms.',
  icon: 'calendar-check',
  fields: [
    businessName('Sunny Dental'),
    assistantName('Mia'),
    longText(
      'services',
      'What can be booked, how long it takes, and what it costs',
      'Check-up, 30 minutes. Cleaning, 45 minutes, 90 dollars. Fillings and crowns, by arrangement. New patients should come ten minutes early.',
    ),
    openingHours('Monday to Friday, 8 am to 6 pm'),
    transferNumber('+12025550151'),
    notifyNumber('+12025550152'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: greeting(
        'Welcome',
        'Hello, this is [[assistantName]], the AI assistant of [[businessName]].',
        {
          whoAmI:
            '[[assistantName]], the AI assistant at the front desk of [[businessName]]: calm and precise.',
          purpose: 'Note what callers would like to book or change, so that the team can confirm it.',
        },
        { next: 'wish' },
      ),
      wish: route(
        'What it is about',
        'Would you like to book an appointment, change one, or do you have a question?',
        { fallback: 'frontDesk' },
        [
          [
            'book',
            'Book a new appointment',
            'Wants to book, make or schedule a new appointment, to come in or to see somebody, such as for one of these: [[services]]',
            'appointment',
          ],
          [
            'change',
            'Change, move or cancel an appointment',
            'Has an appointment already, to move, change, postpone or cancel, or is running late for it.',
            'change',
          ],
          ['question', 'Question', 'Asks about services, prices or opening hours.', 'questions'],
          ['person', 'A person', 'Asks for a person, or it is urgent.', 'frontDesk'],
        ],
      ),
      appointment: collect(
        'Appointment',
        'With pleasure. What would you like to come in for, and which day and time would suit you?',
        {
          next: 'requested',
          failed: 'frontDesk',
          readBack:
            'Let me read that back: {{service}}, {{preferredDay}} at {{preferredTime}}, for {{callerName}}. Is that right?',
        },
        [
          required('service', 'service', 'One of: [[services]]', {
            question: 'What would you like to come in for?',
            expects: 'text',
          }),
          required('day', 'preferredDay', 'A date within the opening hours: [[openingHours]]', {
            question: 'Which day would suit you?',
            expects: 'date',
          }),
          required('time', 'preferredTime', 'A time of day within the opening hours', {
            question: 'At what time?',
            expects: 'time',
          }),
          nameOf('callerName'),
          numberOf('callbackNumber'),
          optional('first', 'firstVisit', 'Whether it is their first visit', { expects: 'yesOrNo' }),
        ],
      ),
      change: collect(
        'Change an appointment',
        'May I have your name, the day of your appointment, and what you would like to change?',
        { next: 'changeNoted', failed: 'frontDesk' },
        [
          nameOf('callerName'),
          required('day', 'bookedDay', 'Day of the appointment that is booked', {
            question: 'Which day is your appointment?',
            expects: 'date',
          }),
          required('change', 'change', 'Another day or time, a delay, or that it is cancelled', {
            question: 'And what would you like to change?',
            expects: 'text',
          }),
        ],
      ),
      questions: answer(
        'Questions',
        'Answer in one or two short sentences, from the facts and nothing else. Give no medical, legal or financial advice. Do not promise that a time is free: the team confirms each request.',
        'Opening hours: [[openingHours]]\n[[services]]',
        { next: 'bookNow', noAnswer: 'frontDesk', maxTurns: 1 },
      ),
      bookNow: route('Book now', 'Would you like to book an appointment?', { fallback: 'goodbye' }, [
        ['yes', 'Yes', 'Wants to book.', 'appointment'],
        ['question', 'Question', 'Has another question.', 'questions'],
        ['no', 'No', 'Needs nothing more.', 'goodbye'],
      ]),
      frontDesk: transfer('Front desk', "One moment please, I'll put you through to the team.", {
        mode: 'warm',
        failed: 'callBack',
      }),
      callBack: collect(
        'Call back',
        "I'm sorry, nobody is free right now. May I have your name and number, and what it is about? We'll call you back.",
        { next: 'callBackNoted', failed: 'callAgain' },
        [
          nameOf('callerName'),
          numberOf('callbackNumber'),
          required('reason', 'reason', 'What it is about', {
            question: 'What is it about?',
            expects: 'reason',
          }),
        ],
      ),
      requested: end(
        'Requested',
        "Thank you, {{callerName}}. I've noted your request. The team will confirm it shortly. Goodbye!",
      ),
      changeNoted: end(
        'Change noted',
        "Thank you, {{callerName}}. I've passed that on, and the team will get back to you. Goodbye!",
      ),
      callBackNoted: end('Call back noted', "Thank you, {{callerName}}. We'll call you back. Goodbye!"),
      callAgain: end(
        'Call again',
        "I'm sorry, I couldn't take that down. We are here [[openingHours]]. Please call again. Goodbye.",
      ),
      goodbye,
    },
    variables: textVariables({
      service: 'Service',
      preferredDay: 'Day',
      preferredTime: 'Time',
      callerName: 'Name',
      callbackNumber: 'Number',
      firstVisit: 'First visit',
      bookedDay: 'Booked day',
      change: 'Change',
      reason: 'Reason',
    }),
    hooks: {
      ...commands({ person: 'frontDesk', stop: 'goodbye' }),
      ...afterCall(
        { requested: 'tellCaller', changeNoted: 'tellOfChange', callBackNoted: 'tellOfCall' },
        {
          tellCaller: textCaller(
            'Text the caller',
            '[[businessName]]: we received your request ({{service}}, {{preferredDay}} {{preferredTime}}) and will confirm it shortly.',
            { next: 'tellOfRequest' },
          ),
          tellOfRequest: textTeam(
            'Tell the team of a request',
            'To confirm: {{service}}, {{preferredDay}} {{preferredTime}}, {{callerName}}, {{callbackNumber}}. First visit: {{firstVisit}}',
          ),
          tellOfChange: textTeam(
            'Tell the team of a change',
            'Change: {{callerName}}, {{bookedDay}}: {{change}}. Called from {{callerPhone}}',
          ),
          tellOfCall: textTeam(
            'Tell the team to call back',
            'Please call back {{callerName}}, {{callbackNumber}}: {{reason}}',
          ),
        },
      ),
    },
  },
};
