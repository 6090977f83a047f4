import { type KnownCommand, knownCommands } from '../design/schema/hooks.ts';
import {
  type CommandOption,
  ownNumber,
  type UnderstandEffect,
  type Understood,
  type Wanted,
} from './call-state.ts';
import type { Json } from './json-value.ts';
import {
  agreement,
  answerAtStart,
  answerIn,
  asksForFacts,
  commandIn,
  correctsAnything,
  isQuestion,
  optionIn,
  optionNamedIn,
  saysToStop,
  shapedIn,
  tokensOf,
  valuesIn,
} from './reading/index.ts';
import { meansOwnNumber } from './reading/own-number.ts';
import { offeredIn, reasonIn } from './reasons.ts';
import { fillTemplate } from './templates.ts';
import { optionIn as optionOf } from './understood.ts';

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
  const wished = effect.reads === 'route' ? wishAsidePerson(effect, known, command) : undefined;
  if (wished) return wished;
  // "I'm calling about a bathroom. Are you a real person?": the other sentences may answer.
  const others = sentences.filter((_, index) => asked[index] === null);
  // "Great. Are you a human?" agrees to nothing.
  const rest = others.every((sentence) => backchannel.test(sentence)) ? [] : others;
  const reading = readingOf({ ...effect, text: rest.join(' ') });
  const isStop = known.some(({ id, kind }) => id === command && kind === 'stop');
  return { ...(isStop && saysToStop(effect.text) ? withoutAnswer(reading, effect) : reading), command };
}

/** Shows that a caller listens. */
const backchannel =
  /^(?:(?:and|uh|um|oh|ah|well|great|good|nice|lovely|perfect|i see|right|okay|ok|thanks|thank you|gut|schön|danke|bien|merci|bueno|gracias|bene|grazie|goed|mooi|bom|obrigad[oa]|dobrze|dziękuję)\W*)+$/iu;

/**
 * Whoever says "not interested, bye" has chosen or described nothing with the rest of the turn. A number or a date counts all the
 * same.
 */
function withoutAnswer(reading: Understood, effect: UnderstandEffect): Understood {
  if (effect.reads === 'route') return { option: null };
  if (!('values' in reading) || (effect.reads !== 'collect' && effect.reads !== 'confirm')) return reading;
  const { values = {} } = reading;
  const isText = ({ expects }: Wanted) => expects === undefined || expects === 'text' || expects === 'reason';
  const texts = new Set(effect.wanted.filter(isText).map(({ variableId }) => variableId));
  return { ...reading, values: Object.fromEntries(Object.entries(values).filter(([id]) => !texts.has(id))) };
}

/** "Yes, put me through" chooses an option, if the route has one that fits. */
function wishAsidePerson(
  effect: Extract<UnderstandEffect, { reads: 'route' }>,
  known: readonly KnownOption[],
  command: string,
): Understood | undefined {
  const isPerson = known.some(({ id, kind }) => id === command && kind === 'person');
  const reading = isPerson ? routed(effect) : undefined;
  const chosen = effect.options.find(({ id }) => reading && id === optionOf(reading));
  // "Get me your supervisor, I'm done explaining" does not choose "I am done".
  const leadsToPerson =
    chosen && (agreement(chosen.title) === true || person.test(`${chosen.title} ${chosen.description}`));
  return leadsToPerson ? reading : undefined;
}

/** Words of an option that leads to a person. */
const person =
  /(?<!\p{L})(?:person|people|human|someone|somebody|colleague|specialist|team|staff|manager|advis|through|transfer|call|mensch|mitarbeiter|jemand|kolleg|verbind|personne|quelqu|conseiller|collègue|persona|alguien|asesor|qualcuno|operator|collega|iemand|medewerker|pessoa|alguém|atendente|osob|kimś|konsultant|pracownik)/iu;

/** "Stop" alone; within a sentence it may be a bus stop. */
const stopAlone = /^stop[.!]*$/i;

function commandOf(sentence: string, known: readonly KnownOption[]): string | null {
  const stop = known.find(({ kind }) => kind === 'stop');
  return stop && stopAlone.test(sentence) ? stop.id : commandIn(sentence, known);
}

/** Sentences of a turn that are read each for itself; the rest is one sentence. A hostile turn has thousands. */
const mostSentences = 30;

function sentencesOf(text: string): string[] {
  // The full stop of "Mr. Lane" ends no sentence.
  const sentences = text.match(/(?:(?<=\b(?:mr|mrs|ms|dr|st|prof|no))\.|[^.?!])+[.?!]*/giu) ?? [];
  const rest = sentences.slice(mostSentences).join('');
  return [...sentences.slice(0, mostSentences), rest].map((sentence) => sentence.trim()).filter(Boolean);
}

function readingOf(effect: UnderstandEffect): Understood {
  switch (effect.reads) {
    case 'consent':
      return { consent: consentTo(effect.text), ...(asksSomething(effect.text) && { asks: true }) };
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

/** Words that refuse in a clause about a recording: "I do not wish to be recorded", "You can't record this", "Stop recording". */
const refusal =
  /(?<!\p{L})(?:no|not|never|without|rather|nobody|none|nothing|cannot|\p{L}+n['’]t|dont|stop|off|skip|avoid|refus\p{L}*|object|declin\p{L}*|hate|dislike|against|illegal|forbid\p{L}*|delete|uncomfortable|nicht|kein\p{L}*|ohne|nie|niemals|niemand|aus|lehne|ablehn\p{L}*|verbiet\p{L}*|verbot\p{L}*|ungern|stopp\p{L}*|pas|sans|jamais|aucun\p{L}*|personne|arrêt\p{L}*|interdi\p{L}*|oppos\p{L}*|sin|nunca|ningun\p{L}*|ningún|nadie|rechaz\p{L}*|niego|pare|deje|prohíb\p{L}*|non|senza|mai|nessun\p{L}*|rifiut\p{L}*|ferm\p{L}*|smett\p{L}*|niet|geen|zonder|nooit|niemand|weiger\p{L}*|bezwaar|não|sem|nenhum\p{L}*|ninguém|recus\p{L}*|proib\p{L}*|nie|bez|nigdy|żadn\p{L}*|nikt|odmawia\p{L}*|sprzeciw\p{L}*|zabrania\p{L}*)(?!\p{L})/iu;
/** Phrases that agree although they hold a word of refusal. */
const agreesAllTheSame =
  /(?<!\p{L})(?:no problem|not a problem|no objections?|don['’]?t mind|do not mind|why not|kein problem|nichts dagegen|pas de problème|sin problema|nessun problema|geen probleem|geen bezwaar|sem problema|nie ma problemu)(?!\p{L})/giu;
/** "And sure, you can record." */
const permission =
  /(?<!\p{L})(?:can|may|sure|yes|yeah|fine|ok|okay|go ahead|happy|feel free|away|all right|alright|all you like|all you want|as much as you|if you like|if you want|no issue|no issues|no worries|be my guest|by all means|happily|bothers? me none|können|dürfen|gerne|ruhig|pouvez|puede|pueden|può|potete|mag|mogen|kunt|pode|podem|może|można|mogą)(?!\p{L})/iu;

/** What the clauses say that answer the question: callers often tell their problem in the same turn. */
function consentTo(text: string): boolean | null {
  const clauses = clausesOf(text);
  const about = clauses.filter((clause) => recording.test(clause));
  if (about.some((clause) => refusal.test(clause.replaceAll(agreesAllTheSame, '')))) return false;
  if (about.some((clause) => permission.test(clause) || clause.search(agreesAllTheSame) >= 0)) return true;
  const short = clauses.filter((clause) => clause.trim().split(/\s+/).length <= shortAnswer);
  const said = new Set(short.map((clause) => answerAtStart(clause)).filter((agrees) => agrees !== null));
  const [only = null] = said;
  return said.size === 1 ? only : null;
}

/** The clauses of a turn but for its questions: "Why do you record?" agrees to nothing, and "Sure, how do I get in?" agrees. */
function clausesOf(text: string): string[] {
  return (text.match(/[^.?!]+[.?!]*/g) ?? []).flatMap((sentence) => {
    const clauses = sentence.split(/[.!,;]/);
    return sentence.endsWith('?')
      ? clauses.slice(0, -1).filter((clause) => answerAtStart(clause) !== null)
      : clauses;
  });
}

type CollectEffect = Extract<UnderstandEffect, { reads: 'collect' | 'confirm' }>;

/** The values of a turn, then what the call is about and what the agent offers, which callers often say at the start. */
function collected({ text, wanted, today, history }: CollectEffect) {
  const items = wanted.flatMap(plainItems);
  const whole = valuesIn(text, items, { today });
  const isCutOff = whole.rejected.some(({ why }) => why === 'incomplete');
  const heard =
    (isCutOff ? (insistedOn(text, whole, history) ?? withEarlierDigits(text, items, history)) : undefined) ??
    whole;
  const values: Record<string, Json> = {};
  for (const [id, value] of Object.entries(heard.values)) values[ownerOf(id)] ??= value;
  const isCorrecting = heard.corrected.length > 0;
  const replacing: string[] = [];
  for (const { variableId, description, expects, value, asked } of wanted) {
    const isPhone = expects === 'phoneNumber' || expects === 'phoneOrEmail';
    if (isPhone && value === undefined && !Object.hasOwn(values, variableId) && meansOwnNumber(text))
      values[variableId] = ownNumber;
    // What is left of a turn that corrects is no free text, but may say what was asked for.
    const replaced = expects === 'text' ? replacementOf(value, text, { variableId, description }) : undefined;
    if (replaced !== undefined && !Object.hasOwn(values, variableId)) {
      values[variableId] = replaced;
      replacing.push(variableId);
    }
    if (value !== undefined || (asked && !isCorrecting) || Object.hasOwn(values, variableId)) continue;
    const found =
      expects === 'reason' && !asked
        ? reasonIn(text) !== undefined && !isAside(text, history, heard)
          ? reasonIn(text)
          : undefined
        : expects === 'text'
          ? (offeredIn(text, description) ?? shapedIn(text, variableId, description))
          : undefined;
    if (found !== undefined) values[variableId] = found;
  }
  // "I gave you our old town, the house is in Weston" does not say when to start.
  const isWholeTurn = (id: string) =>
    wanted.some(({ variableId, asked }) => asked && variableId === id) && values[id] === text;
  const noted =
    replacing.length === 0
      ? values
      : Object.fromEntries(Object.entries(values).filter(([id]) => !isWholeTurn(id)));
  return {
    values: noted,
    corrected: [...new Set([...heard.corrected.map(ownerOf), ...replacing])],
    asks: heard.asks,
    ...(heard.rejected.length > 0 && {
      rejected: heard.rejected.map((one) => ({ ...one, variableId: ownerOf(one.variableId) })),
    }),
  };
}

/** Another thing of the list, or another place, that a turn says in place of a known one: "No, what I need is a check-up". */
function replacementOf(
  known: Json | undefined,
  text: string,
  { variableId, description }: Pick<Wanted, 'variableId' | 'description'>,
): string | undefined {
  if (typeof known !== 'string' || !correctsAnything(text)) return undefined;
  const said = offeredIn(text, description) ?? shapedIn(text, variableId, description);
  return said === known ? undefined : said;
}

/**
 * True if a turn after the opening answers another question or asks one: "Before I go on, do you charge for that?" does not say
 * what the call is about.
 */
function isAside(
  text: string,
  history: CollectEffect['history'],
  { values, asks }: ReturnType<typeof valuesIn>,
): boolean {
  const turns = history.filter(({ who }) => who === 'caller');
  const isLater = turns.length > 1 && turns.at(-1)?.text === text;
  return isLater && (asks || asksSomething(text) || Object.keys(values).length > 0);
}

/** Digits of a number that a caller may insist on, at least. */
const fewestInsisted = 7;

/** A number that seems too short and is said a second time: in Singapore or Norway, eight digits are a number. */
function insistedOn(
  text: string,
  heard: ReturnType<typeof valuesIn>,
  history: CollectEffect['history'],
): ReturnType<typeof valuesIn> | undefined {
  const digits = text.replaceAll(/\D/g, '');
  const [last, previous] = history.flatMap((turn) => (turn.who === 'caller' ? [turn.text] : [])).toReversed();
  const cutOff = heard.rejected.find(({ why }) => why === 'incomplete');
  if (
    !cutOff ||
    last !== text ||
    digits.length < fewestInsisted ||
    previous?.replaceAll(/\D/g, '') !== digits
  )
    return undefined;
  return {
    ...heard,
    values: { ...heard.values, [cutOff.variableId]: digits },
    rejected: heard.rejected.filter((one) => one !== cutOff),
  };
}

/** Turns over which a caller spreads a number, besides the last one. */
const mostPieces = 2;
/** Digits of a number that was put together. More are a number that was begun anew. */
const longestJoined = 11;

/** "Two oh two, five five five" in one turn and the rest in the next. */
function withEarlierDigits(
  text: string,
  items: Parameters<typeof valuesIn>[1],
  history: CollectEffect['history'],
): ReturnType<typeof valuesIn> | undefined {
  const earlier = history.flatMap((turn) => (turn.who === 'caller' ? [turn.text] : [])).slice(0, -1);
  let joined = text;
  for (const piece of earlier.toReversed().slice(0, mostPieces)) {
    joined = `${piece} ${joined}`;
    const heard = valuesIn(joined, items, {});
    const number = Object.values(heard.values).find(
      (value): value is string => typeof value === 'string' && /^\+?\d+$/.test(value),
    );
    if (heard.rejected.length === 0 && number !== undefined && number.length <= longestJoined) return heard;
  }
  return undefined;
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

function routed(effect: Extract<UnderstandEffect, { reads: 'route' }>): Understood {
  const { text, options } = effect;
  const corrections = correctionsIn(effect);
  if (corrections) return { option: null, ...corrections };
  const option =
    confirmedOption(text, options) ??
    declinedOption(text, options) ??
    optionIn(tellingPart(text), options) ??
    agreedOption(text, options) ??
    askedOption(text, options) ??
    questionOption(text, options);
  return option === null && asksSomething(text) ? { option, asks: true } : { option };
}

/** What a turn corrects of what was noted before. Free text may be anything, so that only values of a kind are corrected. */
function correctionsIn({
  text,
  wanted = [],
  today,
}: Extract<UnderstandEffect, { reads: 'route' }>):
  | { values: Record<string, Json>; corrected: string[] }
  | undefined {
  const ofKinds = wanted.filter(
    ({ expects }) => expects !== undefined && expects !== 'text' && expects !== 'reason',
  );
  if (ofKinds.length === 0) return undefined;
  const { values, corrected } = valuesIn(text, ofKinds.flatMap(plainItems), { today });
  if (corrected.length === 0) return undefined;
  const changed = corrected.flatMap((id) => {
    const value = values[id];
    return value === undefined ? [] : [[ownerOf(id), value] as const];
  });
  return { values: Object.fromEntries(changed), corrected: changed.map(([id]) => id) };
}

/** The option "Yes" of a reply that begins with a yes: "Yeah, that's it". */
function confirmedOption(text: string, options: readonly { id: string; title: string }[]): string | null {
  const yes = options.find(({ title }) => agreement(title) === true);
  return yes && !asksSomething(text) && answerAtStart(text) === true ? yes.id : null;
}

/** The option "No" of a reply that begins with a no and names no other option but a question: "No, that was my only question". */
function declinedOption(
  text: string,
  options: readonly { readonly id: string; readonly title: string; readonly description: string }[],
): string | null {
  const no = options.find(({ title }) => agreement(title) === false);
  if (!no || asksSomething(text) || answerAtStart(text) !== false) return null;
  const named = options.find(({ id }) => id === optionIn(tellingPart(text), options));
  const isNamed = named && agreement(named.title) === null && !questionTitle.test(named.title);
  return isNamed ? null : no.id;
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

/** The option "Question" of a turn about what facts say: "The entry ticket for one adult, I meant." */
function questionOption(
  text: string,
  options: Extract<UnderstandEffect, { reads: 'route' }>['options'],
): string | null {
  const question = options.find(({ title }) => questionTitle.test(title));
  return question && agreement(text) === null && asksForFacts(tokensOf(text)) ? question.id : null;
}

const questionTitle = /(?<!\p{L})(?:question|frage|pregunta|domanda|vraag|pergunta|dúvida|pytani)/iu;

/** Words of a question; "Hello?" is none. */
const shortestQuestion = 3;

function asksSomething(text: string): boolean {
  const sentences = sentencesOf(text).filter((sentence) => !greeting.test(sentence));
  return sentences.length > 0 && (isQuestion(tellingPart(text)) || sentences.slice(1).some(isQuestion));
}

/** A greeting or a sigh: "Hello?" asks nothing. */
const greeting =
  /^(?:hello|hi|hey|there|yes|yeah|ah|oh|uh|um|sorry|good|morning|afternoon|evening|hallo|guten|tag|morgen|abend|bonjour|bonsoir|allô|oui|hola|buenos|buenas|días|tardes|sí|buongiorno|buonasera|pronto|sì|goedemorgen|goedemiddag|dag|ja|olá|oi|bom|boa|dia|tarde|sim|alô|halo|dzień|dobry|tak|\P{L})+$/iu;

/** A turn without its greetings, unless it has nothing else. */
function tellingPart(text: string): string {
  const whole = sentencesOf(text).filter((sentence) => !greeting.test(sentence));
  return whole.length === 0 ? text : whole.join(' ');
}

/** Characters of a reply that ends the questions, such as "No, thanks, that's all." */
const longestEnd = 40;

/** Quotes the passage that answers the last turn, or else the latest one before it that has an answer. */
function answered({ text, earlier, passages }: Extract<UnderstandEffect, { reads: 'answer' }>): Understood {
  // The facts have been said, and have not helped.
  if (earlier === undefined && notSolved.test(text) && !asksSomething(text))
    return { answered: false, asks: false };
  const facts = passages.flatMap(factsIn);
  const several = answersTo(questionsIn(text), facts);
  if (several.length > 1) return { answered: true, text: withoutRepetitions(several).join(' ') };
  for (const question of asksForFacts(tokensOf(text)) ? [text] : [text, ...(earlier ?? [])]) {
    const [found] = answersTo([question], facts);
    if (found !== undefined) return { answered: true, text: found };
  }
  if (agreement(text) === false && text.length <= longestEnd) return { answered: true, done: true };
  return { answered: false, asks: asksSomething(text) };
}

/** "I did all that. It still doesn't work." */
const notSolved =
  /(?<!\p{L})(?:still (?:not|doesn't|does not|won't|the same|isn't|nothing|spin\p{L}*|white)|did (?:all )?that|done that|tried (?:all )?that|tried everything|(?:doesn't|didn't|did not|does not) (?:help|work)|no luck|nothing changed|same thing|immer noch|schon (?:probiert|versucht|gemacht)|hilft nicht|toujours pas|déjà (?:essayé|fait)|sigue sin|ya lo (?:intenté|hice)|ancora non|già (?:provato|fatto)|nog steeds|al geprobeerd|continua sem|já tentei|nadal nie|już próbował\p{L}*)(?!\p{L})/iu;

/** An answer to one question may hold that to another. */
function withoutRepetitions(answers: readonly string[]): string[] {
  return answers.filter((one) => !answers.some((other) => other !== one && other.includes(one)));
}

/** Questions of one turn that are answered, and facts in one reply, at most. */
const mostFacts = 4;
/** "…and how much is it and can we bring food": another question. */
const nextQuestion =
  /\s+(?:and|plus|und|et|y|e|en|i|a)\s+(?=(?:how|what|whats|when|where|which|who|why|can|could|may|is there|are there|do you|does|wie|was|wann|wo|kann|gibt|combien|quand|où|est-ce|peut|cuánto|cuándo|dónde|hay|quanto|quando|dove|posso|hoe|wat|wanneer|waar|onde|ile|kiedy|gdzie|czy)(?!\p{L}))/iu;

/** "When do you open, what does it cost, and can we park there?": each clause for itself. */
function questionsIn(text: string): string[] {
  return text
    .split(/[,;.?!]/)
    .flatMap((clause) => clause.split(nextQuestion))
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
