import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import type { Json } from '../../../src/calls/json-value.ts';
import {
  agreement,
  answerIn,
  type CommandKind,
  commandIn,
  type Expects,
  type Heard,
  optionIn,
  valuesIn,
  type Wanted,
} from '../../../src/calls/reading/index.ts';
import { Phrases } from '../../../src/calls/reading/words.ts';

const today = '2026-11-24';

function read(expects: Expects, text: string): Json | undefined {
  const wanted = [{ variableId: 'item', description: '', asked: true, expects }];
  const heard: Heard = valuesIn(text, wanted, { today });
  return heard.values['item'];
}

test.each([
  ['next Friday, the 4th of December', '2026-12-04'],
  ['on the twenty-seventh', '2026-11-27'],
  ['in three weeks', '2026-12-15'],
  ['not Monday, Wednesday', '2026-11-25'],
  ['Christmas Eve', '2026-12-24'],
  ['two days after Christmas', '2026-12-27'],
  ['this Friday', '2026-11-27'],
  ['December first', '2026-12-01'],
  ['Friday week', '2026-12-04'],
  ["I can't do tomorrow, maybe the day after", '2026-11-26'],
  ['31 February', undefined],
  ['am dritten Dezember', '2026-12-03'],
  ['nächsten Dienstag', '2026-12-01'],
  ['heute in einer Woche', '2026-12-01'],
  ['morgen nicht, lieber übermorgen', '2026-11-26'],
  ['am 3.12.', '2026-12-03'],
  ['Freitag in einer Woche', '2026-12-04'],
  ['am ersten Weihnachtsfeiertag', '2026-12-25'],
  ['Ich muss erst meinen Mann fragen', undefined],
  ['ce vendredi', '2026-11-27'],
  ['la veille de Noël', '2026-12-24'],
  ['deux jours après la Saint-Nicolas', '2026-12-08'],
  ['dans une semaine', '2026-12-01'],
  ['le 24 décembre', '2026-12-24'],
  ["demain c'est bon", '2026-11-25'],
  ['el martes que viene', '2026-12-01'],
  ['el tres de diciembre', '2026-12-03'],
  ['de hoy en ocho días', '2026-12-01'],
  ['mañana no puedo, mejor pasado mañana', '2026-11-26'],
  ['el día después de Navidad', '2026-12-26'],
  ['tengo que hablarlo con mi mujer primero', undefined],
  ['domani', '2026-11-25'],
  ['la vigilia di Natale', '2026-12-24'],
  ['questo venerdì', '2026-11-27'],
  ['due giorni dopo Santa Lucia', '2026-12-15'],
  ['venerdì a otto', '2026-12-04'],
  ['il giorno dopo Natale', '2026-12-26'],
  ['volgende week dinsdag', '2026-12-01'],
  ['drie december', '2026-12-03'],
  ['over een week', '2026-12-01'],
  ['morgen niet, overmorgen wel', '2026-11-26'],
  ['volgende dinsdag', '2026-12-01'],
  ['vrijdag over een week', '2026-12-04'],
  ['twee dagen na Sinterklaas', '2026-12-07'],
  ['dat moet ik eerst aan mijn man vragen', undefined],
  ['op de derde december', '2026-12-03'],
  ['na véspera de Natal', '2026-12-24'],
  ['esta sexta-feira', '2026-11-27'],
  ['dois dias depois do Natal', '2026-12-27'],
  ['amanhã mesmo', '2026-11-25'],
  ['sexta que vem', '2026-12-04'],
  ['na sexta', '2026-11-27'],
  ['w przyszły wtorek', '2026-12-01'],
  ['trzeciego grudnia', '2026-12-03'],
  ['za tydzień', '2026-12-01'],
  ['jutro nie, pojutrze', '2026-11-26'],
  ['muszę najpierw zapytać męża', undefined],
  ['w następny wtorek', '2026-12-01'],
  ['dwudziestego siódmego', '2026-11-27'],
] as const)('reads in "%s" the date %s', (text, value) => {
  expect(read('date', text)).toBe(value);
});

test.each([
  ['at half past eight in the morning', '08:30'],
  ['noon', '12:00'],
  ['quarter past nine at night', '21:15'],
  ['five thirty p.m.', '17:30'],
  ['twenty to eleven in the morning', '10:40'],
  ['at seven, no, half past seven in the evening', '19:30'],
  ['at nine, or actually nine forty in the morning', '09:40'],
  ["at one o'clock", '13:00'],
  ['around 10', '10:00'],
  ['seventeen thirty', '17:30'],
  ['eight fifteen in the evening', '20:15'],
  ['um 5 am Nachmittag', '17:00'],
  ['zehn nach elf', '11:10'],
  ['siebzehn Uhr dreißig', '17:30'],
  ['gegen halb sieben abends', '18:30'],
  ['Viertel nach neun abends', '21:15'],
  ['zehn vor elf', '10:50'],
  ['um acht, nein, um halb neun morgens', '08:30'],
  ['13 Uhr', '13:00'],
  ['um eins', '13:00'],
  ['à huit heures et demie du matin', '08:30'],
  ['à midi', '12:00'],
  ['vers neuf heures et quart du soir', '21:15'],
  ["à 5 heures de l'après-midi", '17:00'],
  ['onze heures dix', '11:10'],
  ['onze heures moins vingt du matin', '10:40'],
  ['à dix heures dix, mon train arrive à dix heures', '10:10'],
  ['a las cuatro menos cuarto', '15:45'],
  ['a las 5 de la tarde', '17:00'],
  ['a las once y diez', '11:10'],
  ['a las once menos veinte de la mañana', '10:40'],
  ['a las ocho, no, a las ocho y media de la tarde', '20:30'],
  ['a la una', '13:00'],
  ['alle otto e mezza di mattina', '08:30'],
  ['a mezzogiorno', '12:00'],
  ['alle nove e un quarto di sera', '21:15'],
  ['alle diciassette e trenta', '17:30'],
  ['alle venti, no, alle venti e quindici', '20:15'],
  ["all'una", '13:00'],
  ['kwart voor vier', '15:45'],
  ["om 5 uur 's middags", '17:00'],
  ['tien over elf', '11:10'],
  ["kwart over negen 's avonds", '21:15'],
  ["half zes 's middags", '17:30'],
  ['om zeventien uur dertig', '17:30'],
  ["tien voor half elf 's ochtends", '10:20'],
  ['om dertien uur', '13:00'],
  ['às oito e meia da manhã', '08:30'],
  ['ao meio-dia', '12:00'],
  ['às nove e um quarto da noite', '21:15'],
  ['vinte para as onze da manhã', '10:40'],
  ['às vinte horas, não, às vinte e quinze', '20:15'],
  ['às nove e quinze da noite', '21:15'],
  ['à uma da tarde', '13:00'],
  ['za kwadrans czwarta po południu', '15:45'],
  ['o piątej po południu', '17:00'],
  ['dziesięć po jedenastej', '11:10'],
  ['kwadrans po dziewiątej wieczorem', '21:15'],
  ['o siedemnastej trzydzieści', '17:30'],
  ['za dwadzieścia jedenasta', '10:40'],
  ['o ósmej wieczorem, nie, o wpół do dziewiątej', '20:30'],
  ['o trzynastej', '13:00'],
] as const)('reads in "%s" the time %s', (text, value) => {
  expect(read('time', text)).toBe(value);
});

test.each([
  ['the two of us and a baby', 3],
  ['four adults and two kids', 6],
  ['just me', 1],
  ['six, no, seven with grandma', 7],
  ['a dozen and a half', 18],
  ['nur ich', 1],
  ['sechs, nein, sieben mit der Oma', 7],
  ['das weiß ich noch nicht', undefined],
  ['so zehn', 10],
  ['nous deux et un bébé', 3],
  ['quatre adultes et deux enfants', 6],
  ['six, non, sept avec ma belle-mère', 7],
  ['une douzaine', 12],
  ['solo yo', 1],
  ['seis, bueno, siete con la abuela', 7],
  ['todavía no lo sé', undefined],
  ['noi due e un neonato', 3],
  ['quattro adulti e due bambini', 6],
  ['una dozzina, anzi quindici', 15],
  ['alleen ik', 1],
  ['zes, nee, zeven met oma erbij', 7],
  ['geen idee nog', undefined],
  ['nós dois e um bebê', 3],
  ['quatro adultos e duas crianças', 6],
  ['uma dúzia, não, quinze', 15],
  ['sześć, a nie, siedem z babcią', 7],
  ['tylko ja', 1],
  ['jeszcze nie wiem', undefined],
  ['we dwoje', 2],
  ['będzie nas sześcioro', 6],
] as const)('reads in "%s" the number %s', (text, value) => {
  expect(read('number', text)).toBe(value);
});

test.each([
  ['anna dot jones at example dot com', 'anna.jones@example.com'],
  ['t smith nineteen eighty at example dot co dot uk', 'tsmith1980@example.co.uk'],
  ['B as in boy, dot, miller at example dot com', 'b.miller@example.com'],
  ['my email is sam.hill@example.com, all lower case', 'sam.hill@example.com'],
  ['j Unterstrich müller fünfundvierzig ät example Punkt org', 'j_muller45@example.org'],
  ['max minus meier at web Punkt de', 'max-meier@web.de'],
  ['marie point dubois arobase exemple point fr', 'marie.dubois@exemple.fr'],
  ['paul tiret bas martin vingt-deux arobase example point com', 'paul_martin22@example.com'],
  ['jota guion bajo perez cuarenta arroba example punto com', 'j_perez40@example.com'],
  ['info arroba flores guion ruiz punto es', 'info@flores-ruiz.es'],
  ['anna punto rossi chiocciola esempio punto it', 'anna.rossi@esempio.it'],
  ['info chiocciola fiori trattino rossi punto it', 'info@fiori-rossi.it'],
  ['jan liggend streepje bakker twaalf apenstaartje example punt com', 'jan_bakker12@example.com'],
  ['ana ponto silva arroba exemplo ponto pt', 'ana.silva@exemplo.pt'],
  ['jan podkreślnik nowak dwadzieścia dwa małpa example kropka com', 'jan_nowak22@example.com'],
  ['b as in bravo at example dot com', 'b@example.com'],
] as const)('reads in "%s" the emailAddress %s', (text, value) => {
  expect(read('emailAddress', text)).toBe(value);
});

test.each([
  ['plus trente-trois, six, douze, trente-quatre, cinquante-six, soixante-dix-huit', '+33612345678'],
  ['più trentanove, tre quattro sette, cinque cinque cinque, zero uno due', '+39347555012'],
  ['plus czterdzieści osiem, pięćset jeden, dwieście dwa, trzysta trzy', '+48501202303'],
  ['null eins sieben eins, drei... nein, null eins sieben zwei, vier fünf sechs sieben acht', '017245678'],
  ['nove um dois, três quatro cinco, seis sete oito', '912345678'],
] as const)('reads in "%s" the phoneNumber %s', (text, value) => {
  expect(read('phoneNumber', text)).toBe(value);
});

const kinds: readonly CommandKind[] = ['person', 'stop', 'repeat', 'human', 'swearing', 'emergency'];

test.each([
  ["I'd like to talk to someone real, please", 'person'],
  ['Geben Sie mir bitte einen Kollegen', 'person'],
  ['Je voudrais parler à un conseiller', 'person'],
  ['Posso parlare con un operatore?', 'person'],
  ['Quero falar com um atendente', 'person'],
  ['Chcę rozmawiać z człowiekiem', 'person'],
  ['Quero que me passe a uma pessoa', 'person'],
  ['Sorry, can you say that again?', 'repeat'],
  ['Pardon, vous pouvez répéter ?', 'repeat'],
  ['Come, scusi? Non ho sentito bene', 'repeat'],
  ['Desculpe, não percebi, pode repetir?', 'repeat'],
  ['Ach, lassen wir das, tschüss', 'stop'],
  ['Laat maar, ik heb geen interesse', 'stop'],
  ['nie, dziękuję, nie jestem zainteresowana, do widzenia', 'stop'],
  ['olvídelo, no me interesa', 'stop'],
  ['Sind Sie ein Mensch oder eine Maschine?', 'human'],
  ['¿Estoy hablando con una máquina?', 'human'],
  ['Spreek ik nu met een computer?', 'human'],
  ['Czy ja rozmawiam z automatem?', 'human'],
  ["there's smoke coming out of the oven", 'emergency'],
  ['Es riecht nach Gas bei uns', 'emergency'],
  ['ça sent le gaz dans la cuisine', 'emergency'],
  ["c'è odore di gas", 'emergency'],
  ['há um cheiro a gás', 'emergency'],
  ['pali się w kuchni', 'emergency'],
  ["it's not urgent, it's about my bill", null],
  ['kein Notfall, nur eine Frage', null],
  ['there is no smell of gas', null],
  ['jemand aus Ihrem Büro hat mich gestern angerufen', null],
  ["quelqu'un de votre bureau m'a appelé hier", null],
  ['mi ha chiamato ieri una persona del vostro ufficio', null],
  ['alguém do vosso escritório ligou-me ontem', null],
  ['at the bus stop, opposite the church', null],
  ['an der Bushaltestelle', null],
  ["it's about a repeat prescription", null],
  ['Haltestelle Rathaus', null],
  ['mijn achternaam is Stop', null],
  ['a fire drill training next week', null],
] as const)('hears in "%s" the command %s', (text, command) => {
  expect(
    commandIn(
      text,
      kinds.map((kind) => ({ id: kind, kind, description: '' })),
    ),
  ).toBe(command);
});

test.each([
  ['yes please', true],
  ["no, that's all, thanks", false],
  ['nein, das stimmt so nicht', false],
  ['ja genau', true],
  ['jein', null],
  ['mal schauen, ich überlege noch', null],
  ['ben oui', true],
  ["non, c'est bon merci", false],
  ['qué va, nunca', false],
  ['pues claro', true],
  ['hmm, déjeme pensar', null],
  ['dunque, vediamo', null],
  ['macché', false],
  ['zeker weten', true],
  ['nou, even denken', null],
  ['isso, pode ser', true],
  ['não, nunca fui', false],
  ['no pewnie', true],
  ['nie, to tyle', false],
  ['hmm, zastanawiam się', null],
  ['not yet', false],
  ['I have, yes, twice', true],
  ['no, first time', false],
  ["that's correct", true],
  ['na klar, gern', true],
  ['nie, wszystko', false],
  ['tak, poproszę', true],
  ['ja, mag ik even nadenken', null],
  ['I guess so', true],
  ['nee, dat was het', false],
  ['no, era tutto', false],
  ['não, é tudo, obrigada', false],
  ['doch, schon', true],
  ['ja', true],
  ['si', true],
  ['non', false],
  ['yes and no', null],
  ['non, sono a posto', false],
  ['ik ben er nog nooit geweest', false],
] as const)('hears in "%s" the answer %s', (text, answer) => {
  expect(agreement(text)).toBe(answer);
});

test.each([
  ["It's Kathryn, that's K-A-T-H-R-Y-N, and the last name is O'Rourke.", "Kathryn O'Rourke"],
  ["B as in boy, A, X, T as in Tom, E, R. Baxter. First name's Will.", 'Will Baxter'],
  ['uh hi, um, this is Dev Patel, P A T E L', 'Dev Patel'],
  ['Ik ben het, Johan de Boer', 'Johan de Boer'],
  ['Klaus Peters am Apparat', 'Klaus Peters'],
  ['Ja hallo, hier ist die Anna Schmidt', 'Anna Schmidt'],
  ['für meine Mutter, Helga Braun', 'Helga Braun'],
  ["it's for my daughter, Sophie Turner, I'm her mum", 'Sophie Turner'],
  ['Mr. van den Berg', 'van den Berg'],
  ['Dupont, D U P O N T', 'Dupont'],
  ['D comme David, U, P comme Pierre, O, N, T comme Thomas', 'Dupont'],
  ["le nom de famille c'est Bernard, prénom Luc", 'Luc Bernard'],
  ['me llamo Ana, Ana Belén Ruiz', 'Ana Belén Ruiz'],
  ['Pedro, con apellido García López', 'Pedro García López'],
  ['Rossi, R come Roma, O, S, S, I', 'Rossi'],
  ['per mio marito, Luca Bianchi', 'Luca Bianchi'],
  ['è per il signor Conti', 'Conti'],
  ['Jan, met een J, Jan Pieters', 'Jan Pieters'],
  ['achternaam Bakker, voornaam Kees', 'Kees Bakker'],
  ['o meu nome é João Silva', 'João Silva'],
  ['aqui fala a Ana Sousa', 'Ana Sousa'],
  ['apelido Ferreira, primeiro nome Rui', 'Rui Ferreira'],
  ['Kowalski, Jan Kowalski', 'Jan Kowalski'],
  ['nazwisko Nowak, imię Ewa', 'Ewa Nowak'],
  ['z tej strony Piotr Zieliński', 'Piotr Zieliński'],
  ['a po co to panu?', undefined],
  ["I'd rather not say", undefined],
  ["I'm Tom Baker", 'Tom Baker'],
  ['Tom Baker here', 'Tom Baker'],
  ['Mary Stone, no sorry, Mary Stoner', 'Mary Stoner'],
  ['Miss Daisy Hill, Hill like the hill', 'Daisy Hill'],
] as const)('reads in "%s" the name %s', (text, value) => {
  expect(read('name', text)).toBe(value);
});

test.each([
  [['Cut', 'Colour'], 'not colour, just a cut', 'Cut'],
  [['Coupe', 'Couleur'], 'pas de couleur, juste une coupe', 'Coupe'],
  [['Meat menu', 'Fish menu'], "I don't eat fish, so the other one", 'Meat menu'],
  [['Menü Fleisch', 'Menü Fisch'], 'Fisch mag ich nicht, also das andere', 'Menü Fleisch'],
  [['Terrasse', 'Drinnen'], 'das Zweite, es ist kalt', 'Drinnen'],
  [['Terraza', 'Interior'], 'la segunda', 'Interior'],
  [['Buiten', 'Binnen'], 'de tweede', 'Binnen'],
  [['Taras', 'W środku'], 'to drugie', 'W środku'],
  [['Einzelzimmer', 'Doppelzimmer'], 'ich bin mit meiner Frau unterwegs', 'Doppelzimmer'],
  [['Single room', 'Double room'], "it's for me and my husband", 'Double room'],
  [['Standard', 'Plus', 'Premium'], 'which one is cheaper?', null],
  [['Klein', 'Mittel', 'Groß'], 'das größte, das Sie haben', 'Groß'],
  [['Small', 'Medium', 'Large'], 'the biggest one', 'Large'],
  [['Pequeña', 'Mediana', 'Grande'], 'la más grande', 'Grande'],
  [['Mała', 'Średnia', 'Duża'], 'największą', 'Duża'],
  [['Sales', 'Support', 'Billing'], "I got an invoice that's wrong", 'Billing'],
  [['Verkauf', 'Technik', 'Rechnung'], 'das Gerät ist kaputt', 'Technik'],
  [['Basis', 'Komplett'], 'was ist der Unterschied?', null],
  [['Basis', 'Komplett'], 'nein, nicht das komplette, das einfache', 'Basis'],
  [['A', 'B'], 'I am not sure', null],
  [['Innen', 'Außen'], 'lieber drinnen, es regnet ja', 'Innen'],
  [['Innen', 'Terrasse'], 'draußen, wenn es geht', 'Terrasse'],
  [['Indoors', 'Outdoors'], "on the terrace if it's warm", 'Outdoors'],
  [['Inside', 'Outside'], 'either is fine', null],
  [['Inside', 'Outside'], 'both please', null],
  [['Inside', 'Outside'], "I don't mind", null],
  [['Drinnen', 'Draußen'], 'ist mir egal', null],
  [['Small', 'Medium', 'Large'], 'the middle one', 'Medium'],
  [['Klein', 'Mittel', 'Groß'], 'die mittlere', 'Mittel'],
  [['Petite', 'Moyenne', 'Grande'], 'celle du milieu', 'Moyenne'],
  [['Small', 'Large'], 'the smaller one', 'Small'],
  [['Piccola', 'Media', 'Grande'], 'la più piccola', 'Piccola'],
  [['Klein', 'Middel', 'Groot'], 'de grootste graag', 'Groot'],
  [['Pequeno', 'Médio', 'Grande'], 'o menor', 'Pequeno'],
  [['Standard', 'Plus', 'Premium'], 'the cheapest', 'Standard'],
  [['Standard', 'Premium'], 'das teuerste', 'Premium'],
  [['Basico', 'Completo'], 'tutto compreso', 'Completo'],
  [['New patient', 'Existing patient'], "I've been coming for years", 'Existing patient'],
  [['New patient', 'Existing patient'], "it's my first visit", 'New patient'],
  [['Menú de carne', 'Menú de pescado'], 'no como carne, así que el otro', 'Menú de pescado'],
  [['Vleesmenu', 'Vismenu'], 'geen vis alsjeblieft', 'Vleesmenu'],
  [['Menu mięsne', 'Menu rybne'], 'ryby nie jem, więc to drugie', 'Menu mięsne'],
  [['Habitación individual', 'Habitación doble'], 'voy con mi marido', 'Habitación doble'],
  [['Chambre simple', 'Chambre double'], 'je suis avec ma femme', 'Chambre double'],
  [['Eenpersoonskamer', 'Tweepersoonskamer'], 'ik kom alleen', 'Eenpersoonskamer'],
  [['Pokój jednoosobowy', 'Pokój dwuosobowy'], 'jadę z żoną', 'Pokój dwuosobowy'],
  [['Waschen', 'Schneiden', 'Färben'], 'nur die Spitzen ein bisschen kürzer', 'Schneiden'],
  [['Wash', 'Cut', 'Colour'], 'just a trim', 'Cut'],
  [['Corte', 'Tinte'], 'solo cortarme las puntas', 'Corte'],
  [['Taglio', 'Colore'], 'vorrei tagliarli', 'Taglio'],
  [['Termin behalten', 'Termin verschieben'], 'nein, ich muss ihn verschieben', 'Termin verschieben'],
  [['Garder', 'Déplacer'], 'non, je préfère changer', 'Déplacer'],
  [['Mantenere', 'Spostare'], 'no, devo spostarlo', 'Spostare'],
  [['Manter', 'Remarcar'], 'não, preciso de mudar', 'Remarcar'],
  [['Zostawić', 'Przełożyć'], 'nie, muszę przełożyć', 'Przełożyć'],
  [['Pickup', 'Delivery'], "I can't drive, so please send it", 'Delivery'],
  [['Oil change', 'Tyre change'], 'the tyres, no wait, the oil', 'Oil change'],
  [['Ölwechsel', 'Reifenwechsel'], 'Reifen, äh nein, Öl', 'Ölwechsel'],
] as const)('chooses from %j with "%s" %s', (titles, text, option) => {
  expect(
    optionIn(
      text,
      titles.map((title) => ({ id: title, title, description: '' })),
    ),
  ).toBe(option);
});

test.each([
  ['number', 3, 'sorry, I meant four people', 4],
  ['name', 'Daniel Ocafor', "it's Okafor with a k", 'Daniel Okafor'],
  ['number', 5, 'wir sind doch sechs, nicht fünf', 6],
  ['number', 5, 'en fait on sera six', 6],
  ['number', 5, 'al final somos seis, no cinco', 6],
  ['number', 5, "we zijn toch met z'n zessen, niet vijf", 6],
  ['number', 5, 'jednak będzie nas sześć, nie pięć', 6],
  ['number', 5, "actually we'll be six, not five", 6],
  ['name', 'Maier', 'nein, Meyer mit e y', 'Meyer'],
  ['name', 'Blair', "actually it's Claire Denby, not Blair", 'Claire Denby'],
  ['name', 'Bernard', "en fait c'est Bertrand, pas Bernard", 'Bertrand'],
  ['name', 'Gómez', 'perdón, es Núñez, no Gómez', 'Núñez'],
  ['name', 'Bianchi', 'no, è Bianco, non Bianchi', 'Bianco'],
  ['name', 'Jansen', 'sorry, het is Janssen met dubbel s', 'Janssen'],
  ['name', 'Souza', 'é Sousa com s', 'Sousa'],
  ['name', 'Nowak', 'przepraszam, Nowicki, nie Nowak', 'Nowicki'],
  ['time', '16:00', 'doch lieber um fünf am Nachmittag', '17:00'],
  ['time', '10:00', 'finalement à onze heures, pas dix', '11:00'],
  ['date', '2026-11-25', 'oh wait, I said Wednesday but it has to be this Thursday', '2026-11-26'],
  ['date', '2026-11-25', 'attendez, je me suis trompé, pas mercredi mais ce jeudi', '2026-11-26'],
  ['date', '2026-11-25', 'mi scusi, ho sbagliato, non mercoledì ma questo giovedì', '2026-11-26'],
  ['date', '2026-11-25', 'espere, enganei-me, não é quarta, é esta quinta', '2026-11-26'],
  ['date', '2026-11-25', 'I called on Monday already', undefined],
  ['number', 3, 'I have two dogs', undefined],
  ['name', 'Ann Lee', 'my husband Bob made the booking', undefined],
  ['time', '10:00', 'I was there at nine yesterday', undefined],
] as const)('corrects the %s %s if the caller says "%s"', (expects, value, text, corrected) => {
  const asked: Wanted = { variableId: 'asked', description: '', asked: true, expects: 'yesOrNo' };
  const known: Wanted = { variableId: 'known', description: '', asked: false, expects, value };
  const heard = valuesIn(text, [asked, known], { today });
  expect(heard.values['known']).toBe(corrected);
  expect(heard.corrected).toEqual(corrected === undefined ? [] : ['known']);
});

describe('an item that nobody asked for', () => {
  const item = (expects: Expects, more: Partial<Wanted> = {}): Wanted => ({
    variableId: expects,
    description: '',
    asked: false,
    expects,
    ...more,
  });

  it('is read if the turn gives a value of its kind', () => {
    const wanted = [
      item('text', { asked: true }),
      item('emailAddress'),
      item('phoneNumber'),
      item('name'),
      item('time'),
    ];
    const { values } = valuesIn(
      'the tap drips, my name is Dana Reed, my number is 415 555 0132 and my email is dana at example dot com',
      wanted,
      { today },
    );
    expect(values).toMatchObject({
      name: 'Dana Reed',
      phoneNumber: '4155550132',
      emailAddress: 'dana@example.com',
    });
    expect(values['text']).toContain('the tap drips');
  });

  it('keeps a known value unless the turn corrects it', () => {
    const wanted = [item('text', { asked: true }), item('date', { value: '2026-12-01' })];
    expect(valuesIn('I called on Friday about the heating', wanted, { today })).toMatchObject({
      corrected: [],
    });
    expect(valuesIn('no, Thursday, not Tuesday', wanted, { today })).toMatchObject({
      values: { date: '2026-12-03' },
      corrected: ['date'],
    });
  });

  it('is not read from a number that counts something else', () => {
    const wanted = [item('text', { asked: true }), item('number')];
    expect(valuesIn('I have had this boiler for two years', wanted, { today }).values).not.toHaveProperty(
      'number',
    );
    expect(valuesIn('a table for four, please', wanted, { today }).values).toHaveProperty('number', 4);
  });

  it('is corrected in each language', () => {
    for (const text of [
      'sorry, I meant Thursday',
      'nicht Dienstag, Donnerstag',
      'finalement jeudi, pas mardi',
      'me he equivocado, es el jueves',
      'anzi, giovedì, non martedì',
      'ik bedoelde donderdag',
      'enganei-me, é na quinta-feira',
      'pomyliłem się, czwartek, nie wtorek',
    ])
      expect(valuesIn(text, [item('date', { value: '2026-12-01' })], { today }), text).toMatchObject({
        values: { date: '2026-12-03' },
        corrected: ['date'],
      });
  });

  it('is not cleared if the turn only refuses its value', () => {
    const heard = valuesIn('not Tuesday', [item('date', { value: '2026-12-01' })], { today });
    expect(heard).toEqual({ values: {}, corrected: [], asks: false, rejected: [] });
  });
});

describe('a value that cannot be noted', () => {
  const wanted: Wanted[] = [
    {
      variableId: 'day',
      description: 'A date: Tuesday to Sunday, noon to 10 pm',
      asked: true,
      expects: 'date',
    },
    { variableId: 'phone', description: 'A number', asked: true, expects: 'phoneNumber' },
    { variableId: 'guests', description: 'Guests, at most 8 guests', asked: true, expects: 'number' },
  ];

  it.each([
    ['on the thirty-first of September', [{ variableId: 'day', why: 'impossible' }]],
    ['next Monday', [{ variableId: 'day', why: 'closed', hours: 'Tuesday to Sunday, noon to 10 pm' }]],
    ['617-555-01', [{ variableId: 'phone', why: 'incomplete' }]],
    ['fourteen people', [{ variableId: 'guests', why: 'tooMany' }]],
    ['on Sunday, 617-555-0123, eight people', []],
  ])('is rejected with the reason: %s', (text, rejected) => {
    expect(valuesIn(text, wanted, { today }).rejected).toEqual(rejected);
  });
});

it('corrects the text that says what a turn takes back', () => {
  const wanted: Wanted[] = [
    {
      variableId: 'problem',
      description: '',
      asked: false,
      expects: 'text',
      value: 'the blue vase is broken',
    },
  ];
  expect(valuesIn("it's the green vase, not the blue one", wanted, { today }).values).toEqual({
    problem: 'the green vase is broken',
  });
  expect(valuesIn('not the red one', wanted, { today }).values).toEqual({});
});

describe('a relative date without today', () => {
  it('stays as said', () => {
    const wanted: Wanted[] = [{ variableId: 'day', description: '', asked: true, expects: 'date' }];
    expect(valuesIn('next Tuesday, please', wanted, {}).values).toEqual({ day: 'next Tuesday' });
    expect(valuesIn('on 5 December 2026', wanted, {}).values).toEqual({ day: '2026-12-05' });
  });
});

test.each([
  ['callerName', 'The full name of the caller', 'Ann Lee', 'Ann Lee'],
  ['telefonnummer', 'Rückrufnummer', '0171 3920045', '01713920045'],
  ['adresseMail', "L'adresse e-mail", 'a@example.com', 'a@example.com'],
  ['fecha', 'El día de la cita', 'mañana', '2026-11-25'],
  ['ora', "L'ora della visita", 'alle nove', '09:00'],
  ['aantalPersonen', 'Hoeveel personen komen er', 'vier', 4],
  ['numeroDePessoas', 'Quantas pessoas vêm', 'somos cinco', 5],
  ['liczbaOsob', 'Ile osób przyjdzie', 'sześć', 6],
] as const)('guesses the kind of %s from its words', (variableId, description, text, value) => {
  expect(valuesIn(text, [{ variableId, description, asked: true }], { today }).values).toEqual({
    [variableId]: value,
  });
});

describe('answerIn', () => {
  const facts = [
    'Adults 8 dollars, children 4 dollars.',
    'We are open Monday to Friday from 9 to 18, and closed on Sundays.',
    'You find us at 12 Mill Road, opposite the station.',
    'Guests park for free behind the house.',
    'A check-up takes 30 minutes.',
    'We take cards and cash.',
  ];

  it.each([
    ['how much is it?', 0],
    ['until when are you open?', 1],
    ['are you open on Sundays?', 1],
    ['where are you?', 2],
    ['is there parking?', 3],
    ['how long does a check-up take?', 4],
    ['can I pay by card?', 5],
    ['was kostet das?', 0],
    ['combien ça coûte ?', 0],
    ['¿dónde están?', 2],
    ['dove posso parcheggiare?', 3],
    ['hoe lang duurt het?', 4],
  ] as const)('chooses the fact for "%s"', (question, index) => {
    expect(answerIn(question, facts)).toBe(facts[index]);
  });

  it.each([
    ['Wie lange haben Sie geöffnet?', 'Wir haben montags bis freitags von 9 bis 18 Uhr geöffnet.'],
    ['Wo kann ich parken?', 'Parkplätze gibt es hinter dem Haus.'],
    ["C'est combien pour un enfant ?", 'Adultes 12 €, enfants 6 €.'],
    ['¿A qué hora cierran?', 'Abrimos de lunes a viernes de 9 a 20 horas.'],
    ['Quanto costa il taglio?', 'Il taglio costa 25 euro.'],
    ['Waar zitten jullie?', 'Ons adres is Dorpsstraat 5.'],
    ['Quanto tempo demora?', 'A consulta demora 30 minutos.'],
    ['Ile kosztuje wizyta?', 'Wizyta kosztuje 120 zł.'],
  ])('answers "%s"', (question, fact) => {
    expect(answerIn(question, ['Nice to meet you.', fact, 'Thank you.'])).toBe(fact);
  });

  it('finds nothing if no fact fits', () => {
    expect(answerIn('do you sell elephants?', facts)).toBeNull();
    expect(answerIn('how much is it?', ['We are open every day.'])).toBeNull();
    expect(answerIn('how much is it?', [])).toBeNull();
  });
});

describe('commands of other kinds', () => {
  const other = {
    id: 'cancel',
    kind: 'other' as const,
    description: 'The caller wants to cancel an appointment',
  };

  it('match the words of their description', () => {
    expect(commandIn('I need to cancel my appointment', [other])).toBe('cancel');
    expect(commandIn("I don't want to cancel my appointment", [other])).toBeNull();
    expect(commandIn('I would like an appointment', [other])).toBeNull();
  });
});

const expectsAny = fc.constantFrom<Expects | undefined>(
  undefined,
  'name',
  'phoneNumber',
  'emailAddress',
  'date',
  'time',
  'number',
  'yesOrNo',
  'text',
);

/** Words of callers in all languages, and any characters between them. */
const said = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        ...`no nicht pas yes at um à a las alle om às o five sechs sept ocho nove tien dez pięć half halb et quart y media tomorrow morgen demain mañana domani
        jutro Tuesday Dienstag mardi December 31 12 2026 . , ? ! - : @ dot Punkt at arroba małpa Anna Okafor my name is ich heiße O'Rourke S M I T H double sorry
        I meant actually one hundred cent quatre vingt dix mille and und oder or the second person robot help repeat + 07700 900461 people Kinder not`.split(
          /\s+/,
        ),
      ),
    ),
    { maxLength: 40 },
  )
  .map((words) => words.join(' '));

const wantedItems = fc
  .uniqueArray(
    fc.record({
      variableId: fc.string({ minLength: 1, maxLength: 12 }),
      description: fc.string({ maxLength: 30 }),
      asked: fc.boolean(),
      value: fc.option(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { nil: undefined }),
      expects: expectsAny,
    }),
    { selector: ({ variableId }) => variableId, maxLength: 6 },
  )
  .map((items) =>
    items.map(
      ({ variableId, description, asked, value, expects }): Wanted => ({
        variableId,
        description,
        asked,
        ...(value !== undefined && { value }),
        ...(expects !== undefined && { expects }),
      }),
    ),
  );

const anyDay = fc.constantFrom(undefined, today, '2024-02-29', 'today', '2026-99-99');

describe('for any turn', () => {
  it('reads only wanted items, and lists each known value that it replaces', () => {
    fc.assert(
      fc.property(said, wantedItems, anyDay, (text, wanted, day) => {
        const { values, corrected } = valuesIn(text, wanted, { today: day });
        const items = new Map(wanted.map((item) => [item.variableId, item]));
        for (const id of Object.keys(values)) expect(items.has(id)).toBe(true);
        const replaced = Object.keys(values).filter((id) => items.get(id)?.value !== undefined);
        expect(corrected.toSorted()).toEqual(replaced.toSorted());
      }),
      { numRuns: 400 },
    );
  });

  it('gives free text and consent only to items that were asked for', () => {
    fc.assert(
      fc.property(said, wantedItems, (text, wanted) => {
        const { values } = valuesIn(text, wanted, { today });
        for (const { variableId, asked, expects } of wanted)
          if (!asked && (expects === 'text' || expects === 'yesOrNo'))
            expect(Object.hasOwn(values, variableId)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('writes each value in the form of its kind', () => {
    const forms: Partial<Record<Expects, RegExp>> = {
      phoneNumber: /^\+?\d{7,15}$/,
      time: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
      date: /^\d{4}-\d{2}-\d{2}$/,
      emailAddress: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
      number: /^\d+(?:\.\d+)?$/,
      yesOrNo: /^(?:true|false)$/,
      name: /\p{L}/u,
    };
    fc.assert(
      fc.property(said, fc.constantFrom(...(Object.keys(forms) as Expects[])), (text, expects) => {
        const value = read(expects, text);
        if (value !== undefined)
          expect(typeof value === 'string' ? value : JSON.stringify(value)).toMatch(forms[expects] ?? /^/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('chooses only options, commands and facts that exist', () => {
    fc.assert(
      fc.property(said, fc.array(said, { maxLength: 5 }), (text, titles) => {
        const options = titles.map((title, index) => ({ id: String(index), title, description: '' }));
        const option = optionIn(text, options);
        expect(option === null || Number(option) < titles.length).toBe(true);
        const commands = titles.map((description, index) => ({
          id: String(index),
          kind: kinds[index] ?? ('other' as const),
          description,
        }));
        const command = commandIn(text, commands);
        expect(command === null || Number(command) < titles.length).toBe(true);
        const answer = answerIn(text, titles);
        expect(answer === null || titles.some((title) => answer.includes(title.trim()))).toBe(true);
        expect([true, false, null]).toContain(agreement(text));
      }),
      { numRuns: 400 },
    );
  });
});

describe('a long hostile turn', () => {
  const wanted: Wanted[] = (
    ['name', 'phoneNumber', 'emailAddress', 'date', 'time', 'number', 'text'] as const
  ).map((expects) => ({ variableId: expects, description: '', asked: true, expects }));

  /** Look-ups of phrases: a measure of work that does not depend on the machine. */
  function work(text: string): number {
    const lookUps = vi.spyOn(Phrases.prototype, 'at');
    valuesIn(text, wanted, { today });
    optionIn(text, [
      { id: 'a', title: 'five', description: '' },
      { id: 'b', title: 'Anna', description: '' },
    ]);
    commandIn(text, [{ id: 'x', kind: 'other', description: 'five Anna' }]);
    const count = lookUps.mock.calls.length;
    lookUps.mockRestore();
    return count;
  }

  it.each([
    'at five no ',
    'not Tuesday or ',
    'a at b dot ',
    'Anna, ',
    'S M ',
    'five sorry ',
    'one hundred and ',
    'two days after ',
    'speak to a ',
    '@.a',
    '- ',
  ])('takes work that grows with its length only: %j', (part) => {
    const short = work(part.repeat(150));
    const long = work(part.repeat(300));
    expect(long).toBeLessThan(2.3 * short + 2_000);
  });

  it('is read up to a bound', () => {
    const text = `${'blah '.repeat(2_000)} my name is Dana Reed`;
    expect(valuesIn(text, wanted.slice(0, 1), { today }).values).toEqual({});
  });
});
