import { describe, expect, test } from 'vitest';
import type { Command, Design, Step } from '../../src/design/schema/design.ts';
import { knownCommands } from '../../src/design/schema/hooks.ts';
import { ruleOnDisclosure } from '../../src/disclosure/index.ts';
import { designOf, play, said, walked } from './play.ts';

const bye: Step = { kind: 'end', line: 'Goodbye.' };
const desk: Step = { kind: 'end', line: 'The desk.' };

/** A step of each kind that hears the caller, and what it says when it asks. */
const listening: Readonly<Record<string, { readonly step: Step; readonly asks: string | undefined }>> = {
  route: {
    step: {
      kind: 'route',
      prompt: 'Sales or service?',
      options: [{ id: 'sales', title: 'Sales', target: 'bye' }],
      on: { fallback: 'bye' },
    },
    asks: 'agent: Sales or service?',
  },
  collect: {
    step: {
      kind: 'collect',
      prompt: 'Your name?',
      collect: [{ id: 'n', variableId: 'name', required: true }],
      on: { next: 'bye' },
    },
    asks: 'agent: Your name?',
  },
  consent: {
    step: { kind: 'recordingConsent', line: 'May I record?', on: { next: 'bye', declined: 'bye' } },
    asks: 'agent: May I record?',
  },
  answer: {
    step: { kind: 'answer', instruction: 'Help.', on: { next: 'bye', noAnswer: 'bye' } },
    asks: undefined,
  },
};

function designWith(kind: string, commands: Readonly<Record<string, Command>>): Design {
  const { step } = listening[kind] ?? {};
  if (!step) throw new TypeError(`no step of the kind ${kind}`);
  return designOf({ ask: step, bye, desk }, { hooks: { commands } });
}

const asking = (command: string) => ({ text: 'Please.', understood: { command, values: {} } });

describe.each(Object.keys(listening))('at a step of the kind %s', (kind) => {
  const { asks } = listening[kind] ?? {};

  describe.each(knownCommands)('the command %s', (id) => {
    test('says its line and leads to its step', () => {
      const run = play(designWith(kind, { [id]: { line: 'Very well.', next: { step: 'desk' } } }), [
        asking(id),
      ]);
      expect(said(run).slice(-2)).toEqual(['agent: Very well.', 'agent: The desk.']);
      expect(walked(run)).toEqual([`ask asks for ${id}`, 'desk']);
      expect(run.path[0]?.why).toBe(`the caller asked for ${id}`);
    });

    test('says its line and ends the call', () => {
      const run = play(designWith(kind, { [id]: { line: 'Very well.', next: { end: true } } }), [asking(id)]);
      expect(said(run).at(-1)).toBe('agent: Very well.');
      expect(run.ended).toEqual({ reason: 'completed', step: 'ask' });
    });

    test('without next, ends the call if it is stop, and else lets the step go on', () => {
      const run = play(designWith(kind, { [id]: { line: 'Very well.' } }), [asking(id)]);
      expect(said(run)).toContain('agent: Very well.');
      if (id === 'stop') expect(run.ended).toEqual({ reason: 'completed', step: 'ask' });
      else {
        expect(run.ended).toBeNull();
        expect(said(run).at(-1)).toBe(asks ?? 'agent: Very well.');
      }
    });

    test('without a line, leads to its step in silence, unless it has to say who speaks', () => {
      const run = play(designWith(kind, { [id]: { next: { step: 'desk' } } }), [asking(id)]);
      const replies = said(run).slice(said(run).indexOf('caller: Please.') + 1);
      expect(replies.at(-1)).toBe('agent: The desk.');
      if (id === 'human') expect(replies[0]).toBe('agent: I am an AI assistant, not a human.');
    });
  });

  test('a command that the design does not have leaves the turn to the step', () => {
    const run = play(designWith(kind, {}), [asking('person')]);
    expect(walked(run).join()).not.toContain('asks for');
  });
});

test.each([
  ['en', 'Hello, this is the assistant of the practice. How can I help you today?'],
  ['de', 'Guten Tag, hier ist die Praxis. Was kann ich heute für Sie tun?'],
  ['fr', 'Bonjour, ici le cabinet du docteur. Que puis-je faire pour vous aujourd’hui ?'],
  ['es', 'Buenos días, le atiende la consulta. ¿En qué puedo ayudarle hoy?'],
  ['it', 'Buongiorno, qui è lo studio medico. Che cosa posso fare per Lei oggi?'],
  ['pt', 'Bom dia, aqui é o consultório. Em que posso ajudá-lo hoje?'],
  ['nl', 'Goedemiddag, u spreekt met de praktijk. Wat kan ik vandaag voor u doen?'],
  ['pl', 'Dzień dobry, tu gabinet lekarski. W czym mogę dziś pomóc?'],
])('without the command human, the agent says truthfully that an AI speaks: %s', (_, prompt) => {
  const ask: Step = { kind: 'route', prompt, options: [{ id: 'x', title: 'X', target: 'bye' }] };
  const lines = said(play(designOf({ ask, bye }), [asking('human')]));
  expect(lines).toHaveLength(4);
  expect(ruleOnDisclosure(lines[2]?.replace('agent: ', '') ?? '').discloses, lines[2]).toBe(true);
  expect(lines[3]).toBe(`agent: ${prompt}`);
});

test('what is repeated is said once, with the question that waits', () => {
  const ask: Step = {
    kind: 'route',
    prompt: 'How can I help?',
    options: [{ id: 'x', title: 'X', target: 'bye' }],
  };
  const welcome: Step = { kind: 'message', text: 'Hello.', on: { next: 'ask' } };
  const design = designOf({ welcome, ask, bye }, { hooks: { commands: { repeat: {} } } });
  const run = play(design, [{ silent: true }, asking('repeat')]);
  expect(said(run).slice(-3)).toEqual([
    'agent: Hello.',
    'agent: Are you still there?',
    'agent: How can I help?',
  ]);
});

test.each(Object.keys(listening).filter((kind) => kind !== 'answer'))(
  'whoever asks for nothing but a repetition does not stay at a step of the kind %s',
  (kind) => {
    const run = play(
      designWith(kind, { repeat: {} }),
      Array.from({ length: 12 }, () => asking('repeat')),
    );
    expect(run.ended).not.toBeNull();
  },
);

test('a command that leads to the step where the caller is does not take the answer', () => {
  const ask: Step = {
    kind: 'collect',
    prompt: 'What has happened?',
    collect: [{ id: 'w', variableId: 'what', expects: 'reason', required: true }],
    on: { next: 'bye' },
  };
  const description = 'Water is running out of a pipe.';
  const emergency = { description, next: { step: 'ask' } };
  const design = designOf({ ask, bye }, { hooks: { commands: { emergency } } });
  const run = play(design, ['A pipe burst and water is running out.']);
  expect(run.variables['what']).toContain('pipe burst');
  expect(walked(run)).toEqual(['ask next', 'bye']);
});
