import { expect, test } from 'vitest';
import { applyPatch, type JsonPatch, operationProblems } from '../../src/design/patch.ts';

const steps = { hello: { text: 'Hi', on: { next: 'bye' } }, bye: { list: [1, 2] } };

type Case = readonly [name: string, document: unknown, patch: JsonPatch, made: unknown];

test.each<Case>([
  ['adds a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
  ['inserts into a list', { a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
  ['appends to a list', { a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
  ['replaces the whole document', { a: 1 }, [{ op: 'replace', path: '', value: { b: 1 } }], { b: 1 }],
  ['moves a member', { a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
  [
    'copies a value, which can then change independently',
    { a: { b: 1 } },
    [
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'replace', path: '/c/b', value: 2 },
    ],
    { a: { b: 1 }, c: { b: 2 } },
  ],
  [
    'moves a value, which can then change at its new place',
    { a: { b: { c: 1 } } },
    [
      { op: 'move', from: '/a', path: '/d' },
      { op: 'replace', path: '/d/b/c', value: 2 },
      { op: 'add', path: '/d/b/e', value: [] },
      { op: 'add', path: '/d/b/e/-', value: 3 },
    ],
    { d: { b: { c: 2, e: [3] } } },
  ],
  [
    'tests without regard to the order of members',
    { a: { x: 1, y: [2] } },
    [{ op: 'test', path: '/a', value: { y: [2], x: 1 } }],
    { a: { x: 1, y: [2] } },
  ],
  ['accepts an empty name', { '': { '': 1 } }, [{ op: 'replace', path: '//', value: 2 }], { '': { '': 2 } }],
  ['accepts escapes', { 'a/b~c': 1 }, [{ op: 'remove', path: '/a~1b~0c' }], {}],
  ['changes a member called #a', { '#a': 1 }, [{ op: 'replace', path: '/#a', value: 2 }], { '#a': 2 }],
  [
    'changes a member called constructor',
    { constructor: { text: 1 } },
    [{ op: 'replace', path: '/constructor/text', value: 2 }],
    { constructor: { text: 2 } },
  ],
  [
    'adds a member called constructor',
    {},
    [{ op: 'add', path: '/constructor', value: { prototype: 1 } }],
    { constructor: { prototype: 1 } },
  ],
  ['adds a member called toString', {}, [{ op: 'add', path: '/toString', value: 1 }], { toString: 1 }],
])('%s', (_, document, patch, made) => {
  const text = JSON.stringify(document);
  expect(applyPatch(document, patch)).toEqual({ document: made });
  expect(JSON.stringify(document)).toBe(text);
});

test.each<readonly [operation: JsonPatch[number], message: string]>([
  [{ op: 'remove', path: '/nobody' }, '"/nobody" does not exist.'],
  [{ op: 'replace', path: '/nobody', value: 1 }, '"/nobody" does not exist.'],
  [{ op: 'test', path: '/nobody', value: 1 }, '"/nobody" does not exist.'],
  [
    { op: 'test', path: '/hello/text', value: 'Ho' },
    'The value at "/hello/text" is not the value of this test.',
  ],
  [{ op: 'add', path: '/nobody/text', value: 1 }, '"/nobody" does not exist.'],
  [{ op: 'copy', from: '/nobody', path: '/b' }, '"/nobody" does not exist.'],
  [{ op: 'move', from: '/hello', path: '/nobody/a' }, '"/nobody" does not exist.'],
  [{ op: 'move', from: '/hello', path: '/hello/on/next' }, 'Cannot move at "/hello/on/next"'],
  [{ op: 'add', path: '/bye/list/3', value: 1 }, 'Cannot add at "/bye/list/3": index out of range.'],
  [{ op: 'add', path: '/bye/list/x', value: 1 }, 'Cannot add at "/bye/list/x"'],
  [{ op: 'replace', path: '/bye/list/-', value: 1 }, '"/bye/list/-" does not exist.'],
  [{ op: 'remove', path: '/bye/list/01' }, '"/bye/list/01" does not exist.'],
  [{ op: 'test', path: '/bye/list/length', value: 2 }, '"/bye/list/length" does not exist.'],
  [{ op: 'add', path: '/hello/text/0', value: 1 }, 'Cannot add at "/hello/text/0"'],
  [{ op: 'remove', path: '' }, 'Cannot remove at ""'],
  // Inherited members are not part of the document.
  [{ op: 'add', path: '/toString/x', value: 1 }, '"/toString" does not exist.'],
  [{ op: 'remove', path: '/toString' }, '"/toString" does not exist.'],
  [{ op: 'copy', from: '/constructor', path: '/a' }, '"/constructor" does not exist.'],
  [{ op: 'add', path: '/constructor/prototype/x', value: 1 }, '"/constructor/prototype" does not exist.'],
  // `#name` is an extension of json-p3 for the name of a member.
  [{ op: 'copy', from: '/#hello', path: '/a' }, '"/#hello" does not exist.'],
  [{ op: 'remove', path: '/hello/#text' }, '"/hello/#text" does not exist.'],
])('fails at %j and names the operation', (operation, message) => {
  const passing = { op: 'test', path: '/hello/text', value: 'Hi' } as const;
  expect(applyPatch(steps, [passing, operation, passing])).toStrictEqual({
    operation: 1,
    message: expect.stringContaining(message),
  });
  expect('x' in {} || 'x' in Object.prototype.toString).toBe(false);
});

test('fails when copies that double the document exceed the limit', () => {
  const double = { op: 'copy', from: '', path: '/a' } as const;
  const patch = Array.from({ length: 1000 }, () => double);
  expect(applyPatch({ text: 'x'.repeat(100) }, patch)).toStrictEqual({
    operation: expect.any(Number),
    message: 'The copies of a patch may add at most 262144 characters of JSON together.',
  });
});

test('reports operations that lack a member or name a prototype', () => {
  const patch: JsonPatch = [
    { op: 'add', path: '/a' },
    { op: 'remove', path: '/a' },
    { op: 'move', path: '/a' },
    { op: 'test', path: '/a', value: null },
    { op: 'copy', from: '/__proto__', path: '/a/__proto__/b' },
    { op: 'remove', path: '/a__proto__' },
  ];
  expect(operationProblems(patch)).toEqual([
    { index: 0, member: 'value', message: 'Is required for add.' },
    { index: 2, member: 'from', message: 'Is required for move.' },
    { index: 4, member: 'path', message: 'Must not contain __proto__.' },
    { index: 4, member: 'from', message: 'Must not contain __proto__.' },
  ]);
});
