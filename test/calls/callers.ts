import { readFileSync } from 'node:fs';
import type { Mock, ScriptedTurn, SimulationRun } from '../../src/calls/simulate.ts';
import { simulate } from '../../src/calls/simulate.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { filledDesign } from '../../src/resources/catalogue/fill.ts';
import { templateOf } from '../../src/resources/catalogue/templates/index.ts';
import {
  type Caller,
  type Correction,
  containsOne,
  type Fact,
  type Line,
  type PlayedCall,
} from './caller.ts';
import { reasonsAgainst } from './judge.ts';
import { type Heard, offersPersonOrLink, saysFact, understand, wantsLink } from './questions.ts';

const mostTurns = 30;

export interface PlayedCaller extends PlayedCall {
  readonly caller: Caller;
  /** Reasons against it. Empty: the caller is served. */
  readonly reasons: readonly string[];
  readonly saidTwice: readonly string[];
}

export function readCallers(set: 1 | 2 | 3 | 4 | 5): Caller[] {
  return JSON.parse(readFileSync(new URL(`blind/callers-${set}.json`, import.meta.url), 'utf8')) as Caller[];
}

/** Plays a caller against the template that it calls, filled with its samples. */
export function playAgainstTemplate(caller: Caller): PlayedCaller {
  const template = templateOf(caller.agent);
  if (!template) throw new TypeError(`there is no template ${caller.agent}`);
  return playCaller(caller, filledDesign(template, {}));
}

/** Plays one caller against a design, turn by turn and without a model. */
export function playCaller(caller: Caller, design: Design): PlayedCaller {
  const voice = new Voice(caller);
  const lines: Line[] = [];
  const requests: SimulationRun['requests'][number][] = [];
  const play = (script: readonly ScriptedTurn[], from?: SimulationRun['state']) => {
    const played = simulate(design, {
      script,
      channel: 'phone',
      system: {
        callerPhone: callerPhone(caller),
        callLanguage: 'en',
        callStartedAt: '2026-11-24T10:00:00.000Z',
      },
      requests: mocksOf(design),
      transfers: true,
      from,
    });
    const [turn] = script;
    if (turn && 'silent' in turn) lines.push({ who: 'caller', text: '' });
    lines.push(...played.transcript.map(({ who, text }) => ({ who, text })));
    requests.push(...played.requests);
    return played;
  };
  let run = play([]);
  for (let turn = 1; turn <= mostTurns && !run.ended; turn++) {
    const says = voice.next(turn, agentWords(lines));
    run = play(
      [says === undefined ? { hangUp: true } : says === '' ? { silent: true } : { text: says }],
      run.state,
    );
  }
  if (!run.ended) run = play([{ hangUp: true }], run.state);
  const call = {
    lines,
    ended: run.ended,
    variables: run.variables,
    requests,
    isCorrected: voice.isCorrected,
  };
  return { ...call, caller, reasons: reasonsAgainst(caller, call), saidTwice: [...voice.saidTwice] };
}

/** What the agent has said since the caller's last turn. */
export function agentWords(lines: readonly Line[]): string {
  const last = lines.findLastIndex(({ who }) => who === 'caller');
  return lines
    .slice(last + 1)
    .map(({ text }) => text)
    .join(' ');
}

/** The number of a caller who says that it is the one that they call from; otherwise another number. */
export function callerPhone({ facts }: Caller): string {
  const phone = facts.find(({ topic }) => topic === 'phone');
  const isOwn = phone !== undefined && /calling from|this one/.test(phone.says);
  return isOwn ? `+1${phone.value[0]?.replaceAll(/\D/g, '')}` : '+12025550100';
}

/** Every request succeeds; a look-up finds the order. */
function mocksOf({ hooks = {} }: Design): Record<string, Mock> {
  const order = JSON.stringify({ number: '48213', status: 'shipped', delivery: 'Friday' });
  return Object.fromEntries(
    Object.values(hooks).flatMap((hook) =>
      Object.values(hook?.nodes ?? {}).map(({ id, fetch }) => [
        id,
        { status: 200, body: fetch ? order : '{}' },
      ]),
    ),
  );
}

const merelyGreets = /^\W*(?:(?:hi|hello|hey|yes|there|good (?:morning|evening))\W*)*$/i;

/** Decides what the caller says next. */
export class Voice {
  readonly saidTwice = new Set<string>();
  isCorrected = false;
  #caller: Caller;
  readonly #said = new Set<Fact>();
  /** How often the caller has given a fact as an answer. */
  readonly #given = new Map<Fact, number>();
  readonly #interjected = new Set<number>();
  /** What the agent asked for last. The caller goes on with it after a question in between. */
  #open: readonly Fact[] = [];
  #last = '';
  #hasStatedWish = false;
  #isLeaving = false;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** undefined: hangs up; '': is silent. */
  next(turn: number, words: string): string | undefined {
    const caller = this.#caller;
    if (turn === 1) return this.#say(caller.opening);
    const heard = understand(caller, words);
    if (this.#isLeaving || heard.saysGoodbye) return undefined;
    if (heard.asked.length > 0) this.#open = heard.asked;
    for (const fact of heard.asked) if (this.#said.has(fact)) this.saidTwice.add(fact.topic);
    const interjection = this.#interjection(turn, heard);
    if (interjection !== undefined) return this.#say(interjection);
    const { correction } = caller;
    if (correction && !this.isCorrected && this.#isDue(correction, { turn, heard, words })) {
      this.isCorrected = true;
      return this.#say(correction.says);
    }
    return this.#say(this.#answer(heard, words));
  }

  #isDue(
    { at, topic }: Correction,
    { turn, heard, words }: { turn: number; heard: Heard; words: string },
  ): boolean {
    if (at === 'readBack') return this.#readsBackOldForm(heard, words);
    return at === 'said' ? [...this.#said].some((fact) => fact.topic === topic) : at === turn;
  }

  /** The interjection of the turn, or a later question if the agent is about to end the call. */
  #interjection(turn: number, heard: Heard): string | undefined {
    const all = this.#caller.interjections ?? [];
    const isLast = heard.kind === 'anythingElse' || heard.kind === 'nothing';
    const index = all.findIndex(
      ({ at, says }, position) =>
        !this.#interjected.has(position) && (at === turn || (isLast && at > turn && says !== '')),
    );
    const one = all[index];
    if (!one) return undefined;
    this.#interjected.add(index);
    this.#caller = { ...this.#caller, ...one.becomes };
    this.#isLeaving = this.#caller.served.ending === 'ended' && index === all.length - 1;
    return one.says;
  }

  #readsBackOldForm({ kind }: Heard, words: string): boolean {
    const { correction, facts } = this.#caller;
    const fact = facts.find(({ topic }) => topic === correction?.topic);
    return (
      kind === 'readBack' &&
      fact !== undefined &&
      containsOne(words, [...fact.value, ...(correction?.not ?? [])])
    );
  }

  #answer(heard: Heard, words: string): string {
    const { yes, no, otherwise, correction, statesWish } = this.#caller;
    const isConsent = heard.asked.some(({ topic }) => topic === 'consent');
    if (statesWish !== undefined && !this.#hasStatedWish && !isConsent) return this.#wish();
    switch (heard.kind) {
      case 'facts':
        if (heard.asked.length > 0) return this.#give(heard.asked);
        return /\bor\b/.test(words) ? this.#wish() : otherwise;
      case 'readBack':
        if (
          this.isCorrected &&
          correction &&
          containsOne(words, correction.not) &&
          !containsOne(words, correction.value)
        ) {
          this.saidTwice.add(correction.topic);
          return correction.says;
        }
        return yes;
      case 'correction': {
        const change = heard.asked.find(({ hears }) => hears !== undefined);
        if (change) return change.says;
        if (!correction && heard.asked.length > 0) return this.#give(heard.asked);
        if (correction) this.saidTwice.add(correction.topic);
        return correction ? correction.says : no;
      }
      case 'offer':
        return heard.fits ? this.#agreement(words) : no;
      case 'anythingElse':
        return no;
      case 'again':
        return this.#open.length > 0 ? this.#give(this.#open) : this.#last === '' ? this.#wish() : this.#last;
      case 'wish':
        return this.#wish();
      case 'nothing': {
        const left = this.#open.filter((fact) => !this.#said.has(fact));
        return left.length > 0 ? this.#give(left) : no;
      }
    }
  }

  /** Says which of two offers is meant. */
  #agreement(words: string): string {
    const { yes, opening, wish } = this.#caller;
    if (!offersPersonOrLink.test(words)) return yes;
    return wantsLink(`${opening} ${wish}`) ? `${yes} The link.` : `${yes} Put me through.`;
  }

  #give(asked: readonly Fact[]): string {
    const timesGiven = (fact: Fact) => this.#given.get(fact) ?? 0;
    const order = (fact: Fact) => 2 * timesGiven(fact) + (this.#said.has(fact) ? 1 : 0);
    const [first] = asked.toSorted((one, other) => order(one) - order(other));
    const given = this.#caller.gives === 'one' && first ? [first] : asked;
    const words = given.map((fact) => (timesGiven(fact) === 0 && fact.first) || fact.says);
    for (const [index, fact] of given.entries()) {
      if (words[index] === fact.says) this.#said.add(fact);
      this.#given.set(fact, timesGiven(fact) + 1);
    }
    return words.join(', ');
  }

  /** What the caller wants, in a word. */
  #wish(): string {
    const { facts, opening, statesWish, interjections = [] } = this.#caller;
    if (statesWish !== undefined) {
      if (this.#hasStatedWish) this.saidTwice.add('wish');
      return statesWish;
    }
    const topics = ['urgent', 'reason', 'service', 'message', 'problem'];
    const fact = topics
      .map((topic) => facts.find((one) => one.topic === topic))
      .find((one) => one !== undefined);
    if (fact && this.#said.has(fact)) this.saidTwice.add(fact.topic);
    return fact?.says ?? (opening === '' ? (interjections[0]?.says ?? '') : opening);
  }

  #say(text: string): string {
    for (const fact of this.#caller.facts) if (saysFact(text, fact)) this.#said.add(fact);
    const { statesWish, opening } = this.#caller;
    const isOpening = text === opening && !merelyGreets.test(text);
    if (isOpening || (statesWish !== undefined && text.includes(statesWish))) this.#hasStatedWish = true;
    this.#last = text;
    return text;
  }
}
