import type { Step } from '../../../design/schema/design.ts';
import { ruleOnDisclosure } from '../../../disclosure/index.ts';
import { answer, end, greeting, message, textVariables } from '../../catalogue/steps.ts';
import { Compilation, type CompiledFlow, Names } from './compilation.ts';
import { branches, type Node, nodesOf, otherwise, type Way } from './graph-nodes.ts';
import { languageOf, openingOf, wordsOf } from './opening.ts';
import { itemOf } from './questions.ts';
import { answering } from './simple.ts';
import type { Words } from './words.ts';

type Members = Readonly<Record<string, unknown>>;

/** Labels of ways that are taken if what a node does fails. */
const failing =
  /^(?:fail(?:ed|ure)?|error|no ?answer|no ?input|unanswered|unknown|not known|timeout|busy|nothing)$/iu;

/**
 * The design of a graph, as far as its nodes say what they do. A node that does not is passed over, on the first way that leads
 * on from it.
 */
export function compileGraph(graph: Members): CompiledFlow {
  const compilation = new Compilation();
  const nodes = nodesOf(compilation, graph);
  const line = compilation.text(graph['greeting'], ['greeting']);
  return new GraphCompiler(compilation, nodes, languageWords(graph, nodes, line)).compile(
    graph['entry'],
    line,
  );
}

class GraphCompiler {
  readonly #compilation: Compilation;
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #words: Words;
  readonly #names: Names;
  readonly #goodbye: string;
  /** Nodes that calls come to, in the order in which they are found. */
  readonly #reached = new Set<string>();
  readonly #variables = new Map<string, string>();

  constructor(compilation: Compilation, nodes: ReadonlyMap<string, Node>, words: Words) {
    this.#compilation = compilation;
    this.#nodes = nodes;
    this.#words = words;
    this.#names = new Names(nodes.keys());
    this.#goodbye = this.#names.take('goodbye');
  }

  compile(entry: unknown, line: string | undefined): CompiledFlow {
    const first = this.#nodeAt(typeof entry === 'string' ? entry : this.#nodes.keys().next().value);
    if (!first && line === undefined) return this.#compilation.empty();
    const start = this.#open(first, line);
    // A set yields what is added while it is read.
    for (const id of this.#reached) {
      const node = this.#nodes.get(id);
      if (node && !this.#compilation.steps.has(id)) this.#add(node);
    }
    for (const { id, does, place } of this.#nodes.values())
      if (does !== 'nothing' && !this.#reached.has(id)) this.#compilation.skip(place, 'No way leads here.');
    this.#compilation.add(this.#goodbye, end('Goodbye', this.#words.goodbye));
    return this.#compilation.finished(start, {
      ...(this.#variables.size > 0 && { variables: textVariables(Object.fromEntries(this.#variables)) }),
      hooks: { commands: this.#commands() },
    });
  }

  /** Adds the greeting, which always discloses the AI, and returns its id. */
  #open(first: Node | undefined, line: string | undefined): string {
    const compilation = this.#compilation;
    const words = this.#words;
    // A node that says something and goes on is the greeting itself.
    const isGreeting = line === undefined && first?.does === 'say' && !branches(first.ways);
    const discloses =
      first?.does === 'choose' && first.text !== undefined && ruleOnDisclosure(first.text).discloses;
    const id = isGreeting ? first.id : this.#names.take('greeting');
    const next = isGreeting ? this.#next(first, first.ways) : first ? this.#reach(first.id) : this.#goodbye;
    if (isGreeting) this.#reached.add(first.id);
    const text = isGreeting || (discloses && line === undefined) ? first.text : line;
    const place = line === undefined && first ? first.place : ['greeting'];
    const opening = openingOf(compilation, text, place, words);
    const rest = opening.rest === undefined ? undefined : this.#names.take('opening');
    const persona = { purpose: `Speak ${words.language}.` };
    compilation.add(
      id,
      greeting('Welcome', opening.line, persona, { next: rest ?? next }),
      text === undefined ? undefined : place,
    );
    if (rest !== undefined && opening.rest !== undefined)
      compilation.add(rest, message('Opening', opening.rest, { next }), place);
    // The greeting has asked already.
    if (discloses && line === undefined) this.#addRoute(first.id, undefined, first);
    return id;
  }

  #add(node: Node): void {
    const compilation = this.#compilation;
    const { id, place, ways } = node;
    switch (node.does) {
      case 'say':
        if (branches(ways)) this.#addRoute(id, node.text, node);
        else compilation.add(id, message(id, node.text, { next: this.#next(node, ways) }), place);
        break;
      case 'choose':
        this.#addRoute(id, node.text, node);
        break;
      case 'ask': {
        const [first] = node.questions;
        for (const question of node.questions) this.#variables.set(question.id, question.id);
        const { failed, others } = split(ways, failing);
        compilation.add(
          id,
          {
            kind: 'collect',
            name: id,
            prompt: first?.prompt ?? '',
            collect: node.questions.map(itemOf),
            on: { next: this.#next(node, others), ...(failed && { failed: this.#reach(failed.to) }) },
          },
          place,
        );
        break;
      }
      case 'answer': {
        const { failed, others } = split(ways, new RegExp(`${failing.source}|${otherwise.source}`, 'iu'));
        const next = this.#next(node, others);
        const instruction = `${node.instruction ?? 'Answer in one or two short sentences.'}\n${answering}`;
        const exits = { next, noAnswer: failed ? this.#reach(failed.to) : next, maxTurns: 1 };
        compilation.add(id, answer(id, instruction, node.facts ?? '', exits), place);
        break;
      }
      case 'transfer': {
        const { failed, others } = split(ways, failing);
        const to = failed ?? others[0];
        for (const other of others)
          if (other !== to) this.#skip(other, 'A call that was put through is over.');
        const line = node.text ?? this.#words.putThrough;
        const on = { failed: to ? this.#reach(to.to) : this.#goodbye };
        compilation.add(id, { kind: 'transfer', name: id, line, destination: node.destination, on }, place);
        break;
      }
      case 'end':
        for (const way of ways) this.#skip(way, 'Leads on from an end.');
        compilation.add(
          id,
          { kind: 'end', name: id, ...(node.text !== undefined && { line: node.text }) },
          place,
        );
        break;
      case 'nothing':
        break;
    }
  }

  /** The step after a node: where its only way leads, or a step that chooses among them by what the caller has said. */
  #next(node: Node, ways: readonly Way[]): string {
    if (branches(ways)) {
      const id = this.#names.take(`${node.id} choice`);
      this.#addRoute(id, undefined, { ...node, ways });
      return id;
    }
    const [way, ...others] = ways;
    for (const other of others) this.#skip(other, 'Has no label that says when it is taken.');
    return way ? this.#reach(way.to) : this.#goodbye;
  }

  #addRoute(id: string, prompt: string | undefined, { ways, place }: Pick<Node, 'ways' | 'place'>): void {
    const { failed: fallback, others } = split(ways, otherwise);
    const ids = new Names();
    const options = others.flatMap((way) =>
      way.label === undefined
        ? []
        : [{ id: ids.take(way.id), title: way.label, description: way.label, target: this.#reach(way.to) }],
    );
    const unlabelled = others.filter(({ label }) => label === undefined);
    const on = fallback ?? unlabelled[0];
    for (const way of unlabelled) if (way !== on) this.#skip(way, 'Has no label that says when it is taken.');
    const step: Step = {
      kind: 'route',
      name: id,
      ...(prompt !== undefined && { prompt }),
      options,
      on: { fallback: on ? this.#reach(on.to) : (options[0]?.target ?? this.#goodbye) },
    };
    this.#compilation.add(id, step, place);
  }

  /** The step for a node that a way leads to. */
  #reach(id: string): string {
    const node = this.#nodeAt(id);
    if (!node) return this.#goodbye;
    this.#reached.add(node.id);
    return node.id;
  }

  /** The node with an id, or the first that does something on the way from there. */
  #nodeAt(id: string | undefined): Node | undefined {
    const passed = new Set<string>();
    let node = id === undefined ? undefined : this.#nodes.get(id);
    while (node?.does === 'nothing' && !passed.has(node.id)) {
      passed.add(node.id);
      node = this.#nodes.get(node.ways[0]?.to ?? '');
    }
    return node?.does === 'nothing' ? undefined : node;
  }

  #commands() {
    const transfer = [...this.#compilation.steps].find(([, { kind }]) => kind === 'transfer');
    return {
      person: transfer ? { next: { step: transfer[0] } } : { line: this.#words.noPerson },
      stop: { next: { step: this.#goodbye } },
      repeat: {},
      swearing: { line: this.#words.swearing },
    };
  }

  #skip({ place }: Way, message: string): void {
    this.#compilation.skip(place, message);
  }
}

/** The first way with a label of this kind, and the others. */
function split(ways: readonly Way[], kind: RegExp): { failed: Way | undefined; others: Way[] } {
  const failed = ways.find(({ label }) => label !== undefined && kind.test(label));
  return { failed, others: ways.filter((way) => way !== failed) };
}

function languageWords(graph: Members, nodes: ReadonlyMap<string, Node>, line: string | undefined): Words {
  const texts = [...nodes.values()].flatMap((node) => {
    if ('text' in node && node.text !== undefined) return [node.text];
    return node.does === 'ask' ? node.questions.map(({ prompt }) => prompt) : [];
  });
  return wordsOf(languageOf(graph['language'], line === undefined ? texts : [line, ...texts]));
}
