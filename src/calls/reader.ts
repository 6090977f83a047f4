import { type KnownCommand, knownCommands } from '../design/schema/hooks.ts';
import type { CommandOption, UnderstandEffect, Understood } from './call-state.ts';
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
      return { consent: agreement(effect.text) };
    case 'route':
      return routed(effect.text, optionIn(effect.text, effect.options));
    case 'collect':
      return collected(effect);
    case 'confirm':
      return { consent: agreement(effect.text), ...collected(effect) };
    case 'answer':
      return answered(effect.text, effect.passages);
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

type CollectEffect = Extract<UnderstandEffect, { reads: 'collect' | 'confirm' }>;

/** The values of a turn, then what the call is about and what the agent offers, which callers often say at the start. */
function collected({ text, wanted, today }: CollectEffect) {
  const items = wanted.map(({ expects, ...item }) => ({
    ...item,
    ...(expects !== undefined && { expects: expects === 'reason' ? ('text' as const) : expects }),
  }));
  const heard = valuesIn(text, items, { today });
  const values: Record<string, Json> = { ...heard.values };
  for (const { variableId, description, expects, value, asked } of wanted) {
    if (value !== undefined || asked || Object.hasOwn(values, variableId)) continue;
    const found =
      expects === 'reason' ? reasonIn(text) : expects === 'text' ? offeredIn(text, description) : undefined;
    if (found !== undefined) values[variableId] = found;
  }
  return { ...heard, values };
}

function routed(text: string, option: string | null): Understood {
  return option === null && valuesIn(text, [], {}).asks ? { option, asks: true } : { option };
}

/** Characters of a reply that ends the questions, such as "No, thanks, that's all." */
const longestEnd = 40;

/** Quotes the passage that answers a question. */
function answered(text: string, passages: readonly string[]): Understood {
  if (agreement(text) === false && text.length <= longestEnd) return { answered: true, done: true };
  const found = answerIn(text, passages);
  return found === null ? { answered: false } : { answered: true, text: found };
}

function withKind(command: CommandOption) {
  const kind: KnownCommand | 'other' = knownCommands.find((known) => known === command.id) ?? 'other';
  return { ...command, kind };
}
