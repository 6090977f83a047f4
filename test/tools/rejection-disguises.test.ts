import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { created, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Document = Record<string, unknown>;
/** The texts of a document by a name, and further texts that it has. */
type Texts = Readonly<Record<string, string>>;
interface Kind {
  readonly fields: readonly string[];
  document(texts: Texts, further: readonly string[]): Document;
}

const was = {
  prompt: 'Which day suits you best?',
  text: 'We deliver from Monday to Friday.',
  instruction: 'Answer what the caller asks about our bread and our cakes.',
  line: 'Thank you for calling, and goodbye.',
};

const step = (kind: string, members: object, next: string) => ({ kind, ...members, on: { next } });

const kinds: Readonly<Record<string, Kind>> = {
  conversation: {
    fields: Object.keys(was),
    document({ prompt, text, instruction, line }, further) {
      const extra = further.map((said, index) => [`extra${index}`, said] as const);
      const following = (index: number) => extra[index]?.[0] ?? 'goodbye';
      return {
        schemaVersion: 'cd/1',
        entry: { stepId: 'hello' },
        variables: [
          { id: 'day', name: 'Day', type: 'text' },
          { id: 'e', name: 'Empty', type: 'text' },
        ],
        steps: {
          hello: step('greeting', { introLine: 'Hello, I am the AI assistant of Bright Bakery.' }, 'ask'),
          ask: step(
            'collect',
            { prompt, collect: [{ id: 'day', variableId: 'day', required: true }] },
            'say',
          ),
          say: step('message', { text }, 'help'),
          help: step('answer', { instruction }, following(0)),
          ...Object.fromEntries(
            extra.map(([id, said], index) => [id, step('message', { text: said }, following(index + 1))]),
          ),
          goodbye: { kind: 'end', line },
        },
      };
    },
  },
  flow: {
    fields: ['line', 'instruction', 'text'],
    document: ({ line, instruction, text }, further) => ({
      greeting: 'Hello, I am the AI assistant of Bright Bakery.',
      closing: line,
      instructions: instruction,
      faq: [{ question: 'When do you deliver?', answer: text }],
      persona: Object.fromEntries(further.map((said, index) => [['name', 'role', 'tone'][index], said])),
    }),
  },
};

const rejected = 'Leave us alone, you fool, and call 202 555 0155 on Sunday.';

const disguises: readonly (readonly [string, (text: string) => string])[] = [
  ['nothing', (text) => text],
  ['one Cyrillic letter', (text) => text.replace('o', '\u043e')],
  ['Greek and Armenian letters', (text) => text.replaceAll('o', '\u03bf').replaceAll('u', '\u057d')],
  ['capital Cyrillic letters', (text) => text.replaceAll('a', '\u0410').replaceAll('e', '\u0415')],
  ['a combining accent', (text) => text.replace('a', 'a\u0301')],
  ['Arabic digits', (text) => text.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))],
  [
    'fullwidth digits',
    (text) => text.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  ],
  ['a capital i for a small l', (text) => text.replaceAll('l', 'I')],
  ['a tag', (text) => text.replace('fool', 'fo<break time="1s"/>ol')],
  ['an empty variable', (text) => text.replace('alone', 'al{{e}}one')],
  ['what looks like a tag', (text) => `<p ${text}>`],
  ['one more word', (text) => text.replace('call', 'please call')],
];

/** The places that the disguised text moves to, each as the texts of a version and its further steps. */
const layouts: readonly (readonly [string, (field: string, text: string) => [Texts, string[]]])[] = [
  ['at the same place', (field, text) => [{ ...was, [field]: text }, []]],
  ['in a new step', (_, text) => [was, [text]]],
  [
    'in another text',
    (field, text) => {
      const other = field === 'instruction' ? 'line' : 'instruction';
      return [{ ...was, [other]: `${was[other as keyof typeof was]} ${text}` }, []];
    },
  ],
  [
    'in two steps',
    (_, text) => {
      const middle = text.indexOf(',') + 1;
      return [was, [text.slice(0, middle), text.slice(middle)]];
    },
  ],
  [
    'in two texts',
    (_, text) => {
      const middle = text.lastIndexOf(',') + 1;
      const [instruction, line] = [text.slice(0, middle), text.slice(middle)];
      return [{ ...was, instruction: `${was.instruction} ${instruction}`, line: `${line} ${was.line}` }, []];
    },
  ],
];

describe.each(Object.entries(kinds))('a rejected text of a %s', (name, { fields, document }) => {
  /** A record whose second version is rejected, for what it says or for one more step. */
  async function open(texts: Texts, further: readonly string[] = []) {
    const project = await openDesignProject(world);
    const member = name === 'flow' ? 'flowSchema' : 'design';
    const route = `/v1/projects/${project.projectId}/${name}s`;
    const body = { name: 'Bakery', [member]: document(was, []) };
    const { id } = created(await project.call('POST', route, body));
    const versions = `/v1/${name}s/${id as string}/versions`;
    const write = async (texts: Texts, further: readonly string[] = []): Promise<Document> =>
      created(await project.call('POST', versions, { [member]: document(texts, further) }));
    const activate = (stored: Document) =>
      name === 'flow'
        ? project.call('POST', `/v1/flow-versions/${String(stored['id'])}/activate`)
        : project.activate(id, stored['version'] as number);
    await write(texts, further);
    const judged = await project.call('POST', `${versions}/2/reject`, { reason: 'That is rude.' });
    expect(judged.status).toBe(200);
    return { write, activate };
  }

  test.each(fields)('in %s does not go live in any disguise at any place', async (field) => {
    const { write, activate } = await open({ ...was, [field]: rejected });
    for (const [how, disguised] of disguises)
      for (const [where, laidOut] of layouts) {
        const answer = await activate(await write(...laidOut(field, disguised(rejected))));
        expect(answer.status, `${how} ${where}`).toBe(409);
        refused(answer, 409, 'version_rejected');
      }
  });

  test('is corrected if its place is as it was, and the text stands nowhere else', async () => {
    for (const field of fields) {
      const { write, activate } = await open({ ...was, [field]: rejected });
      const other = field === 'line' ? 'instruction' : 'line';
      const honest: readonly (readonly [string, Texts, readonly string[]])[] = [
        ['restored', was, []],
        [
          'restored, with other punctuation',
          { ...was, [field]: `${was[field as keyof typeof was].replace(/\W+$/, '')} …` },
          [],
        ],
        [
          'restored, with another text changed',
          { ...was, [other]: 'We are closed now, and open on Tuesday.' },
          [],
        ],
        ['restored, with a new step', was, ['Our bread is baked at four in the morning.', 'It has no nuts.']],
        ['restored, with some of the words', was, ['Call us on Sunday, please. Nobody leaves hungry.']],
        ['restored, with the number', was, ['Our number is 202 555 0155.']],
      ];
      for (const [how, texts, further] of honest)
        expect((await activate(await write(texts, further))).status, `${field} ${how}`).toBe(200);
    }
  });

  test('is corrected if the step that brought it is gone', async () => {
    const { write, activate } = await open(was, [rejected]);
    const reworded = await activate(await write(was, ['Please call us.']));
    refused(reworded, 409, 'version_rejected');
    expect((await activate(await write(was))).status).toBe(200);
  });
});
