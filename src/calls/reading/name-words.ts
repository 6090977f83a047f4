import { phrases, wordSet } from './words.ts';

/** Says that a name follows. */
export const nameCues =
  phrases(`my name is|my name's|the name is|the name's|name is|name's|i am called|i'm called|put it under|under the name|under the name of|in the name of|call me|this is|it's for|booked under|it's under|under|put
  ich heiße|mein name ist|der name ist|name ist|er heißt|sie heißt|der heißt|die heißt|das heißt|auf den namen|unter dem namen|hier ist|hier spricht|mein name|ich bin der|ich bin die|name|heiße|heißt
  je m'appelle|mon nom est|mon nom c'est|au nom de|c'est au nom de|le nom est|le nom c'est|il s'appelle|elle s'appelle|moi c'est|je suis|c'est
  me llamo|mi nombre es|a nombre de|el nombre es|se llama|mi nombre|soy|nombre
  mi chiamo|il mio nome è|a nome di|a nome|il nome è|si chiama|a nome del|a nome della|nome
  mijn naam is|ik heet|op naam van|de naam is|op de naam|op naam|met|heet|hij heet|zij heet|ze heet|de naam
  chamo-me|me chamo|meu nome é|o meu nome é|em nome de|no nome de|o nome é|chama-se|se chama|fala|em nome do|em nome da|aqui é|sou|nome|é
  nazywam się|mam na imię|na nazwisko|moje nazwisko|moje nazwisko to|nazwisko|na imię|imię|nazywa się|ma na imię|moje imię to|na imię mi|z tej strony|jestem|zapisać na|na`);

/** Cues that name the caller in any turn, whatever was asked. */
export const surelyNames =
  phrases(`my name is|my name's|the name is|the name's|under the name|under the name of|in the name of
  ich heiße|mein name ist|der name ist|auf den namen|unter dem namen
  je m'appelle|mon nom est|mon nom c'est|au nom de
  me llamo|mi nombre es|a nombre de
  mi chiamo|il mio nome è|a nome di
  mijn naam is|ik heet|op naam van|de naam is
  chamo-me|me chamo|meu nome é|o meu nome é|em nome de
  nazywam się|mam na imię|na nazwisko|moje nazwisko to`);

/** After a name. */
export const nameEnds =
  phrases(`here|speaking|is my name|is the name|s the name|s my name|is what they call me
  mein name|ist mein name|hier|am apparat|mein name ist das
  à l'appareil|c'est mon nom|au téléphone|est mon nom
  al habla|es mi nombre|al aparato
  al telefono|è il mio nome
  hier|is mijn naam|is de naam|aan de lijn|aan de telefoon
  é o meu nome|falando|ao telefone|é meu nome
  przy telefonie|z tej strony|to moje nazwisko`);

export const familyCues =
  phrases(`last name is|last name's|last name|surname is|surname|surname's|family name is|family name|the last name is|the surname is
  nachname ist|nachname|familienname ist|familienname|der nachname ist|mit nachnamen|nachnamen
  nom de famille c'est|nom de famille est|nom de famille|le nom de famille c'est|de famille
  apellido es|apellidos son|apellidos|apellido|el apellido es|de apellido
  cognome è|cognome|il cognome è|di cognome
  achternaam is|achternaam|de achternaam is|mijn achternaam is
  apelido é|apelido|sobrenome é|sobrenome|o apelido é|o sobrenome é|de apelido
  nazwisko to|a nazwisko|nazwisko`);

export const givenCues =
  phrases(`first name is|first name's|first name|given name is|given name|forename is|forename
  vorname ist|vorname|der vorname ist|mit vornamen|vornamen
  prénom c'est|prénom est|prénom|le prénom c'est|mon prénom c'est
  nombre es|el nombre es|nombre|nombre de pila|de nombre
  il nome è|nome è|e il nome|nome|di nome
  voornaam is|voornaam|de voornaam is|mijn voornaam is
  nome próprio é|primeiro nome é|primeiro nome|nome próprio|nome é|o nome é|nome
  imię to|imię|na imię|a imię`);

export const titles =
  wordSet(`doctor dr mr mrs ms miss mister sir madam professor prof herr herrn frau doktor madame monsieur mademoiselle mme docteur maître
  señor señora señorita don doña sr sra doctora signor signora signorina sig dottor dottore dottoressa avvocato ingegnere ingegner architetto ragionier meneer mevrouw mijnheer mevr dhr
  senhor senhora dona doutor doutora engenheiro engenheira professora pan pani panią pana doktora mecenas inżynier familie familia famille famiglia família signore`);

/** In lower case inside a name. */
export const particles = wordSet(
  `von van der den de del della di da do dos das la le las los du des zu zum zur ten ter te vom af el y e lo dello degli dei 't van't d l dal`,
);

/** Before a name without a title or a cue. */
export const leadingParticles = wordSet('von van vom zu');

/** Says how a letter of a name is spelled. */
export const spellers = wordSet('as like for wie comme de come di van wie als jak como da do in');

/** Capitalised, but no names. */
export const notNames =
  wordSet(`what which when where who why how then since because after before maybe today tonight none nothing ooh aha whoops oops oopsie och aye wow gosh blimey crikey bother shoot dang darn heavens goodness golly jeez sheesh phew ugh eh ey hiya namaste ta look listen hang bingo sorted mate love dear hon pet darling sunday's saturday's friday's make hello hi hey ciao yo howdy greetings cheers app monday's quick table appointment street road avenue lane court place drive christmas easter mother's father's valentine's god lord oh
  good morning afternoon evening yeah yes no sure well okay ok thanks thank please sorry oh ah uh um er hmm so and but the honestly actually just hold wait my me mine i i'm it that this
  doctor speaking here hyphen apostrophe double capital one two okay right fine great perfect
  hallo guten tag morgen abend grüß gott servus moin ja nein also ähm äh naja bitte danke gut genau klar moment entschuldigung sohn tochter mutter vater mann ehemann ehefrau kind bindestrich leerzeichen buchstabe buchstaben doppel-s umlaut vorname nachname
  name namen familienname apostroph nummer telefonnummer mail adresse termin tisch patient patientin chef chefin firma kollege kollegin auto und ich wir der die das mein meine auf unter für mit ohne wie alles puh tja hier großes kleines schwester bruder oma opa
  bonjour bonsoir allô allo oui non alors euh ben bah merci pardon attendez c'est moi je il elle mon ma le la trait union tiret apostrophe avec sans famille prénom nom voilà donc au à pour
  hola buenos buenas días tardes noches sí no bueno pues gracias perdón disculpe eh soy me mi mis es para con apellido apellidos nombre guion a el ella yo doble vale claro diga mire oiga
  buongiorno buonasera salve pronto sì allora ecco grazie scusi sono mi il lo cognome nome trattino apostrofo tutto attaccato per mio mia è a con e senta guardi ehm dunque certo
  goedemorgen goedemiddag goedenavond goedendag dag hoi ja nee nou eh ehm dank bedankt sorry met mijn ik het de op voor streepje koppelteken achternaam voornaam naam dus even graag
  olá oi bom boa dia tarde noite sim não então obrigado obrigada desculpe é eu o a meu minha com hífen apelido nome sobrenome chamo fala aqui olhe olha para em sou claro tudo
  dzień dobry wieczór cześć witam tak nie no więc dziękuję przepraszam proszę yyy eee to ja na nazwisko imię dla z jestem nazywam moje mam myślnik przez dobrze oczywiście syna córki pan pani a
  january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday
  januar februar märz april mai juni juli september oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag weihnachten heiligabend silvester nikolaus neujahr uhr personen person leute
  noël nochebuena navidad nochevieja natale capodanno natal kerst pakjesavond wigilię wigilia mikołajki mikołajkach christmas`);

/** Said about the writing of a name, in between. */
export const nameRemarks =
  wordSet(`with a an the hyphen dash apostrophe uh um er hyphenated in between capital accent
  mit ohne bindestrich einem ähm äh apostroph alles auseinander zusammen
  avec sans un trait d union tiret euh apostrophe en deux trois mots
  con sin guion guión un eh en medio apóstrofo trattino senza apostrofo l tutto attaccato col
  met zonder een streepje koppelteken ertussen eh
  com sem hífen um apóstrofo traço
  z bez myślnikiem myślnik przez łącznik łącznikiem kreską yyy pisane rz ch ó zwykłe otwarte`);

/** German spelling alphabets: the words are letters, no names. */
export const germanLetters: ReadonlyMap<string, string> = new Map(
  `anton ärger berta bruno cäsar charlotte dora emil friedrich gustav heinrich ida jakob julius kaufmann konrad ludwig martha nordpol otto ökonom österreich paula quelle
   richard samuel siegfried schule theodor ulrich übermut viktor wilhelm xanthippe ypsilon zacharias zeppelin zürich aachen augsburg berlin chemnitz cottbus düsseldorf essen
   frankfurt goslar hamburg ingelheim jena köln leipzig münchen nürnberg offenbach potsdam quickborn rostock salzwedel tübingen unna völklingen wuppertal xanten zwickau`
    .split(/\s+/)
    .map((word) => [word.normalize('NFD').replaceAll(/\p{M}/gu, ''), word.slice(0, 1)]),
);
