import { expect, test } from 'vitest';
import { disclosureLines } from '../../src/design/disclosure-lines.ts';
import { stepExamples } from '../../src/design/examples.ts';
import { starterDesign } from '../../src/design/starter.ts';
import { disclosingExamples, examplesFor, ruleOnDisclosure } from '../../src/disclosure/index.ts';
import { designNames, rawDesign } from '../designs/real-designs.ts';
import { measureSet } from './measure.ts';

const measured = measureSet('lines');
const fullSets = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt'];

test.each(measured)('accepts no blind line in $code that does not disclose', ({ passing }) => {
  expect(passing).toEqual([]);
});

test('accepts no line of the second set that does not disclose', () => {
  expect(measureSet('lines-second').flatMap(({ passing }) => passing)).toEqual([]);
});

test('accepts no line of the third set that does not disclose, and rejects as many honest ones as measured', () => {
  const third = measureSet('lines-third');
  expect(third.flatMap(({ passing }) => passing)).toEqual([]);
  expect(third.flatMap(({ refusedNamingAi }) => refusedNamingAi)).toHaveLength(3);
  expect(third.flatMap(({ refused }) => refused)).toHaveLength(95);
});

test.each(measured.filter(({ code }) => fullSets.includes(code)))(
  'rejects at most 5% of the blind lines in $code that disclose',
  ({ refused, disclosing }) => {
    expect(refused.length / disclosing, refused.join('\n')).toBeLessThanOrEqual(0.05);
  },
);

test('rejects at most 5% of the blind lines in all languages that disclose', () => {
  const refused = measured.flatMap(({ refused: lines }) => lines);
  const disclosing = measured.reduce((sum, language) => sum + language.disclosing, 0);
  expect(refused.length / disclosing, refused.join('\n')).toBeLessThanOrEqual(0.05);
});

test('accepts every line of the real designs, the starter and the examples', () => {
  const { greeting, recordingConsent } = stepExamples;
  const examples = { ...starterDesign, steps: { greeting, recordingConsent } };
  const designs = [...designNames.map(rawDesign), starterDesign, examples];
  const lines = designs.flatMap((design) => disclosureLines(design).map(({ text }) => text));
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.filter((line) => !ruleOnDisclosure(line).discloses)).toEqual([]);
});

const disclosing = [
  'Hello, I am the AI assistant of Contoso.',
  'HELLO, I AM AN AI ASSISTANT.',
  'Hello, I’m an A.I. agent.',
  'I am {{name}}, the AI assistant of {{company}}.',
  'I am not a human being, I am an AI.',
  'Bonjour, je suis l’assistante IA du cabinet.',
  'Guten Tag, hier spricht der KI‑Assistent von Contoso.',
  'Du pratar med en AI-assistent.',
  'Ви розмовляєте зі штучним інтелектом.',
];

test.each(disclosing)('accepts %s', (line) => {
  expect(ruleOnDisclosure(line)).toMatchObject({ discloses: true });
});

const silent: readonly (readonly [what: string, line: string])[] = [
  ['nothing', ''],
  ['a term in another case', 'Hello, I am an ai assistant.'],
  ['a term in another case', 'Hello, I am an Ai assistant.'],
  ['a word that contains the letters of a term', "Bonjour, j'ai bien noté, je suis Anne."],
  ['another word with the spelling of a term', 'Parlo ai clienti, sono Anna.'],
  ['a name', 'Hello, I am Kai from Contoso.'],
  ['initials', 'Hello, this is A. I. Miller.'],
  ['a virtual assistant alone', 'Hello, I am your virtual assistant.'],
  ['a robot alone', 'Hello, you are speaking with a robot.'],
  ['a variable in place of the term', 'Hello, I am {{term}} of Contoso.'],
  ['a variable in place of the acronym', 'Hello, I am an {{ai}} assistant.'],
  ['a denial', 'Hello, I am not an AI.'],
  ['a denial next to a disclosure', 'Hello, I am an AI assistant. You are not speaking with an AI.'],
  ['a claim to be human', 'I am an AI assistant. Well, in fact I am a real person.'],
  ['a question', 'Would you like to speak with an AI?'],
  ['a question about itself', 'Am I an AI?'],
  ['a condition', 'If I were an AI, I would know.'],
  ['a doubt', 'Maybe I am an AI.'],
  ['an opinion', 'People think I am an AI.'],
  ['a quotation', '“I am an AI” is what the last one said.'],
  ['somebody else', 'Our AI assistant is down, so you get me.'],
  ['a transfer', 'I am putting you through to our AI assistant.'],
  ['another time', 'Yesterday you spoke with an AI.'],
  ['another channel', 'You can talk to our AI assistant on our website.'],
  ['a team', 'I am Anna from the AI team.'],
  ['a trade', 'I am an AI engineer at Contoso.'],
  ['a tool', 'I am Anna, and I use an AI assistant to find your file.'],
  ['a Cyrillic letter in the acronym', 'Hello, I am an \u{410}I assistant.'],
  ['a Cyrillic letter in the denial', 'Hello, I am n\u{43E}t an AI.'],
  ['an invisible character in the denial', 'Hello, I am n\u{200B}ot an AI.'],
  ['digits for letters', 'Hello, I am an A1 assistant.'],
  ['a term inside a tag', 'Hello, I am <say as="AI assistant"/> Anna.'],
  ['German: a denial', 'Hier spricht keine KI, sondern Frau Schulte.'],
  ['French: a third party', "Ne quittez pas, je vous passe l'assistant IA."],
  ['Swedish: a denial', 'Du pratar inte med en AI.'],
  ['Swedish: a tool', 'Samtalet analyseras av en AI.'],
  ['an unsupported language', 'Laba diena, aš esu AI asistentas.'],
];

test.each(silent)('rejects %s: %s', (_, line) => {
  expect(ruleOnDisclosure(line)).toMatchObject({ discloses: false });
});

test('gives the reason of a rejection', () => {
  expect(ruleOnDisclosure('Hello, I am your virtual assistant.').reason).toContain('virtual assistant');
  expect(ruleOnDisclosure('Hello, I am not an AI.').reason).toContain('denies it');
  expect(ruleOnDisclosure('Hello, I am Anna.').reason).toBe('names no AI');
});

test('rejects a line that is too long or names AI too often', () => {
  for (const piece of [',', '"', 'AI ', 'I am ', 'I am an AI. ', '{{', 'ΑΙ', '\u{200B}'])
    expect(ruleOnDisclosure(piece.repeat(100_000 / piece.length)).reason).toContain('too long');
  expect(ruleOnDisclosure('I am an AI, '.repeat(20)).reason).toContain('names AI more than 8 times');
});

test.each(measured)('suggests a line that passes for a line in $code', ({ code }) => {
  const example = disclosingExamples[code] ?? '';
  expect(ruleOnDisclosure(example)).toMatchObject({ discloses: true });
  expect(examplesFor(example)).toContain(example);
});
