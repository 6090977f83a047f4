import { dateWords } from './date-words.ts';
import { type Language, languages } from './languages.ts';
import { lexicon } from './numbers.ts';
import { ordinalWords } from './ordinals.ts';
import { timeWords } from './time-words.ts';
import { lazily, type Token, tokensOf, wordSet } from './words.ts';

const common: Readonly<Record<Language, string>> = {
  en: `the a an is are was it's i'm i you we my your what which who how when where why to of for on at in with and or but not no yes
    yeah please sorry thanks could would can have has just there that this us be it me do does don't past half quarter dot dash name
    email phone number date time day many people would like number morning afternoon evening night next it`,
  de: `der die das den dem des ein eine einen einem einer ist sind war ich du sie wir ihr mein meine ihre ihren ihr was wer wie wann wo
    warum welche welcher zu von für am um im in mit und oder aber nicht kein nein ja bitte danke noch nur es auf bei uhr punkt ät unterstrich bindestrich doppel einmal
    heiße name telefonnummer nummer uns wäre hab habe also morgens abends halb viertel nach vor vielen personen adresse`,
  fr: `le la les l un une des du de d est sont était je j tu vous nous mon ma votre vos que quel quelle qui comment quand où pourquoi à
    au aux pour sur en avec et ou mais pas ne non oui s il plaît merci c ce cette on heure heures point arobase tiret nom numéro
    jour combien euh suis ça moins plutôt alors`,
  es: `el la los las un una unos es son era yo tú usted nosotros mi su sus qué cuál quién cómo cuándo dónde por para a al de del en con y
    o pero no sí gracias favor lo le me se que punto arroba guion nombre teléfono número hora horas día cuántos cuántas eh soy está
    pues muy media cuarto menos noche tarde somos`,
  it: `il lo la i gli le l un una uno è sono era io lei noi mio mia suo sua che quale chi come quando dove perché a al alla alle di del
    della dell in nel con e o ma non no sì grazie per favore mi si ci punto chiocciola trattino nome numero ora giorno quante quanti
    allora siamo da un po buongiorno mezza quarto meno telefono`,
  nl: `de het een is zijn was ik u jij je we wij mijn m'n uw wat wie hoe wanneer waar waarom welke naar van voor op om in met en of maar
    niet geen nee ja graag alstublieft dank er die dat dit deze eh uur punt naam telefoonnummer nummer hoeveel dag datum kan mag
    heeft bent kwart half over 's ook nog maar doe`,
  pt: `o a os as um uma é são era eu você senhor nós meu minha seu sua que qual quem como quando onde porque para pra a ao à às de do da
    dos em no na nos com e ou mas não sim obrigado obrigada por favor me se lhe ponto arroba hífen nome telefone número hora horas
    dia quantos quantas somos meia pras olhe olha só isso está posso`,
  pl: `i w we na do z ze o u od za po dla przy jest są był była ja pan pani my mój moja to ten ta te tę co kto jak kiedy gdzie dlaczego
    który która jaki jaka nie tak proszę dziękuję się a ale albo lub czy mi mnie kropka małpa nazwisko imię numer telefonu godzina
    godzinie dzień ile osób jeszcze już będzie rano wieczorem`,
};

const evidence = lazily(
  () =>
    new Map<Language, ReadonlySet<string>>(
      languages.map((language) => [
        language,
        new Set([
          ...wordSet(common[language]),
          ...[
            ...Object.values<string>({ ...dateWords[language] }),
            ...Object.values<string>({ ...timeWords[language] }),
          ].flatMap((list) => [...wordSet(list.replaceAll(/[|=\d-]/g, ' '))]),
          ...lexicon(language).small.keys(),
          ...lexicon(language).hundreds.keys(),
          ...ordinalWords(language),
        ]),
      ]),
    ),
);

/** A word of the turn says more about the caller's language than a word of the question. */
const weightOfTurn = 2;
/** A language this far below the best one may still be the caller's. */
const shareOfBest = 0.75;

/** The languages that a turn may be in, the likeliest first; `hints` are texts that are probably in the same language. */
export function languagesOf(tokens: readonly Token[], hints: readonly string[] = []): Language[] {
  const hintTokens = hints.flatMap((hint) => tokensOf(hint));
  const scores = languages.map((language) => {
    const words = evidence().get(language);
    const count = (list: readonly Token[]) => list.filter(({ word }) => words?.has(word)).length;
    return { language, score: weightOfTurn * count(tokens) + count(hintTokens) };
  });
  scores.sort((one, other) => other.score - one.score);
  const best = scores[0]?.score ?? 0;
  return scores.filter(({ score }) => score >= best * shareOfBest).map(({ language }) => language);
}
