import type { Design, Step } from '../../design/schema/design.ts';

/** The steps and variables of templates. `name` is what a person reads in the diagram; `on` names the steps that follow. */

type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;
type CollectItem = StepOf<'collect'>['collect'][number];

export const greeting = (
  name: string,
  introLine: string,
  persona: NonNullable<StepOf<'greeting'>['persona']>,
  on: { next: string },
): Step => ({ kind: 'greeting', name, introLine, persona, on });

export const message = (name: string, text: string, on: { next: string }): Step => ({
  kind: 'message',
  name,
  text,
  on,
});

/** An option of a route: its id, title and description, and the step that follows. */
type Option = readonly [id: string, title: string, description: string, target: string];

/**
 * Branches on what the caller wants.
 * @param prompt undefined if the agent decides without asking.
 */
export const route = (
  name: string,
  prompt: string | undefined,
  on: { fallback: string },
  options: readonly Option[],
): Step => ({
  kind: 'route',
  name,
  ...(prompt !== undefined && { prompt }),
  options: options.map(([id, title, description, target]) => ({ id, title, description, target })),
  on,
});

/** A line for each fact of the business: without a model, the agent quotes the one that fits. */
export const answer = (
  name: string,
  instruction: string,
  facts: string,
  { maxTurns, ...on }: { next: string; noAnswer: string; maxTurns: number },
): Step => ({ kind: 'answer', name, instruction, facts, maxTurns, on });

/** Asks for details until nothing comes three times in a row, and reads them back if `readBack` says how. */
export const collect = (
  name: string,
  prompt: string,
  { readBack, ...on }: { next: string; failed?: string; readBack?: string },
  items: CollectItem[],
): Step => ({
  kind: 'collect',
  name,
  prompt,
  collect: items,
  ...(readBack !== undefined && { readBack }),
  on,
});

/** How the agent asks for a detail alone, and how the answer looks. */
interface Asking {
  readonly question?: string;
  readonly expects?: NonNullable<CollectItem['expects']>;
}

/** A detail that the caller may leave out. It is asked for once if it has a question. */
export const optional = (
  id: string,
  variableId: string,
  description: string,
  asking: Asking = {},
): CollectItem => ({ id, variableId, description, ...asking });

export const required = (
  id: string,
  variableId: string,
  description: string,
  asking: Asking,
): CollectItem => ({ ...optional(id, variableId, description, asking), required: true });

export const nameOf = (variableId: string): CollectItem =>
  required('name', variableId, 'First and last name', { question: 'May I have your name?', expects: 'name' });

export const numberOf = (variableId: string): CollectItem =>
  required('number', variableId, 'A phone number', {
    question: 'Which number can we reach you on?',
    expects: 'phoneNumber',
  });

/** Transfers the call to the business. A warm transfer tells the person first what the call is about. */
export const transfer = (
  name: string,
  line: string,
  { mode, to = '[[transferNumber]]', ...on }: { mode: 'cold' | 'warm'; to?: string; failed: string },
): Step => ({ kind: 'transfer', name, line, destination: { kind: 'phoneNumber', value: to }, mode, on });

export const end = (name: string, line: string): Step => ({ kind: 'end', name, line });

export const goodbye = end('Goodbye', 'Thank you for calling [[businessName]]. Goodbye!');

export const callAgain = end(
  'Call again',
  "I'm sorry, I couldn't take that down. Please call again a little later. Goodbye.",
);

/** @param names by the id of the variable. */
export const textVariables = (names: Readonly<Record<string, string>>): NonNullable<Design['variables']> =>
  Object.entries(names).map(([id, name]) => ({ id, name, type: 'text' }));
