import type { RestAnswer, RestRequest } from '../test/helpers/world.ts';
import type { Area, Change } from './state.ts';

/** What a task asks for. */
export type Kind =
  | 'find'
  | 'make'
  | 'change'
  | 'compare'
  | 'prove'
  | 'undo'
  | 'share'
  | 'restrict'
  | 'explain';

/**
 * A recorded call: a tool and its arguments. A text `$front` stands for an id of the practice, `$1.id` for a member of
 * the first call's result.
 */
export type RecordedCall = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** A call that a solver made, and what came of it. */
export interface MadeCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  readonly text: string;
}

/** How a task ended. */
export interface End extends Change {
  readonly ids: Readonly<Record<string, string>>;
  /** What the solver told its user at the end. */
  readonly answer: string;
  /** The calls of the solver, in their order. */
  readonly calls: readonly MadeCall[];
  /** Reads a record over REST; undefined if it does not exist. */
  get(route: string): Promise<RestAnswer['body']>;
  /** Sends a REST request, with the key of the practice unless the request has another. */
  send(method: string, route: string, request?: RestRequest): Promise<RestAnswer>;
  /** Waits until nothing in a knowledge base is being indexed, for 30 seconds at most. */
  indexed(knowledgeBaseId: string): Promise<void>;
}

/** A task in the words of somebody who has never seen the tools. */
export interface Task {
  readonly name: string;
  readonly words: string;
  /** Calls that prepare the practice for this task. */
  readonly setUp?: readonly RecordedCall[];
  /** What may differ at the end. */
  readonly touches?: readonly Area[];
  /** Calls that solve it, and what the solver says then. */
  readonly calls: readonly RecordedCall[];
  /** `{1.key}` in it stands for a member of the first call's result. */
  readonly answer?: string;
  /** A plausible solution that is wrong. */
  readonly wrong: { readonly calls?: readonly RecordedCall[]; readonly answer?: string };
  /** True if the end state, or the answer, is what was asked for. */
  readonly check: (end: End) => boolean | Promise<boolean>;
}

/** What solves a task, what does not, and what tells the two apart. */
export type Solution = Pick<Task, 'calls' | 'answer' | 'wrong' | 'check'>;

/** True if an answer holds every one of these texts, whatever their case, and none of the others. */
export function says(answer: string, texts: readonly string[], others: readonly string[] = []): boolean {
  const plain = answer.toLowerCase();
  return (
    texts.every((text) => plain.includes(text.toLowerCase())) &&
    !others.some((text) => plain.includes(text.toLowerCase()))
  );
}

/** A record of any kind, as REST returns it. */
export type Made = RestAnswer['body'];

/** The record of a list that has this name. */
export async function named(get: End['get'], route: string, list: string, name: string): Promise<Made> {
  const body = await get(route);
  const records: Made[] = Array.isArray(body) ? body : body[list];
  return records.find((record) => record.name === name);
}
