import type { Caller, Correction, Ending, Fact, Interjection } from '../caller.ts';
import { doesNotKnow, type Plan, plansOf, type TemplatePlans } from './plans.ts';
import { Random } from './random.ts';
import { impossibleDay, ownPhone, type Spoken, shortPhone, spokenAddress } from './spoken.ts';

/** Callers of each template. */
export const population = 200;

/** What makes a call different from a plain one. */
export const troubles = [
  'wrong phone first',
  'impossible date first',
  'own number',
  'correction at the read-back',
  'correction in between',
  'correction within a reply',
  'one silence',
  'three silences',
  'question with an answer',
  'question without an answer',
  'are you a human?',
  'swears',
  'asks to repeat',
  'nobody is free',
  'asks for a person',
  'stops',
  'turns into an emergency',
] as const;
export type Trouble = (typeof troubles)[number];

/** How a caller differs from others. Each axis is drawn for itself. */
export interface Axes {
  readonly plan: string;
  readonly opening: 'nothing' | 'wish' | 'one fact' | 'everything';
  readonly gives: 'all' | 'one';
  readonly style: 'written' | 'as transcribed';
  readonly troubles: readonly Trouble[];
}

/** What a phrase of the caller means: what a competent model knows on hearing it. */
export interface Phrase {
  readonly text: string;
  readonly means:
    | 'wish'
    | 'yes'
    | 'no'
    | 'nothing'
    | 'question'
    | 'human'
    | 'swearing'
    | 'repeat'
    | 'person'
    | 'stop'
    | 'emergency';
}

/** How a call may end. */
export type Served = Caller['served'];

export interface VariedCaller {
  readonly seed: number;
  readonly axes: Axes;
  readonly caller: Caller;
  /** One of them has to hold. */
  readonly expected: readonly Served[];
  /** What is expected in place of `expected` as soon as the caller has said this. */
  readonly leaving?: { readonly says: string; readonly expected: readonly Served[] };
  readonly spoken: readonly Spoken[];
  /** `isWithin`: the caller says and corrects the fact in the same turn. */
  readonly corrects?: { readonly from: Spoken; readonly to: Spoken; readonly isWithin: boolean };
  readonly phrases: readonly Phrase[];
  readonly option: RegExp;
  readonly isSpecial: boolean;
  readonly isKnownNumber: boolean;
  readonly isNobodyFree: boolean;
}

const hellos = ['Hi', 'Hello', 'Good morning', 'Hey', 'Yes, hello', 'Hi there'];
const isHuman = [
  'are you a human?',
  'Is this a real person?',
  'Wait, am I talking to a robot?',
  'Are you a machine or a real person?',
  'Sorry, am I speaking with a human being?',
];
const says = {
  corrects: [
    'Sorry, I meant NEW, not OLD.',
    'Actually, NEW, not OLD.',
    'Wait, make that NEW instead of OLD.',
    'Oh, I said OLD, it should be NEW.',
  ],
  correctsReadBack: [
    'No, NEW, not OLD.',
    "No, it's NEW.",
    'Not quite, NEW please.',
    'no, sorry, NEW instead of OLD',
  ],
  correctsWithin: ['no, sorry, NEW', 'wait, no, NEW', 'I mean NEW', 'actually NEW'],
  swearing: ["Oh for fuck's sake.", 'this is bullshit', 'Damn it, how long does this take?'],
  repeat: ['Sorry, could you say that again?', 'can you repeat that please', 'Pardon? I did not catch that.'],
  person: [
    'Can I speak to a real person, please?',
    "I'd rather talk to a human.",
    'just put me through to somebody',
    'Could you connect me with someone who works there?',
    'operator',
  ],
  stop: ['Never mind, bye.', 'Stop.', 'goodbye', "Forget it, I'll call again later.", 'I have to go, bye.'],
  emergency: [
    'actually no, water is coming through the ceiling now',
    'Oh no, wait, now the pipe burst and water is running out!',
  ],
};
const isAnAi = ['AI', 'assistant', 'automated', 'virtual', 'artificial', 'not a human', 'computer'];

/** The callers of a template, the same ones each time. */
export function variedCallers(template: string): VariedCaller[] {
  return Array.from({ length: population }, (_, seed) => variedCaller(template, seed));
}

export function variedCaller(template: string, seed: number): VariedCaller {
  const plans = plansOf[template];
  if (!plans) throw new TypeError(`there are no callers for the template ${template}`);
  const random = new Random(seedOf(`${template} ${seed}`));
  return new Making({ template, plans, seed, random }).caller();
}

/** FNV-1a: names that differ in one character have unlike seeds. */
function seedOf(name: string): number {
  return name
    .split('')
    .reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 0x01_00_01_93), 0x81_1c_9d_c5);
}

const mostDraws = 20;

class Making {
  readonly #template: string;
  readonly #plans: TemplatePlans;
  readonly #seed: number;
  readonly #random: Random;
  readonly #plan: Plan;
  readonly #troubles: readonly Trouble[];
  readonly #opening: Axes['opening'];
  readonly #gives: Axes['gives'];
  readonly #isTranscribed: boolean;
  #spoken: readonly Spoken[];
  readonly #phrases: Phrase[] = [];
  readonly #interjections: Interjection[] = [];
  readonly #first = new Map<string, string>();
  #turn: number;

  constructor({
    template,
    plans,
    seed,
    random,
  }: {
    template: string;
    plans: TemplatePlans;
    seed: number;
    random: Random;
  }) {
    this.#template = template;
    this.#plans = plans;
    this.#seed = seed;
    this.#random = random;
    this.#plan = this.#drawPlan();
    this.#troubles = this.#drawTroubles();
    this.#opening = random.pick(['nothing', 'wish', 'wish', 'one fact', 'everything', 'everything']);
    this.#gives = random.pick(['all', 'one']);
    this.#isTranscribed = random.chance(0.25);
    this.#spoken = this.#drawFacts();
    // With all said and nothing to read back, there may be no further turn.
    this.#turn = this.#opening === 'everything' || random.chance(0.5) ? 2 : 3;
  }

  caller(): VariedCaller {
    const random = this.#random;
    const plan = this.#plan;
    const wish = this.#styled(random.pick(plan.wishes));
    const correction = this.#correction();
    const opening = this.#openingOf(wish);
    const facts = this.#facts(wish, opening);
    const yes = this.#styled(random.pick(["Yes, that's right.", 'yes please', 'Yeah, correct.', 'yep']));
    const no = this.#styled(random.pick(["No, that's all.", 'no thanks', 'No, thank you.', 'nope']));
    const otherwise = this.#styled(random.pick(["I don't know.", 'no idea, sorry', "I couldn't tell you."]));
    const leaving = this.#interjectAll(facts);
    const served = this.#served(facts);
    const caller: Caller = {
      agent: this.#template,
      name: `${this.#template} ${this.#seed}`,
      wish,
      statesWish: wish,
      opening,
      facts,
      gives: this.#gives,
      yes,
      no,
      otherwise,
      interjections: this.#interjections,
      ...(correction?.said && { correction: correction.said }),
      // Whoever wants to be put through says so, even if nobody is free.
      served: { ...served, ending: plan.ending },
    };
    this.#means(opening, this.#opening === 'nothing' ? 'nothing' : 'wish');
    this.#means(wish, 'wish');
    this.#means(yes, 'yes');
    this.#means(no, 'no');
    this.#means(otherwise, 'nothing');
    if (correction?.said) this.#means(correction.said.says, 'no');
    return {
      seed: this.#seed,
      axes: {
        plan: plan.key,
        opening: this.#opening,
        gives: this.#gives,
        style: this.#isTranscribed ? 'as transcribed' : 'written',
        troubles: this.#troubles,
      },
      caller,
      expected: [
        served,
        ...this.#otherEndings(served.ending).map((ending) => ({ ...served, ending, kept: [] })),
      ],
      ...(leaving && { leaving }),
      spoken: this.#spoken,
      ...(correction && {
        corrects: { from: correction.old, to: correction.new, isWithin: correction.said === undefined },
      }),
      phrases: this.#phrases,
      option: plan.option,
      isSpecial: plan.isSpecial ?? false,
      isKnownNumber: plan.isKnownNumber ?? true,
      isNobodyFree: this.#has('nobody is free'),
    };
  }

  #has(trouble: Trouble): boolean {
    return this.#troubles.includes(trouble);
  }

  #drawPlan(): Plan {
    const { plans } = this.#plans;
    let left = this.#random.next() * plans.reduce((sum, { weight }) => sum + weight, 0);
    for (const plan of plans) {
      left -= plan.weight;
      if (left < 0) return plan;
    }
    throw new TypeError('a template has no plan');
  }

  /** A tenth of the callers have no trouble, and a third of the others have two. */
  #drawTroubles(): Trouble[] {
    const random = this.#random;
    const wanted = random.chance(0.1) ? 0 : random.chance(0.66) ? 1 : 2;
    // What few plans allow is drawn more often there.
    const fitting = troubles
      .filter((one) => this.#fits(one))
      .flatMap((one) => (rarelyFitting.has(one) ? [one, one, one] : [one]));
    const drawn: Trouble[] = [];
    for (let draws = 0; draws < mostDraws && drawn.length < wanted; draws++) {
      const one = random.pick(fitting);
      if (drawn.every((other) => areCompatible(one, other))) drawn.push(one);
    }
    return drawn;
  }

  #fits(trouble: Trouble): boolean {
    const { ending, kept, corrects, readsBack = false } = this.#plan;
    switch (trouble) {
      case 'wrong phone first':
      case 'own number':
        return kept.includes('phone');
      case 'impossible date first':
        return kept.includes('day');
      case 'correction at the read-back':
        return readsBack;
      case 'correction in between':
      case 'correction within a reply':
        return corrects.length > 0;
      case 'nobody is free':
        return ending === 'transferred' && this.#template !== 'support-call-log';
      case 'asks for a person':
        return ending !== 'emergency' && ending !== 'transferred';
      case 'turns into an emergency':
        return this.#template === 'after-hours' && ending !== 'emergency';
      case 'one silence':
      case 'three silences':
      case 'question with an answer':
      case 'question without an answer':
      case 'are you a human?':
      case 'swears':
      case 'asks to repeat':
      case 'stops':
        return true;
    }
  }

  #drawFacts(): Spoken[] {
    const random = this.#random;
    const facts = this.#plan
      .facts(random)
      .map((fact) => (fact.topic === 'phone' && this.#has('own number') ? ownPhone(random) : fact));
    if (this.#has('turns into an emergency') && !facts.some(({ topic }) => topic === 'address'))
      facts.push(spokenAddress(random));
    if (this.#has('wrong phone first')) this.#first.set('phone', this.#styled(shortPhone(random)));
    if (this.#has('impossible date first')) this.#first.set('day', this.#styled(impossibleDay(random)));
    return facts;
  }

  #facts(wish: string, opening: string): Fact[] {
    const reason = { topic: 'reason', says: wish, value: this.#plan.wishForms };
    const spoken = this.#spoken.map(({ topic, says: answer, value }): Fact => {
      const first = this.#first.get(topic);
      return {
        topic,
        ...(topic === 'callTime' && { hears: ['good time to call', 'best time'] }),
        says: this.#styled(answer),
        value,
        ...(first !== undefined && !opening.includes(first) && { first }),
      };
    });
    const says = ['reason', 'message', 'problem'];
    return spoken.some(({ topic }) => says.includes(topic)) ? spoken : [...spoken, reason];
  }

  #openingOf(wish: string): string {
    const random = this.#random;
    const hello = random.pick(hellos);
    switch (this.#opening) {
      case 'nothing':
        return this.#styled(`${hello}${random.pick(['.', '?', '!'])}`);
      case 'wish':
        return this.#styled(random.chance(0.6) ? `${hello}. ${wish}` : wish);
      case 'one fact': {
        const clauses = this.#plan.added.flatMap((topic) => this.#clause(topic));
        const clause = clauses.length > 0 ? random.pick(clauses) : undefined;
        return this.#styled(clause === undefined ? `${hello}, ${wish}` : `${hello}, ${clause}. ${wish}`);
      }
      case 'everything': {
        const sentence = random
          .pick(this.#plan.sentences)
          .replaceAll(/\{(\w+)\}/g, (_, topic: string) => this.#clause(topic)[0] ?? '');
        const main = sentence.charAt(0).toUpperCase() + sentence.slice(1);
        const clauses = this.#plan.added.flatMap((topic) => this.#clause(topic));
        const parts = random
          .shuffled([
            main,
            ...clauses.map((clause) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`),
          ])
          .join(' ');
        return this.#styled(`${hello}. ${parts}`);
      }
    }
  }

  /** The clause of a topic; none if the caller has no such fact. `reach`: a phone number or an email address. */
  #clause(topic: string): string[] {
    const first = this.#first.get(topic);
    if (first !== undefined) return [topic === 'phone' ? `my number is ${first}` : `on ${first}`];
    const topics = topic === 'reach' ? ['phone', 'email'] : [topic];
    const fact = this.#spoken.find((one) => topics.includes(one.topic));
    return fact ? [fact.clause] : [];
  }

  /** A fact that the caller corrects, in a turn of its own (`said`) or in the turn that says it. */
  #correction(): { said?: Correction; old: Spoken; new: Spoken } | undefined {
    const random = this.#random;
    const isAtReadBack = this.#has('correction at the read-back');
    const isWithin = this.#has('correction within a reply');
    if (!isAtReadBack && !isWithin && !this.#has('correction in between')) return undefined;
    const topics = this.#plan.corrects.filter((topic) => !this.#first.has(topic));
    const topic = topics.length > 0 ? random.pick(topics) : undefined;
    const old = this.#spoken.find((fact) => fact.topic === topic);
    if (!old) return undefined;
    const next = this.#other(old);
    const [newForm = ''] = next.value;
    const [oldForm = ''] = old.value;
    const wording = random.pick(
      isAtReadBack ? says.correctsReadBack : isWithin ? says.correctsWithin : says.corrects,
    );
    const text = this.#styled(wording.replaceAll('NEW', newForm).replaceAll('OLD', oldForm));
    if (isWithin) {
      this.#spoken = this.#spoken.map((fact) =>
        fact === old
          ? {
              ...next,
              says: `${old.says.replace(', please', '')}, ${text}`,
              clause: `${old.clause}, ${text}`,
            }
          : fact,
      );
      return { old, new: next };
    }
    const not = old.value.filter((form) => !next.value.includes(form));
    const at = isAtReadBack ? 'readBack' : 'said';
    return { said: { at, says: text, topic: old.topic, value: next.value, not }, old, new: next };
  }

  /** Another fact of the topic, told apart from it by each of its forms. */
  #other(old: Spoken): Spoken {
    for (let draws = 0; draws < mostDraws * mostDraws; draws++) {
      const other = this.#plan.facts(this.#random).find(({ topic }) => topic === old.topic);
      if (other && other.written !== old.written && !other.value.some((form) => old.value.includes(form)))
        return other;
    }
    throw new TypeError(`there is one fact of the topic ${old.topic} alone`);
  }

  /** Adds what the caller says in place of answers. Returns what is expected of a call that the caller leaves. */
  #interjectAll(facts: readonly Fact[]): VariedCaller['leaving'] {
    let leaving: VariedCaller['leaving'];
    for (const trouble of this.#troubles) {
      const random = this.#random;
      switch (trouble) {
        case 'one silence':
          this.#interject('', [], 'nothing');
          break;
        case 'three silences':
          for (let count = 0; count < 3; count++) this.#interject('', [], 'nothing');
          break;
        case 'question with an answer': {
          const { asks, reply } = random.pick(this.#otherQuestions());
          this.#interject(random.pick(asks), reply, 'question');
          break;
        }
        case 'question without an answer':
          this.#interject(random.pick(random.pick(this.#plans.unknown).asks), doesNotKnow, 'question');
          break;
        case 'are you a human?':
          this.#interject(random.pick(isHuman), isAnAi, 'human');
          break;
        case 'swears':
          this.#interject(random.pick(says.swearing), [], 'swearing');
          break;
        case 'asks to repeat':
          this.#interject(random.pick(says.repeat), [], 'repeat');
          break;
        case 'asks for a person': {
          const { personEnding } = this.#plans;
          leaving = this.#leave(random.pick(says.person), 'person', {
            ending: personEnding,
            kept: personEnding === 'taken' ? ['name', 'phone'] : [],
            why: 'puts the caller through',
          });
          break;
        }
        case 'stops':
          leaving = this.#leave(random.pick(says.stop), 'stop', {
            ending: 'ended',
            kept: [],
            why: 'says goodbye',
          });
          break;
        case 'turns into an emergency':
          leaving = this.#leave(
            random.pick(says.emergency),
            'emergency',
            { ending: 'emergency', kept: [], why: 'puts the caller through to the person on call' },
            this.#factsOfEmergency(facts),
          );
          break;
        case 'wrong phone first':
        case 'impossible date first':
        case 'own number':
        case 'correction at the read-back':
        case 'correction in between':
        case 'correction within a reply':
        case 'nobody is free':
          break;
      }
    }
    return leaving;
  }

  /** Questions that are not the wish. */
  #otherQuestions() {
    const others = this.#plans.known.filter(
      ({ asks }) => !asks.some((one) => this.#plan.wishes.includes(one)),
    );
    return others.length > 0 ? others : this.#plans.known;
  }

  #interject(
    text: string,
    then: readonly string[],
    means: Phrase['means'],
    becomes?: Partial<Caller>,
  ): string {
    const styled = this.#styled(text);
    // oxlint-disable-next-line unicorn/no-thenable -- callers are JSON that names it so
    this.#interjections.push({ at: this.#turn, says: styled, then, ...(becomes && { becomes }) });
    this.#turn += 1;
    if (styled !== '') this.#means(styled, means);
    return styled;
  }

  #leave(
    text: string,
    means: Phrase['means'],
    expected: Served,
    facts?: readonly Fact[],
  ): VariedCaller['leaving'] {
    const said = this.#interject(text, [], means, { served: expected, ...(facts && { facts }) });
    return { says: said, expected: [expected] };
  }

  #factsOfEmergency(facts: readonly Fact[]): Fact[] {
    const value = ['ceiling', 'pipe', 'water'];
    const happened = { topic: 'problem', says: 'the water is running out', value };
    return [...facts.filter(({ topic }) => topic !== 'problem' && topic !== 'reason'), happened];
  }

  #means(text: string, means: Phrase['means']): void {
    this.#phrases.push({ text, means });
  }

  #served(facts: readonly Fact[]): Served {
    const { ending, kept, hears = [] } = this.#plan;
    const isCallBack = this.#has('nobody is free');
    const reach = facts.some(({ topic }) => topic === 'phone') ? 'phone' : 'email';
    const topics = (isCallBack ? [...kept, 'reach'] : kept).map((topic) =>
      topic === 'reach' ? reach : topic,
    );
    return {
      ending: isCallBack ? 'taken' : ending,
      kept: [...new Set(topics)],
      hears: isCallBack ? [] : hears,
      why: 'does what the caller wants',
    };
  }

  /** Whoever asks what nobody knows may be put through, or leave a message, once the wish is fulfilled. */
  #otherEndings(ending: Ending): readonly Ending[] {
    const { orEnding = [] } = this.#plan;
    const mayLeave = this.#has('question without an answer') && ending === 'answered';
    return mayLeave ? [...orEnding, this.#plans.personEnding] : orEnding;
  }

  /** A transcript of speech has no capitals and little punctuation. */
  #styled(text: string): string {
    if (!this.#isTranscribed) return text;
    return text
      .toLowerCase()
      .replaceAll(/[!?;:…]|\.(?=\s|$)/g, '')
      .trim();
  }
}

const rarelyFitting: ReadonlySet<Trouble> = new Set([
  'wrong phone first',
  'impossible date first',
  'correction at the read-back',
  'correction in between',
  'turns into an emergency',
]);
const correcting: ReadonlySet<Trouble> = new Set([
  'correction at the read-back',
  'correction in between',
  'correction within a reply',
]);
const leavings: ReadonlySet<Trouble> = new Set(['asks for a person', 'stops', 'turns into an emergency']);

function areCompatible(one: Trouble, other: Trouble): boolean {
  if (one === other) return false;
  const pair = [one, other];
  const areAll = (set: ReadonlySet<Trouble>) => pair.every((trouble) => set.has(trouble));
  const phone: ReadonlySet<Trouble> = new Set(['wrong phone first', 'own number', ...correcting]);
  const silences: ReadonlySet<Trouble> = new Set(['one silence', 'three silences']);
  // Whoever leaves says nothing after it, so that another trouble would have to come first.
  const leaves = pair.some((trouble) => leavings.has(trouble));
  return !areAll(correcting) && !areAll(phone) && !areAll(silences) && !leaves;
}
