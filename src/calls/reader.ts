import { type KnownCommand, knownCommands } from '../design/schema/hooks.ts';
import type { CommandOption, UnderstandEffect, Understood } from './call-state.ts';
import { agreement, commandIn, optionIn, valuesIn } from './reading/index.ts';
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
      return valuesIn(effect.text, effect.wanted, effect);
    case 'confirm': {
      const { values, corrected, asks } = valuesIn(effect.text, effect.wanted, effect);
      return { consent: agreement(effect.text), values, corrected, asks };
    }
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

// until reading/ has it
function answerIn(text: string, passages: readonly string[]): string | null {
  const facts = passages.flatMap((passage) => passage.split(/(?<=[.!])\s+/));
  const stem = (word: string) => word.toLowerCase().slice(0, 5);
  const words = (t: string) => new Set((t.match(/[\p{L}\p{N}]{4,}/gu) ?? []).map(stem));
  const asked = words(text);
  let best: [number, string | null] = [0, null];
  for (const fact of facts) {
    const score = [...words(fact)].filter((word) => asked.has(word)).length;
    if (score > best[0]) best = [score, fact.replace(/^[^?]*\?\s*(?=.)/, '')];
  }
  return best[1];
}
