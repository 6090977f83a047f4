import fc from 'fast-check';
import { checkDesign } from '../../src/design/check.ts';
import { completeDesign } from '../../src/design/complete.ts';
import { type Facts, outsideNames } from '../../src/design/facts.ts';
import { Design } from '../../src/design/schema/design.ts';
import { usablePart } from '../../src/design/usable.ts';
import { ruleOnDisclosure } from '../../src/disclosure/index.ts';
import { checkValue } from '../../src/operation/input.ts';
import { mostProblems } from '../../src/platform/errors.ts';
import { rawDesign } from '../designs/real-designs.ts';
import { crowdedDesigns } from './crowded-designs.ts';
import { type Damage, damage, damaged } from './damage.ts';

/** Durations of checks, in milliseconds of processor time. */
export interface CheckTimes {
  readonly what: string;
  readonly documents: number;
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
  /** The document that took longest: its damages, or the crowd. */
  readonly slowest: string;
}

const sizes = { least: 200_000, most: 262_144 };

/** Times the whole check of a parsed document, its shape included, as `validate_design` makes it. */
export function timeChecks(count: number, seed: number): CheckTimes[] {
  const design = rawDesign('limit');
  const facts = factsFor(design);
  // Without its last steps, the design has room for damages.
  const roomy = { ...design, steps: Object.fromEntries(Object.entries(design.steps).slice(0, -20)) };
  const samples = fc.sample(fc.noBias(fc.array(damage, { minLength: 1, maxLength: 3 })), {
    numRuns: count,
    seed,
  });
  // A generator, because all documents at once would take gigabytes.
  const documents = function* (): Generator<[string, string]> {
    for (const [index, damages] of samples.entries()) {
      const wide: Damage[] = damages.map((one) => ({ ...one, everywhere: index % 2 === 0 }));
      const text = damaged(index % 3 === 0 ? design : roomy, wide, ['ckb0000099']);
      const bytes = Buffer.byteLength(text);
      const isNear = bytes >= sizes.least && bytes <= sizes.most;
      const kinds = damages.map(({ kind }) => kind);
      if (isNear && !kinds.includes('cut')) yield [kinds.join(', '), text];
    }
  };
  const crowds = crowdedDesigns();
  // The first documents warm up the compiler.
  for (const [, text] of crowds) check(JSON.parse(text), facts);
  return [
    timesOf('limit.json damaged, 200 to 256 KiB', documents(), facts),
    timesOf('crowded with small parts, 256 KiB', crowds, facts),
  ];
}

function timesOf(what: string, documents: Iterable<[string, string]>, facts: Facts): CheckTimes {
  const times = Array.from(documents, ([name, text]) => ({ name, ms: timeOf(JSON.parse(text), facts) }));
  const sorted = times.toSorted((one, other) => one.ms - other.ms);
  const at = (share: number) =>
    sorted[Math.floor((sorted.length - 1) * share)] ?? { name: '', ms: Number.NaN };
  const { name: slowest, ms: longest } = at(1);
  return { what, documents: times.length, median: at(0.5).ms, p99: at(0.99).ms, longest, slowest };
}

/** Measures this thread's processor time, so that other load on the machine does not count. */
function timeOf(document: unknown, facts: Facts): number {
  const began = process.threadCpuUsage();
  check(document, facts);
  const { user, system } = process.threadCpuUsage();
  return (user + system - began.user - began.system) / 1000;
}

function check(document: unknown, facts: Facts): void {
  const places = checkValue(Design, document).problems.map(({ path }) => path);
  const usable = places.length === 0 ? (document as Design) : usablePart(document, places);
  if (!usable || places.length >= mostProblems) return;
  checkDesign(usable, facts);
  if (places.length === 0) completeDesign(usable, facts);
}

/** Returns facts in which every referenced record exists, and the undamaged design is the previous version. */
function factsFor(design: Design): Facts {
  const { knowledgeBaseIds, conversationIds, secretNames } = outsideNames(design);
  const kinds = (design.integrations ?? []).map(({ integrationId, kind }) => [integrationId, kind] as const);
  return {
    integrationKinds: new Map(kinds),
    knowledgeBaseIds: new Set(knowledgeBaseIds),
    hasOpeningHours: true,
    conversationIds: new Set(conversationIds),
    secretBindings: new Map(secretNames.map((name) => [name, null])),
    base: design,
    stepLimit: Number.POSITIVE_INFINITY,
    plan: 'enterprise',
    disclosure: ruleOnDisclosure,
    models: { names: [], takesOthers: false },
  };
}
