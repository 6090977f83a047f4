import type { Language } from './languages.ts';
import { phrases, type Token, wordSet } from './words.ts';

/** Between two values: the caller takes the first one back. */
const takeBacks =
  phrases(`no|nope|wait|hold on|sorry|actually|i mean|i meant|rather|or rather|make that|make it|scratch that|correction|instead|
  hang on|let me start again|better|let's say|but|so
  nein|nee|ne|quatsch|moment|vielmehr|ich meine|ich meinte|entschuldigung|verzeihung|lieber|doch|sondern|besser gesagt|besser|halt|stimmt nicht|stopp|das heißt
  non|pardon|plutôt|enfin|je veux dire|attendez|en fait|finalement|mais non|excusez-moi|donc|euh non|je voulais dire|c'est-à-dire
  perdón|mejor|digo|quiero decir|mejor dicho|más bien|espere|en realidad|al final|perdone|bueno|sino|o sea|ay|disculpe
  anzi|scusi|cioè|volevo dire|meglio|aspetti|in realtà|piuttosto|facciamo|mi scusi|ma|anzi no|invece
  wacht|ik bedoel|eigenlijk|toch|liever|of nee|doe maar|excuus|maar|wacht even|nou|oftewel|dus
  não|desculpe|desculpa|aliás|quer dizer|melhor|ou melhor|peraí|espera|espere|afinal|na verdade|ai|digo|perdão|minto|mas|só
  nie|przepraszam|to znaczy|znaczy|albo nie|a nie|raczej|jednak|chwila|właściwie|tylko|lepiej|czyli|moment|a właściwie`);

/** True if the caller takes back here what came before; "no" is a preposition in Portuguese and a filler in Polish. */
export function takesBackAt(tokens: readonly Token[], index: number, language: Language): boolean {
  const found = takeBacks.at(tokens, index);
  return (
    found !== undefined &&
    !(tokens[index]?.word === 'no' && found.to === index + 1 && (language === 'pt' || language === 'pl'))
  );
}

/** These also go on with what was said. */
const weakTakeBacks = wordSet(
  'but so mais donc ma maar dus mas aber doch halt bueno nou ai ay czyli tylko sondern better besser moment chwila enfin invece toch facciamo espera espere stimmt',
);

/** {@link takesBackAt}, but for words that may also go on, such as "but". */
export function surelyTakesBackAt(tokens: readonly Token[], index: number, language: Language): boolean {
  return takesBackAt(tokens, index, language) && !weakTakeBacks.has(tokens[index]?.word ?? '');
}

/** The turn corrects something said before. */
export const corrects =
  phrases(`my bad|tell a lie|the old one|our old|i gave you|i've given you|given you the wrong|given you my old|gave you my old|gave you our old|the wrong number|my old number|my old address|read you the wrong|told you the wrong|sorry i meant|i meant|i mean|actually|i said|i got that wrong|i made a mistake|my mistake|correction|scratch that|change that|make that|should be|it should|
  i misspoke|not right|that's wrong|that is wrong|wrong|instead|rather|earlier i said|wait
  ich hab mich vertan|ich habe mich vertan|vertan|versprochen|ich meinte|ich habe mich geirrt|geirrt|falsch|sondern|korrigieren|korrektur|hab ich gesagt|habe ich gesagt|sagte|stimmt nicht|doch lieber|doch
  je me suis trompé|je me suis trompée|trompé|trompée|je voulais dire|finalement|en fait|plutôt|j'ai dit|corriger|erreur|c'est faux
  me he equivocado|me equivoqué|equivocado|equivocada|quería decir|quise decir|le dije|dije|al final|en realidad|corrijo|corregir|sino|mejor dicho|perdón
  mi sono sbagliato|mi sono sbagliata|sbagliato|sbagliata|volevo dire|avevo detto|ho detto|in realtà|correggo|correggere|anzi|guardi che|alla fine|mi correggo|errore
  ik heb me vergist|vergist|ik bedoelde|ik bedoel|ik zei|moet zijn|eigenlijk|toch|verkeerd|klopt niet|correctie|fout|had gezegd
  enganei-me|me enganei|enganei|eu disse|disse|queria dizer|quis dizer|afinal|na verdade|aliás|errei|corrigir|corrijo|me confundi|errado
  pomyliłam|pomyliłem|pomyliłam się|pomyliłem się|pomyłka|miałam na myśli|miałem na myśli|chodziło mi|jednak|właściwie|mówiłam|mówiłem|źle|poprawka|powiedziałam|powiedziałem|nie tylko`);

/** Between two values that the caller leaves open. */
export const either = phrases('or|oder|ou|o|of|lub|albo|oppure|czy|u|ofwel|bądź');

/** Before a value: it is not meant. */
export const negations: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: wordSet('not no never t isn cannot except without'),
  de: wordSet('nicht kein keine keinen keiner außer ohne'),
  fr: wordSet('pas ni jamais sauf sans'),
  es: wordSet('no ni nunca menos excepto sin'),
  it: wordSet('non né mai tranne senza'),
  nl: wordSet('niet geen nooit behalve zonder'),
  pt: wordSet('não nem nunca exceto sem'),
  pl: wordSet('nie ani nigdy oprócz bez'),
};

/** After a value: it is not meant ("domani no", "am Montag geht es nicht"). */
export const refusals: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: wordSet('not t isn no cannot won'),
  de: wordSet('nicht nein schlecht nee'),
  fr: wordSet('pas non'),
  es: wordSet('no imposible'),
  it: wordSet('no non'),
  nl: wordSet('niet nee'),
  pt: wordSet('não'),
  pl: wordSet('nie odpada'),
};
