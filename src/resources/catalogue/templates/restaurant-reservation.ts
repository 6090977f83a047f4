import {
  assistantName,
  businessName,
  longText,
  notifyNumber,
  openingHours,
  optionalText,
  transferNumber,
} from '../fields.ts';
import { afterCall, commands, textCaller, textTeam } from '../hooks.ts';
import {
  answer,
  collect,
  end,
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
    longText(
      'houseFacts',
      'Menu, allergens, parking, children, dogs: what guests ask about',
      'Home-made pasta and fish from the grill, with several vegetarian and two vegan dishes. Gluten-free pasta on request. Twenty seats on the terrace in summer. We have high chairs. Dogs are welcome. Parking behind the house.',
    ),
    optionalText('largestParty', 'Largest party that the assistant may take', '8 guests'),
    transferNumber('+12025550131'),
    notifyNumber('+12025550132'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: greeting(
        'Welcome',
        "Thank you for calling [[businessName]]! I'm [[assistantName]], your AI assistant.",
        {
          whoAmI:
            '[[assistantName]], the AI assistant of the restaurant [[businessName]]: a warm and quick host.',
          purpose: "Take table requests and changes, and answer guests' questions.",
        },
        { next: 'wish' },
      ),
      wish: route(
        'What it is about',
        'Would you like a table, or is there something else I can do for you?',
        { fallback: 'toHost' },
        [
          [
            'table',
            'Book a table',
            'Wants to book or reserve a table, for at most [[largestParty]]: lunch or dinner.',
            'table',
          ],
          [
            'large',
            'Large party or event',
            'More guests than [[largestParty]], a private room, a set menu, a gift card.',
            'toHost',
          ],
          [
            'change',
            'Change, move or cancel a reservation',
            'Has a reservation already, to change, move or cancel, or is running late.',
            'change',
          ],
          ['question', 'Question', 'Asks about the menu, allergens, hours or the restaurant.', 'questions'],
          [
            'person',
            'A person',
            'Asks for a person, has a complaint, or has lost or left something.',
            'toHost',
          ],
        ],
      ),
      table: collect(
        'Table',
        'With pleasure. For how many guests, on which day, and at what time?',
        {
          next: 'requested',
          failed: 'toHost',
          readBack:
            'Let me read that back: a table for {{guests}}, {{day}} at {{time}}, in the name of {{guestName}}. Is that right?',
        },
        [
          required('guests', 'guests', 'The number of guests, including children, at most [[largestParty]]', {
            question: 'For how many guests?',
            expects: 'number',
          }),
          required('day', 'day', 'A date within the opening hours: [[openingHours]]', {
            question: 'For which day?',
            expects: 'date',
          }),
          required('time', 'time', 'A time for lunch or dinner, within the opening hours', {
            question: 'At what time?',
            expects: 'time',
          }),
          nameOf('guestName'),
          numberOf('guestNumber'),
          optional('wishes', 'wishes', 'Allergies, high chair, terrace, a birthday', {
            question: 'Are there any allergies or special wishes?',
            expects: 'text',
          }),
        ],
      ),
      change: collect(
        'Change a reservation',
        'Of course. In whose name is the reservation, for which day, and what would you like to change?',
        { next: 'changeNoted', failed: 'toHost' },
        [
          required('name', 'guestName', 'The name of the reservation', {
            question: 'In whose name is the reservation?',
            expects: 'name',
          }),
          required('day', 'day', 'Day of the reservation that is booked', {
            question: 'For which day is it?',
            expects: 'date',
          }),
          required(
            'change',
            'change',
            'Another day, time or number of guests, a delay, or that it is cancelled',
            { question: 'And what would you like to change?', expects: 'text' },
          ),
        ],
      ),
      questions: answer(
        'Questions',
        'Answer in one or two short sentences, from the facts and nothing else. On allergens, say only what the facts say, and add that the kitchen should be asked as well. Do not promise a free table: the restaurant confirms each request.',
        'Opening hours: [[openingHours]]\n[[houseFacts]]',
        { next: 'tableToo', noAnswer: 'toHost', maxTurns: 1 },
      ),
      tableToo: route(
        'Offer a table',
        'Would you like me to note a table for you?',
        { fallback: 'goodbye' },
        [
          ['yes', 'Yes', 'Wants a table.', 'table'],
          ['question', 'Question', 'Has another question.', 'questions'],
          ['no', 'No', 'Needs nothing more.', 'goodbye'],
        ],
      ),
      toHost: transfer('To the host', "One moment please, I'll put you through to the restaurant.", {
        mode: 'cold',
        failed: 'callBack',
      }),
      callBack: collect(
        'Call back',
        "I'm sorry, everybody is busy with guests. May I have your name and number? We'll call you back.",
        { next: 'callBackNoted', failed: 'callAgain' },
        [
          nameOf('guestName'),
          numberOf('guestNumber'),
          optional('wishes', 'wishes', 'What it is about', {
            question: 'What is it about?',
            expects: 'text',
          }),
        ],
      ),
      requested: end(
        'Requested',
        "Thank you, {{guestName}}. I've noted your table, and we will confirm it shortly. Goodbye!",
      ),
      changeNoted: end(
        'Change noted',
        "Thank you, {{guestName}}. I've passed that on. We'll call you if it cannot be done. Goodbye!",
      ),
      callBackNoted: end('Call back noted', "Thank you. We'll call you back. Goodbye!"),
      callAgain: end(
        'Call again',
        "I'm sorry, I couldn't take that down. We are here [[openingHours]]. Goodbye.",
      ),
      goodbye: end('Goodbye', 'Thank you for calling [[businessName]]. See you soon!'),
    },
    variables: [
      { id: 'guests', name: 'Guests', type: 'number' },
      ...textVariables({
        day: 'Day',
        time: 'Time',
        guestName: 'Name',
        guestNumber: 'Number',
        wishes: 'Allergies and wishes',
        change: 'Change',
      }),
    ],
    hooks: {
      ...commands({ person: 'toHost', stop: 'goodbye' }),
      ...afterCall(
        { requested: 'tellGuest', changeNoted: 'tellOfChange', callBackNoted: 'tellOfCall' },
        {
          tellGuest: textCaller(
            'Text the guest',
            '[[businessName]]: we received your request for {{guests}}, {{day}} {{time}}, and will confirm it shortly.',
            { next: 'tellOfTable' },
          ),
          tellOfTable: textTeam(
            'Tell the house of a table',
            'To confirm: {{guests}} guests, {{day}} {{time}}, {{guestName}}, {{guestNumber}}. {{wishes}}',
          ),
          tellOfChange: textTeam(
            'Tell the house of a change',
            'Change: {{guestName}}, {{day}}: {{change}}. Called from {{callerPhone}}',
          ),
          tellOfCall: textTeam(
            'Tell the house to call back',
            'Please call back {{guestName}}, {{guestNumber}}. {{wishes}}',
          ),
        },
      ),
    },
  },
};
