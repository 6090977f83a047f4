import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../../../src/calls/simulate.ts';
import { checkDesign } from '../../../src/design/check.ts';
import { completeDesign } from '../../../src/design/complete.ts';
import { builtInProperties } from '../../../src/design/proof/properties.ts';
import { prove } from '../../../src/design/proof/prove.ts';
import { Design } from '../../../src/design/schema/design.ts';
import { ruleOnDisclosure } from '../../../src/disclosure/index.ts';
import { compileFlow } from '../../../src/resources/flows/compile/compile.ts';
import { storedFlowSchema } from '../../../src/resources/flows/format.ts';
import { play, said } from '../../calls/play.ts';
import { runs, seed } from '../../helpers/runs.ts';
import { anyGraph, anySimpleFlow, reasonableFlow } from './any-flow.ts';

const facts = {
  integrationKinds: new Map<string, string>(),
  knowledgeBaseIds: new Set<string>(),
  conversationIds: new Set<string>(),
  secretBindings: new Map(),
  base: undefined,
  stepLimit: 1_000,
  plan: 'scale',
  disclosure: ruleOnDisclosure,
  models: { names: [], takesOthers: false },
  hasOpeningHours: false,
};

function problemsOf(design: Design) {
  return checkDesign(completeDesign(design, facts), facts).map(
    ({ severity, path, message }) => `${severity} ${path}: ${message}`,
  );
}

function brokenBy(design: Design) {
  return prove(design, builtInProperties).flatMap(({ property, holds }) =>
    holds ? [] : [property.property],
  );
}

/** What a flow becomes, which must be a design. */
function designOf(type: 'simple' | 'graph', flow: unknown): Design {
  const { design } = compileFlow(type, flow);
  if (!design) throw new TypeError('nothing in the flow has a meaning');
  return v.parse(Design, design);
}

const anyTurn: fc.Arbitrary<ScriptedTurn> = fc.oneof(
  fc
    .constantFrom(
      'yes',
      'no',
      'bye',
      'a person, please',
      'When are you open?',
      'Ana Silva',
      '202 555 0144',
      'Sales',
    )
    .map((text) => ({ text })),
  fc.string().map((text) => ({ text })),
  fc.constant({ silent: true } as const),
);

const anyScript = fc.array(anyTurn, { maxLength: 12 });

describe('a simple flow', () => {
  it('becomes a design without problems in which every property holds', () => {
    fc.assert(
      fc.property(reasonableFlow, (flow) => {
        const { design, meaningless } = compileFlow('simple', storedFlowSchema('simple', flow).value);
        expect(design && problemsOf(design)).toEqual([]);
        expect(design && brokenBy(design)).toEqual([]);
        expect(meaningless.filter(({ message }) => !message.includes(' is off'))).toEqual([]);
      }),
      { numRuns: 3 * runs, seed },
    );
  });

  it('becomes a valid design that discloses the AI first, whatever its texts are', () => {
    fc.assert(
      fc.property(anySimpleFlow, anyScript, (flow, script) => {
        const design = designOf('simple', flow);
        expect(brokenBy(design)).toEqual([]);
        expect(problemsOf(design).filter((problem) => problem.startsWith('error'))).toEqual([]);
        const run = play(design, [...script, { hangUp: true }]);
        expect(run.ended).not.toBeNull();
      }),
      { numRuns: 3 * runs, seed },
    );
  });
});

describe('a graph', () => {
  it('becomes a valid design that discloses the AI first, or lists why it does not', () => {
    fc.assert(
      fc.property(anyGraph, anyScript, (graph, script) => {
        const { design, meaningless } = compileFlow('graph', storedGraph(graph));
        if (!design) {
          expect(graph.nodes.length === 0 || meaningless.length > 0).toBe(true);
          return;
        }
        expect(v.is(Design, design)).toBe(true);
        expect(problemsOf(design).filter((problem) => problem.startsWith('error'))).toEqual([]);
        expect(brokenBy(design)).not.toContain('disclosedFirst');
        const run = play(design, [...script, { hangUp: true }]);
        expect(run.ended).not.toBeNull();
      }),
      { numRuns: 5 * runs, seed },
    );
  });
});

/** A graph as it is stored, or as an import may have stored it. */
function storedGraph(graph: unknown): unknown {
  return JSON.parse(JSON.stringify(graph));
}

it.each([null, [], 'text', { questions: 7, faq: [null], persona: [], skills: {} }, { nodes: 1, edges: [7] }])(
  'compiles %j, which an import may have stored',
  (flow) => {
    expect(v.is(Design, compileFlow('simple', flow).design)).toBe(true);
    expect(compileFlow('graph', flow).design).toBeNull();
  },
);

it('makes the same design of the same flow, byte for byte, in another process', () => {
  const flows = [
    ...fc.sample(anySimpleFlow, { numRuns: 50, seed }).map((flow) => ['simple', flow] as const),
    ...fc.sample(anyGraph, { numRuns: 50, seed }).map((flow) => ['graph', flow] as const),
  ];
  const program = `
    import { compileFlow } from './src/resources/flows/compile/compile.ts';
    const flows = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    process.stdout.write(JSON.stringify(flows.map(([type, flow]) => compileFlow(type, flow))));`.replace(
    "require('node:fs')",
    'process.getBuiltinModule("node:fs")',
  );
  const other = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    input: JSON.stringify(flows),
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    env: {},
  });
  const stored = JSON.parse(JSON.stringify(flows)) as typeof flows;
  expect(other).toBe(JSON.stringify(stored.map(([type, flow]) => compileFlow(type, flow))));
});

it('plays a simple flow as a receptionist would', () => {
  const { design } = compileFlow('simple', {
    greeting: 'Hello, this is Sunny Dental. How can I help you?',
    questions: [
      { key: 'name', prompt: 'May I have your name?', required: true },
      { key: 'phone', prompt: 'Which number can we reach you on?', required: true },
    ],
    faq: [
      { question: 'When are you open?', answer: 'Monday to Friday, 9 to 5.' },
      { question: 'Where are you?', answer: '12 Quay Street.' },
    ],
    handoff: { number: '+12025550143' },
    closing: 'Thank you, {{name}}. Goodbye!',
  });
  expect(design).not.toBeNull();
  expect(
    said(
      play(design as Design, ['When are you open?', "I'd like an appointment", 'Ana Silva', '202 555 0144']),
    ),
  ).toEqual([
    'agent: Hello, this is Sunny Dental. I am an AI assistant. How can I help you?',
    'caller: When are you open?',
    'agent: Monday to Friday, 9 to 5.',
    'agent: Is there anything else I can do for you?',
    "caller: I'd like an appointment",
    'agent: May I have your name?',
    'caller: Ana Silva',
    'agent: Which number can we reach you on?',
    'caller: 202 555 0144',
    'agent: Thank you, Ana Silva. Goodbye!',
  ]);
});
