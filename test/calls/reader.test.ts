import { expect, test } from 'vitest';
import type { UnderstandEffect, Wanted } from '../../src/calls/call-state.ts';
import { readByRule } from '../../src/calls/reader.ts';

const facts = [
  'When are you open? Every day from 7 am to 9 pm.',
  'What does it cost? Adults 8 dollars, children 4 dollars.',
  'Is there parking? Yes, free for three hours.',
];

const answer = (text: string, passages: readonly string[] = facts): UnderstandEffect => ({
  kind: 'understand',
  id: 'e0',
  step: 'answers',
  reads: 'answer',
  text,
  instruction: 'Answer from the facts.',
  values: {},
  passages,
  history: [{ who: 'caller', text }],
});

test('answers each question of a turn, without repeating the questions of the facts', () => {
  expect(readByRule(answer('When do you open, how much does it cost, and can we park there?'))).toEqual({
    answered: true,
    text: 'Every day from 7 am to 9 pm. Adults 8 dollars, children 4 dollars. Yes, free for three hours.',
  });
});

test('quotes the one sentence of a long fact that answers', () => {
  const fact =
    'Orders leave our warehouse within two days. Returns are free within 30 days. Refunds take ten days.';
  expect(readByRule(answer('How do I return something?', [fact]))).toEqual({
    answered: true,
    text: 'Returns are free within 30 days.',
  });
});

test.each<[string, boolean | null]>([
  ['Sure, go ahead.', true],
  ['Yes, you may record this. I forgot my password.', true],
  ["I can't get into my account, I lost my password.", null],
  ['Where are the invoices? And I do not wish to be recorded, please.', false],
  ['Thanks, bye.', null],
  ['Nein, bitte nicht aufzeichnen.', false],
])('hears in %j the consent %j', (text, consent) => {
  expect(consentHeard(text)).toBe(consent);
});

function consentHeard(text: string): unknown {
  const effect: UnderstandEffect = {
    kind: 'understand',
    id: 'e0',
    step: 'consent',
    reads: 'consent',
    text,
    history: [{ who: 'caller', text }],
  };
  return (readByRule(effect) as { readonly consent?: unknown }).consent;
}

const refusals = [
  "you can't record this",
  'you cannot record me',
  'stop recording',
  'turn the recording off',
  "I can't agree to be recorded",
  "I won't be recorded",
  'nobody may record me',
  'please skip the recording',
  "I'd hate to be recorded",
  'I object to being recorded',
  'I refuse to be recorded',
  "you mustn't record me",
  'Sie dürfen keinesfalls aufnehmen',
  'ich lehne die Aufnahme ab',
  "je refuse l'enregistrement",
  'rechazo la grabación',
  'rifiuto la registrazione',
  'ik weiger de opname, niet opnemen',
  'recuso a gravação',
  'odmawiam nagrywania, proszę nie nagrywać',
];
const wrappings: readonly ((refusal: string) => string)[] = [
  (refusal) => refusal,
  (refusal) => `${refusal}, okay.`,
  (refusal) => `Okay, but ${refusal}.`,
  (refusal) => `Yes. ${refusal}. Fine?`,
  (refusal) => `Sure, go ahead, only ${refusal}!`,
];

test.each(refusals)('takes %j for no consent, whatever is said around it', (refusal) => {
  expect(wrappings.map((wrap) => consentHeard(wrap(refusal))).filter((heard) => heard === true)).toEqual([]);
});

test.each(['Hi there?', 'Hello?', 'Good morning?', 'Hallo?', 'Allô ?'])('%j asks nothing', (text) => {
  const effect: UnderstandEffect = {
    kind: 'understand',
    id: 'e0',
    step: 'wish',
    reads: 'route',
    text,
    options: [{ id: 'question', title: 'Question', description: 'Has a question.' }],
    history: [{ who: 'caller', text }],
  };
  expect(readByRule(effect)).toEqual({ option: null });
});

test('a command beside an answer does not hide the answer', () => {
  const text = 'My name is Ana Silva. Are you a robot?';
  const effect: UnderstandEffect = {
    kind: 'understand',
    id: 'e0',
    step: 'who',
    reads: 'collect',
    text,
    wanted: [{ variableId: 'callerName', description: 'Full name', expects: 'name', asked: true }],
    commands: [{ id: 'human', description: '' }],
    history: [{ who: 'caller', text }],
  };
  expect(readByRule(effect)).toMatchObject({ command: 'human', values: { callerName: 'Ana Silva' } });
});

/** What the rule notes of a turn, where `wanted` has been asked for or is known. */
function notedFrom(text: string, ...wanted: CollectWanted[]) {
  return readByRule({
    kind: 'understand',
    id: 'e0',
    step: 'ask',
    reads: 'collect',
    text,
    wanted: wanted.map((one) => ({ description: one.variableId, asked: one.value === undefined, ...one })),
    today: '2026-11-24',
    history: [{ who: 'caller', text }],
  });
}
type CollectWanted = Pick<Wanted, 'variableId'> & Partial<Wanted>;

const phone = { variableId: 'phone', expects: 'phoneNumber' } as const;
test.each([
  ['555-0137, with 202 in front', '2025550137'],
  ['five five five, oh one four two, area code three oh three', '3035550142'],
  ['zero one one seven, no sorry that is my work, use 617 555 0145', '6175550145'],
])('reads %j as the number %s', (text, number) => {
  expect(notedFrom(text, phone)).toMatchObject({ values: { phone: number } });
});

test.each([
  ['My bad, 15,000 is what I meant.', 'budget', 'What they expect to spend', 'about 50,000', 'about 15,000'],
  ['Sorry, the order is 48213.', 'order', 'The order number', '48231', '48213'],
  [
    'I gave you our old town there, the house is in Weston.',
    'place',
    'Town or postal code',
    'Milford',
    'Weston',
  ],
  [
    'No, I said that wrong, what I need is a check-up.',
    'service',
    'One of: Check-up. Cleaning.',
    'Cleaning',
    'Check-up',
  ],
])('takes %j for a correction of the %s', (text, variableId, description, known, meant) => {
  const item = { variableId, description, expects: 'text', value: known } as const;
  expect(notedFrom(text, item)).toMatchObject({ values: { [variableId]: meant }, corrected: [variableId] });
});

test.each([
  ['Perdón, el pedido es el 48213.', 'order', 'The order number', '48231', '48213'],
  ['Entschuldigung, die Bestellung ist 48213.', 'order', 'The order number', '48231', '48213'],
  [
    'Nein, ich brauche eine Kontrolle.',
    'service',
    'Eins von: Kontrolle. Reinigung.',
    'Reinigung',
    'Kontrolle',
  ],
])(
  'takes %j for a correction of the %s in another language',
  (text, variableId, description, known, meant) => {
    const item = { variableId, description, expects: 'text', value: known } as const;
    expect(notedFrom(text, item)).toMatchObject({ values: { [variableId]: meant }, corrected: [variableId] });
  },
);

test('takes the digits of an hour for no correction of a known text', () => {
  const distance = {
    variableId: 'distance',
    description: 'How far',
    expects: 'text',
    value: '5 miles',
  } as const;
  const time = { variableId: 'time', description: 'The time', expects: 'time' } as const;
  expect(notedFrom('Sorry, at 7 pm.', distance, time)).toMatchObject({
    values: { time: '19:00' },
    corrected: [],
  });
});

test('counts callers who say how many they are, and takes nothing for an hour', () => {
  const guests = { variableId: 'guests', expects: 'number' } as const;
  const time = { variableId: 'time', expects: 'time' } as const;
  for (const text of ['We are three.', 'just 3'])
    expect(notedFrom(text, guests, time)).toMatchObject({ values: { guests: 3 } });
  expect(notedFrom('One moment, do you have something vegan?', guests)).toMatchObject({ values: {} });
});

test.each([
  ['No, that was my only question.', 'no'],
  ["No, we'll come another day.", 'no'],
  ['No, put me through to somebody.', 'person'],
  ['Great, another question: what does it cost?', 'question'],
])('takes %j for the option %s', (text, option) => {
  const options = [
    { id: 'question', title: 'Question', description: 'Has another question.' },
    { id: 'person', title: 'A person', description: 'Would like a person.' },
    { id: 'no', title: 'No', description: 'Needs nothing more.' },
  ];
  const effect: UnderstandEffect = {
    kind: 'understand',
    id: 'e0',
    step: 'more',
    reads: 'route',
    text,
    options,
    history: [{ who: 'caller', text }],
  };
  expect(readByRule(effect)).toMatchObject({ option });
});
