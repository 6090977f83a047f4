import { describe, expect, test } from 'vitest';
import { diagramOf } from '../../src/design/diagram/compare.ts';
import { mermaidOf } from '../../src/design/diagram/mermaid.ts';
import { svgOf } from '../../src/design/diagram/svg.ts';
import { exitsOf, nodesOf } from '../../src/design/exits.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { designNames, rawDesign } from '../designs/real-designs.ts';
import { type Element, elements, parsedMermaid, parsedSvg, small, titleOf } from './pictures.ts';

/** The shapes, arrows and visible texts of a picture. */
function seen(svg: string) {
  const root = parsedSvg(svg);
  const shapes = elements(root, 'g').filter((element) => titleOf(element) !== '');
  const arrows = elements(root, 'path').map(titleOf).filter(Boolean);
  return { root, shapes, arrows, texts: elements(root, 'text').map(({ text }) => text) };
}

const svgFor = (design: Design, against?: Design) => svgOf(diagramOf(design, against)).svg;
const mermaidFor = (design: Design, against?: Design) => mermaidOf(diagramOf(design, against));

/** An id as diagrams show it. */
const shown = (id: string) => (id.trim() === '' ? '" "' : id);
const called = (id: string) => (title: string) => title === id.trim() || title.endsWith(` (${id.trim()})`);

describe.each(designNames)('%s', (name) => {
  const design = rawDesign(name);
  const nodes = [...nodesOf(design)].map(({ key }) => key);
  const steps = Object.entries(design.steps);

  test('has all its steps, exits and hook nodes in its Mermaid flowchart', () => {
    const { nodes: drawn, links, classes } = parsedMermaid(mermaidFor(design));
    const labels = [...drawn.values()];
    const namesOf = (id: string) =>
      new Set([...drawn].flatMap(([as, text]) => (text.includes(shown(id).slice(0, 60)) ? [as] : [])));
    const names = new Map(Object.keys(design.steps).map((id) => [id, namesOf(id)]));
    for (const id of [...Object.keys(design.steps), ...nodes])
      expect(labels.join('\n'), id).toContain(shown(id).slice(0, 60));
    for (const [id, step] of steps)
      for (const { label, stepId } of exitsOf(id, step)) {
        const found = links.filter(({ from, to }) => names.get(id)?.has(from) && names.get(stepId)?.has(to));
        expect(found.map((link) => link.label).join(', '), `${id} ${label}`).toContain(label);
      }
    expect(classes.get('entry')).toHaveLength(1);
    expect(drawn.get(classes.get('entry')?.[0] ?? '')).toMatch(/entry · /);
    expect(classes.has('unreachable')).toBe(false);
  });

  test('has them in its SVG, without overlaps', () => {
    const { shapes, arrows, root, texts } = seen(svgFor(design));
    const titles = shapes.map(titleOf);
    for (const id of [...Object.keys(design.steps), ...nodes]) expect(titles.some(called(id)), id).toBe(true);
    const points = shapes.filter(({ attributes }) => attributes['class'] === 'point').length;
    expect(shapes).toHaveLength(steps.length + nodes.length + points);
    for (const [id, step] of steps)
      for (const { label, stepId } of exitsOf(id, step)) {
        const found = arrows.filter((title) => title.startsWith(`${id.trim()} → ${stepId.trim()}: `));
        expect(found.join(', '), `${id} ${label}`).toContain(label);
      }
    expect(shapes.filter(({ attributes }) => attributes['class']?.endsWith(' entry'))).toHaveLength(1);
    expect(texts).toContain('entry');
    const boxes = shapes.map(boxOf);
    const { width, height } = boxOf({ ...root, children: [{ ...root, name: 'rect' }] });
    for (const [index, one] of boxes.entries()) {
      expect(Math.min(one.x, one.y, width - one.x - one.width)).toBeGreaterThanOrEqual(0);
      const over = boxes.slice(index + 1).findIndex((other) => overlap(one, other));
      expect(over, titles[index]).toBe(-1);
    }
    expect(Math.max(...boxes.map((box) => box.y + box.height))).toBeLessThan(height);
  });
});

function boxOf({ children }: Element) {
  const { attributes = {} } = children.find(({ name }) => name === 'rect') ?? {};
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((name) =>
    Number(attributes[name] ?? 0),
  );
  return { x, y, width, height };
}

function overlap(one: ReturnType<typeof boxOf>, other: ReturnType<typeof boxOf>): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

test('shows where the call starts and ends, and which steps are unreachable', () => {
  const { nodes, links, classes } = parsedMermaid(mermaidFor(small));
  const said = (name: string) => nodes.get(name)?.split('\n') ?? [];
  expect(
    links.map(({ from, to, label }) => [said(from)[0], label, said(to)[0]].join(' | ')).toSorted(),
  ).toStrictEqual([
    'Call starts |  | mark',
    'Caller hangs up |  | Write it down',
    'Welcome | next | menu',
    'bye |  | Write it down',
    'island | next | bye',
    'mark |  | Welcome',
    'menu | hours, fallback, other | bye',
  ]);
  expect(said('s_hello')).toStrictEqual(['Welcome', 'entry · greeting · hello']);
  expect(said('s_island')).toStrictEqual(['island', 'unreachable · message']);
  expect(said('b_mark')).toStrictEqual(['mark', 'setVariable']);
  expect(said('a_log')).toStrictEqual(['Write it down', 'no action · log']);
  expect(classes.get('unreachable')).toStrictEqual(['s_island']);
  expect(classes.get('hook')).toStrictEqual(['b_mark', 'a_log']);
  const { shapes, texts } = seen(svgFor(small));
  const classOf = (id: string) => shapes.find((shape) => called(id)(titleOf(shape)))?.attributes['class'];
  expect(['hello', 'island', 'mark'].map(classOf)).toStrictEqual(['talk entry', 'unreachable', 'hook']);
  expect(texts).toEqual(expect.arrayContaining(['unreachable', 'hook', 'unreachable · message']));
});

describe('compared with another version', () => {
  const { island: _, ...kept } = small.steps;
  const { after } = small.hooks ?? {};
  const now: Design = {
    ...small,
    steps: {
      ...kept,
      hello: { kind: 'greeting', name: 'Welcome', introLine: 'Hello.', on: { next: 'ask' } },
      ask: { kind: 'collect', prompt: 'Why?', collect: [], on: { next: 'menu' } },
    },
    hooks: { ...(after && { after }) },
  };

  test('marks what was added, changed and removed with a word and a colour', () => {
    const { nodes, links, classes, linkColours } = parsedMermaid(mermaidFor(now, small));
    expect(Object.fromEntries(classes)).toMatchObject({
      added: ['s_ask'],
      changed: ['s_hello'],
      removed: expect.arrayContaining(['b_mark', 's_island']),
      same: ['s_menu', 's_bye', 'a_log'],
    });
    expect(nodes.get('s_ask')).toBe('ask\nadded · collect');
    expect(nodes.get('s_hello')).toBe('Welcome\nchanged · entry · greeting · hello');
    expect(nodes.get('s_island')).toBe('island\nremoved · unreachable · message');
    const coloured = (colour: string) =>
      links.flatMap(({ from, to }, index) => (linkColours.get(index) === colour ? `${from} ${to}` : []));
    expect(coloured('#1a7f37')).toStrictEqual(['c0 s_hello', 's_hello s_ask', 's_ask s_menu']);
    expect(coloured('#c62828')).toStrictEqual([
      'c0 b_mark',
      'b_mark s_hello',
      's_hello s_menu',
      's_island s_bye',
    ]);
    const { shapes, texts } = seen(svgFor(now, small));
    const classOf = (id: string) => shapes.find((shape) => called(id)(titleOf(shape)))?.attributes['class'];
    expect(['ask', 'hello', 'island', 'menu'].map(classOf)).toStrictEqual([
      'added',
      'changed entry',
      'removed',
      'same',
    ]);
    for (const word of ['added', 'changed', 'removed', 'unchanged']) expect(texts).toContain(word);
  });

  test('marks nothing if the designs are equal', () => {
    const { classes, linkColours } = parsedMermaid(mermaidFor(small, structuredClone(small)));
    expect([...classes.keys()].toSorted()).toStrictEqual(['entry', 'point', 'same', 'unreachable']);
    expect(linkColours.size).toBe(0);
  });

  test('marks more than 100 changes', () => {
    const many = (prompt: string): Design => ({
      schemaVersion: 'cd/1',
      entry: { stepId: 's0' },
      steps: Object.fromEntries(
        Array.from({ length: 150 }, (_, index) => [`s${index}`, { kind: 'end', line: prompt }]),
      ),
    });
    expect(parsedMermaid(mermaidFor(many('a'), many('b'))).classes.get('changed')).toHaveLength(150);
  });
});

describe('hostile text in a design stays text', () => {
  const hostile = {
    'closes an element': '</title><script>alert(1)</script>',
    'closes a node': '"]; click s_hello call alert(1)',
    'adds an attribute': `' onload="alert(1)`,
    'is XML': ']]> <!-- & &amp; &#0; %3C',
    'is Markdown': '`**bold** [link](javascript:alert(1))`',
    'is a word of Mermaid': 'end',
    'starts a numbered list': '1. first',
    'starts a list': '- point',
    'has codes': '#quot; #35; style a:#60;b#62;',
    'is a directive': '%%{init: {"securityLevel": "loose"}}%%',
    'has lines': 'A-->B\n  C-->D\r\n\tsubgraph x',
    'turns the direction': '\u202Egnirts\u202C \u2066x\u2069 \u200Fy',
    'has control characters': 'a\u0000b\u0007c\u001Bd\uFFFEe\uD800f',
    'heaps marks': `Z${'\u0300'.repeat(500)}!`,
    'is long': 'x'.repeat(9000),
    'is long and wide': '字'.repeat(9000),
    'is long and joined': '👩‍👩‍👧‍👦'.repeat(500),
    'is blank': ' ',
    'is empty': '',
    'is a placeholder': '{{secret.KEY}} $& $1',
    'is a shape': '@{ shape: circle }',
    'is a class': ':::hook',
  };
  const elementNames = 'svg style defs marker polygon rect g path title text'.split(' ');

  test.each(Object.entries(hostile))('%s', (_, text) => {
    const id = text || 'empty';
    const design: Design = {
      schemaVersion: 'cd/1',
      entry: { stepId: id },
      steps: {
        [id]: {
          kind: 'route',
          name: text,
          options: [{ id, title: text, target: 'other' }],
          on: { fallback: id },
        },
        other: { kind: 'end', name: text },
      },
      hooks: {
        after: {
          entryPoints: { [id]: id, nowhere: id, [`${id}!`]: id },
          nodes: { [id]: { id, name: text } },
        },
      },
    };
    const { nodes, links } = parsedMermaid(mermaidFor(design));
    expect([nodes.size, links.length]).toStrictEqual([5, 5]);
    // Mermaid replaces such a label with "Unsupported markdown: list".
    expect(mermaidFor(design)).not.toMatch(/"(?:\d+\.|[-+*]) /);
    const { root, shapes, arrows } = seen(svgFor(design));
    expect([shapes.length, arrows.length]).toStrictEqual([5, 5]);
    const allOf = (element: Element): Element[] => [element, ...element.children.flatMap(allOf)];
    for (const { name, attributes } of allOf(root)) {
      expect(elementNames).toContain(name);
      expect(
        Object.keys(attributes).filter((attribute) => /^(?:on|href|xlink|style)/.test(attribute)),
      ).toEqual([]);
    }
    const said = JSON.stringify([svgFor(design), mermaidFor(design)]);
    expect(said).not.toMatch(/[\p{Cc}\p{Bidi_Control}\ufffe]|\\u00/u);
    expect(said.length).toBeLessThan(20_000);
    for (const shape of shapes) expect(boxOf(shape).width).toBeLessThan(300);
  });
});

test('names the place of each shape, and the places between which each arrow leads', () => {
  const steps: Design['steps'] = {
    'say "hi"': { kind: 'message', text: 'Hi.', on: { next: 'a<b' } },
    'a<b': { kind: 'end' },
  };
  const { root, shapes } = seen(svgFor({ schemaVersion: 'cd/1', entry: { stepId: 'say "hi"' }, steps }));
  expect(shapes.map(({ attributes }) => attributes['data-place'])).toStrictEqual([
    'call Call starts',
    'step say "hi"',
    'step a<b',
  ]);
  const ends = elements(root, 'path').map(({ attributes }) => [
    attributes['data-from'],
    attributes['data-to'],
  ]);
  expect(ends).toStrictEqual([
    ['call Call starts', 'step say "hi"'],
    ['step say "hi"', 'step a<b'],
  ]);
});

test('draws a design that is too large for layers as a grid, with all its steps', () => {
  const count = 1200;
  const steps = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `s${index}`,
      { kind: 'message', text: 'x', on: { next: `s${(index * 7) % count}` } } as const,
    ]),
  );
  const { shapes } = seen(svgFor({ schemaVersion: 'cd/1', entry: { stepId: 's1' }, steps }));
  expect(shapes).toHaveLength(count + 1);
  const places = shapes.map(boxOf).map(({ x, y, width }) => `${Math.round(x + width / 2)} ${y}`);
  expect(new Set(places).size).toBe(count + 1);
});
