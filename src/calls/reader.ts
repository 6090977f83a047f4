import { type KnownCommand, knownCommands } from '../design/schema/hooks.ts';
import type { CommandOption, UnderstandEffect, Understood, Wanted } from './call-state.ts';
import type { Json } from './json-value.ts';
import { agreement, answerIn, commandIn, optionIn, valuesIn } from './reading/index.ts';
import { offeredIn, reasonIn } from './reasons.ts';
import { fillTemplate } from './templates.ts';

/**
 * Reads a turn without a model, in eight languages (`reading/`). Good enough for calls that ask one thing at a time, and the
 * same every time.
 */
export function readByRule(effect: UnderstandEffect): Understood {
  const { commands } = effect;
  const understood = readingOf(effect);
  const command = commands ? commandIn(effect.text, commands.map(withKind)) : null;
  return command === null ? understood : { ...understood, command };
}

function readingOf(effect: UnderstandEffect): Understood {
  switch (effect.reads) {
    case 'consent':
      return { consent: consentTo(effect.text) };
    case 'route':
      return routed(effect);
    case 'collect':
      return collected(effect);
    case 'confirm':
      return { consent: agreement(effect.text), ...collected(effect) };
    case 'answer':
      return answered(effect);
    case 'message':
      return {
        text: fillTemplate(
          effect.instruction,
          (name) => effect.values[name],
          () => undefined,
        ),
      };
    case 'values':
      return { values: Object.fromEntries(Object.keys(effect.prompts).map((key) => [key, ''])) };
  }
}

/** Words of a clause that answers a question about a consent, unless it speaks of the recording. */
const shortAnswer = 6;
const recording =
  /\b(?:record|aufnehm|aufnahm|aufzeich|enregistr|grab|registr|opnem|opnam|gravar|gravad|gravaç|nagr)/iu;

/** What the clauses say that answer the question: callers often tell their problem in the same breath. */
function consentTo(text: string): boolean | null {
  const clauses = text
    .split(/[.!?,;]/)
    .filter((clause) => recording.test(clause) || clause.trim().split(/\s+/).length <= shortAnswer);
  const said = new Set(clauses.map(agreement).filter((agrees) => agrees !== null));
  const [only = null] = said;
  return said.size === 1 ? only : null;
}

type CollectEffect = Extract<UnderstandEffect, { reads: 'collect' | 'confirm' }>;

/** The values of a turn, then what the call is about and what the agent offers, which callers often say at the start. */
function collected({ text, wanted, today }: CollectEffect) {
  const heard = valuesIn(text, wanted.flatMap(plainItems), { today });
  const values: Record<string, Json> = {};
  for (const [id, value] of Object.entries(heard.values)) values[ownerOf(id)] ??= value;
  for (const { variableId, description, expects, value, asked } of wanted) {
    if (value !== undefined || asked || Object.hasOwn(values, variableId)) continue;
    const found =
      expects === 'reason' ? reasonIn(text) : expects === 'text' ? offeredIn(text, description) : undefined;
    if (found !== undefined) values[variableId] = found;
  }
  return { values, corrected: [...new Set(heard.corrected.map(ownerOf))], asks: heard.asks };
}

/** Follows the id of an item whose answer may be a phone number or an email address. No id of a design has it. */
const asEmail = '\u0000email';

/** An item as the rule knows it. */
function plainItems({ expects, ...item }: Wanted) {
  if (expects === 'phoneOrEmail')
    return [
      { ...item, expects: 'phoneNumber' as const },
      { ...item, variableId: `${item.variableId}${asEmail}`, expects: 'emailAddress' as const },
    ];
  if (expects === undefined) return [item];
  return [{ ...item, expects: expects === 'reason' ? ('text' as const) : expects }];
}

function ownerOf(id: string): string {
  return id.replace(asEmail, '');
}

function routed({ text, options }: Extract<UnderstandEffect, { reads: 'route' }>): Understood {
  const option = optionIn(text, options) ?? agreedOption(text, options);
  return option === null && asksSomething(text) ? { option, asks: true } : { option };
}

/** The option "Yes" or "No" of a reply that agrees or refuses in other words. */
function agreedOption(
  text: string,
  options: readonly { readonly id: string; readonly title: string }[],
): string | null {
  const agrees = agreement(text);
  return options.find(({ title }) => agrees !== null && agreement(title) === agrees)?.id ?? null;
}

/** Words of a question; "Hello?" is none. */
const shortestQuestion = 3;

function asksSomething(text: string): boolean {
  const sentences = text.match(/[^.?!]+[.?!]*/g) ?? [];
  const whole = sentences.filter((sentence) => sentence.trim().split(/\s+/).length >= shortestQuestion);
  return valuesIn(whole.join(''), [], {}).asks;
}

/** Characters of a reply that ends the questions, such as "No, thanks, that's all." */
const longestEnd = 40;

/** Quotes the passage that answers the last turn, or else the latest one before it that has an answer. */
function answered({
  text,
  earlier = [],
  passages,
}: Extract<UnderstandEffect, { reads: 'answer' }>): Understood {
  if (agreement(text) === false && text.length <= longestEnd) return { answered: true, done: true };
  for (const question of [text, ...earlier]) {
    const found = answerIn(question, passages);
    if (found !== null) return { answered: true, text: found };
  }
  return { answered: false, asks: asksSomething(text) };
}

function withKind(command: CommandOption) {
  const kind: KnownCommand | 'other' = knownCommands.find((known) => known === command.id) ?? 'other';
  return { ...command, kind };
}
