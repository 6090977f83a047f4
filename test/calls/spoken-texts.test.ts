import fc from 'fast-check';
import type * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { proposeScenarios } from '../../src/calls/propose.ts';
import { simulate } from '../../src/calls/simulate.ts';
import { linesOf } from '../../src/design/find.ts';
import { applyPatch } from '../../src/design/patch.ts';
import { Design } from '../../src/design/schema/design.ts';
import {
  spokenPlaces,
  spokenTexts,
  textProblems,
  valuePlaces,
  withTexts,
} from '../../src/design/spoken-texts.ts';
import { segmentsOf } from '../../src/design/value.ts';
import { filledDesign } from '../../src/resources/catalogue/fill.ts';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import { anyDesign } from '../design/random-designs.ts';
import { designNames, rawDesign } from '../designs/real-designs.ts';
import { runs, seed } from '../helpers/runs.ts';
import { designOf, nodesOf } from './play.ts';

/** Texts in words that no caller hears: names for people, tasks for a model, and what goes to other systems. */
const unheardWords = [
  '/steps/*/name',
  '/steps/*/persona/whoAmI',
  '/steps/*/persona/purpose',
  '/steps/*/instruction',
  '/steps/*/calendar/title',
  '/hooks/*/nodes/*/name',
  '/hooks/*/nodes/*/condition/branches/*/label',
  '/hooks/*/nodes/*/webhook/payload/*/value',
  '/hooks/*/nodes/*/webhook/payload/*/aiPrompt',
  '/hooks/*/nodes/*/fetch/body/*/value',
  '/hooks/*/nodes/*/fetch/body/*/aiPrompt',
  '/hooks/*/nodes/*/calendar/title',
  '/hooks/*/nodes/*/crmWrite/logCall/subjectTemplate',
  '/hooks/*/nodes/*/crmWrite/createNote/bodyTemplate',
  '/hooks/*/nodes/*/crmWrite/updateContact/propertyMappings/*/propertyLabel',
  '/hooks/*/nodes/*/crmWrite/updateContact/propertyMappings/*/value',
  '/hooks/*/nodes/*/crmWrite/updateContact/propertyMappings/*/aiPrompt',
];

/** Ids, addresses, names in other systems, and what the service writes. */
const noWords = [
  /\/(?:id|next|failed|declined|fallback|noAnswer|taken|none|target|step|hookNode|stepId|rootNodeId|key|field|property)$/,
  /Ids?(?:\/\*)?$/,
  /\/(?:systemVariable|integrationRef|literalString|path|responsePath|url|secretHint|signatureHeader)$/,
  /\/(?:headers|query|alternates|entryPoints)\/\*$/,
  /^\/steps\/\*\/destination\/value$/,
  /^\/steps\/\*\/model$/,
  /\/calendar\/hours\/\w+\/\*\/(?:from|to)$/,
  /\/calendarDate\/(?:from|to|(?:on|between)\/\*)$/,
  // What a condition compares with stays as it is, as do the values that it is compared with.
  /\/predicate\/value$/,
  /^\/compliance\//,
];

/** The places of all texts of a schema, as JSON pointers with `*`. Words of a fixed list are no texts. */
function textPlaces(schema: v.GenericSchema, pointer = ''): string[] {
  const at = schema as {
    readonly type: string;
    readonly entries?: Record<string, v.GenericSchema>;
    readonly value?: v.GenericSchema;
    readonly item?: v.GenericSchema;
    readonly options?: readonly v.GenericSchema[];
    readonly wrapped?: v.GenericSchema;
  };
  if (at.type === 'string') return [pointer];
  if (at.type === 'variant' || at.type === 'union')
    return (at.options ?? []).flatMap((option) => textPlaces(option, pointer));
  if (at.wrapped) return textPlaces(at.wrapped, pointer);
  if (at.type === 'record' && at.value) return textPlaces(at.value, `${pointer}/*`);
  if (at.item) return textPlaces(at.item, `${pointer}/*`);
  return Object.entries(at.entries ?? {}).flatMap(([name, entry]) => textPlaces(entry, `${pointer}/${name}`));
}

const places = new Set(
  textPlaces(Design).map((place) => place.replace(/^\/hooks\/(?:before|after)\//, '/hooks/*/')),
);

describe('the list of spoken texts', () => {
  test('and the lists of all others hold every text of the format once', () => {
    const listed = [...Object.keys(spokenPlaces), ...valuePlaces, ...unheardWords];
    expect(listed.filter((place) => !places.has(place))).toEqual([]);
    const rest = [...places].filter((place) => !listed.includes(place));
    expect(rest.filter((place) => !noWords.some((form) => form.test(place)))).toEqual([]);
    expect(listed.filter((place) => noWords.some((form) => form.test(place)))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});

const forms = unheardWords.concat(valuePlaces).map(segmentsOf);

/** The design with a mark in each text in words that the table leaves out. */
function markedDesign(design: Design): Design {
  const spoken = new Set(spokenTexts(design).map(({ pointer }) => pointer));
  const silent = linesOf(design).filter(
    ({ pointer, text }) =>
      !spoken.has(pointer) &&
      /\p{L}/u.test(text.replaceAll(/\{\{[^{}]*\}\}/g, '')) &&
      [...forms, ...Object.keys(spokenPlaces).map(segmentsOf)].some((form) => {
        const place = segmentsOf(pointer);
        return (
          place.length === form.length && form.every((part, index) => part === '*' || part === place[index])
        );
      }),
  );
  const decided = JSON.stringify(design.hooks ?? {});
  const patched = applyPatch(
    design,
    silent
      // A condition may compare with it, and then the call would take another way.
      .filter(({ text }) => !decided.includes(`"value":${JSON.stringify(text)}`))
      .map(({ pointer, text }) => ({ op: 'replace', path: pointer, value: `⟦${pointer}⟧ ${text}` })),
  );
  if (!('document' in patched)) throw new Error(patched.message);
  return patched.document as Design;
}

/** What agents say in calls that take every exit. */
function heardIn(design: Design): string[] {
  return proposeScenarios(design, 30).scenarios.flatMap(({ simulation }) => {
    const { transcript } = simulate(design, simulation);
    return transcript.flatMap(({ who, text }) => (who === 'agent' ? [text] : []));
  });
}

function withCommandLines(design: Design): Design {
  const commands = Object.entries(design.hooks?.commands ?? {}).map(([id, command]) => [
    id,
    { ...command, line: 'One moment.' },
  ]);
  return { ...design, hooks: { ...design.hooks, commands: Object.fromEntries(commands) } };
}

const realDesigns: readonly (readonly [string, Design])[] = [
  ...templates.map((template) => [template.key, filledDesign(template, {})] as const),
  ...designNames.filter((name) => name !== 'limit').map((name) => [name, rawDesign(name)] as const),
];

describe('callers hear no text that the table leaves out', () => {
  test.each(realDesigns)('in %s', (_, design) => {
    expect(heardIn(markedDesign(design)).filter((line) => line.includes('⟦'))).toEqual([]);
  });

  test('in any design', () => {
    fc.assert(
      fc.property(anyDesign.map(withCommandLines), (design) => {
        expect(heardIn(markedDesign(design)).filter((line) => line.includes('⟦'))).toEqual([]);
      }),
      { numRuns: Math.min(runs, 100), seed },
    );
  });
});

const desk = designOf(
  {
    'a/b~c': { kind: 'greeting', introLine: 'Hello, an AI speaks. {{mood}}', on: { next: 'ask' } },
    ask: {
      kind: 'collect',
      name: 'Ask for the name',
      prompt: 'Your name, {{system.callerPhone}}?',
      collect: [{ id: 'name', variableId: 'callerName' }],
      on: { next: 'route' },
    },
    route: {
      kind: 'route',
      options: [
        { id: 'one', title: 'One', description: 'The first.', target: 'bye' },
        { id: 'two', target: 'bye' },
      ],
    },
    bye: { kind: 'end', line: '{{callerName}}' },
  },
  {
    variables: [
      { id: 'callerName', name: 'Your name', type: 'text' },
      { id: 'mood', name: 'Mood', type: 'text' },
      { id: 'tier', type: 'text' },
    ],
    hooks: {
      commands: {
        person: { line: 'One moment.', next: { step: 'bye' } },
        gas: { description: 'Smells gas.' },
      },
      before: {
        rootNodeId: 'mood',
        nodes: nodesOf(
          { id: 'mood', setVariable: { variableId: 'mood', value: 'A fine day, {{weather.now}}.' } },
          { id: 'quiet', setVariable: { variableId: 'tier', value: 'gold' } },
          {
            id: 'weather',
            fetch: {
              url: 'https://weather.example/now',
              method: 'GET',
              responseMappings: [{ id: 'w', variableId: 'weather', defaultValue: 'no rain' }],
            },
          },
        ),
      },
      after: {
        nodes: nodesOf(
          {
            id: 'text',
            sendSms: { to: { systemVariable: 'callerPhone' }, message: 'Thanks for your call.' },
          },
          { id: 'staff', sendSms: { to: { literalString: '+12025550143' }, message: 'Somebody called.' } },
          { id: 'other', sendSms: { to: { literalString: '+1{{digits}}' }, message: 'We noted it.' } },
        ),
      },
    },
  },
);

describe('the table of texts', () => {
  test('holds each spoken text under its pointer, in the order of the design', () => {
    expect(spokenTexts(desk).map(({ pointer, text }) => `${pointer} ${text}`)).toEqual([
      '/steps/a~1b~0c/introLine Hello, an AI speaks. {{mood}}',
      '/steps/ask/prompt Your name, {{system.callerPhone}}?',
      '/steps/route/options/0/title One',
      '/steps/route/options/0/description The first.',
      '/variables/0/name Your name',
      '/hooks/commands/person/line One moment.',
      '/hooks/commands/gas/description Smells gas.',
      '/hooks/before/nodes/mood/setVariable/value A fine day, {{weather.now}}.',
      '/hooks/before/nodes/weather/fetch/responseMappings/0/defaultValue no rain',
      '/hooks/after/nodes/text/sendSms/message Thanks for your call.',
      '/hooks/after/nodes/other/sendSms/message We noted it.',
    ]);
  });

  test('leaves out a value that a condition decides on, because its translation would take another way', () => {
    const design = designOf(
      { hi: { kind: 'end', line: 'Bye, {{tier}}.' } },
      {
        variables: [{ id: 'tier', type: 'text' }],
        hooks: {
          before: {
            rootNodeId: 'set',
            nodes: nodesOf(
              { id: 'set', setVariable: { variableId: 'tier', value: 'gold' }, next: { hookNode: 'is' } },
              {
                id: 'is',
                condition: {
                  mode: 'logic',
                  branches: [
                    {
                      id: 'b',
                      label: 'Gold',
                      predicate: { variable: { variableId: 'tier' }, operator: 'eq', value: 'gold' },
                      next: {},
                    },
                  ],
                  else: {},
                },
              },
            ),
          },
        },
      },
    );
    expect(spokenTexts(design).map(({ pointer }) => pointer)).toEqual(['/steps/hi/line']);
  });

  test('takes new texts at its pointers, and changes nothing else', () => {
    const texts = Object.fromEntries(spokenTexts(desk).map(({ pointer, text }) => [pointer, `Neu: ${text}`]));
    expect(textProblems(desk, texts)).toEqual([]);
    const translated = withTexts(desk, texts) as Design;
    expect(translated.steps['a/b~c']).toMatchObject({ introLine: 'Neu: Hello, an AI speaks. {{mood}}' });
    const back = Object.fromEntries(
      spokenTexts(translated).map(({ pointer, text }) => [pointer, text.slice(5)]),
    );
    expect(withTexts(translated, back)).toEqual(desk);
    expect(desk.steps['bye']).toEqual({ kind: 'end', line: '{{callerName}}' });
  });

  test('names what is wrong with a new text', () => {
    const problems = textProblems(desk, {
      '/steps/a~1b~0c/introLine': 'Hallo, hier spricht eine KI. {{Mood}} {{secret.x}}',
      '/steps/ask/prompt': 'Ihr Name, {{ system.callerPhone }}?',
      '/steps/ask/promt': 'Ihr Name?',
      '/steps/ask/name': 'Name',
      '/steps/a/b~c/introLine': 'Hallo',
      '/variables/0/name': ' ',
    });
    expect(problems).toEqual([
      {
        pointer: '/steps/a~1b~0c/introLine',
        message:
          'Must keep the placeholders of the text that it replaces: it lacks {{mood}} and adds {{Mood}}, {{secret.x}}.',
      },
      {
        pointer: '/steps/ask/promt',
        message: expect.stringMatching(/^Is no text that callers hear\. The nearest: \/steps\/ask\/prompt, /),
      },
      { pointer: '/steps/ask/name', message: expect.stringMatching(/^Is no text that callers hear\./) },
      {
        pointer: '/steps/a/b~c/introLine',
        message: expect.stringContaining('The nearest: /steps/a~1b~0c/introLine'),
      },
      { pointer: '/variables/0/name', message: 'Must not be empty.' },
    ]);
  });
});
