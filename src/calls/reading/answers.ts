import { subjectsOf } from './option-words.ts';
import { endOfParts, partsOf } from './patterns.ts';
import { type Phrases, phrases, separated, type Token, tokensOf, wordSet } from './words.ts';

interface Subject {
  readonly question: Phrases<true>;
  /** Questions with any word in the place of `*`. */
  readonly open: readonly (readonly (readonly string[])[])[];
  /** Beginnings of words in a question about it. */
  readonly asks: readonly string[];
  /** Beginnings of words in a fact about it. */
  readonly says: readonly string[];
  /** What a fact about it also has, such as an amount. */
  readonly needs: RegExp | undefined;
}

const amount =
  /[$€£]|\d ?(?:zł|pln|eur|usd|gbp|chf|brl|dollar|euro|pound|cent|franc|franken|zlot|złot|reais|real\b|peso)|r\$|\b(?:free|kostenlos|gratis|gratuit|gratuito|gratuita|bezpłatn|darmow|grátis)/iu;
const clock =
  /\d ?(?::|\.|h|uhr|uur|a\.?m|p\.?m|o'clock|heures|horas|ore|godz)|\d ?[-–] ?\d|\b(?:closed|geschlossen|fermé|cerrado|chiuso|gesloten|fechado|encerrado|nieczynne|zamknięte|24)/iu;

const subjects: readonly Subject[] = [
  subject(
    `you do such|you do something like|do you do this|do you do that|you do that|what do you do|what do you offer|what do you sell|what kind of|what services|which services|can you do|are you able to|is that something you do|what is it about|what's it about|thing about|what are you|who are you|tell me more about|hear about|hear more about
    was machen sie|was bieten sie|welche leistungen
    que faites-vous|quels services
    qué hacen|qué ofrecen|qué servicios
    cosa fate|cosa offrite|quali servizi
    wat doen jullie|wat bieden jullie|welke diensten
    o que fazem|o que oferecem|que serviços
    czym się zajmujecie|co oferujecie|jakie usługi`,
    'conver remodel renovat extension factory barn loft attic umbau transform reform ristruttur verbouw przebudow',
    'plan plans offer offers sell sells build builds install installed make makes provide provides conver remodel renovat repair repairs service serviced treat treats specialize specialise bieten bietet verkauft plant baut macht propose vend ofrece hace vende offre fa vende biedt verkoopt doet oferece faz vende oferuje sprzedaje home-made',
    undefined,
  ),
  subject(
    `how much|shell out|set me back|set us back|what's the damage|what are the charges|going rate|what's the going|ballpark|what would i pay|what will i pay|what would we pay|what do i owe|what does it come to|what's a|what does it cost|what do you charge|wie viel|wieviel|was kostet|c'est combien|combien ça coûte|combien coûte|combien|cuánto cuesta|cuánto vale|cuánto es|cuánto|quanto costa|quanto viene|quanto|wat kost|hoeveel kost|hoe duur|quanto custa|quanto é|ile kosztuje|ile to kosztuje|ile płacę`,
    'price cost charge fee pay entry admission ticket bezahl zahl eintritt payer entree pagar entrada pagare ingresso betal toegang bilet kost preis gebuhr prix cout tarif precio cuest coste valor prezzo cost tariff prijs tarief preco cust cena cennik kosztuj oplat',
    'price cost dollar euro pound fee cent kost preis prix tarif precio prezzo tariff prijs tarief preco real reais zlot cena oplat free gratis kostenlos gratuit bezplatn darmow adult erwachsen adulte children kinder enfant child student',
    amount,
  ),
  subject(
    `from when|from what time|reach you on a|get hold of you|when do you shut|when do you finish|what time d'you|when d'you|d'you open|until when|until what time|till when|what time|how late|how early|what days|which days|are you there|are you around|are you closed|open on|when can i come|when can we come|your hours|when do you open|when do you close|what time do you|when are you open|are you open|opening hours|bis wann|wann haben sie|haben sie offen|haben sie auf|wie lange haben sie|wann öffnen|wann schließen|jusqu'à quelle heure|à quelle heure vous|quand êtes-vous ouvert|vous ouvrez|vous fermez|hasta qué hora|a qué hora abren|a qué hora cierran|fino a che ora|a che ora aprite|a che ora chiudete|siete aperti|tot hoe laat|hoe laat gaan jullie|zijn jullie open|até que horas|a que horas abrem|que horas vocês|estão abertos|do której|od której|o której otwieracie|o której zamykacie|jak długo otwarte|czynne`,
    'open close opening hours offnung geoffnet geschloss schliess ouvert ferme horaire abiert abren abre cierr horario apert aprit apre chius chiud orari geopend gesloten openingst sluit dicht abert fech encerr otwart czynn zamkn godzin',
    'open close hours offnung geoffnet geschloss schliess ouvert ferme horaire abiert abrimos cerrad cierr horario apert apriamo chius orari geopend gesloten openingst sluit abert fechad encerrad otwart czynn zamkn godzin monday daily montag taglich lundi lunes lunedi maandag segunda poniedzial',
    clock,
  ),
  subject(
    `whereabouts|which number is it|what number is it|what number are you|which number are you|house number|which street|what street|which building|which door|how do i reach you by|where are you|where is it|where is the|where is your|where's the|where's your|where can i find|where do i find|how do i find|your address|the address|how do i get|how can i get|what's the address|wo sind sie|wo ist|wie komme ich|wo finde ich|où êtes-vous|vous êtes où|où se trouve|où est|comment venir|dónde están|dónde está|cómo llego|dónde queda|dove siete|dove si trova|come arrivo|dov'è|waar zijn jullie|waar zit|waar zitten|waar is|hoe kom ik|onde ficam|onde fica|onde estão|como chego|gdzie jesteście|gdzie się znajduje|gdzie to jest|jak dojechać|gdzie jest`,
    'address located location adress anschrift standort adresse situe direccion ubica indirizzo trova gevestigd endereco localiz morada adres znajduje dojazd',
    'address located street avenue road corner opposite station adress strasse platz gegenuber ecke bahnhof adresse rue place boulevard situe gare direccion calle plaza avenida esquina indirizzo via piazza corso viale straat plein laan tegenover endereco rua praca avenida largo ulica ulicy plac rog aleja naprzeciw adres',
    undefined,
  ),
  subject(
    `leave the car|leave my car|leave our car|leave a car|put the car|put my car|somewhere to park|anywhere to park|where can i park|is there parking|can i park|wo kann ich parken|gibt es parkplätze|où se garer|où je peux me garer|dónde puedo aparcar|dónde aparco|hay aparcamiento|dove posso parcheggiare|c'è parcheggio|waar kan ik parkeren|kan ik parkeren|onde posso estacionar|tem estacionamento|gdzie mogę zaparkować|czy jest parking`,
    'park parkplatz parkhaus tiefgarage garer stationn aparc estacion parchegg parkeer parker zaparkow garage',
    'park parkplatz parkhaus tiefgarage garer stationn aparc estacion parchegg parkeer parker garage',
    undefined,
  ),
  subject(
    `how long|wie lange|wie lang|hoe lang|hoelang|jak długo|how long does it take|how long is|how long will|wie lange dauert|wie lang dauert|combien de temps|ça dure combien|cuánto dura|cuánto tarda|cuánto tiempo|quanto dura|quanto ci vuole|quanto tempo|hoe lang duurt|hoelang duurt|quanto demora|jak długo trwa|ile trwa|ile to trwa|ile czasu`,
    'duration dauert dauer duree dure dura tarda durata duurt duur demora duracao trwa dlugo minutes',
    'minute minut hour takes lasts dauer stunde duree dure heure dura tarda hora minuto durata ora duurt uur demora duracao trwa godzin week woche',
    /\d|\b(?:half|one|two|an hour|eine|une|una|een|uma|pół)\b/iu,
  ),
  subject(
    `can i pay|do you take cards|do you accept|how can i pay|kann ich mit karte|nehmen sie karten|wie kann ich zahlen|je peux payer|vous prenez la carte|acceptez-vous|puedo pagar|aceptan tarjeta|posso pagare|accettate|kan ik pinnen|kan ik betalen|posso pagar|aceitam cartão|czy mogę zapłacić|płatność kartą`,
    'card cash karte karten bar carte espece tarjeta efectivo carta contant pinnen pin kaart cartao dinheiro karta gotowk platnosc',
    'card cash karte karten kreditkart bargeld bar carte espece tarjeta efectivo carta contant pinnen pin kaart cartao dinheiro karta gotowk blik',
    undefined,
  ),
  subject(
    `send * back|send * * back|sending * back|sending * * back|post * back|post * * back|posting * back|mail * back|mail * * back|ship * back|goes about sending|bring * back|take * back|returning|send back|send it back|send this back|give it back|bring it back|return it|zurückgeben|zurückschicken|umtauschen|renvoyer|rendre|retourner|devolver|devolverlo|restituire|rimandare|terugsturen|ruilen|devolver|trocar|zwrócić|oddać|odesłać`,
    'return retoure ruckgabe umtausch retour devol reso restit terugst zwrot',
    'return retoure ruckgabe zuruck umtausch retour renvoi devol reso restit terugst zwrot',
    undefined,
  ),
];

/** Things that facts are about, as callers and facts call them. A turn about one of them may also be a wish. */
const topics: readonly Subject[] = [
  topic(
    `see my money|get my money|my money back|money back|get reimbursed`,
    'refund reimburs money erstatt geld rembours argent reembols dinero rimbors soldi terugbet reembols dinheiro zwrot',
    'refund reimburs erstatt rembours reembols rimbors terugbet zwrot',
  ),
  topic(
    `bring our own|bring my own|something to eat|bring a picnic`,
    'food sandwich butties snack picnic packed drink cooler essen picknick nourriture pique-nique comida bocadillo cibo panini eten comida jedzen kanapk',
    'food sandwich snack picnic glass drink essen picknick nourriture comida cibo eten jedzen',
  ),
  topic(
    `four-legged friend`,
    'dog dogs doggy puppy pup pooch retriever labrador spaniel poodle terrier collie cat pet pets animal animals hund hunde chien chienne perro perra mascota cane cagnolino animali hond honden huisdier cachorro cao pies psa psem pieska',
    'dog dogs pet pets animal animals hund hunde haustier chien animaux perro mascota cane animali hond huisdier cachorro animais pies zwierz',
  ),
  topic(`go hungry`, 'coeliac celiac gluten zoliakie glutenfrei coeliaque celiac celiachia', 'gluten'),
  topic(
    `go hungry`,
    'vegan vegans vegetarian veggie veggies meatless vegetarisch vegetarien vegetarian vegano vegana vegetariano vegetariana weganski wegetarian',
    'vegan vegetar wegan wegetar',
  ),
  topic(
    `log in|get back in|get in to my account|can't get in`,
    'password passcode login credentials passwort kennwort mot de passe contrasena clave parola password wachtwoord senha palavra-passe haslo hasla',
    'password passwort kennwort contrasena wachtwoord senha haslo',
  ),
  topic(
    `what i was charged`,
    'invoice invoices bill bills receipt receipts statement billing rechnung rechnungen facture factures factura facturas fattura fatture factuur facturen fatura faturas faktura faktury rachunek',
    'invoice invoices billing rechnung facture factura fattura factuur fatura faktura',
  ),
  topic(
    `bring the baby|with a baby`,
    'highchair pram buggy stroller pushchair hochstuhl kinderwagen trona seggiolone kinderstoel krzeselko',
    'chair chairs highchair hochstuhl trona seggiolone kinderstoel krzeselk',
  ),
];

function topic(question: string, asks: string, says: string): Subject {
  return subject(question, asks, says, undefined);
}

function subject(question: string, asks: string, says: string, needs: RegExp | undefined): Subject {
  const all = separated(question);
  const isOpen = (phrase: string) => phrase.includes('*');
  const open = all.filter((phrase) => isOpen(phrase)).map((phrase) => partsOf(phrase));
  return {
    question: phrases(all.filter((phrase) => !isOpen(phrase)).join('|')),
    open,
    asks: asks.split(' '),
    says: says.split(' '),
    needs,
  };
}

const idle =
  wordSet(`take the and you your are for with that this have has there what when where which how much many does can could would will is it do
  und sie ihr ihre der die das den dem ein eine wie was wann wo ist sind haben gibt kann ich mit für auf bei man denn
  les des une est vous votre vos que quel quelle comment combien avez pour avec dans sur quand est-ce peut faut
  los las una unos que qué cómo cuándo dónde hay tienen para con por ustedes usted son está están puede
  gli una che come quando dove quanto avete per con del della sono siete posso quale
  het een van voor met hoe wat waar wanneer jullie hebben kan heeft zijn er bij ook is
  uma que como quando onde quanto vocês tem têm para com por são está posso qual
  czy jak kiedy gdzie ile jest macie państwo mogę dla jaki jaka jakie ktory się`);

interface Fact {
  readonly text: string;
  readonly words: readonly string[];
}

const weekdayStems =
  'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo lunedi martedi mercoledi giovedi venerdi sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag segunda terca quarta quinta sexta poniedz wtor srod czwart piat sobot niedziel weekend wochenende feiertag holiday feriado festiv feries'.split(
    ' ',
  );

/** Adds up to the score of a fact. */
const points = { subject: 4, weekday: 3, word: 2, relatedWord: 1 } as const;
/** Facts that fit equally well, at most: more would be a list, not an answer. */
const mostFacts = 3;

/** Words of a question that count: later ones are not looked at. */
const mostWords = 40;

/** The passage that answers a question, out of facts: sentences or lines of texts. Null if none fits. */
export function answerIn(question: string, facts: readonly string[]): string | null {
  const tokens = tokensOf(question);
  const asked = [...new Set(tokens.flatMap(({ word }) => (isTelling(word) ? [word] : [])))].slice(
    0,
    mostWords,
  );
  const about = [...subjects, ...topics].filter((candidate) => isAbout(candidate, tokens));
  const list = facts.map((text): Fact => ({ text, words: tokensOf(text).map(({ word }) => word) }));
  // A word that all facts share tells nothing.
  const telling = asked.filter((word) => facts.length === 1 || !list.every((fact) => hasWord(fact, word)));
  const scored = list.map((fact) => ({ fact, score: scoreOf(fact, telling, about) }));
  const most = scored.reduce((highest, { score }) => Math.max(highest, score), 0);
  const enough = about.length > 0 ? points.subject : 2 * points.word;
  if (most < Math.min(enough, rareWord(asked, list))) return null;
  const best = scored.filter(({ score }) => score === most).map(({ fact }) => fact.text.trim());
  return best.length <= mostFacts && best[0] !== '' ? best.join(' ') : null;
}

/** One word is enough if only one fact has it and the question has no subject. */
function rareWord(asked: readonly string[], facts: readonly Fact[]): number {
  const isRare = asked.some((word) => facts.filter((fact) => hasWord(fact, word)).length === 1);
  return isRare ? points.word : Number.POSITIVE_INFINITY;
}

function isTelling(word: string): boolean {
  return word.length > 2 && !idle.has(word);
}

/** True if a turn asks for what facts say: a price, hours, a place, how long something takes. */
export function asksForFacts(tokens: readonly Token[]): boolean {
  return subjects.some((subject) => isAbout(subject, tokens));
}

function isAbout({ question, open, asks }: Subject, tokens: readonly Token[]): boolean {
  return (
    question.isIn(tokens) ||
    open.some((parts) => tokens.some((_, from) => endOfParts(tokens, from, parts) !== undefined)) ||
    tokens.some(({ word }) => startsWithAny(word, asks))
  );
}

function startsWithAny(word: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) =>
    beginning.length < 4 ? word === beginning : word.startsWith(beginning),
  );
}

function scoreOf(fact: Fact, asked: readonly string[], about: readonly Subject[]): number {
  const fits = about.some(
    ({ says, needs }) =>
      fact.words.some((word) => startsWithAny(word, says)) && (needs?.test(fact.text) ?? true),
  );
  const words = asked.reduce((sum, word) => sum + wordPoints(fact, word), 0);
  const isPriced = about.some(({ needs }) => needs === amount) && fits && /\d/.test(fact.text);
  return words + (fits ? points.subject : 0) + (isPriced ? 1 : 0);
}

function wordPoints(fact: Fact, word: string): number {
  if (hasWord(fact, word)) return startsWithAny(word, weekdayStems) ? points.weekday : points.word;
  const related = subjectsOf(word);
  return related.size > 0 &&
    fact.words.some((other) => [...subjectsOf(other)].some((one) => related.has(one)))
    ? points.relatedWord
    : 0;
}

/** "dogs" and "dog" */
function isPlural(many: string, one: string): boolean {
  return (
    many.length - one.length <= 2 &&
    many.startsWith(one) &&
    /^(?:s|es|e|en|n|er|i)$/.test(many.slice(one.length))
  );
}

const shortestStem = 5;

function hasWord({ words }: Fact, word: string): boolean {
  const beginning = word.slice(0, Math.max(shortestStem, word.length - 3));
  return words.some(
    (other) =>
      other === word ||
      (word.length >= shortestStem && other.startsWith(beginning)) ||
      isPlural(other, word) ||
      isPlural(word, other),
  );
}
