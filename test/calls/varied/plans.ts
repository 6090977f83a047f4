import type { Ending } from '../caller.ts';
import type { Random } from './random.ts';
import {
  type Spoken,
  spokenAddress,
  spokenDay,
  spokenEmail,
  spokenName,
  spokenOneOf,
  spokenOrderNumber,
  spokenParty,
  spokenPhone,
  spokenTime,
} from './spoken.ts';

/** A question to an agent. `reply`: words of which the reply has one. */
export interface Question {
  readonly asks: readonly string[];
  readonly reply: readonly string[];
}

/** What callers of a template want, written from the template's description, its fields and the facts that they hold. */
export interface Plan {
  readonly key: string;
  /** How many of 20 callers have it. */
  readonly weight: number;
  /** Sentences that say what the caller wants and nothing else. */
  readonly wishes: readonly string[];
  /** Forms by which a record of the wish is known. */
  readonly wishForms: readonly string[];
  /** The wish with other facts: `{day}` stands for the clause of the topic. */
  readonly sentences: readonly string[];
  /** Topics that a caller who says everything at once adds in sentences of their own. */
  readonly added: readonly string[];
  readonly facts: (random: Random) => readonly Spoken[];
  readonly ending: Ending;
  /** Further endings with which a good receptionist would serve the caller as well. */
  readonly orEnding?: readonly Ending[];
  readonly kept: readonly string[];
  readonly hears?: readonly (readonly string[])[];
  /** True if the agent has to read back what it has noted, so that there is a turn for it. */
  readonly readsBack?: boolean;
  /** Topics that a caller may correct. */
  readonly corrects: readonly string[];
  /** What a competent model takes the wish for, by the title of an option. */
  readonly option: RegExp;
  /** True for what the business calls an emergency, or a good lead. */
  readonly isSpecial?: boolean;
  /** Whether the look-up of the calling number finds an order. */
  readonly isKnownNumber?: boolean;
}

export interface TemplatePlans {
  readonly plans: readonly Plan[];
  readonly known: readonly Question[];
  readonly unknown: readonly Question[];
  /** The ending for a caller who asks for a person. */
  readonly personEnding: Ending;
}

/** Replies to a question that the facts do not answer. */
export const doesNotKnow: readonly string[] = [
  "don't know",
  "can't answer",
  'not sure',
  "can't say",
  'afraid',
  'put you through',
  'leave a message',
  'colleague',
  'the team',
];

const commonFacts = (random: Random): Spoken[] => [spokenName(random), spokenPhone(random)];

function yesOrNo(random: Random, topic: string, yes: readonly string[], no: readonly string[]): Spoken {
  const isYes = random.chance(0.5);
  const says = random.pick(isYes ? yes : no);
  return { topic, says, clause: says, value: [isYes ? 'yes' : 'no', says], written: isYes ? 'yes' : 'no' };
}

const questionPlan = (plan: Pick<Plan, 'wishes' | 'hears' | 'wishForms'> & Partial<Plan>): Plan => ({
  key: 'question',
  weight: 1,
  sentences: plan.wishes,
  added: [],
  facts: commonFacts,
  ending: 'answered',
  kept: [],
  corrects: [],
  option: /question|^hours/i,
  ...plan,
});

const questionsOf = (questions: readonly Question[], weight: number, more: Partial<Plan> = {}): Plan[] =>
  questions.map(({ asks, reply }, index) =>
    questionPlan({
      key: `question ${index + 1}`,
      weight,
      wishes: asks,
      wishForms: reply,
      hears: [reply],
      ...more,
    }),
  );

const architects: readonly Question[] = [
  {
    asks: ['What are your opening hours?', 'when are you open?', 'Are you open on Friday afternoon?'],
    reply: ['9 am', '5 pm', 'Monday to Friday'],
  },
  {
    asks: ['Where are you located?', "What's your address?", 'where is your office?'],
    reply: ['12 Quay Street'],
  },
  {
    asks: ['What does a first meeting cost?', 'how much is a first meeting?', 'Is the first meeting free?'],
    reply: ['free'],
  },
  {
    asks: ['What kind of buildings do you plan?', 'Do you plan private houses?', 'do you do conversions?'],
    reply: ['private houses', 'conversions'],
  },
];

const receptionist: TemplatePlans = {
  personEnding: 'transferred',
  known: architects,
  unknown: [
    { asks: ['Do you also do interior design?', 'have you got parking?'], reply: doesNotKnow },
    { asks: ['how many people work for you?', 'Do you know a good builder?'], reply: doesNotKnow },
  ],
  plans: [
    ...questionsOf(architects, 1),
    {
      key: 'message',
      weight: 6,
      wishes: [
        "I'd like to leave a message.",
        'Could I leave a message for Mr. Lane?',
        'can you pass something on for me?',
        'Can you take a message?',
      ],
      wishForms: ['message', 'pass'],
      sentences: ["I'd like to leave a message: {message}.", 'Please tell the team {message}.'],
      added: ['name', 'phone'],
      facts: (random) => [
        ...commonFacts(random),
        spokenOneOf(random, 'message', [
          ['the drawings have arrived', 'the drawings have arrived', 'drawings'],
          ['the permit came through', 'that the permit came through', 'permit'],
          ["I'm running ten minutes late for the site visit", "I'm running late for the site visit", 'late'],
          ['we have decided to go with the oak floor', 'that we go with the oak floor', 'oak floor'],
          ["it's about the crack in the kitchen wall", 'there is a crack in the kitchen wall', 'crack'],
        ]),
      ],
      ending: 'taken',
      kept: ['name', 'phone', 'message'],
      corrects: ['name', 'phone'],
      option: /message/i,
    },
    {
      key: 'call back',
      weight: 4,
      wishes: [
        'Could somebody call me back?',
        "I'd like a call back, please.",
        'can someone ring me back today',
      ],
      wishForms: ['call', 'ring'],
      sentences: ['Could somebody call me back about {message}?'],
      added: ['name', 'phone'],
      facts: (random) => [
        ...commonFacts(random),
        spokenOneOf(random, 'message', [
          ["it's about my loft conversion", 'my loft conversion', 'loft'],
          ['the invoice from last month', 'the invoice from last month', 'invoice'],
          ['we want to build a garage', 'a garage that we want to build', 'garage'],
        ]),
      ],
      ending: 'taken',
      // Whoever is free can speak with the caller at once.
      orEnding: ['transferred'],
      kept: ['name', 'phone', 'message'],
      corrects: ['name', 'phone'],
      option: /message/i,
    },
    {
      key: 'person',
      weight: 6,
      wishes: [
        'Could I speak to one of the architects?',
        "I'd like to talk to Ms. Harbour, please.",
        'can you put me through to someone about my house plans',
        'Is Mr. Lane in?',
      ],
      wishForms: ['speak', 'talk', 'plans', 'Lane', 'architect', 'Harbour'],
      sentences: ["I'd like to speak to someone about our extension."],
      added: ['name', 'phone'],
      facts: (random) => [
        ...commonFacts(random),
        spokenOneOf(random, 'message', [['our extension', 'our extension', 'extension']]),
      ],
      ending: 'transferred',
      kept: [],
      corrects: [],
      option: /person/i,
    },
  ],
};

const dentist: readonly Question[] = [
  { asks: ['How much is a cleaning?', 'what does a cleaning cost?'], reply: ['90 dollars'] },
  { asks: ['How long does a check-up take?', 'how long is a checkup?'], reply: ['30 minutes'] },
  {
    asks: ['What are your opening hours?', 'when are you open?', 'How late are you open?'],
    reply: ['8 am', '6 pm'],
  },
  {
    asks: ['Should new patients come early?', 'do I have to come early as a new patient?'],
    reply: ['ten minutes early'],
  },
];

const treatments = [
  ['a check-up', 'a check-up', 'check-up', 'checkup'],
  ['a cleaning', 'a cleaning', 'clean'],
  ['I need a filling', 'a filling', 'filling'],
  ['a regular checkup', 'a regular checkup', 'check-up', 'checkup'],
  ['to get my teeth cleaned', 'to get my teeth cleaned', 'clean'],
  ["it's about a crown", 'a new crown', 'crown'],
] as const;

const firstVisit = (random: Random) =>
  yesOrNo(
    random,
    'firstVisit',
    ["yes, it's my first time", "yeah, I'm new"],
    ["no, I've been before", "no, I'm a patient already"],
  );

const dentalBooking = (random: Random): Spoken[] => [
  ...commonFacts(random),
  spokenOneOf(random, 'service', treatments),
  spokenDay(random, 'day', 'weekdays'),
  spokenTime(random, 'office'),
  firstVisit(random),
];

const appointmentBooking: TemplatePlans = {
  personEnding: 'transferred',
  known: dentist,
  unknown: [
    { asks: ['Do you take Delta insurance?', 'is there parking at your place?'], reply: doesNotKnow },
    { asks: ['do you treat children under three?', 'Can I pay in instalments?'], reply: doesNotKnow },
  ],
  plans: [
    ...questionsOf(dentist, 0.75),
    {
      key: 'book',
      weight: 11,
      wishes: [
        "I'd like to book an appointment.",
        'I need an appointment.',
        "I'd like to make an appointment, please.",
        'can I get an appointment',
        'I want to come in and see the dentist.',
      ],
      wishForms: ['appointment', 'dentist'],
      sentences: [
        "I'd like an appointment for {service}, {day} {time}.",
        'Can I come in {day} {time} for {service}?',
        'I need {service}, preferably {day} {time}.',
        'Could you book me in {time} {day}? It is for {service}.',
      ],
      added: ['name', 'phone'],
      facts: dentalBooking,
      ending: 'taken',
      kept: ['name', 'phone', 'service', 'day', 'time'],
      readsBack: true,
      corrects: ['day', 'time', 'name', 'phone'],
      option: /^(?:yes$|book a)/i,
    },
    {
      key: 'change',
      weight: 3,
      wishes: [
        'I need to move my appointment.',
        "I'd like to change my appointment.",
        'can I reschedule my appointment',
        'I have an appointment but I have to move it.',
      ],
      wishForms: ['move', 'change', 'reschedule'],
      sentences: ['I have an appointment {bookedDay} and I need to {change}.'],
      added: ['name'],
      facts: (random) => [
        ...commonFacts(random),
        spokenDay(random, 'bookedDay', 'weekdays'),
        spokenOneOf(random, 'change', [
          ['move it to the Monday after', 'move it to the Monday after', 'Monday'],
          ['make it an hour later', 'make it an hour later', 'hour later'],
          ['could we do the morning instead?', 'move it to the morning', 'morning'],
        ]),
      ],
      ending: 'taken',
      kept: ['name', 'bookedDay', 'change'],
      corrects: ['name'],
      option: /change/i,
    },
    {
      key: 'cancel',
      weight: 3,
      wishes: ['I have to cancel my appointment.', "I can't make it to my appointment, please cancel it."],
      wishForms: ['cancel'],
      sentences: ['I have to cancel my appointment {bookedDay}.'],
      added: ['name'],
      facts: (random) => [
        ...commonFacts(random),
        spokenDay(random, 'bookedDay', 'weekdays'),
        spokenOneOf(random, 'change', [
          ['just cancel it', 'cancel it', 'cancel'],
          ['I want to cancel it', 'cancel it', 'cancel'],
        ]),
      ],
      ending: 'taken',
      kept: ['name', 'bookedDay', 'change'],
      corrects: ['name'],
      option: /change/i,
    },
  ],
};

const solar: readonly Question[] = [
  { asks: ['What does it cost?', 'how much does a typical home pay?'], reply: ['12,000', '20,000'] },
  { asks: ['Is the quote free?', 'does a visit cost anything?'], reply: ['free'] },
  { asks: ['Do you sell batteries too?', 'do you have batteries'], reply: ['batteries'] },
];

const solarFacts =
  (isGood: boolean) =>
  (random: Random): Spoken[] => {
    const reach = random.chance(0.6) ? spokenPhone(random) : spokenEmail(random);
    return [
      spokenName(random),
      reach,
      spokenOneOf(random, 'reason', [
        ['solar panels for my house', 'solar panels for my house', 'panels', 'solar'],
        ['panels on the roof and a battery', 'solar panels and a battery', 'panels', 'solar'],
        ['more solar panels for the roof we have', 'more solar panels', 'panels', 'solar'],
      ]),
      spokenOneOf(
        random,
        'place',
        isGood
          ? [
              ['in Milton', 'in Milton', 'Milton'],
              ['Ashford, about 20 miles from you', 'in Ashford', 'Ashford'],
              ["it's 02186", 'in 02186', '02186'],
            ]
          : [
              ['in Denver, that is 300 miles away', 'in Denver', 'Denver'],
              ['Springfield, 200 miles from you', 'in Springfield', 'Springfield'],
            ],
      ),
      spokenOneOf(
        random,
        'timing',
        isGood
          ? [
              ['as soon as possible', 'as soon as possible', 'soon'],
              ['in the spring', 'in the spring', 'spring'],
              ['within three months', 'within three months', 'three months', '3 months'],
              ['next month', 'next month', 'next month'],
            ]
          : [['in two years or so', 'in two years', 'two years', '2 years']],
      ),
      spokenOneOf(random, 'budget', [
        ['about 15,000 dollars', 'for about 15,000 dollars', '15,000'],
        ['up to twenty thousand', 'for up to twenty thousand', 'twenty thousand', '20'],
      ]),
      spokenOneOf(
        random,
        'owner',
        isGood ? [['yes, we own it', 'we own it', 'own']] : [['no, we rent', 'we rent', 'rent']],
      ),
      spokenOneOf(random, 'callTime', [
        ['tomorrow morning', 'tomorrow morning', 'tomorrow'],
        ['any day after five', 'after five', 'five', '5'],
      ]),
    ];
  };

const lead = (isGood: boolean): Omit<Plan, 'key' | 'weight' | 'ending' | 'kept'> => ({
  wishes: [
    "I'm interested in solar panels.",
    "I'd like a quote for solar.",
    'we are thinking about getting solar panels',
    "I'd like some advice on panels for my house.",
  ],
  wishForms: ['solar', 'panels'],
  sentences: [
    "I'm interested in {reason} {place}, and we'd like to start {timing}.",
    'We want {reason} {place}, starting {timing}, {budget}.',
  ],
  added: ['name', 'reach'],
  facts: solarFacts(isGood),
  corrects: ['name', 'place'],
  option: /^interested|^yes/i,
  isSpecial: isGood,
});

const leadQualification: TemplatePlans = {
  personEnding: 'transferred',
  known: solar,
  unknown: [
    { asks: ['Which brand of panels do you use?', 'are there any government grants?'], reply: doesNotKnow },
    { asks: ['How many people work for you?', 'do you do heat pumps'], reply: doesNotKnow },
  ],
  plans: [
    ...questionsOf(solar, 1, { orEnding: ['transferred'] }),
    {
      key: 'good lead',
      weight: 7,
      ending: 'transferred',
      kept: ['name', 'reach', 'reason', 'place', 'timing'],
      ...lead(true),
    },
    {
      key: 'call me later',
      weight: 5,
      ending: 'taken',
      kept: ['name', 'reach', 'reason', 'place', 'timing'],
      ...lead(true),
    },
    {
      key: 'no lead',
      weight: 3,
      ending: 'taken',
      kept: ['name', 'reach', 'reason', 'place', 'timing'],
      ...lead(false),
    },
    {
      key: 'customer',
      weight: 2,
      wishes: ['My panels stopped working.', "I'm a customer and my inverter is broken."],
      wishForms: ['panels', 'inverter'],
      sentences: ["I'm a customer of yours and my inverter shows an error."],
      added: ['name', 'phone'],
      facts: commonFacts,
      ending: 'transferred',
      kept: [],
      corrects: [],
      option: /customer/i,
    },
  ],
};

const delivery: readonly Question[] = [
  { asks: ['How do returns work?', 'can I send something back for free?'], reply: ['30 days'] },
  { asks: ['How long does a refund take?', 'when do I get my money back?'], reply: ['ten days'] },
  {
    asks: ['how long does delivery take?', 'How fast do you ship?'],
    reply: ['two working days', 'three to five'],
  },
];

const problemFacts = (random: Random): Spoken[] => [
  ...commonFacts(random),
  spokenOrderNumber(random),
  spokenOneOf(random, 'problem', [
    ['the lamp is broken', 'the lamp is broken', 'broken'],
    ['one chair is missing', 'one chair is missing', 'missing'],
    ['they sent me the wrong colour', 'you sent the wrong colour', 'wrong colour'],
    ['the table has a big scratch', 'the table has a big scratch', 'scratch'],
  ]),
  spokenOneOf(random, 'wishes', [
    ['I want my money back', "I'd like my money back", 'money back', 'refund'],
    ['please send a new one', 'please send a new one', 'new one'],
  ]),
];

const problem = {
  wishes: [
    'There is a problem with my order.',
    'something is wrong with my order',
    'My order arrived damaged.',
    'I have a complaint about an order.',
  ],
  wishForms: ['problem', 'wrong', 'damaged', 'complaint', 'order'],
  sentences: [
    '{problem} in {orderNumber}, {wishes}.',
    "I'm calling about {orderNumber}: {problem}, {wishes}.",
  ],
  added: ['phone'],
  facts: problemFacts,
  ending: 'taken',
  kept: ['orderNumber', 'problem', 'phone'],
  corrects: ['orderNumber', 'phone'],
  option: /problem|an order/i,
} as const;

const orderStatus: TemplatePlans = {
  personEnding: 'transferred',
  known: delivery,
  unknown: [
    {
      asks: ['Do you ship to Canada?', 'is there a shop where I can look at the lamps?'],
      reply: doesNotKnow,
    },
    { asks: ['Do you have gift wrapping?', 'can I pay by invoice?'], reply: doesNotKnow },
  ],
  plans: [
    ...questionsOf(delivery, 1, { isKnownNumber: true }),
    {
      key: 'where is it',
      weight: 5,
      wishes: [
        'Where is my order?',
        'when will my order arrive?',
        "I'd like to know where my package is.",
        'Has my order been shipped?',
      ],
      wishForms: ['order', 'package'],
      sentences: ["I'm waiting for my order, when does it come?"],
      added: ['name'],
      facts: problemFacts,
      ending: 'answered',
      kept: [],
      hears: [['Friday', 'shipped']],
      corrects: [],
      option: /status/i,
      isKnownNumber: true,
    },
    { key: 'problem', weight: 5, ...problem, isKnownNumber: true },
    { key: 'problem, unknown number', weight: 4, ...problem, isKnownNumber: false },
    {
      key: 'where, unknown number',
      weight: 3,
      wishes: ['Where is my order?', 'when will my order arrive?', "where's my package"],
      wishForms: ['order', 'package'],
      sentences: ['Where is my {orderNumber}?'],
      added: ['name'],
      facts: problemFacts,
      ending: 'transferred',
      kept: ['orderNumber'],
      corrects: [],
      option: /status/i,
      isKnownNumber: false,
    },
  ],
};

const pool: readonly Question[] = [
  {
    asks: ['When are you open?', 'what are your opening hours', 'How late are you open?'],
    reply: ['7 am', '9 pm'],
  },
  {
    asks: ['What does it cost?', 'how much is it for adults?', 'How much do kids pay?'],
    reply: ['8 dollars', '4 dollars'],
  },
  { asks: ['May I bring food?', 'can we bring our own food'], reply: ['no glass'] },
  { asks: ['Is there parking?', 'where can I park', 'Do you have parking?'], reply: ['three hours'] },
];

const poolUnknown: readonly Question[] = [
  { asks: ['Do you offer swimming lessons?', 'do you have a sauna?'], reply: doesNotKnow },
  { asks: ['How warm is the water?', 'Can I rent a locker?'], reply: doesNotKnow },
];

const faq: TemplatePlans = {
  personEnding: 'transferred',
  known: pool,
  unknown: poolUnknown,
  plans: [
    ...questionsOf(pool, 2),
    ...questionsOf(poolUnknown, 2, {
      ending: 'transferred',
      orEnding: ['taken', 'answered'],
    }).map((plan, index) => ({ ...plan, key: `unknown question ${index + 1}` })),
    {
      key: 'link',
      weight: 4,
      wishes: ['Can you text me the link to your website?', 'please send me the link'],
      wishForms: ['link'],
      sentences: ['Could you text me a link to your website?'],
      added: [],
      facts: commonFacts,
      ending: 'taken',
      kept: [],
      hears: [['link']],
      corrects: [],
      option: /link/i,
    },
    {
      key: 'lost',
      weight: 4,
      wishes: ['I lost my ring at your pool.', 'My son left his backpack at the pool yesterday.'],
      wishForms: ['lost', 'left', 'ring', 'backpack'],
      sentences: ['I think I lost my keys in the changing room yesterday.'],
      added: ['name', 'phone'],
      facts: commonFacts,
      ending: 'transferred',
      orEnding: ['taken'],
      kept: [],
      corrects: [],
      option: /complaint|person/i,
    },
  ],
};

const plumber: readonly Question[] = [
  {
    asks: [
      'When are you open?',
      'what are your hours',
      'When are you back in the office?',
      'when do you open?',
    ],
    reply: ['7 am', '6 pm'],
  },
];

const emergencies = [
  ['water is coming through the ceiling', 'water is coming through the ceiling', 'ceiling'],
  ['a pipe burst and water is running out', 'a pipe burst and water is running out', 'pipe'],
  ["the heating's dead and it's freezing", "the heating is out and it's freezing", 'heating'],
  ["the drain's blocked and the water is rising", 'the drain is blocked and the water is rising', 'drain'],
] as const;

const canWait = [
  ['my tap drips a little', 'my tap drips a little', 'tap'],
  ["I'd like an offer for a new bathroom", 'an offer for a new bathroom', 'bathroom'],
  ['the boiler needs its yearly service', 'the yearly service of the boiler', 'boiler', 'service'],
  ['a radiator makes a knocking noise', 'a radiator that makes a knocking noise', 'radiator'],
] as const;

const afterHours: TemplatePlans = {
  personEnding: 'taken',
  known: plumber,
  unknown: [
    { asks: ['What does a new boiler cost?', 'do you do solar as well?'], reply: doesNotKnow },
    {
      asks: ['how much do you charge per hour?', 'Do you work on Sundays?'],
      reply: [...doesNotKnow, 'Saturday'],
    },
  ],
  plans: [
    ...questionsOf(plumber, 3, { orEnding: ['taken'] }),
    {
      key: 'emergency',
      weight: 8,
      wishes: ["It's an emergency!", "it's urgent", 'I need somebody right now.', 'this cannot wait'],
      wishForms: ['emergency', 'urgent', 'right now', 'wait'],
      sentences: ['{problem}!', "It's urgent, {problem}.", 'Help, {problem}, I need somebody right now.'],
      added: ['address', 'phone', 'name'],
      facts: (random) => [
        ...commonFacts(random),
        spokenAddress(random),
        spokenOneOf(random, 'problem', emergencies),
      ],
      ending: 'emergency',
      kept: ['problem', 'address', 'phone'],
      corrects: ['address', 'phone'],
      option: /^urgent|^emergency/i,
      isSpecial: true,
    },
    {
      key: 'message',
      weight: 9,
      wishes: [
        "It's not urgent.",
        "no hurry, I'd like to leave a message",
        'It can wait, but somebody should call me.',
        "it's nothing dramatic",
      ],
      wishForms: ['not urgent', 'no hurry', 'can wait', 'nothing dramatic', 'message', 'call me'],
      sentences: [
        "It's not urgent, I'm calling about {problem}.",
        "No rush at all: {problem}. It's not an emergency.",
      ],
      added: ['name', 'phone'],
      facts: (random) => [
        ...commonFacts(random),
        spokenAddress(random),
        spokenOneOf(random, 'problem', canWait),
      ],
      ending: 'taken',
      kept: ['name', 'phone', 'problem'],
      corrects: ['name', 'phone'],
      option: /can wait|message|^yes/i,
    },
  ],
};

const trattoria: readonly Question[] = [
  { asks: ['Do you have vegan dishes?', 'is there anything vegan'], reply: ['vegan'] },
  { asks: ['Can I bring my dog?', 'are dogs allowed'], reply: ['Dogs are welcome', 'dogs'] },
  { asks: ['Where can I park?', 'Is there parking?'], reply: ['behind the house'] },
  { asks: ['When are you open?', 'what are your opening hours?'], reply: ['noon', '10 pm'] },
  { asks: ['Do you have gluten-free pasta?', 'is there gluten free pasta'], reply: ['on request'] },
];

const restaurantReservation: TemplatePlans = {
  personEnding: 'transferred',
  known: trattoria,
  unknown: [
    { asks: ['Do you have live music?', 'is there a dress code?'], reply: doesNotKnow },
    { asks: ['How much is the tiramisu?', 'do you deliver?'], reply: doesNotKnow },
  ],
  plans: [
    ...questionsOf(trattoria, 0.6),
    {
      key: 'table',
      weight: 11,
      wishes: [
        "I'd like to book a table.",
        'can I reserve a table',
        "I'd like to make a reservation.",
        'Do you have a table free?',
        'We would like to come for dinner.',
      ],
      wishForms: ['table', 'reserv', 'dinner'],
      sentences: [
        "I'd like a table {partySize}, {day} {time}.",
        'Can I book a table {day} {time} {partySize}?',
        'A table {partySize} {time} {day}, please.',
        'I want to reserve {partySize}, {day}, {time}.',
      ],
      added: ['name', 'phone'],
      facts: (random) => [
        ...commonFacts(random),
        spokenParty(random),
        spokenDay(random, 'day', 'everyDay'),
        spokenTime(random, 'table'),
        spokenOneOf(random, 'wishes', [
          ['no, nothing special', 'nothing special', 'no'],
          ['we need a high chair', 'with a high chair', 'high chair'],
          ['my wife is allergic to nuts', 'and no nuts, please', 'nuts'],
          ['on the terrace if possible', 'on the terrace', 'terrace'],
        ]),
      ],
      ending: 'taken',
      kept: ['name', 'phone', 'partySize', 'day', 'time'],
      readsBack: true,
      corrects: ['day', 'time', 'partySize', 'name', 'phone'],
      option: /^(?:yes$|book a)/i,
    },
    {
      key: 'change',
      weight: 3,
      wishes: ['I need to change my reservation.', 'we have a table booked but have to move it'],
      wishForms: ['change', 'move'],
      sentences: ['We have a table {bookedDay} and I need to {change}.'],
      added: ['name'],
      facts: (random) => [
        ...commonFacts(random),
        spokenDay(random, 'bookedDay', 'everyDay'),
        spokenOneOf(random, 'change', [
          ["we'll be two more people", 'add two people', 'two'],
          ['make it half an hour later', 'make it half an hour later', 'half an hour later'],
          ['could we come at eight instead?', 'come at eight instead', 'eight', '8', '20:00'],
        ]),
      ],
      ending: 'taken',
      kept: ['name', 'bookedDay', 'change'],
      corrects: ['name'],
      option: /change/i,
    },
    {
      key: 'large party',
      weight: 3,
      wishes: [
        "We're a party of twenty.",
        "I'd like a table for 15 people.",
        'Do you have a private room for a birthday with 30 guests?',
      ],
      wishForms: ['twenty', '15', '30'],
      sentences: ["I'd like to book for 14 people {day}."],
      added: ['name', 'phone'],
      facts: (random) => [...commonFacts(random), spokenDay(random, 'day', 'everyDay')],
      ending: 'transferred',
      kept: [],
      corrects: [],
      option: /large/i,
    },
  ],
};

const software: readonly Question[] = [
  {
    asks: [
      'I forgot my password.',
      "I can't sign in, I don't remember my password",
      'How do I reset my password?',
    ],
    reply: ['sign-in page', 'works for an hour'],
  },
  { asks: ['Where do I find my invoices?', "I can't find our invoices"], reply: ['Settings', 'Billing'] },
  { asks: ["The app won't load.", 'the app does not load since this morning'], reply: ['sign out'] },
];

const support = (
  { asks, reply }: Question,
  { index, consents }: { index: number; consents: boolean },
): Plan => ({
  key: `${consents ? 'recorded' : 'not recorded'} ${index + 1}`,
  weight: consents ? 3.5 : 1.5,
  wishes: asks,
  wishForms: ['password', 'invoices', 'app'],
  sentences: asks,
  added: ['consent', 'name', 'email'],
  facts: (random) => [
    ...commonFacts(random),
    spokenEmail(random),
    spokenOneOf(
      random,
      'consent',
      consents
        ? [
            ["yes, that's fine", 'you may record this', 'yes'],
            ['sure, go ahead', "it's fine to record", 'yes'],
            ['okay', 'recording is okay', 'yes'],
          ]
        : [
            ["no, I'd rather not", "please don't record this", 'no'],
            ['no', 'no recording, please', 'no'],
            ["I don't want to be recorded", "I don't want to be recorded", 'no'],
          ],
    ),
  ],
  ending: 'answered',
  kept: consents ? ['name', 'reason'] : [],
  hears: [reply],
  corrects: consents ? ['name'] : [],
  option: /problem|another/i,
});

const supportCallLog: TemplatePlans = {
  personEnding: 'transferred',
  known: [
    { asks: ['How do I reset a password?', 'what if I forget a password?'], reply: ['sign-in page'] },
    { asks: ['Where do I find invoices?', 'Who can see the invoices?'], reply: ['Billing', 'owner'] },
  ],
  unknown: [
    { asks: ['How do I export my data?', 'is there a desktop version?'], reply: doesNotKnow },
    { asks: ['Can I change the language of the app?', 'how much is the premium plan'], reply: doesNotKnow },
  ],
  plans: [
    ...software.map((question, index) => support(question, { index, consents: true })),
    ...software.map((question, index) => support(question, { index, consents: false })),
    {
      ...support(
        { asks: ['My export fails with error 12.', 'the calendar sync is broken'], reply: [] },
        { index: 3, consents: true },
      ),
      key: 'unknown problem',
      weight: 4,
      wishForms: ['export', 'sync'],
      ending: 'transferred',
      hears: [],
    },
  ],
};

/** By the key of the template. */
export const plansOf: Readonly<Record<string, TemplatePlans>> = {
  receptionist,
  'appointment-booking': appointmentBooking,
  'lead-qualification': leadQualification,
  'order-status': orderStatus,
  faq,
  'after-hours': afterHours,
  'restaurant-reservation': restaurantReservation,
  'support-call-log': supportCallLog,
};
