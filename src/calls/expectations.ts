import { RE2JS } from 're2js';
import { exitNamesOf, nodesOf, stepOf } from '../design/exits.ts';
import { folded } from '../design/folded.ts';
import type { Design } from '../design/schema/design.ts';
import { type SystemVariableName, systemVariableNames } from '../design/system-variables.ts';
import { isList, isObject, isSame } from '../design/value.ts';
import { variableIdsOf } from '../design/variables.ts';
import { similarNames } from '../platform/closest.ts';
import type { CallRequest, PathEntry } from './call-driver.ts';
import type { EndReason, Position } from './call-state.ts';
import type { Json } from './json-value.ts';
import type { SimulationRun } from './simulate.ts';
import { inOnePiece, type Steps } from './steps.ts';

/** A place of a design: a step or a hook node, and the exit by which a call leaves it. An exit alone is any exit of that name. */
export interface Where {
  readonly step?: string | undefined;
  readonly node?: string | undefined;
  readonly exit?: string | undefined;
}

/** A text that the agent says in one of its turns, in any case, or a `/pattern/`; in an object, at that step. */
export type ExpectedLine = string | { readonly text: string; readonly step?: string | undefined };

/** What a call has to do, or must not do. Each has exactly one member. */
export type Expectation =
  | { readonly reaches: Where }
  | { readonly neverReaches: Where }
  | { readonly says: ExpectedLine }
  | { readonly neverSays: ExpectedLine }
  /** `to`: the number, address or conversation to which the call was put through. */
  | { readonly ends: { readonly reason: EndReason; readonly to?: string | undefined } }
  | { readonly variable: { readonly id: string; readonly equals: Json } }
  /** A request of a hook node. `with` holds the members of url, method, query, headers and body that count. */
  | { readonly requests: { readonly node: string; readonly with?: Json | undefined } }
  /** The call reaches both places, the first time in this order. */
  | { readonly order: { readonly before: Where; readonly after: Where } }
  | { readonly atMost: { readonly turns: number } }
  /** Read by a model, not here. */
  | { readonly judge: { readonly criterion: string } };

/** An expectation that the engine can check. */
export type PureExpectation = Exclude<Expectation, { readonly judge: unknown }>;

export type CheckedExpectation = Expectation & {
  readonly holds: boolean;
  /** What the call did instead, or where it did it. */
  readonly found: string;
};

/** What is wrong with an expectation; `path` is a JSON pointer into the list. */
export interface ExpectationIssue {
  readonly path: string;
  readonly message: string;
}

/** The part of a run that expectations are about. */
export type PlayedCall = Pick<
  SimulationRun,
  'ended' | 'transferredTo' | 'transcript' | 'path' | 'requests' | 'variables' | 'state'
>;

/** Characters of a pattern. */
const longestPattern = 200;
/**
 * Instructions of a pattern, with its repetitions written out, and characters of a line that it reads. RE2 takes time in
 * proportion to their product.
 */
const largestPattern = 300;
const longestRead = 4_000;
/** Characters of a quotation in `found`. */
const longestQuotation = 120;

/** What in these expectations the design does not have, and patterns that cannot be read. */
export function expectationIssues(
  design: Design,
  expectations: readonly Expectation[],
): readonly ExpectationIssue[] {
  return expectations.flatMap((expectation, index) =>
    issuesOf(design, expectation).map(({ path, message }) => ({ path: `/${index}${path}`, message })),
  );
}

/** Checks what a call did. The order of the expectations is kept. */
export function checkExpectations(
  call: PlayedCall,
  expectations: readonly PureExpectation[],
): readonly CheckedExpectation[] {
  return inOnePiece(checkingExpectations(call, expectations));
}

/** {@link checkExpectations} in small steps. */
export function* checkingExpectations(
  call: PlayedCall,
  expectations: readonly PureExpectation[],
): Steps<CheckedExpectation[]> {
  const checked: CheckedExpectation[] = [];
  for (const expectation of expectations) {
    yield;
    checked.push({ ...expectation, ...(yield* verdictOn(call, expectation)) });
  }
  return checked;
}

/**
 * Returns the place of a call at which an expectation failed: the place where the call did what it must not do, or did
 * something else instead. If there is no such place, returns the place where the call ended.
 */
export function decidedAt(call: PlayedCall, expectation: Expectation): Position | undefined {
  const { path, ended, transcript } = call;
  const last = path.at(-1);
  const stepOfCall = (id: string | undefined | null) =>
    id === undefined || id === null ? undefined : ({ at: 'step', id } as const);
  const end = stepOfCall(ended?.step) ?? last;
  if ('neverReaches' in expectation)
    return path.find((entry) => isAt(entry, expectation.neverReaches)) ?? end;
  if ('reaches' in expectation) {
    const { step, node, exit } = expectation.reaches;
    // The call was there, and left by another exit.
    const passed = exit !== undefined && (step ?? node) !== undefined;
    const left = passed ? path.findLast((entry) => isAt(entry, { step, node })) : undefined;
    return left ?? (node === undefined ? end : last);
  }
  if ('order' in expectation) return path.find((entry) => isAt(entry, expectation.order.after)) ?? end;
  if ('neverSays' in expectation) {
    const { text: wanted, step } = lineOf(expectation.neverSays);
    const matches = matcherOf(wanted);
    const line = transcript.find(
      (one) => one.who === 'agent' && (step === undefined || one.step === step) && matches(one.text),
    );
    return stepOfCall(line?.step) ?? end;
  }
  if ('requests' in expectation)
    return path.findLast((entry) => isAt(entry, { node: expectation.requests.node })) ?? last;
  if ('atMost' in expectation) {
    const turns = transcript.filter(({ who }) => who === 'caller');
    return stepOfCall(turns[expectation.atMost.turns]?.step) ?? end;
  }
  return 'variable' in expectation ? last : end;
}

/** An expectation in words, such as `reaches step bye`. */
export function expectationInWords(expectation: Expectation): string {
  return valueInWords(expectation);
}

function valueInWords(value: unknown): string {
  if (isObject(value))
    return Object.entries(value)
      .map(([name, one]) => `${name} ${valueInWords(one)}`)
      .join(', ');
  if (isList(value)) return value.map(valueInWords).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Verdict {
  readonly holds: boolean;
  readonly found: string;
}

function* verdictOn(call: PlayedCall, expectation: PureExpectation): Steps<Verdict> {
  if ('reaches' in expectation) return reached(call, expectation.reaches);
  if ('neverReaches' in expectation) return opposite(reached(call, expectation.neverReaches));
  if ('says' in expectation) return yield* said(call, expectation.says);
  if ('neverSays' in expectation) return opposite(yield* said(call, expectation.neverSays));
  if ('ends' in expectation) {
    const { reason, to } = expectation.ends;
    const { ended, transferredTo, state } = call;
    const target = transferredTo === null ? '' : `, put through to ${quoted(transferredTo)}`;
    const found = ended
      ? `ended: ${ended.reason}, at ${ended.step ?? 'no step'}${to === undefined ? '' : target}`
      : `still listens at ${state.position?.id ?? 'no step'}`;
    return { holds: ended?.reason === reason && (to === undefined || to === transferredTo), found };
  }
  if ('variable' in expectation) {
    const { id, equals } = expectation.variable;
    const value = Object.hasOwn(call.variables, id)
      ? call.variables[id]
      : Object.hasOwn(call.state.system, id)
        ? call.state.system[id as SystemVariableName]
        : undefined;
    return {
      holds: value === undefined ? equals === null : isSame(value, equals),
      found: value === undefined ? 'it has no value' : quoted(JSON.stringify(value)),
    };
  }
  if ('requests' in expectation) return requested(call, expectation.requests);
  if ('order' in expectation) return ordered(call, expectation.order);
  const { turns } = call.state;
  return { holds: turns <= expectation.atMost.turns, found: `${turns} turns of the caller` };
}

function opposite({ holds, found }: Verdict): Verdict {
  return { holds: !holds, found };
}

function reached({ path }: PlayedCall, where: Where): Verdict {
  const index = path.findIndex((entry) => isAt(entry, where));
  const [before, entry] = [path[index - 1], path[index]];
  if (entry) {
    const from = before ? `, from ${before.id}` : '';
    return { holds: true, found: `reached ${entry.id}${from}${entry.exit ? `, left by ${entry.exit}` : ''}` };
  }
  const exits = path.flatMap(({ at, id, exit }) =>
    exit !== null && isAt({ at, id, exit: where.exit ?? exit }, where) ? [exit] : [],
  );
  if (where.exit !== undefined && (where.step ?? where.node) !== undefined && exits.length > 0)
    return { holds: false, found: `left by ${[...new Set(exits)].join(', ')}` };
  return { holds: false, found: `the call went ${quoted(path.map(({ id }) => id).join(' > '))}` };
}

function isAt({ at, id, exit }: Pick<PathEntry, 'at' | 'id' | 'exit'>, where: Where): boolean {
  if (where.step !== undefined && (at !== 'step' || id !== where.step)) return false;
  if (where.node !== undefined && (at === 'step' || id !== where.node)) return false;
  return where.exit === undefined || exit === where.exit;
}

function lineOf(line: ExpectedLine): { readonly text: string; readonly step?: string | undefined } {
  return typeof line === 'string' ? { text: line } : line;
}

function* said({ transcript }: PlayedCall, expected: ExpectedLine): Steps<Verdict> {
  const { text: wanted, step: at } = lineOf(expected);
  const matches = matcherOf(wanted);
  const lines = transcript.filter(({ who, step }) => who === 'agent' && (at === undefined || step === at));
  for (const line of lines) {
    yield;
    if (matches(line.text)) return { holds: true, found: `said at ${line.step}: ${quoted(line.text)}` };
  }
  const last = lines.at(-1);
  return {
    holds: false,
    found: last ? `not said; the last line was ${quoted(last.text)}` : 'nothing was said',
  };
}

function requested(
  { requests }: PlayedCall,
  { node, with: wanted }: { node: string; with?: Json | undefined },
): Verdict {
  const sent = requests.filter((request) => request.node === node);
  const found = sent.find((request) => wanted === undefined || contains(request, wanted));
  const nearest = found ?? sent.at(-1);
  if (!nearest) return { holds: false, found: 'the node requested nothing' };
  return { holds: found !== undefined, found: quoted(inWords(nearest)) };
}

function inWords(request: CallRequest): string {
  if ('url' in request) {
    const { method, url, body } = request;
    return `${method} ${url}${body === null ? '' : ` ${JSON.stringify(body)}`}`;
  }
  const { node: _, result: __, block, ...members } = request;
  return `${block} ${JSON.stringify(members)}`;
}

/** True if a value has every member of another, at any depth. */
function contains(value: unknown, wanted: unknown): boolean {
  if (isObject(wanted))
    return (
      isObject(value) &&
      Object.entries(wanted).every(([name, one]) => Object.hasOwn(value, name) && contains(value[name], one))
    );
  if (isList(wanted))
    return (
      isList(value) &&
      wanted.length === value.length &&
      wanted.every((one, index) => contains(value[index], one))
    );
  return isSame(value, wanted);
}

function ordered({ path }: PlayedCall, { before, after }: { before: Where; after: Where }): Verdict {
  const [first, second] = [before, after].map((where) => path.findIndex((entry) => isAt(entry, where)));
  if (first === undefined || second === undefined || first < 0 || second < 0) {
    const missing = [before, after].filter((_, index) => [first, second][index] === -1).map(nameOf);
    return { holds: false, found: `the call did not reach ${missing.join(' and ')}` };
  }
  return { holds: first < second, found: `place ${first + 1} and place ${second + 1} of the path` };
}

function nameOf({ step, node, exit }: Where): string {
  return [step ?? node, exit].filter((part) => part !== undefined).join(' ');
}

function quoted(text: string): string {
  return text.length <= longestQuotation ? text : `${text.slice(0, longestQuotation)}…`;
}

/**
 * Matches a text in any case and without regard to accents, or a `/pattern/` as it is (`/pattern/i`: in any case). RE2 reads
 * patterns, in time that grows only with the length of the text, so that no pattern can hold up the server.
 */
function matcherOf(wanted: string): (text: string) => boolean {
  const pattern = patternIn(wanted);
  if (!pattern) return (text) => folded(text).includes(folded(wanted));
  const compiled = RE2JS.compile(pattern.source, pattern.flags);
  return (text) => compiled.matcher(text.slice(0, longestRead)).find();
}

function patternIn(wanted: string): { source: string; flags: number } | undefined {
  const found = /^\/(.+)\/(i?)$/su.exec(wanted);
  return found?.[1] === undefined
    ? undefined
    : { source: found[1], flags: found[2] === 'i' ? RE2JS.CASE_INSENSITIVE : 0 };
}

type Issues = readonly ExpectationIssue[];

function issuesOf(design: Design, expectation: Expectation): Issues {
  if ('reaches' in expectation) return issuesOfWhere(design, expectation.reaches, '/reaches');
  if ('neverReaches' in expectation) return issuesOfWhere(design, expectation.neverReaches, '/neverReaches');
  if ('order' in expectation) {
    const { before, after } = expectation.order;
    return [
      ...issuesOfWhere(design, before, '/order/before'),
      ...issuesOfWhere(design, after, '/order/after'),
    ];
  }
  if ('says' in expectation) return issuesOfLine(design, expectation.says, '/says');
  if ('neverSays' in expectation) return issuesOfLine(design, expectation.neverSays, '/neverSays');
  if ('variable' in expectation)
    return unknownName(
      'variable',
      expectation.variable.id,
      [...variableIdsOf(design), ...systemVariableNames],
      '/variable/id',
    );
  if ('requests' in expectation) return issuesOfNode(design, expectation.requests.node, '/requests/node');
  return [];
}

function issuesOfNode(design: Design, node: string, path: string): Issues {
  if (stepOf(design, node)?.kind !== 'transfer') return unknownName('hook node', node, nodeIds(design), path);
  const message = `${JSON.stringify(node)} is a transfer step: expect reaches {step} and ends {reason: "transferred"}.`;
  return [{ path, message }];
}

function issuesOfLine(design: Design, line: ExpectedLine, path: string): Issues {
  if (typeof line === 'string') return issuesOfPattern(line, path);
  const { text, step } = line;
  return [
    ...issuesOfPattern(text, `${path}/text`),
    ...(step === undefined ? [] : issuesOfWhere(design, { step }, path)),
  ];
}

function issuesOfWhere(design: Design, { step, node, exit }: Where, path: string): Issues {
  if (step !== undefined && node !== undefined)
    return [{ path, message: 'Name a step or a node, not both.' }];
  if (step === undefined && node === undefined && exit === undefined)
    return [{ path, message: 'Name a step, a node or an exit.' }];
  const steps = Object.entries(design.steps).filter(([id]) => step === undefined || id === step);
  const nodes = [...nodesOf(design)].filter(({ key }) => node === undefined || key === node);
  if (step !== undefined && stepOf(design, step) === undefined)
    return unknownName('step', step, Object.keys(design.steps), `${path}/step`);
  if (node !== undefined && nodes.length === 0)
    return unknownName('hook node', node, nodeIds(design), `${path}/node`);
  if (exit === undefined) return [];
  const exits = [
    ...(node === undefined ? steps.flatMap(([, one]) => exitNamesOf(one)) : []),
    ...(step === undefined ? nodes.flatMap((one) => exitNamesOf(one.node)) : []),
  ];
  return unknownName('exit', exit, exits, `${path}/exit`);
}

function issuesOfPattern(wanted: string, path: string): Issues {
  const pattern = patternIn(wanted);
  if (!pattern) return wanted.trim() === '' ? [{ path, message: 'Is empty.' }] : [];
  if (pattern.source.length > longestPattern)
    return [{ path, message: `Is a pattern of more than ${longestPattern} characters.` }];
  try {
    const compiled = RE2JS.compile(pattern.source, pattern.flags);
    return compiled.programSize() <= largestPattern
      ? []
      : [{ path, message: 'Is a pattern that repeats too much: write * or + instead of large counts.' }];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ path, message: `Is no pattern in the syntax of RE2: ${reason}.` }];
  }
}

function unknownName(what: string, name: string, known: readonly string[], path: string): Issues {
  if (known.includes(name)) return [];
  const [nearest] = similarNames({ word: name, known: [...new Set(known)] }, 1);
  const hint = nearest === undefined ? '' : ` The nearest is ${JSON.stringify(nearest)}.`;
  return [{ path, message: `The design has no ${what} ${JSON.stringify(name)}.${hint}` }];
}

function nodeIds(design: Design): string[] {
  return [...nodesOf(design)].map(({ key }) => key);
}
