import type { Random } from './random.ts';

/** A fact of a caller, in the words of people on the telephone. */
export interface Spoken {
  readonly topic: string;
  /** The answer to a question about it. */
  readonly says: string;
  /** The same within a longer sentence. */
  readonly clause: string;
  /** Forms of which a record has one, compared as `containsOne` does. */
  readonly value: readonly string[];
  /** As a careful person writes it down. */
  readonly written: string;
  /** Forms of which a record has one to the letter, if `value` is too lenient: "Thursday" is also the Thursday after. */
  readonly exact?: readonly string[];
}

const fill = (sentence: string, word: string) => sentence.replaceAll('_', word);

const names = [
  'Priya Nair',
  'Tom Becker',
  'Rosa Delgado',
  "Siobhan O'Neill",
  'Marcus Webb',
  'Hannah Lindqvist',
  'Amir Haddad',
  'Grace Kim',
  'Luca Romano',
  'Beth Carmichael',
  'Dmitri Volkov',
  'Fatima El-Sayed',
  'Joanne Pruitt',
  'Wei Zhang',
  'Kwame Mensah',
  'Ellen van Dyke',
  'Ravi Patel',
  'Sarah Goldberg',
  'Pedro Alves',
  'Mary-Ann Fisher',
  'Nigel Thornbury',
  'April Summers',
  'Will Best',
  'Chloe Martin',
  'Yusuf Demir',
  'Agnieszka Nowak',
  'Bill Friday',
  'Dorothy Gale',
];

export function spokenName(random: Random): Spoken {
  const name = random.pick(names);
  const [first = '', ...rest] = name.split(' ');
  const last = rest.join(' ');
  return {
    topic: 'name',
    says: random.pick([
      name,
      `it's ${name}`,
      `my name is ${name}`,
      `um, ${name}`,
      `sure, it's ${name}`,
      `this is ${name}`,
      `${name} is my name`,
      `the name's ${name}`,
      `${last}, ${name}`,
      `${first}, ${name}`,
      `yeah, I'm ${name}`,
    ]),
    clause: random.pick([
      `this is ${name}`,
      `my name is ${name}`,
      `I'm ${name}`,
      `${name} here`,
      `it's ${name}`,
      `the name's ${name}`,
    ]),
    value: [name],
    written: name,
  };
}

const digitNames = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

function inWords(digits: string, zero: string): string {
  return digits
    .split('')
    .map((digit) => (digit === '0' ? zero : digitNames[Number(digit)]))
    .join(' ');
}

export function spokenPhone(random: Random): Spoken {
  const area = random.pick(['202', '312', '415', '617', '206', '713']);
  const line = `01${10 + Math.floor(random.next() * 90)}`;
  const zero = random.pick(['oh', 'zero']);
  const plain = `${area}-555-${line}`;
  const number = random.pick([
    plain,
    plain,
    `${area}555${line}`,
    `(${area}) 555-${line}`,
    `${area} 555 ${line}`,
    `${area}.555.${line}`,
    `+1 ${area} 555 ${line}`,
    `area code ${area}, 555 ${line}`,
    `${area}, 555, ${line.slice(0, 2)}, ${line.slice(2)}`,
    `${inWords(area, zero)}, five five five, ${inWords(line, zero)}`,
    `${inWords(area, zero)} triple five ${inWords(line, zero)}`,
  ]);
  return {
    topic: 'phone',
    says: fill(
      random.pick([
        '_',
        '_',
        "it's _",
        'uh, _',
        'you can reach me at _',
        'my number is _',
        'sure, _',
        "my cell, that's _",
        '_, please',
      ]),
      number,
    ),
    clause: fill(
      random.pick([
        'my number is _',
        'you can reach me at _',
        'my cell is _',
        'my phone number is _',
        'call me on _',
      ]),
      number,
    ),
    value: [plain, `1${plain}`],
    written: `${area}555${line}`,
  };
}

/** The number that the caller calls from. */
export function ownPhone(random: Random): Spoken {
  const phone = spokenPhone(random);
  return {
    ...phone,
    says: random.pick([
      "the one I'm calling from",
      "just this one, the number I'm calling from",
      "the number I'm calling from is fine",
    ]),
  };
}

/** Numbers that are too short to be called. */
export function shortPhone(random: Random): string {
  return random.pick(['555-01', '202 555', '5 5 5 0 1', '202-55', '555 014', '2 0 2 5 5']);
}

/** Days that a calendar does not have. */
export function impossibleDay(random: Random): string {
  return random.pick([
    'the 31st of November',
    'February 30th',
    'November 31st',
    'the 32nd of December',
    'the 31st of April',
  ]);
}

interface Day {
  readonly iso: string;
  readonly says: readonly string[];
}

/** Calls take place on Tuesday, November 24, 2026. */
const weekdays: readonly Day[] = [
  { iso: '2026-11-25', says: ['tomorrow', 'Wednesday', 'this Wednesday'] },
  {
    iso: '2026-11-26',
    says: ['Thursday', 'this Thursday', 'Thursday this week', 'the day after tomorrow'],
  },
  { iso: '2026-11-27', says: ['Friday', 'this Friday', 'November 27th', 'Friday the 27th'] },
  { iso: '2026-12-01', says: ['a week from today', 'December 1st', 'the first of December'] },
  { iso: '2026-12-02', says: ['Wednesday next week', 'the 2nd of December', 'December second'] },
  { iso: '2026-12-03', says: ['Thursday of next week', 'December 3rd', 'the third of December'] },
  { iso: '2026-12-04', says: ['Friday next week', 'Friday, December 4th', 'the fourth of December'] },
  { iso: '2026-12-10', says: ['December 10th', 'the tenth of December', 'Thursday, December 10'] },
];
const weekend: readonly Day[] = [
  { iso: '2026-11-28', says: ['Saturday', 'this Saturday', 'the 28th of November'] },
  { iso: '2026-11-29', says: ['Sunday', 'this coming Sunday'] },
  { iso: '2026-12-05', says: ['Saturday next week', 'December 5th', 'the fifth of December'] },
];

/** @param topic `day`, or `bookedDay` for what is booked already */
export function spokenDay(random: Random, topic: string, open: 'weekdays' | 'everyDay'): Spoken {
  const { iso, says } = random.pick(open === 'weekdays' ? weekdays : [...weekdays, ...weekend, ...weekend]);
  const day = random.pick(says);
  const isNamed = /^(?:\w+day|the|December|November)/.test(day);
  return {
    topic,
    says: fill(
      random.pick(['_', '_', '_ would be good', '_, if possible', 'how about _', 'um, _', '_, please']),
      day,
    ),
    clause: isNamed ? `on ${day}` : day,
    value: [day, iso],
    written: iso,
    exact: [iso, day],
  };
}

interface Hour {
  readonly time: string;
  readonly says: readonly string[];
}

const officeHours: readonly Hour[] = [
  { time: '09:00', says: ['9 am', 'nine in the morning', "nine o'clock", '9 in the morning'] },
  { time: '10:30', says: ['10:30', 'half past ten', 'ten thirty', '10:30 in the morning'] },
  { time: '11:00', says: ['11 a.m.', 'eleven', 'around eleven'] },
  { time: '14:00', says: ['2 pm', 'two in the afternoon', '2 in the afternoon'] },
  { time: '15:15', says: ['3:15 pm', 'quarter past three in the afternoon'] },
  { time: '16:00', says: ['4 pm', 'around four in the afternoon', "four o'clock in the afternoon"] },
  { time: '08:45', says: ['8:45', 'quarter to nine in the morning'] },
  { time: '12:00', says: ['noon', '12 noon'] },
];
const tableHours: readonly Hour[] = [
  { time: '12:30', says: ['half past twelve', '12:30', 'twelve thirty'] },
  { time: '13:00', says: ['1 pm', 'one in the afternoon'] },
  { time: '18:30', says: ['6:30 pm', 'half past six in the evening'] },
  { time: '19:00', says: ['7 pm', 'seven in the evening', 'around 7 pm', '7 p.m.'] },
  { time: '19:30', says: ['7:30 pm', 'seven thirty in the evening', 'half past seven', '19:30'] },
  { time: '20:00', says: ['8 pm', 'eight in the evening', "eight o'clock", 'eight'] },
];

export function spokenTime(random: Random, open: 'office' | 'table'): Spoken {
  const { time, says } = random.pick(open === 'office' ? officeHours : tableHours);
  const hour = random.pick(says);
  return {
    topic: 'time',
    says: fill(
      random.pick(['_', '_', 'at _', '_ would be great', 'say, _', 'maybe at _', '_, please']),
      hour,
    ),
    clause: hour.startsWith('around') ? hour : `at ${hour}`,
    value: [hour, time],
    written: time,
    exact: [time, hour],
  };
}

const parties: readonly (readonly [number, readonly string[], readonly string[]])[] = [
  [2, ['two', '2', 'just two', 'just me and my husband', 'two people'], ['for two', 'for 2 people']],
  [3, ['three', 'three of us', '3 people'], ['for three', 'for 3']],
  [4, ['four', "there'll be four of us", '4 guests', 'uh, four people'], ['for four', 'for 4 people']],
  [5, ['five', 'five, with the baby', "we're five"], ['for five', 'for five people']],
  [6, ['six', 'six of us', "we'd be six"], ['for six', 'for a group of six']],
  [7, ['seven', '7 people', 'seven, I think'], ['for seven', 'for 7']],
];

export function spokenParty(random: Random): Spoken {
  const [count, says, clauses] = random.pick(parties);
  return {
    topic: 'partySize',
    says: random.pick(says),
    clause: random.pick(clauses),
    value: [String(count), digitNames[count] ?? '', ...says.filter((one) => one.includes('husband'))],
    written: String(count),
    exact: [String(count)],
  };
}

export function spokenEmail(random: Random): Spoken {
  const person = random.pick(['priya', 'tom.becker', 'office', 'webb', 'hello', 'j.pruitt']);
  const host = random.pick(['maplewood', 'oakridge', 'bluefin', 'harrow']);
  const email = `${person}@${host}.example`;
  const words = email.replaceAll('.', ' dot ').replace('@', ' at ');
  const said = random.pick([email, email, words]);
  return {
    topic: 'email',
    says: fill(random.pick(['_', "it's _", 'sure, _', 'um, _', 'my email is _']), said),
    clause: `my email is ${said}`,
    value: [email, words],
    written: email,
    exact: [email, words],
  };
}

export function spokenAddress(random: Random): Spoken {
  const [street, town] = random.pick([
    ['14 Elm Court', 'Bridgeport'],
    ['233 Canal Street', 'Fairview'],
    ['9 Mill Lane', 'Ashford'],
    ['1207 Park Avenue', 'Riverside'],
    ['58 Orchard Road', 'Milton'],
    ['71 Church Street', 'Greenville'],
  ] as const);
  return {
    topic: 'address',
    says: fill(random.pick(['_', "it's _", 'at _', 'um, _']), `${street}, ${town}`),
    clause: `I'm at ${street} in ${town}`,
    value: [street],
    written: `${street}, ${town}`,
  };
}

export function spokenOrderNumber(random: Random): Spoken {
  const number = String(51_000 + Math.floor(random.next() * 8_999));
  const said = random.pick([number, number, inWords(number, 'zero'), number.split('').join(' ')]);
  return {
    topic: 'orderNumber',
    says: fill(random.pick(['_', "it's _", 'order _', 'number _', 'hang on... _', 'the number is _']), said),
    clause: `order ${said}`,
    value: [number, said],
    written: number,
  };
}

/** A fact of which callers have the same few wordings everywhere: each is what is said, within a sentence, and its forms. */
export function spokenOneOf(
  random: Random,
  topic: string,
  wordings: readonly (readonly [says: string, clause: string, ...value: string[]])[],
): Spoken {
  const [says, clause, ...value] = random.pick(wordings);
  return { topic, says, clause, value, written: says };
}
