import { reachableSteps } from '../../../design/checks/reachability.ts';
import { isKnownName, isValueName, textParts } from '../../../design/placeholders.ts';
import type { Design, Step } from '../../../design/schema/design.ts';
import { isObject } from '../../../design/value.ts';
import { jsonPointer } from '../../../platform/errors.ts';

/** A part of a flow that means nothing to a call, and why. */
export interface Meaningless {
  /** JSON pointer into the configuration of the flow. */
  readonly path: string;
  readonly message: string;
}

/** A flow as a design. */
export interface CompiledFlow {
  /** Null if nothing in the flow says what a call does. */
  readonly design: Design | null;
  /** JSON pointers into the configuration, by the step that was made of each. Parley adds the other steps. */
  readonly sources: Readonly<Record<string, string>>;
  readonly meaningless: readonly Meaningless[];
}

/** A place in the configuration of a flow. */
export type FlowPlace = readonly (string | number)[];

/** Characters of a text and entries of a list that a design can hold, and what is listed at most. */
export const longestText = 10_000;
const mostListed = 100;

/** Makes a design step by step, and notes where each step comes from and what has no meaning. */
export class Compilation {
  readonly steps = new Map<string, Step>();
  readonly #sources = new Map<string, string>();
  readonly #meaningless: Meaningless[] = [];

  /** Adds a step, made of what is at a place of the flow, or of nothing in it. */
  add(id: string, step: Step, from?: FlowPlace): void {
    this.steps.set(id, step);
    if (from) this.#sources.set(id, jsonPointer(from));
  }

  skip(place: FlowPlace, message: string): void {
    if (this.#meaningless.length < mostListed) this.#meaningless.push({ path: jsonPointer(place), message });
  }

  /** A text of the flow as a design can hold it; undefined if it is none, or blank. */
  text(value: unknown, place: FlowPlace): string | undefined {
    if (typeof value !== 'string') return undefined;
    const text = value.trim();
    if (text === '') return undefined;
    const cut = clipped(text);
    if (cut !== text) this.skip(place, `Only the first ${longestText} characters count.`);
    return cut;
  }

  /** The design of the steps, of which `stepId` is the first. Steps and commands that no call comes to are left out. */
  finished(stepId: string, more: Pick<Design, 'variables' | 'hooks'>): CompiledFlow {
    const whole = {
      ...more,
      schemaVersion: 'cd/1',
      entry: { stepId },
      steps: Object.fromEntries(this.steps),
    } as const;
    const reached = reachableSteps(whole);
    const commands = Object.entries(more.hooks?.commands ?? {}).filter(
      ([, { next }]) => next?.step === undefined || reached.has(next.step),
    );
    const isReached = ([id]: readonly [string, unknown]) => reached.has(id);
    const design: Design = {
      schemaVersion: 'cd/1',
      entry: { stepId },
      steps: Object.fromEntries([...this.steps].filter(isReached)),
      ...more,
      hooks: { ...more.hooks, commands: Object.fromEntries(commands) },
    };
    this.#skipUnknownNames(design);
    return {
      design,
      sources: Object.fromEntries([...this.#sources].filter(isReached)),
      meaningless: this.#meaningless,
    };
  }

  /** The result for a flow in which nothing says what a call does. */
  empty(): CompiledFlow {
    return { design: null, sources: {}, meaningless: this.#meaningless };
  }

  /** Nothing is filled into a placeholder that names no variable. */
  #skipUnknownNames(design: Design): void {
    for (const [id, from] of this.#sources) {
      const names = new Set(namesIn(this.steps.get(id)).filter((name) => !isKnownName(name, design)));
      for (const name of names)
        if (this.#meaningless.length < mostListed)
          this.#meaningless.push({
            path: from,
            message: `${placeholder(name)} names nothing that is asked for.`,
          });
    }
  }
}

/** A text without its end, if it has more characters than a design can hold. */
export function clipped(text: string, longest = longestText): string {
  if (text.length <= longest) return text;
  const characters = Array.from(text);
  return characters.length <= longest ? text : characters.slice(0, longest).join('');
}

/** A text on one line. */
export function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ');
}

/** The names in the placeholders of all texts of a value. */
export function namesIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [...textParts(value)].flatMap(({ name }) => (isValueName(name) ? [name] : []));
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isObject(value) ? Object.values(value).flatMap(namesIn) : [];
}

function placeholder(name: string): string {
  return `{{${clipped(name, 100)}}}`;
}

/** Ids that are taken, each once. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** The wanted name, or that with a number if it is taken. */
  take(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}${number}`;
    this.#taken.add(name);
    return name;
  }
}
