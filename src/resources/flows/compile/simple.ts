import type { Design, Step } from '../../../design/schema/design.ts';
import { isObject } from '../../../design/value.ts';
import { ruleOnDisclosure } from '../../../disclosure/index.ts';
import { answer, end, greeting, message, textVariables } from '../../catalogue/steps.ts';
import { objectsOf } from '../../designs/greeting.ts';
import { afterwards } from './afterwards.ts';
import {
  Compilation,
  type CompiledFlow,
  clipped,
  type FlowPlace,
  inOneLine,
  longestText,
  namesIn,
} from './compilation.ts';
import { type Destination, destinationIn } from './destination.ts';
import { asksSomething, languageOf, openingOf, wordsOf } from './opening.ts';
import { itemOf, type Question, questionsIn } from './questions.ts';
import { type Skills, skillsIn } from './skills.ts';
import type { Words } from './words.ts';

type Members = Readonly<Record<string, unknown>>;
type Options = Extract<Step, { kind: 'route' }>['options'];

/** Characters of the description of an option, which a model and a rule read at each turn. */
const longestDescription = 500;

/** What a simple flow offers to callers, each with its place. */
interface Parts {
  readonly flow: Members;
  readonly words: Words;
  readonly skills: Skills;
  readonly questions: readonly Question[];
  readonly facts: readonly string[];
  readonly instructions: string | undefined;
  readonly hasAnswers: boolean;
  readonly handoff: Handoff | undefined;
}

interface Handoff {
  readonly destination: Destination;
  readonly mode: 'cold' | 'warm';
  readonly when: string | undefined;
  readonly place: FlowPlace;
}

/**
 * The design of a simple flow: it greets, asks what it is about, answers from `faq` and `instructions`, asks the
 * `questions`, puts callers through as `handoff` says, and closes.
 */
export function compileSimple(flow: Members): CompiledFlow {
  const compilation = new Compilation();
  const parts = partsOf(compilation, flow);
  const { words, questions, hasAnswers, handoff } = parts;
  const closing = compilation.text(flow['closing'], ['closing']);
  const hasQuestions = questions.length > 0;

  const opening = openingOf(
    compilation,
    compilation.text(flow['greeting'], ['greeting']),
    ['greeting'],
    words,
  );
  const asks = asksSomething(opening.rest ?? opening.line);
  const listens = hasAnswers || (hasQuestions && asks);
  const main = listens ? 'wish' : hasQuestions ? 'questions' : handoff ? 'handoff' : 'goodbye';
  const { consent } = parts.skills;
  const afterGreeting = consent ? 'consent' : main;

  compilation.add(
    'greeting',
    greeting('Welcome', opening.line, personaOf(compilation, parts), {
      next: opening.rest === undefined ? afterGreeting : 'opening',
    }),
    flow['greeting'] === undefined ? undefined : ['greeting'],
  );
  if (opening.rest !== undefined)
    compilation.add('opening', message('Opening', opening.rest, { next: afterGreeting }), ['greeting']);
  if (consent)
    compilation.add(
      'consent',
      { kind: 'recordingConsent', name: 'Consent to record', line: consent.line, on: { next: main } },
      consent.place,
    );
  if (listens) compilation.add('wish', wishOf(parts, asks && !consent));
  if (hasAnswers) addAnswers(compilation, parts);
  if (hasQuestions) compilation.add('questions', collectOf(parts), ['questions']);
  if (handoff) addHandoff(compilation, parts, handoff);
  if (hasQuestions && !handoff) compilation.add('callAgain', end('Call again', words.callAgain));
  addEnds(compilation, parts, closing);
  return compilation.finished('greeting', {
    ...(hasQuestions && {
      variables: textVariables(Object.fromEntries(questions.map(({ id }) => [id, id]))),
    }),
    hooks: {
      commands: commandsOf(parts),
      ...afterwards(parts.skills, questions, hasQuestions ? 'closing' : 'goodbye'),
    },
  });
}

function partsOf(compilation: Compilation, flow: Members): Parts {
  const language = languageOf(flow['language'] ?? listIn(flow['languages'])[0], textsOf(flow));
  const words = wordsOf(language);
  const skills = skillsIn(compilation, flow['skills'], words);
  const questions = skills.isOff('collectDetails')
    ? []
    : questionsIn(compilation, flow['questions'], ['questions']);
  const instructions = compilation.text(flow['instructions'], ['instructions']);
  const facts = skills.isOff('answerQuestions') ? [] : factsIn(compilation, flow);
  for (const [key, member] of [
    ['collectDetails', 'questions'],
    ['answerQuestions', 'faq'],
    ['transferCalls', 'handoff'],
  ] as const)
    if (skills.isOff(key) && flow[member] !== undefined)
      compilation.skip([member], `The skill ${key} is off.`);
  const canAnswer = facts.length > 0 || instructions !== undefined || questions.length === 0;
  return {
    flow,
    words,
    skills,
    questions,
    facts,
    instructions,
    hasAnswers: canAnswer && !skills.isOff('answerQuestions'),
    handoff: skills.isOff('transferCalls') ? undefined : handoffIn(compilation, flow['handoff'], skills),
  };
}

/** What the agent is, for a model. */
function personaOf(
  compilation: Compilation,
  { flow, instructions, words }: Parts,
): Parameters<typeof greeting>[2] {
  const persona = isObject(flow['persona']) ? flow['persona'] : {};
  const [name, role, tone] = ['name', 'role', 'tone'].map((member) =>
    compilation.text(persona[member], ['persona', member]),
  );
  const who = [name, role].filter((part) => part !== undefined).join(', ');
  const languages = listIn(flow['languages']).filter((one) => typeof one === 'string');
  const spoken =
    languages.length > 1 ? `Speak the language of the caller, if it is one of ${languages.join(', ')}.` : '';
  const purpose = [instructions, tone && `Tone: ${tone}.`, spoken || `Speak ${words.language}.`];
  return {
    ...(who !== '' && { whoAmI: clipped(who) }),
    purpose: clipped(purpose.filter((part) => part !== undefined).join('\n')),
  };
}

/** Asks what the call is about, unless the opening has. */
function wishOf(parts: Parts, isAsked: boolean): Step {
  const { words, questions, hasAnswers } = parts;
  return routeOf('What it is about', isAsked ? undefined : words.help, optionsOf(parts), {
    fallback: questions.length > 0 ? 'questions' : hasAnswers ? answersIn(parts) : 'goodbye',
  });
}

function addAnswers(compilation: Compilation, parts: Parts): void {
  const { facts, instructions, words, skills, questions, handoff } = parts;
  const instruction = instructions ?? 'Answer in one or two short sentences.';
  if (facts.length > 0)
    compilation.add(
      'answers',
      answer('Answers', clipped(`${instruction}\n${answering}`), facts.join('\n'), {
        next: 'more',
        noAnswer: 'notKnown',
        maxTurns: skills.maxTurns ?? 1,
      }),
      ['faq'],
    );
  const no = optionOf('no', words.options.nothing, 'goodbye');
  compilation.add(
    'more',
    routeOf('Anything else', words.more, [...optionsOf(parts), no], {
      fallback: questions.length > 0 ? 'questions' : 'goodbye',
    }),
  );
  compilation.add(
    'notKnown',
    handoff
      ? routeOf('Not known', `${words.notKnown} ${words.offerPerson}`, [...optionsOf(parts), no], {
          fallback: 'handoff',
        })
      : message('Not known', words.notKnown, { next: 'more' }),
  );
}

export const answering =
  'Answer from the facts and these instructions. If they do not contain the answer, say so.';

/** Where a question goes. An answer step without facts could answer none, whatever the instructions say. */
function answersIn({ facts }: Parts): 'answers' | 'notKnown' {
  return facts.length > 0 ? 'answers' : 'notKnown';
}

/** The ways on that a caller may ask for. */
function optionsOf(parts: Parts): Options {
  const { words, questions, hasAnswers, handoff } = parts;
  const { question, details, person } = words.options;
  const prompts = questions.map(({ prompt }) => prompt).join(' ');
  return [
    ...(hasAnswers ? [optionOf('question', question, answersIn(parts))] : []),
    ...(questions.length > 0 ? [optionOf('details', details, 'questions', prompts)] : []),
    ...(handoff ? [optionOf('person', person, 'handoff', handoff.when)] : []),
  ];
}

function optionOf(
  id: string,
  [title, description]: readonly [string, string],
  target: string,
  more?: string,
): Options[number] {
  const text = more === undefined ? description : `${description} ${inOneLine(more)}`;
  return { id, title, description: clipped(text, longestDescription), target };
}

function routeOf(name: string, prompt: string | undefined, options: Options, on: { fallback: string }): Step {
  return { kind: 'route', name, ...(prompt !== undefined && { prompt }), options, on };
}

/** Asks the first question, and then one after the other for what is missing. */
function collectOf({ questions, skills, handoff }: Parts): Step {
  const [first] = questions;
  return {
    kind: 'collect',
    name: 'Questions',
    prompt: first?.prompt ?? '',
    collect: questions.map(itemOf),
    ...(skills.maxAttempts !== undefined && { maxAttempts: skills.maxAttempts }),
    on: { next: 'closing', failed: handoff ? 'lastHandoff' : 'callAgain' },
  };
}

function addHandoff(compilation: Compilation, { words, questions }: Parts, handoff: Handoff): void {
  const { destination, mode, place } = handoff;
  const step = (name: string, failed: string): Step => ({
    kind: 'transfer',
    name,
    line: words.putThrough,
    destination,
    mode,
    on: { failed },
  });
  const isAsking = questions.length > 0;
  compilation.add('handoff', step('Put through', 'nobodyFree'), place);
  if (isAsking) {
    compilation.add('nobodyFree', message('Nobody is free', words.nobodyFree, { next: 'questions' }));
    // Apart from the other one, because its callers have just not answered the questions.
    compilation.add('lastHandoff', step('Put through in the end', 'callAgain'), place);
    compilation.add('callAgain', end('Call again', words.callAgain));
  } else compilation.add('nobodyFree', end('Nobody is free', `${words.nobodyFree} ${words.goodbye}`));
}

/** A closing that names what was asked for is for callers who have answered. */
function addEnds(compilation: Compilation, { words, questions }: Parts, closing: string | undefined): void {
  const from = closing === undefined ? undefined : ['closing'];
  if (questions.length > 0) compilation.add('closing', end('Closing', closing ?? words.goodbye), from);
  const isForAll = closing !== undefined && namesIn(closing).length === 0;
  compilation.add('goodbye', end('Goodbye', isForAll ? closing : words.goodbye), isForAll ? from : undefined);
}

function commandsOf({ words, handoff }: Parts): NonNullable<NonNullable<Design['hooks']>['commands']> {
  return {
    person: handoff ? { next: { step: 'handoff' } } : { line: words.noPerson },
    stop: { next: { step: 'goodbye' } },
    repeat: {},
    swearing: { line: words.swearing },
  };
}

/** A line for each answer, as an answer step quotes it, and then what the greeting says. */
function factsIn(compilation: Compilation, { faq, greeting: line }: Members): string[] {
  const facts: string[] = [];
  let left = longestText;
  const add = (fact: string) => {
    const fits = fact.length < left;
    if (fits) facts.push(fact);
    if (fits) left -= fact.length + 1;
    return fits;
  };
  for (const [index, { question, answer: reply }] of objectsOf(faq)) {
    const [asked, said] = [question, reply].map((text) => (typeof text === 'string' ? inOneLine(text) : ''));
    if (!said) compilation.skip(['faq', index], 'Has no answer.');
    else if (!add(`${asked} ${said}`.trim()))
      compilation.skip(['faq', index], `All answers together have more than ${longestText} characters.`);
  }
  for (const sentence of statementsIn(line)) add(sentence);
  return facts;
}

/** Words of the shortest sentence of a greeting that may tell callers something. */
const wordsOfStatement = 4;

/** The sentences of a greeting that tell callers something: "We are open from 8 to 17." */
function statementsIn(line: unknown): string[] {
  if (typeof line !== 'string') return [];
  return inOneLine(line)
    .split(/(?<=[.!?])\s/u)
    .filter(
      (sentence) =>
        /[.!]$/u.test(sentence) &&
        sentence.split(' ').length >= wordsOfStatement &&
        saysNothingOfSpeaker(sentence),
    );
}

function saysNothingOfSpeaker(sentence: string): boolean {
  const { discloses, deceives } = ruleOnDisclosure(clipped(sentence));
  return !discloses && !deceives;
}

/** The handoff of the flow, or else that of its skill. */
function handoffIn(
  compilation: Compilation,
  value: unknown,
  { transfer: skill, mode = 'cold' }: Skills,
): Handoff | undefined {
  if (!isObject(value)) return skill && { ...skill, mode, when: undefined };
  const when = compilation.text(value['when'], ['handoff', 'when']);
  const destination = destinationIn(value['number']);
  if (destination) return { destination, mode, when, place: ['handoff'] };
  compilation.skip(['handoff', 'number'], 'Is neither a phone number nor a SIP address.');
  return skill && { ...skill, mode, when };
}

function textsOf({ greeting: line, instructions, closing, questions, faq }: Members): string[] {
  const prompts = [...objectsOf(questions)].map(([, { prompt }]) => prompt);
  const asked = [...objectsOf(faq)].flatMap(([, { question, answer: reply }]) => [question, reply]);
  return [line, closing, ...prompts, ...asked, instructions].filter((text) => typeof text === 'string');
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
