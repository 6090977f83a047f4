import { negations, surelyTakesBackAt } from './correction-words.ts';
import type { Language } from './languages.ts';
import {
  familyCues,
  germanLetters,
  givenCues,
  leadingParticles,
  nameCues,
  nameEnds,
  nameRemarks,
  notNames,
  particles,
  surelyNames,
  titles,
} from './name-words.ts';
import { numeralAt } from './numbers.ts';
import { spelledIn } from './spelling.ts';
import { breaksClause, type Found, folded, type Phrases, phrases, type Span, type Token } from './words.ts';

/** A name that a turn says, and the span that says so: its cue, its spelling. */
export interface Name {
  readonly name: string;
  /** Said with "my name is" or the like. */
  readonly isSure: boolean;
  /** The turn also says a name that is not meant. */
  readonly hasRefused: boolean;
}

interface Candidate extends Span {
  readonly name: string;
  readonly role: 'family' | 'given' | undefined;
  /** Where its cue starts and its end phrase ends. */
  readonly cueFrom: number;
  readonly cueTo: number;
  readonly hasCue: boolean;
  readonly isSure: boolean;
}

/** Words of a name, at most. */
const longestName = 7;

/** The name that a turn says. */
export function nameIn(
  tokens: readonly Token[],
  text: string,
  language: Language,
  isTaken: (index: number) => boolean,
): Found<Name> | undefined {
  const spelled = spelledIn(tokens);
  const isSpelling = new Set(spelled.flatMap(({ from, to }) => range(from, to)));
  const candidates = candidatesIn(tokens, text, language, (index) => isTaken(index) || isSpelling.has(index));
  const plain = withoutAlphabet(candidates);
  const joined = combined(plain.length > 0 ? plain : spelledCandidates(spelled, tokens), tokens, language);
  const found = joined ?? lowerCaseName(tokens, language, (index) => isTaken(index) || isSpelling.has(index));
  return found && { ...found, value: { ...found.value, hasRefused: refusesName(tokens, language) } };
}

/** "not Blair" */
function refusesName(tokens: readonly Token[], language: Language): boolean {
  return tokens.some(
    (token, index) =>
      isNameWord(token) && !breaksClause(token.gap) && negations[language].has(tokens[index - 1]?.word ?? ''),
  );
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function spelledCandidates(spelled: readonly Found<string>[], tokens: readonly Token[]): Candidate[] {
  return spelled.map(({ value, from, to }) => ({
    name: capitalised(value),
    from,
    to,
    ...around(tokens, from, to),
  }));
}

function around(tokens: readonly Token[], from: number, to: number) {
  const titleFrom = titles.has(tokens[from - 1]?.word ?? '') ? from - 1 : from;
  const articleFrom =
    /^(la|el|der|die|il|l|o|a|de)$/.test(tokens[titleFrom - 1]?.word ?? '') && titleFrom < from
      ? titleFrom - 1
      : titleFrom;
  const family = endingAt(familyCues, tokens, articleFrom);
  const given = endingAt(givenCues, tokens, articleFrom);
  const cue = endingAt(nameCues, tokens, articleFrom);
  const sure = endingAt(surelyNames, tokens, articleFrom);
  const end = nameEnds.at(tokens, to);
  return {
    role: family === undefined ? (given === undefined ? undefined : ('given' as const)) : ('family' as const),
    cueFrom: Math.min(family ?? articleFrom, given ?? articleFrom, cue ?? articleFrom, sure ?? articleFrom),
    cueTo:
      end && !breaksClause(tokens[to]?.gap ?? '') ? end.to : end && end.to === tokens.length ? end.to : to,
    hasCue:
      cue !== undefined ||
      family !== undefined ||
      given !== undefined ||
      titleFrom < from ||
      end !== undefined,
    isSure: sure !== undefined,
  };
}

/** Words of a cue, at most. */
const longestCue = 6;

/** The start of the longest phrase in the table that ends just before a token. */
function endingAt(table: Phrases<true>, tokens: readonly Token[], end: number): number | undefined {
  for (let from = Math.max(0, end - longestCue); from < end; from += 1)
    if (table.at(tokens, from)?.to === end) return from;
  return undefined;
}

function isCapital(token: Token | undefined): boolean {
  return token !== undefined && /^\p{Lu}/u.test(token.said);
}

function isNameWord(token: Token | undefined): boolean {
  return (
    token !== undefined &&
    isCapital(token) &&
    token.word.length > 1 &&
    !notNames.has(token.word) &&
    !titles.has(token.word)
  );
}

/** Runs of capitalised words that may be names. */
function candidatesIn(
  tokens: readonly Token[],
  text: string,
  language: Language,
  isTaken: (index: number) => boolean,
): Candidate[] {
  const found: Candidate[] = [];
  for (let index = 0; index < tokens.length; ) {
    const to = isTaken(index) ? index : endOfName(tokens, index, isTaken);
    if (to > index) {
      const candidate = {
        name: text.slice(tokens[index]?.start, tokens[to - 1]?.end),
        from: index,
        to,
        ...around(tokens, index, to),
      };
      // "It's Priyanka Nair", "Bettina Kraus here", "Hello, Winifred Stokes.": a cue or a clause of its own, and two names, leave no doubt.
      const isSure =
        candidate.isSure ||
        (to - index > 1 && (candidate.hasCue || introduces(tokens, index, to))) ||
        isBooked(tokens, index, to) ||
        isCalledSo(tokens, to);
      if (isPlausible(candidate, tokens, language)) found.push({ ...candidate, isSure });
    }
    index = Math.max(to, index + 1);
  }
  return found;
}

/** "Whitlock's the name" */
function isCalledSo(tokens: readonly Token[], to: number): boolean {
  return sureEnds.has(tokens, to) && !breaksClause(tokens[to]?.gap ?? '');
}

const sureEnds = phrases(
  `s the name|s my name|is my name|is the name|ist mein name|c'est mon nom|est mon nom|es mi nombre|è il mio nome|is mijn naam|é o meu nome|to moje nazwisko`,
);

/** Tokens before a name with which a caller begins, at most. */
const longestGreeting = 8;
/** Before the name of whoever calls. */
const selfCues = phrases(
  `i'm|i am|it's|it is|this is|here is|here's|ich bin|hier ist|hier spricht|hier|c'est|je suis|ici|soy|habla|sono|qui|ik ben|met|dit is|sou|fala|aqui é|aqui|jestem|tu|mówi|z tej strony`,
);
/** After it, in the same clause. */
const afterName = wordSetOf(
  'on from with at of here speaking calling again and i von vom aus hier am und de du chez et ici del della di da dal van bij uit en z ze i da do na e',
);

/** Words that follow the name of whoever introduces themselves, at least: "Cedar Falls. Ten miles." answers a question. */
const wordsOfMore = 3;
const greetings = wordSetOf(
  'hello hi hey yo ciao there good morning afternoon evening day yes yeah yep uh um oh well so okay ok howdy greetings thanks thank you and hallo guten tag morgen abend gruss gott moin servus ja also bonjour bonsoir allo oui alors hola buenos buenas dias tardes noches si bueno buongiorno buonasera salve pronto allora goedemorgen goedemiddag goedenavond goedendag dag hoi met ola oi bom boa dia tarde noite sim dzien dobry wieczor halo tak',
);

/** "Hi, it's Femi Balogun, I own…", "Yo, Greg Nowak from Nowak Roofing." */
function introduces(tokens: readonly Token[], from: number, to: number): boolean {
  const next = tokens[to];
  const isEnd = next === undefined || breaksClause(next.gap) || afterName.has(next.word);
  if (!isEnd) return false;
  if (endingAt(selfCues, tokens, from) !== undefined) return true;
  const isGreeted = tokens.slice(0, from).every(({ word }) => greetings.has(word));
  return from <= longestGreeting && isGreeted && tokens.length >= to + wordsOfMore;
}

/** "A table for two, for Bellini" */
const bookingCues = phrases(
  `for|on|under|für|auf|pour|au nom|para|a nombre|per|a nome|voor|op naam|em nome|dla|na nazwisko`,
);
const bookings =
  /^(?:table|book|booked|booking|reserv\p{L}*|appointment|tisch|termin|mesa|tavolo|tafel|stolik|rezerw\p{L}*|prenot\p{L}*|rendez)$/u;

function isBooked(tokens: readonly Token[], from: number, to: number): boolean {
  const next = tokens[to];
  const isEnd = next === undefined || breaksClause(next.gap);
  return (
    isEnd &&
    endingAt(bookingCues, tokens, from) !== undefined &&
    tokens.some(({ word }) => bookings.test(word))
  );
}

/** The token after the name that starts here; the same token if none starts. */
function endOfName(tokens: readonly Token[], from: number, isTaken: (index: number) => boolean): number {
  const first = tokens[from];
  const isAfterTitle = titles.has(tokens[from - 1]?.word ?? '');
  const isParticle =
    first !== undefined &&
    particles.has(first.word) &&
    (leadingParticles.has(first.word) || isAfterTitle || isCapital(first));
  const isElided =
    isCapital(first) &&
    first?.word.length === 1 &&
    /^['’]$/.test(tokens[from + 1]?.gap ?? '') &&
    isCapital(tokens[from + 1]);
  if (!first || !(isNameWord(first) || isParticle || isElided)) return from;
  let end = isParticle && !isNameWord(first) ? from : from + 1;
  for (let index = from + 1; index < tokens.length && index < from + longestName; index += 1) {
    const token = tokens[index];
    if (!token || isTaken(index) || !/^(\s+|-|['’])$/.test(token.gap)) break;
    // The s of "Baxter's" is no part of the name.
    if (/['’]/.test(token.gap) && token.word === 's') break;
    if (isNameWord(token)) end = index + 1;
    else if (
      !(
        particles.has(token.word) ||
        (isCapital(token) && token.word.length === 1 && /['’]/.test(tokens[index + 1]?.gap ?? ''))
      )
    )
      break;
  }
  return end;
}

const determiners = wordSetOf(
  'der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner ihr ihre ihren unser unsere kein keine keinen ohne mit zum zur im am vom bei beim in aus wegen zwei drei vier das dieser diese nach vor jeden',
);

function wordSetOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

function isPlausible(candidate: Candidate, tokens: readonly Token[], language: Language): boolean {
  const { from, to } = candidate;
  const first = tokens[from];
  const before = tokens[from - 1];
  if (isNegated(candidate, tokens, language)) return false;
  if (range(from, to).every((index) => numeralAt(tokens, index, language))) return false;
  if (
    language === 'de' &&
    to - from === 1 &&
    determiners.has(before?.word ?? '') &&
    !breaksClause(first?.gap ?? '') &&
    !candidate.hasCue
  )
    return false;
  const startsSentence = from === 0 || /[.!?…]/.test(first?.gap ?? '');
  const next = tokens[to];
  const isFollowed =
    next !== undefined &&
    !breaksClause(next.gap) &&
    !/^(and|und|et|y|e|en|i|a|com|with|mit|avec|con|met|z|hier|here|speaking|mein)$/.test(next.word);
  // A capital at the start of a sentence alone says nothing.
  return !(
    startsSentence &&
    to - from === 1 &&
    isFollowed &&
    !candidate.hasCue &&
    candidate.role === undefined &&
    !/['’]/.test(next?.gap ?? '')
  );
}

function isNegated({ from, cueFrom }: Candidate, tokens: readonly Token[], language: Language): boolean {
  const isNo = (index: number) =>
    negations[language].has(tokens[index]?.word ?? '') && !breaksClause(tokens[index + 1]?.gap ?? '');
  return isNo(from - 1) || isNo(cueFrom - 1);
}

/** Leaves out words of a spelling alphabet that spell a name in the same turn. */
function withoutAlphabet(candidates: readonly Candidate[]): Candidate[] {
  const letters = candidates.map(({ name }) => germanLetters.get(folded(name)));
  const fewest = 3;
  if (letters.filter((letter) => letter !== undefined).length < fewest) return [...candidates];
  const others = candidates.filter((_, index) => letters[index] === undefined);
  const [first] = candidates;
  if (others.length > 0 || !first) return others;
  return [{ ...first, name: capitalised(letters.join('')), to: candidates.at(-1)?.to ?? first.to }];
}

/** Joins given and family names, and prefers the fuller form of a name said twice. */
function combined(
  all: readonly Candidate[],
  tokens: readonly Token[],
  language: Language,
): Found<Name> | undefined {
  const candidates = afterCorrection(all, tokens, language);
  const first =
    candidates.find(
      ({ hasCue, isSure, role }) => (hasCue || isSure) && role === undefined && isCued(candidates),
    ) ?? candidates[0];
  if (!first) return undefined;
  const rest = candidates.filter((candidate) => candidate !== first);
  const fuller = rest.find(({ name }) => name.length > first.name.length && includesName(name, first.name));
  if (fuller) return outcome([first, fuller], fuller.name);
  const family = candidates.find(({ role }) => role === 'family');
  const given = candidates.find(({ role, from }) => role === 'given' && from !== family?.from);
  if (family && given) return outcome([given, family], `${given.name} ${family.name}`);
  if (family && family !== first && isOneWord(first))
    return outcome([first, family], `${first.name} ${family.name}`);
  if (given && given !== first && isOneWord(first))
    return outcome([given, first], `${given.name} ${first.name}`);
  const [next] = rest.filter(({ from }) => from >= first.to);
  if (
    next &&
    isOneWord(first) &&
    isOneWord(next) &&
    next.name !== first.name &&
    isRemark(tokens, first.to, next.from)
  )
    return outcome([first, next], `${first.name} ${next.name}`);
  return outcome([first], first.name);
}

/** The names after the last one that the caller takes back. */
function afterCorrection(
  candidates: readonly Candidate[],
  tokens: readonly Token[],
  language: Language,
): readonly Candidate[] {
  for (let index = candidates.length - 1; index > 0; index -= 1) {
    const [last, next] = [candidates[index - 1], candidates[index]];
    if (last && next && range(last.to, next.cueFrom).some((at) => surelyTakesBackAt(tokens, at, language)))
      return candidates.slice(index);
  }
  return candidates;
}

/** A weak cue such as "is" decides only between candidates of which some lack any. */
function isCued(candidates: readonly Candidate[]): boolean {
  return candidates.some(({ isSure }) => isSure);
}

function includesName(name: string, part: string): boolean {
  return ` ${folded(name)} `.includes(` ${folded(part)} `);
}

function isOneWord({ name }: Candidate): boolean {
  return !name.includes(' ');
}

/** True if at least one word and only remarks on the writing stand between two names. */
function isRemark(tokens: readonly Token[], from: number, to: number): boolean {
  return to > from && range(from, to).every((index) => nameRemarks.has(tokens[index]?.word ?? ''));
}

function outcome(parts: readonly Candidate[], name: string): Found<Name> {
  return {
    value: { name, isSure: parts.some(({ isSure }) => isSure), hasRefused: false },
    from: Math.min(...parts.map(({ cueFrom }) => cueFrom)),
    to: Math.max(...parts.map(({ cueTo }) => cueTo)),
  };
}

/** A name in lower case, as some transcripts write it: after a sure cue. */
function lowerCaseName(
  tokens: readonly Token[],
  language: Language,
  isTaken: (index: number) => boolean,
): Found<Name> | undefined {
  if (tokens.slice(1).some((token) => isCapital(token) && token.word.length > 1)) return undefined;
  const longest = 3;
  for (let index = 0; index < tokens.length; index += 1) {
    const cue = surelyNames.at(tokens, index);
    if (!cue) continue;
    let to = cue.to;
    while (
      to < tokens.length &&
      to < cue.to + longest &&
      isLowerCaseName(tokens, to, to > cue.to, language) &&
      !isTaken(to)
    )
      to += 1;
    if (to === cue.to) continue;
    const name = tokens
      .slice(cue.to, to)
      .map(({ said, word }) => (particles.has(word) ? said : capitalised(said)))
      .join(' ');
    return { value: { name, isSure: true, hasRefused: false }, from: index, to };
  }
  return undefined;
}

function isLowerCaseName(
  tokens: readonly Token[],
  index: number,
  isLater: boolean,
  language: Language,
): boolean {
  const token = tokens[index];
  if (!token || (isLater && !/^\s+$/.test(token.gap))) return false;
  if (numeralAt(tokens, index, language) || notNames.has(token.word)) return false;
  return token.word.length > 1 && !negations[language].has(token.word);
}
