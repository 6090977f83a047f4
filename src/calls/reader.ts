import { type KnownCommand, knownCommands } from '../design/schema/hooks.ts';
import type { CommandOption, UnderstandEffect, Understood, Wanted } from './call-state.ts';
import type { Json } from './json-value.ts';
import {
  agreement,
  answerIn,
  commandIn,
  isQuestion,
  optionIn,
  optionNamedIn,
  valuesIn,
} from './reading/index.ts';
import { offeredIn, reasonIn } from './reasons.ts';
import { fillTemplate } from './templates.ts';

/**
 * Reads a turn without a model, in eight languages (`reading/`). Good enough for calls that ask one thing at a time, and the
 * same every time.
 */
export function readByRule(effect: UnderstandEffect): Understood {
  const known = effect.commands?.map(withKind) ?? [];
  const sentences = sentencesOf(effect.text);
  // A single sentence is the whole turn, and most turns are one.
  const asked = sentences.length < 2 ? [] : sentences.map((sentence) => commandOf(sentence, known));
  const command = commandOf(effect.text.trim(), known) ?? asked.find((id) => id !== null) ?? null;
  if (command === null) return readingOf(effect);
  // "I'm calling about a bathroom. Are you a real person?": the other sentences may answer.
  const rest = sentences.filter((_, index) => asked[index] === null);
  return { ...readingOf({ ...effect, text: rest.join(' ') }), command };
}

/** "Stop" alone; within a sentence it may be a bus stop. */
const stopAlone = /^stop[.!]*$/i;

function commandOf(sentence: string, known: readonly KnownOption[]): string | null {
  const stop = known.find(({ kind }) => kind === 'stop');
  return stop && stopAlone.test(sentence) ? stop.id : commandIn(sentence, known);
}

/** Sentences of a turn that are read each for itself; the rest is one sentence. A hostile turn has thousands. */
const mostSentences = 30;

function sentencesOf(text: string): string[] {
  const sentences = text.match(/[^.?!]+[.?!]*/g) ?? [];
  const rest = sentences.slice(mostSentences).join('');
  return [...sentences.slice(0, mostSentences), rest].map((sentence) => sentence.trim()).filter(Boolean);
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
const shortAnswer = 5;
const recording =
  /\b(?:record|aufnehm|aufnahm|aufzeich|enregistr|grab|registr|opnem|opnam|gravar|gravad|gravaç|nagr)/iu;

/** Words that agree to nothing. */
const politeness =
  /(?<!\p{L})(?:thanks|thank you|please|danke|bitte|merci|s'il vous plaît|gracias|por favor|grazie|per favore|bedankt|dank u|alstublieft|obrigad[oa]|dziękuję|proszę)(?!\p{L})/giu;

/** "I do not wish to be recorded" is a refusal, whatever else is said. */
const refusal =
  /\b(?:no|not|never|without|don'?t|rather|nicht|kein|keine|ohne|pas|sans|jamais|sin|nunca|non|senza|mai|niet|geen|zonder|não|sem|nie|bez)\b/iu;

/** What the clauses say that answer the question: callers often tell their problem in the same breath. */
function consentTo(text: string): boolean | null {
  const clauses = text
    .split(/[.!?,;]/)
    .filter((clause) => recording.test(clause) || clause.trim().split(/\s+/).length <= shortAnswer);
  if (clauses.some((clause) => recording.test(clause) && refusal.test(clause))) return false;
  const said = new Set(
    clauses.map((clause) => agreement(clause.replaceAll(politeness, ''))).filter((agrees) => agrees !== null),
  );
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
  const option =
    optionIn(tellingPart(text), options) ?? agreedOption(text, options) ?? askedOption(text, options);
  return option === null && asksSomething(text) ? { option, asks: true } : { option };
}

/** The option "Yes" or "No" of a reply that agrees or refuses in other words. */
function agreedOption(
  text: string,
  options: readonly { readonly id: string; readonly title: string }[],
): string | null {
  const agrees = text.length > longestEnd || asksSomething(text) ? null : agreement(text);
  return options.find(({ title }) => agrees !== null && agreement(title) === agrees)?.id ?? null;
}

/** The option that only speaks for which a question asks: "What are your opening hours?" */
function askedOption(
  text: string,
  options: Extract<UnderstandEffect, { reads: 'route' }>['options'],
): string | null {
  if (!options.some(({ speaks }) => speaks === true)) return null;
  const named = optionNamedIn(text, options);
  return options.some(({ id, speaks }) => speaks === true && id === named) ? named : null;
}

/** Words of a question; "Hello?" is none. */
const shortestQuestion = 3;

function asksSomething(text: string): boolean {
  return isQuestion(tellingPart(text));
}

/** A turn without its very short sentences, unless it has no others. */
function tellingPart(text: string): string {
  const whole = sentencesOf(text).filter((sentence) => sentence.split(/\s+/).length >= shortestQuestion);
  return whole.length === 0 ? text : whole.join(' ');
}

/** Characters of a reply that ends the questions, such as "No, thanks, that's all." */
const longestEnd = 40;

/** Quotes the passage that answers the last turn, or else the latest one before it that has an answer. */
function answered({
  text,
  earlier = [],
  passages,
}: Extract<UnderstandEffect, { reads: 'answer' }>): Understood {
  const facts = passages.flatMap(factsIn);
  const several = answersTo(questionsIn(text), facts);
  if (several.length > 1) return { answered: true, text: several.join(' ') };
  for (const question of [text, ...earlier]) {
    const [found] = answersTo([question], facts);
    if (found !== undefined) return { answered: true, text: found };
  }
  if (agreement(text) === false && text.length <= longestEnd) return { answered: true, done: true };
  return { answered: false, asks: asksSomething(text) };
}

/** Questions of one turn that are answered, and facts in one reply, at most. */
const mostFacts = 3;

/** "When do you open, what does it cost, and can we park there?": each clause for itself. */
function questionsIn(text: string): string[] {
  return text
    .split(/[,;.?!]/)
    .filter((clause) => clause.trim().split(/\s+/).length >= shortestQuestion)
    .slice(0, mostFacts);
}

function answersTo(questions: readonly string[], facts: readonly string[]): string[] {
  const found = questions.flatMap((question) => answerIn(question, facts) ?? []);
  return [...new Set(found.map(withoutQuestions))].slice(0, mostFacts);
}

/** The sentences of a passage, each for itself; a question stays with its answer. */
function factsIn(passage: string): string[] {
  return passage.includes('?') ? [passage] : passage.split(/(?<=[.!])\s+(?=\p{Lu})/u);
}

/** "When are you open? Every day from 7 to 9." without the question. */
function withoutQuestions(fact: string): string {
  const said = (fact.match(/[^.?!]+[.?!]*\s*/g) ?? []).filter((sentence) => !sentence.trim().endsWith('?'));
  return said.join('').trim() || fact;
}

type KnownOption = CommandOption & { readonly kind: KnownCommand | 'other' };

function withKind(command: CommandOption): KnownOption {
  const kind: KnownCommand | 'other' = knownCommands.find((known) => known === command.id) ?? 'other';
  return { ...command, kind };
}
