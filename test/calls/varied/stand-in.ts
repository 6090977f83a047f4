import type { Json } from '../../../src/calls/json-value.ts';
import type { Prompt } from '../../../src/calls/prompts.ts';
import type { AskIfAllowed } from '../../../src/resources/effects/settle.ts';
import { containsOne } from '../caller.ts';
import { saysFact } from '../questions.ts';
import type { Phrase, VariedCaller } from './generate.ts';
import { Random } from './random.ts';

/** Attempts of a request to a model, as `promptedModel` makes them. */
const attempts = 2;

/**
 * Stands in for a competent model, which understands what this caller says. It sees a request as a model does: its name and
 * its material. What it knows of the language are the caller's own phrases and their meanings.
 */
export function competentModel(caller: VariedCaller): AskIfAllowed {
  const model = new StandIn(caller);
  return (prompt) => Promise.resolve(answered(prompt, () => model.answer(prompt)));
}

/** Of ten attempts, this many go wrong. */
const wrongOfTen = 3;

/** The same model, whose attempts sometimes fail, have another form, bring nothing, or bring what nobody has said. */
export function faultyModel(caller: VariedCaller): AskIfAllowed {
  const model = new StandIn(caller);
  const random = new Random(caller.seed + 1);
  return (prompt) =>
    Promise.resolve(
      answered(prompt, () =>
        random.chance(wrongOfTen / 10) ? random.pick(faults)(model.answer(prompt)) : model.answer(prompt),
      ),
    );
}

function answered<Result>(prompt: Prompt<Result>, answer: () => unknown) {
  for (let calls = 1; calls <= attempts; calls++) {
    const result = prompt.read(answer());
    if (result !== undefined) return { result, calls, tokens: 0 };
  }
  return { failure: 'the model responded in another form than it was asked for', calls: attempts, tokens: 0 };
}

type Members = Readonly<Record<string, Json>>;

/** What becomes of an answer. undefined: no response. */
const faults: readonly ((answer: Members) => unknown)[] = [
  () => undefined,
  () => 'I am sorry, I cannot help with that.',
  ({ values: _, option: __, ...others }) => others,
  // Nothing understood.
  (answer) => ({
    ...answer,
    ...('values' in answer && { values: withEach(answer['values'], () => null), corrected: [], asks: false }),
    ...('option' in answer && { option: null }),
    ...('consent' in answer && { consent: 'unclear' }),
    ...('answered' in answer && { answered: false, text: '', done: false }),
    ...('command' in answer && { command: null }),
  }),
  // Fills what nobody has said.
  (answer) =>
    'values' in answer
      ? { ...answer, values: withEach(answer['values'], (value) => value ?? 'N/A') }
      : answer,
  (answer) =>
    'values' in answer
      ? { ...answer, values: withEach(answer['values'], (value) => value ?? 'not provided') }
      : answer,
];

function withEach(values: Json | undefined, change: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(values as Members).map(([id, value]) => [id, change(value)]));
}

interface Wanted {
  readonly variableId: string;
  readonly description: string;
  readonly value?: Json;
}

interface Option {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** Topics that a description asks for, by its words; the first that fits. */
const asksFor: readonly (readonly [RegExp, readonly string[]])[] = [
  [/phone number or an email/i, ['phone', 'email']],
  [/email/i, ['email']],
  [/phone|number to call/i, ['phone']],
  [/company/i, ['company']],
  [/first visit/i, ['firstVisit']],
  [/is cancelled/i, ['change']],
  [/number of guests/i, ['partySize']],
  [/that is booked/i, ['bookedDay']],
  [/order number/i, ['orderNumber']],
  [/\bname\b/i, ['name']],
  [/day and time/i, ['callTime']],
  [/\bdate\b/i, ['day']],
  [/\btime\b/i, ['time']],
  [/one of:/i, ['service']],
  [/street/i, ['address']],
  [/town/i, ['place']],
  [/like to start/i, ['timing']],
  [/spend/i, ['budget']],
  [/allerg|new parcel/i, ['wishes']],
  [
    /about|pass on|happened|want|went wrong|does not work/i,
    ['message', 'problem', 'reason', 'service', 'change'],
  ],
];

class StandIn {
  readonly #caller: VariedCaller;

  constructor(caller: VariedCaller) {
    this.#caller = caller;
  }

  answer({ name, material }: Prompt<unknown>): Members {
    const given = material as Members;
    const turn = textOf(given['turn']);
    return {
      ...this.#answerTo(name, turn, given),
      ...('commands' in given && { command: this.#command(turn, given) }),
    };
  }

  #answerTo(name: string, turn: string, material: Members): Members {
    switch (name) {
      case 'consent':
        return { consent: this.#consent(turn), asks: this.#hears(turn, 'question') };
      case 'route':
        return {
          option: this.#option(turn, material),
          // A wish for which there is no option is a question to the agent.
          asks: this.#hears(turn, 'question') || this.#hears(turn, 'wish'),
          ...('wanted' in material && this.#values(turn, material)),
        };
      case 'collect':
        return { ...this.#values(turn, material), asks: this.#hears(turn, 'question') };
      case 'confirm':
        return {
          ...this.#values(turn, material),
          consent: this.#agreement(turn),
          asks: this.#hears(turn, 'question'),
        };
      case 'answer':
        return this.#reply(turn, material);
      case 'message':
        return { text: textOf(material['task']) };
      default:
        return {
          values: Object.fromEntries(
            Object.keys(material['prompts'] as Members).map((id) => [id, 'call back']),
          ),
        };
    }
  }

  #hears(turn: string, means: Phrase['means']): boolean {
    return this.#caller.phrases.some((phrase) => phrase.means === means && includes(turn, phrase.text));
  }

  #consent(turn: string): 'yes' | 'no' | 'unclear' {
    const consent = this.#caller.caller.facts.find(({ topic }) => topic === 'consent');
    const spoken = this.#caller.spoken.find(({ topic }) => topic === 'consent');
    if (consent && (includes(turn, consent.says) || includes(turn, spoken?.clause ?? consent.says)))
      return consent.value.includes('yes') ? 'yes' : 'no';
    return 'unclear';
  }

  #agreement(turn: string): 'yes' | 'no' | 'unclear' {
    return this.#hears(turn, 'no') ? 'no' : this.#hears(turn, 'yes') ? 'yes' : 'unclear';
  }

  #command(turn: string, { commands }: Members): string | null {
    const means = ['emergency', 'person', 'stop', 'human', 'swearing', 'repeat'] as const;
    const meant = means.find((one) => this.#hears(turn, one));
    const isKnown = (commands as unknown as readonly Option[] | undefined)?.some(({ id }) => id === meant);
    return meant !== undefined && isKnown === true ? meant : null;
  }

  #option(turn: string, { options, history }: Members): string | null {
    const { option, isSpecial } = this.#caller;
    const known = options as unknown as readonly Option[];
    const find = (title: RegExp) => known.find((one) => title.test(one.title))?.id ?? null;
    // What has been said is weighed, and the caller is not asked.
    if (known.some(({ title }) => /^(?:good lead|emergency)$/i.test(title)))
      return find(
        isSpecial || this.#hears(heardIn(history), 'emergency')
          ? /^good lead|^emergency/i
          : /^no lead|can wait/i,
      );
    if (this.#hears(turn, 'emergency')) return find(/^urgent/i);
    if (this.#hears(turn, 'person') || /put me through/i.test(turn)) return find(/person/i);
    if (/\blink\b/i.test(turn) && find(/link/i) !== null) return find(/link/i);
    if (this.#hears(turn, 'question')) return find(/question|^hours/i) ?? find(/^problem|^a problem/i);
    const saysWish = this.#hears(turn, 'wish') || this.#facts(turn).length > 0;
    if (!saysWish && this.#hears(turn, 'yes')) return find(/^yes/i);
    if (!saysWish && this.#hears(turn, 'no')) return find(/^no\b|^done|^nothing/i);
    return saysWish ? find(option) : null;
  }

  /** Topics that a turn says. */
  #facts(turn: string): string[] {
    const { facts } = this.#caller.caller;
    return facts.flatMap(({ topic }) =>
      topic === 'consent' || this.#said(turn, topic) === undefined ? [] : [topic],
    );
  }

  /** What a turn says about a topic, as it is written down. */
  #said(turn: string, topic: string): { written: string; corrects: boolean } | undefined {
    const { caller, corrects, spoken } = this.#caller;
    const { correction } = caller;
    if (correction?.topic === topic && corrects && includes(turn, correction.says))
      return { written: corrects.to.written, corrects: true };
    const changed = caller.interjections?.find(({ says, becomes }) => becomes?.facts && includes(turn, says));
    if (changed && topic === 'problem') return { written: changed.says, corrects: false };
    const fact = spoken.find((one) => one.topic === topic);
    const isSaid = fact && (saysFact(turn, fact) || includes(turn, fact.says) || includes(turn, fact.clause));
    if (isSaid) {
      // Whoever calls from the number does not say it.
      const isOwn = topic === 'phone' && !saysFact(turn, fact);
      return { written: isOwn ? '{{callerPhone}}' : fact.written, corrects: false };
    }
    const saysWish = topic === 'reason' && this.#isWishReason() && this.#hears(turn, 'wish');
    return saysWish ? { written: caller.wish, corrects: false } : undefined;
  }

  /** "I would like to leave a message" is not the message. */
  #isWishReason(): boolean {
    return !this.#caller.spoken.some(({ topic }) => topic === 'message' || topic === 'problem');
  }

  #values(turn: string, { wanted }: Members): { values: Members; corrected: string[] } {
    const corrected: string[] = [];
    const values: Record<string, Json> = {};
    for (const { variableId, description, value } of wanted as unknown as readonly Wanted[]) {
      const topics = asksFor.find(([words]) => words.test(description))?.[1] ?? [];
      const said = topics
        .filter((topic) => this.#isAbout(topic, description))
        .map((topic) => this.#said(turn, topic))
        .find((one) => one !== undefined);
      const isNew = said && (value === undefined || said.corrects);
      values[variableId] = isNew ? said.written : null;
      if (isNew && value !== undefined) corrected.push(variableId);
    }
    return { values, corrected };
  }

  /** The day of what is booked already is no day that the caller would like. */
  #isAbout(topic: string, description: string): boolean {
    const { spoken } = this.#caller;
    const hasBooked = spoken.some((one) => one.topic === 'bookedDay');
    return !(topic === 'day' && hasBooked && !/booked/.test(description));
  }

  #reply(turn: string, { passages }: Members): Members {
    const quotes = passages as readonly string[];
    const then = this.#asked(turn);
    const passage = then && quotes.find((one) => containsOne(one, then));
    if (passage !== undefined) return { answered: true, text: passage, done: false };
    return { answered: false, text: '', done: !then && this.#hears(turn, 'no') };
  }

  /** What answers the question of a turn. */
  #asked(turn: string): readonly string[] | undefined {
    const { caller, expected } = this.#caller;
    const between = (caller.interjections ?? []).find(
      ({ says, then }) => then.length > 0 && says !== '' && includes(turn, says),
    );
    if (between) return between.then;
    const [served] = expected;
    const isWish = this.#hears(turn, 'wish') || this.#facts(turn).includes('reason');
    return isWish || this.#facts(turn).length > 0 ? served?.hears?.[0] : undefined;
  }
}

/** All that the caller has said. */
function heardIn(history: Json | undefined): string {
  const turns = (history ?? []) as readonly { readonly who: string; readonly text: string }[];
  return turns.flatMap(({ who, text }) => (who === 'caller' ? [text] : [])).join('\n');
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function includes(turn: string, phrase: string): boolean {
  return phrase !== '' && turn.toLowerCase().includes(phrase.toLowerCase());
}
