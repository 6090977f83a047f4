import { describe, expect, test } from 'vitest';
import { claimsAct } from '../../src/design/checks/claim-words.ts';
import { warnOfLostCallers } from '../../src/design/checks/lost-callers.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { disclosing } from '../designs/disclosed.ts';

type Steps = Readonly<Record<string, object>>;

const designOf = (steps: Steps, more: object = {}) =>
  ({
    schemaVersion: 'cd/1',
    entry: { stepId: 'hello' },
    steps: {
      hello: { kind: 'greeting', introLine: disclosing, on: { next: 'ask' } },
      bye: { kind: 'end', line: 'Goodbye.' },
      ...steps,
    },
    ...more,
  }) as Design;

const warned = (steps: Steps, more?: object) =>
  [...warnOfLostCallers(designOf(steps, more))].map(({ path, message }) => `${path} ${message}`);

const collect = (on: object, item: object = {}) => ({
  kind: 'collect',
  prompt: 'Your name?',
  collect: [{ id: 'name', variableId: 'name', required: true, ...item }],
  on: { next: 'bye', ...on },
});

describe('a required item', () => {
  test('needs a way to end without it', () => {
    expect(warned({ ask: collect({}) })).toEqual([
      '/steps/ask/on A caller who does not give name is hung up on without a word: the step has no exit failed. The shortest call: "hello" ("next"), "ask".',
    ]);
    expect(warned({ ask: collect({ failed: 'bye' }) })).toEqual([]);
    expect(warned({ ask: collect({}, { required: false }) })).toEqual([]);
  });

  test('is no trap', () => {
    const again = { kind: 'message', text: 'Please.', on: { next: 'ask' } };
    expect(warned({ ask: collect({ failed: 'again' }), again })).toEqual([
      '/steps/ask/on A caller who does not give name comes back here whatever they say: no way on from failed ends the call. The shortest call: "hello" ("next"), "ask".',
    ]);
    const choice = {
      kind: 'route',
      options: [{ id: 'again', target: 'ask' }],
      on: { fallback: 'bye' },
    };
    expect(warned({ ask: collect({ failed: 'again' }), again: choice })).toEqual([]);
  });
});

test('a question step needs something to answer from', () => {
  const ask = { kind: 'answer', instruction: 'Answer.', on: { next: 'bye' } };
  const message = '/steps/ask This step has neither facts nor knowledgeIds, so it can answer no question.';
  expect(warned({ ask })).toEqual([`${message} The shortest call: "hello" ("next"), "ask".`]);
  expect(warned({ ask: { ...ask, facts: ' \n', knowledgeIds: [] } })).toHaveLength(1);
  expect(warned({ ask: { ...ask, facts: 'We open at nine.' } })).toEqual([]);
  expect(warned({ ask: { ...ask, knowledgeIds: ['facts'] } })).toEqual([]);
});

describe('a placeholder in a line', () => {
  const bye = { kind: 'end', line: 'Goodbye, {{name}}.' };

  test('may be empty after an exit that does not bring the value', () => {
    const other = { kind: 'end', line: 'Goodbye.' };
    expect(warned({ ask: collect({ failed: 'bye' }), bye })).toEqual([
      '/steps/bye/line {{name}} may be empty in this line. The shortest call: "hello" ("next"), "ask" ("failed"), "bye".',
    ]);
    expect(warned({ ask: collect({ failed: 'other' }), bye, other })).toEqual([]);
    expect(warned({ ask: collect({ failed: 'other' }, { required: false }), bye, other })).toEqual([
      '/steps/bye/line {{name}} may be empty in this line. The shortest call: "hello" ("next"), "ask" ("next"), "bye".',
    ]);
  });

  test('is full if a hook sets it before', () => {
    const mark = { id: 'mark', setVariable: { variableId: 'name', value: 'Ana' }, next: { step: 'hello' } };
    const hooks = { before: { rootNodeId: 'mark', nodes: { mark } } };
    expect(warned({ ask: collect({ failed: 'bye' }), bye }, { hooks })).toEqual([]);
  });

  test('is full after the exit by which a calendar brings the value', () => {
    const integrations = [{ id: 'diary', kind: 'calendar', integrationId: 'diary' }];
    const booking = (line: string, taken: string) =>
      warned(
        {
          ask: {
            kind: 'appointment',
            calendar: {
              integrationRef: 'diary',
              action: 'book',
              offeredVariableId: 'offered',
              startVariableId: 'start',
            },
            on: { next: 'bye', taken: 'other', none: 'sorry' },
          },
          bye: { kind: 'end', line },
          other: { kind: 'end', line: taken },
          sorry: { kind: 'end', line: 'Nobody is free. Goodbye.' },
        },
        { integrations },
      );
    expect(booking('You are booked for {{start}}.', 'I can offer {{offered}}.')).toEqual([]);
    expect(booking('I can offer {{offered}}.', 'You are booked for {{start}}.')).toEqual([
      expect.stringContaining('/steps/bye/line {{offered}} may be empty'),
      expect.stringContaining('/steps/other/line {{start}} may be empty'),
    ]);
  });

  test('says nothing of a model that speaks, and of what nothing in the design sets', () => {
    const ask = { kind: 'message', text: 'Hello {{name}}', mode: 'generated', on: { next: 'name' } };
    const named = collect({ failed: 'bye' });
    expect(warned({ ask, name: named })).toEqual([]);
    expect(warned({ ask: { kind: 'end', line: 'Bye {{other}} {{callerPhone}}' } })).toEqual([]);
  });
});

describe('an act that is claimed', () => {
  const ask = { kind: 'end', line: "Thank you, I've sent you a text. Goodbye!" };
  const tell = (block: object) => ({
    hooks: { after: { entryPoints: { ask: 'tell' }, nodes: { tell: { id: 'tell', ...block } } } },
  });

  test('has to be done by a node', () => {
    const message =
      'This line says that something has been booked or sent, and nothing in the design books or sends anything.';
    const call = 'The shortest call: "hello" ("next"), "ask".';
    expect(warned({ ask })).toEqual([`/steps/ask/line ${message} ${call}`]);
    expect(warned({ ask }, tell({ setVariable: { variableId: 'a', value: 'b' } }))).toHaveLength(1);
    const sendSms = { to: { systemVariable: 'callerPhone' }, message: 'Hi' };
    expect(warned({ ask }, tell({ sendSms }))).toEqual([]);
    const fetch = (method: string) => ({ url: 'https://example.com', method, responseMappings: [] });
    expect(warned({ ask }, tell({ fetch: fetch('GET') }))).toHaveLength(1);
    expect(warned({ ask }, tell({ fetch: fetch('POST') }))).toEqual([]);
  });

  test.each([
    'I have booked you for Tuesday.',
    "I've just sent you a text.",
    'Your appointment is now confirmed.',
    'Ich habe Ihnen eine SMS geschickt.',
    'Ihr Tisch ist jetzt reserviert.',
    'Le he enviado un mensaje.',
    'Su cita está confirmada.',
    "J'ai bien réservé votre table.",
    'Je vous ai envoyé un message.',
    'Le ho inviato un messaggio.',
    'La sua prenotazione è confermata.',
    'Ik heb u een bericht gestuurd.',
    'Uw afspraak is bevestigd.',
    'Wysłałam wiadomość.',
    'Państwa wizyta została zarezerwowana.',
    'Enviei uma mensagem.',
    'A sua mesa está reservada.',
  ])('is heard in %j', (line) => {
    expect(claimsAct(line)).toBe(true);
  });

  test.each([
    "Thank you. I've noted your request. The team will confirm it shortly.",
    "I've passed that on, and the team will get back to you.",
    'I have not booked anything yet.',
    'Once I have booked it, you get a text.',
    'Your appointment is confirmed once the team calls you.',
    'The link is on its way to your phone.',
    'Ich habe nichts gebucht.',
    'Ich habe das notiert.',
    'Sobald ich den Termin gebucht habe, hören Sie von uns.',
    'No le he enviado nada.',
    'Su mensaje ha sido anotado.',
    "Je n'ai pas réservé de table.",
    'Non ho prenotato nulla.',
    'Ik heb niets geboekt.',
    'Nie wysłałam wiadomości.',
    'Não enviei nada.',
    'The booking was sent by another team.',
  ])('is not heard in %j', (line) => {
    expect(claimsAct(line)).toBe(false);
  });
});
