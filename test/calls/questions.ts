import { type Caller, containsOne, type Fact } from './caller.ts';

/** What an agent's words want from the caller. */
export interface Heard {
  /** Facts that the agent asks for, in its order. */
  readonly asked: readonly Fact[];
  /** True if it asks for something, whether the caller has a fact or not. */
  readonly asks: boolean;
  readonly kind:
    | 'facts'
    | 'readBack'
    | 'correction'
    | 'anythingElse'
    | 'offer'
    | 'again'
    | 'wish'
    | 'nothing';
  /** True if an offer fits the wish. */
  readonly fits: boolean;
  readonly saysGoodbye: boolean;
}

/** The words of a topic in English. A topic later in the list stands in for an earlier one only through `standIns`. */
const topics: Readonly<Record<string, RegExp>> = {
  name: /\b(?:your|the|a|first|last|full|sur|whose|which|what)[\s-]?names?\b|\bname\b(?! of)|who(?:'s| is| am i)? (?:calling|speaking|this)|who am i|(?:do|shall|should|may|can) i (?:call|address) you/,
  phone:
    /phone|\b(?:best|contact|call-?back|mobile|cell|your|a|which|what|whole|full|complete)\s+(?:\w+\s)?number(?! of)|reach you|call you (?:back )?on|digits|\bnumber\?/,
  email: /e-?mail/,
  address: /\baddress|where (?:do you live|are you|is (?:it|this|that))|street|\bwhere,|happened, where/,
  place: /\bwhere\b|town|city|postal|zip|postcode|how far|miles|located|place/,
  bookedDay: /day|date|when|time/,
  date: /\bwhen\b|\bdate\b/,
  day: /\bdays?\b/,
  time: /\btime\b|what hour|o'clock|time of day/,
  partySize: /how many|number of (?:guests|people|persons)|how (?:big|large)/,
  service:
    /come in for|which (?:service|treatment)|what (?:service|treatment|kind|type|sort)|have in mind|interested in|like to (?:book|have done)/,
  reason:
    /\babout\b|reason|regarding|how (?:can|may|could) i help|what (?:can|may|could) i do|what do you need|your question|like to know|what brings|concern/,
  message:
    /your message|pass on|what (?:shall|should|may|can) i (?:tell|say|note|write)|tell (?:him|her|them)/,
  orderNumber: /order number|which order|what order|number of (?:your|the) order|order is it/,
  company: /company|your business|firm|who do you work/,
  budget: /budget|spend|invest|price range|how much (?:would|do|are) you/,
  timing: /\bstart\b|how soon|time ?frame|timeline|by when|planning to|hoping to/,
  owner: /\bown(?:er|s)?\b|\brent/,
  problem: /wrong|the (?:problem|matter|trouble|issue)|happened|not work|doesn't work|describe/,
  consent: /\brecord/,
  firstVisit: /first (?:visit|time)|been (?:here|to us|with us)|new patient|patient (?:here|with us|already)/,
  wishes:
    /wish|allerg|special|should know|anything (?:else )?(?:to note|to add)|put it right|high chair|dietary/,
  change: /\bchange\b|\bmove\b|instead/,
};

/** Topics with the same answer, if the caller has no fact for the first. */
const standIns: Readonly<Record<string, readonly string[]>> = {
  reason: ['message', 'problem', 'service'],
  message: ['reason', 'problem'],
  problem: ['reason', 'message'],
  service: ['wishes', 'reason'],
  place: ['address'],
  address: ['place'],
  date: ['day', 'time'],
};

const readsBack =
  /read (?:that|it|this) back|(?:is|was) (?:that|this|it|everything|all of that) (?:right|correct|ok|okay)|did i (?:get|understand|hear)|(?<!put it),? (?:correct|right)\?|have i got|let me (?:repeat|check|confirm)/;
const asksElse = /(?:anything|something) else(?! (?:i|we|to) (?:should|know|note|add))/;
const asksAgain =
  /say (?:that|it) again|repeat|didn't (?:catch|understand|get)|did not (?:catch|understand|get)|rephrase|still there|hear you/;
const correcting =
  /what (?:should|shall|can|may|must|is|would you like me to) (?:i |we )?(?:change|correct|wrong(?! with)|different|not right)/;
const request =
  /\?|\b(?:tell|give|leave|spell) (?:me|us)\b|let me have|please (?:say|repeat|spell|name)|i(?:'ll| will|'d)? (?:still |also )?need|may i have/;

/** Understands the words that the agent has said since the caller's last turn. */
export function understand(caller: Caller, words: string): Heard {
  const text = words.toLowerCase().replaceAll('’', "'");
  const sentences = (text.match(/[^.!?]+[.!?]*/g) ?? []).map((sentence) => sentence.trim());
  const requests = sentences.filter((sentence) => request.test(sentence));
  const asking = requests.join(' ');
  const saysGoodbye = /\bgood-?bye\b|\bbye\b|see you soon/.test(text) && requests.length === 0;
  const heard = (kind: Heard['kind'], more: Partial<Heard> = {}): Heard => ({
    asked: [],
    asks: requests.length > 0,
    kind,
    fits: false,
    saysGoodbye,
    ...more,
  });
  if (correcting.test(asking)) return heard('correction', { asked: askedFacts(caller, asking) });
  if (readsBack.test(text) && requests.length > 0) return heard('readBack', { fits: true });
  const offers = requests.filter((sentence) => fitOf(caller, sentence) !== undefined);
  const others = requests.filter((sentence) => !offers.includes(sentence));
  const asked = askedFacts(caller, others.join(' '));
  if (asked.length > 0) return heard('facts', { asked });
  const [offer] = offers;
  if (offer !== undefined) return heard('offer', { fits: fitOf(caller, offer) === true });
  if (asksElse.test(asking)) return heard('anythingElse');
  if (/\bor\b/.test(asking)) return heard('wish');
  if (asksAgain.test(text)) return heard('again');
  return heard(requests.length > 0 ? 'facts' : 'nothing');
}

export const offersPersonOrLink = /put you through.*\bor\b.*(?:text|link)/i;

export function wantsLink(text: string): boolean {
  return /\blink\b/i.test(text);
}

/** Whether an offer fits what the caller wants; undefined: the sentence offers nothing. */
function fitOf(caller: Caller, sentence: string): boolean | undefined {
  const { ending } = caller.served;
  // "What may I pass on?" is a question.
  if (/\bwhat (?:shall|should|may|can) i\b/.test(sentence)) return undefined;
  const isChoice = /would you like .*\bor (?:is|do|change|cancel)\b/.test(sentence);
  if (
    isChoice ||
    !/\b(?:shall|should|may|can|would|do|does|did|is|are) (?:i|we|you|it|that|this)\b/.test(sentence)
  )
    return undefined;
  const isForLink = wantsLink(`${caller.opening} ${caller.wish}`);
  if (isForLink && /text you|send you|link/.test(sentence)) return true;
  if (/put you through|speak (?:to|with)|connect you|transfer you|talk to (?:a|some)/.test(sentence))
    return ending === 'transferred' || ending === 'emergency';
  if (/(?:leave|take) a message|call you back\?/.test(sentence))
    return ending !== 'answered' && ending !== 'ended';
  if (/text you|send you|link/.test(sentence)) return false;
  if (/look at what|few questions|two minutes/.test(sentence))
    return ending !== 'ended' && ending !== 'answered';
  if (/\b(?:book|note|reserve)\b.*(?:appointment|table)|like (?:an appointment|a table)\?/.test(sentence))
    return ending === 'taken' && !caller.facts.some(({ topic }) => topic === 'bookedDay');
  if (/solved|did that (?:help|answer)|does (?:that|it) (?:work|help|answer)|that all\b/.test(sentence))
    return ending === 'answered';
  if (
    /(?:shall|should|may|can) i (?:note|pass|send|file|go ahead)|(?:would|does) that (?:suit|be)/.test(
      sentence,
    )
  )
    return ending !== 'ended' && ending !== 'answered';
  return undefined;
}

function askedFacts(caller: Caller, asking: string): Fact[] {
  const has = (topic: string) => caller.facts.find((fact) => fact.topic === topic);
  const found: { readonly fact: Fact; readonly at: number }[] = [];
  const add = (fact: Fact | undefined, at: number) => {
    if (fact && at >= 0 && !found.some((one) => one.fact === fact)) found.push({ fact, at });
  };
  for (const fact of caller.facts)
    for (const words of fact.hears ?? []) add(fact, asking.indexOf(words.toLowerCase()));
  const plain = asking.replaceAll(/e-?mail address(?:es)?/g, 'email').replaceAll('order number', 'order no');
  for (const [topic, words] of Object.entries(topics)) {
    const at = (topic === 'orderNumber' ? asking : plain).search(words);
    if (at < 0) continue;
    // What is booked already comes before a new day.
    if (topic === 'bookedDay' && /\b(?:new|suit|prefer|instead)\b/.test(plain)) continue;
    if (
      has('bookedDay') &&
      ['date', 'day', 'time'].includes(topic) &&
      !/\b(?:new|suit|prefer|instead)\b/.test(plain)
    )
      continue;
    if (topic === 'date' && has('timing') && !/call you/.test(plain)) add(has('timing'), at);
    else if (topic === 'date' && /\bday\b.*\btime\b/.test(plain)) continue;
    else if (topic === 'email' && /number or (?:an? )?email/.test(plain) && has('phone')) continue;
    else if (topic === 'address' && has('place') && /\bwhere\b/.test(plain)) continue;
    else if (topic === 'place' && !has('place') && /\baddress/.test(plain)) continue;
    else if (has(topic)) add(has(topic), at);
    else
      for (const other of standIns[topic] ?? [])
        if (has(other)) {
          add(has(other), at);
          break;
        }
  }
  return found.toSorted((one, other) => one.at - other.at).map(({ fact }) => fact);
}

/** True if the text says the fact: its value, apart from a mere yes or no. */
export function saysFact(text: string, { topic, value }: Pick<Fact, 'topic' | 'value'>): boolean {
  if (topic === 'consent') return /\brecord/i.test(text);
  const forms = value.filter((form) => !/^(?:yes|no|not|none|new|work|first)$/i.test(form));
  return containsOne(text, forms);
}
