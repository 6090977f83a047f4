import { assistantName, businessName, notifyNumber, openingHours, transferNumber } from '../fields.ts';
import type { Template } from '../template.ts';

export const restaurantReservation: Template = {
  key: 'restaurant-reservation',
  name: 'Restaurant reservations',
  description:
    'Takes table requests and changes, answers questions about the menu, and puts large parties through.',
  icon: 'utensils',
  fields: [
    businessName('Trattoria Lucia'),
    assistantName('Bea'),
    openingHours('Tuesday to Sunday, noon to 2 pm and 6 to 10 pm'),
    {
      key: 'houseFacts',
      label: 'Menu, allergens, parking, children, dogs: what guests ask about',
      kind: 'longText',
      required: true,
      sample:
        'Home-made pasta and fish from the grill, with several vegetarian and two vegan dishes. Gluten-free pasta on request. Twenty seats on the terrace in summer. We have high chairs. Dogs are welcome. Parking behind the house.',
    },
    {
      key: 'largestParty',
      label: 'Largest party that the assistant may take',
      kind: 'text',
      required: false,
      sample: '8 guests',
    },
    transferNumber('+12025550131'),
    notifyNumber('+12025550132'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: {
        kind: 'greeting',
        name: 'Welcome',
        introLine: "Thank you for calling [[businessName]]! I'm [[assistantName]], your AI assistant.",
        persona: {
          whoAmI:
            '[[assistantName]], the AI assistant of the restaurant [[businessName]]: a warm and quick host.',
          purpose: "Take table requests and changes, and answer guests' questions.",
        },
        on: { next: 'wish' },
      },
      wish: {
        kind: 'route',
        name: 'What it is about',
        prompt: 'Would you like a table, or is there something else I can do for you?',
        options: [
          {
            id: 'table',
            title: 'A table',
            description: 'Wants a table for at most [[largestParty]].',
            target: 'table',
          },
          {
            id: 'large',
            title: 'Large party or event',
            description: 'More guests than [[largestParty]], a private room, a set menu, a gift card.',
            target: 'toHost',
          },
          {
            id: 'change',
            title: 'Change or cancel',
            description: 'Has a reservation to change or cancel, or is running late.',
            target: 'change',
          },
          {
            id: 'question',
            title: 'Question',
            description: 'Asks about the menu, allergens, hours or the restaurant.',
            target: 'questions',
          },
          { id: 'person', title: 'A person', description: 'Asks for a person.', target: 'toHost' },
        ],
        on: { fallback: 'toHost' },
      },
      table: {
        kind: 'collect',
        name: 'Table',
        prompt: 'With pleasure. For how many guests, on which day, and at what time?',
        collect: [
          {
            id: 'guests',
            variableId: 'guests',
            description: 'The number of guests, including children',
            required: true,
          },
          {
            id: 'day',
            variableId: 'day',
            description: 'A date within the opening hours: [[openingHours]]',
            required: true,
          },
          { id: 'time', variableId: 'time', description: 'A time within the opening hours', required: true },
        ],
        maxAttempts: 3,
        on: { next: 'guest', failed: 'toHost' },
      },
      guest: {
        kind: 'collect',
        name: 'Name and wishes',
        prompt:
          'And your name, please, and a phone number? Please also tell me about allergies or special wishes.',
        collect: [
          { id: 'name', variableId: 'guestName', description: 'First and last name', required: true },
          { id: 'number', variableId: 'guestNumber', description: 'A phone number', required: true },
          { id: 'wishes', variableId: 'wishes', description: 'Allergies, high chair, terrace, a birthday' },
        ],
        maxAttempts: 3,
        on: { next: 'readBack', failed: 'toHost' },
      },
      readBack: {
        kind: 'message',
        name: 'Read back',
        text: 'Let me read that back: a table for {{guests}}, {{day}} at {{time}}, in the name of {{guestName}}.',
        on: { next: 'confirm' },
      },
      confirm: {
        kind: 'route',
        name: 'Confirm',
        prompt: 'Is that right?',
        options: [
          { id: 'yes', title: 'Yes', description: 'Everything is right.', target: 'requested' },
          {
            id: 'no',
            title: 'No',
            description: 'Something has to be changed or added.',
            target: 'correction',
          },
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
        name: 'Change a reservation',
        prompt:
          'Of course. In whose name is the reservation, for which day, and what would you like to change?',
        collect: [
          { id: 'name', variableId: 'guestName', description: 'The name of the reservation', required: true },
          { id: 'day', variableId: 'day', description: 'Day and time of the reservation', required: true },
          {
            id: 'change',
            variableId: 'change',
            description: 'Another day, time or number of guests, a delay, or that it is cancelled',
            required: true,
          },
        ],
        maxAttempts: 3,
        on: { next: 'changeNoted', failed: 'toHost' },
      },
      questions: {
        kind: 'answer',
        name: 'Questions',
        instruction:
          'Answer in one or two short sentences, from the facts below and nothing else. On allergens, say only what the facts say, and add that the kitchen should be asked as well. Do not promise a free table: the restaurant confirms each request.\n\nOpening hours: [[openingHours]]\n\n[[houseFacts]]',
        maxTurns: 6,
        on: { next: 'tableToo', noAnswer: 'toHost' },
      },
      tableToo: {
        kind: 'route',
        name: 'Offer a table',
        prompt: 'Would you like me to note a table for you?',
        options: [
          { id: 'yes', title: 'Yes', description: 'Wants a table.', target: 'table' },
          { id: 'question', title: 'Question', description: 'Has another question.', target: 'questions' },
          { id: 'no', title: 'No', description: 'Needs nothing more.', target: 'goodbye' },
        ],
        on: { fallback: 'goodbye' },
      },
      toHost: {
        kind: 'transfer',
        name: 'To the host',
        line: "One moment please, I'll put you through to the restaurant.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'cold',
        on: { failed: 'callBack' },
      },
      callBack: {
        kind: 'collect',
        name: 'Call back',
        prompt:
          "I'm sorry, everybody is busy with guests. May I have your name and number? We'll call you back.",
        collect: [
          { id: 'name', variableId: 'guestName', description: 'First and last name', required: true },
          { id: 'number', variableId: 'guestNumber', description: 'A phone number', required: true },
          { id: 'wishes', variableId: 'wishes', description: 'What it is about' },
        ],
        maxAttempts: 3,
        on: { next: 'callBackNoted', failed: 'callAgain' },
      },
      requested: {
        kind: 'end',
        name: 'Requested',
        line: "Thank you, {{guestName}}. I've noted your table, and we will confirm it shortly. Goodbye!",
      },
      changeNoted: {
        kind: 'end',
        name: 'Change noted',
        line: "Thank you, {{guestName}}. I've passed that on. We'll call you if it cannot be done. Goodbye!",
      },
      callBackNoted: {
        kind: 'end',
        name: 'Call back noted',
        line: "Thank you. We'll call you back. Goodbye!",
      },
      callAgain: {
        kind: 'end',
        name: 'Call again',
        line: "I'm sorry, I couldn't take that down. We are here [[openingHours]]. Goodbye.",
      },
      goodbye: {
        kind: 'end',
        name: 'Goodbye',
        line: 'Thank you for calling [[businessName]]. See you soon!',
      },
    },
    variables: [
      { id: 'guests', name: 'Guests', type: 'number' },
      { id: 'day', name: 'Day', type: 'text' },
      { id: 'time', name: 'Time', type: 'text' },
      { id: 'guestName', name: 'Name', type: 'text' },
      { id: 'guestNumber', name: 'Number', type: 'text' },
      { id: 'wishes', name: 'Allergies and wishes', type: 'text' },
      { id: 'correction', name: 'Correction', type: 'text' },
      { id: 'change', name: 'Change', type: 'text' },
    ],
    hooks: {
      after: {
        entryPoints: { requested: 'tellGuest', changeNoted: 'tellOfChange', callBackNoted: 'tellOfCall' },
        nodes: {
          tellGuest: {
            id: 'tellGuest',
            name: 'Text the guest',
            sendSms: {
              to: { systemVariable: 'callerPhone' },
              message:
                '[[businessName]]: we received your request for {{guests}}, {{day}} {{time}}, and will confirm it shortly.',
            },
            next: { hookNode: 'tellOfTable' },
          },
          tellOfTable: {
            id: 'tellOfTable',
            name: 'Tell the house of a table',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message:
                'To confirm: {{guests}} guests, {{day}} {{time}}, {{guestName}}, {{guestNumber}}. {{wishes}} {{correction}}',
            },
            next: { end: true },
          },
          tellOfChange: {
            id: 'tellOfChange',
            name: 'Tell the house of a change',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message: 'Change: {{guestName}}, {{day}}: {{change}}. Called from {{callerPhone}}',
            },
            next: { end: true },
          },
          tellOfCall: {
            id: 'tellOfCall',
            name: 'Tell the house to call back',
            sendSms: {
              to: { literalString: '[[notifyNumber]]' },
              message: 'Please call back {{guestName}}, {{guestNumber}}. {{wishes}}',
            },
            next: { end: true },
          },
        },
      },
    },
  },
};
