import type { Language } from './languages.ts';

/** The words of numbers: variants are separated by `|`, numbers by spaces. */
export interface NumberWords {
  /** From 0 to 19. */
  readonly units: string;
  /** From 20 to 90. */
  readonly tens: string;
  /** From 100 to 900, or 100 alone if a multiple is said with it. */
  readonly hundreds: string;
  readonly thousand: string;
  /** Stands between the parts of a number. */
  readonly and: string;
  /** Says the next digit twice, and three times. */
  readonly double: string;
  readonly triple: string;
  /** "two zeros" */
  readonly zeros: string;
  /** "two times seven" */
  readonly times: string;
  readonly plus: string;
}

export const numberWords: Readonly<Record<Language, NumberWords>> = {
  en: {
    units: `zero|oh|o|nought|naught one two|too three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
      seventeen eighteen nineteen`,
    tens: 'twenty thirty forty|fourty fifty sixty seventy eighty ninety',
    hundreds: 'hundred',
    thousand: 'thousand',
    and: 'and',
    double: 'double',
    triple: 'triple|treble',
    zeros: 'zeros|zeroes|ohs',
    times: 'times',
    plus: 'plus',
  },
  de: {
    units: `null eins|ein|eine|einen|einer zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn
      sechzehn siebzehn achtzehn neunzehn`,
    tens: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
    hundreds: 'hundert',
    thousand: 'tausend',
    and: 'und',
    double: 'doppel|doppelt|doppelte',
    triple: 'dreifach|dreifache|dreimal',
    zeros: 'nullen',
    times: 'mal',
    plus: 'plus',
  },
  fr: {
    units: `zéro un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf`,
    tens: 'vingt|vingts trente quarante cinquante soixante septante octante|huitante nonante',
    hundreds: 'cent|cents',
    thousand: 'mille',
    and: 'et',
    double: 'double',
    triple: 'triple',
    zeros: 'zéros',
    times: 'fois',
    plus: 'plus',
  },
  es: {
    units: `cero uno|un|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho
      diecinueve`,
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    hundreds: `cien|ciento doscientos|doscientas trescientos|trescientas cuatrocientos|cuatrocientas quinientos|quinientas
      seiscientos|seiscientas setecientos|setecientas ochocientos|ochocientas novecientos|novecientas`,
    thousand: 'mil',
    and: 'y',
    double: 'doble',
    triple: 'triple',
    zeros: 'ceros',
    times: 'veces',
    plus: 'más',
  },
  it: {
    units: `zero uno|un|una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette
      diciotto diciannove`,
    tens: 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
    hundreds: 'cento',
    thousand: 'mila|mille',
    and: 'e',
    double: 'doppio|doppia',
    triple: 'triplo|tripla',
    zeros: 'zeri',
    times: 'volte',
    plus: 'più',
  },
  nl: {
    units: `nul een|één|eén twee|tweeën drie|drieën vier|vieren vijf|vijven zes|zessen zeven acht negen tien elf twaalf dertien veertien
      vijftien zestien zeventien achttien negentien`,
    tens: 'twintig dertig veertig vijftig zestig zeventig tachtig negentig',
    hundreds: 'honderd',
    thousand: 'duizend',
    and: 'en',
    double: 'dubbel|dubbele',
    triple: 'driedubbel|driedubbele|driemaal',
    zeros: 'nullen',
    times: 'keer|maal',
    plus: 'plus',
  },
  pt: {
    units: `zero um|uma dois|duas três quatro cinco seis|meia sete oito nove dez onze doze treze catorze|quatorze quinze
      dezasseis|dezesseis dezassete|dezessete dezoito dezanove|dezenove`,
    tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    hundreds: `cem|cento duzentos|duzentas trezentos|trezentas quatrocentos|quatrocentas quinhentos|quinhentas seiscentos|seiscentas
      setecentos|setecentas oitocentos|oitocentas novecentos|novecentas`,
    thousand: 'mil',
    and: 'e',
    double: 'duplo|dobro|dupla',
    triple: 'triplo',
    zeros: 'zeros',
    times: 'vezes',
    plus: 'mais',
  },
  pl: {
    units: `zero jeden|jedna|jedną|jedno|jednego|jednej dwa|dwie|dwoje|dwóch|dwójka|dwaj|dwójkę|dwojga trzy|troje|trzech|trójka|trzej|trójkę
      cztery|czworo|czterech|czwórka|czterej|czwórkę pięć|pięcioro|pięciu|piątka|piątkę sześć|sześcioro|sześciu|szóstka|szóstkę
      siedem|siedmioro|siedmiu|siódemka osiem|ośmioro|ośmiu|ósemka dziewięć|dziewięcioro|dziewięciu dziesięć|dziesięcioro|dziesięciu
      jedenaście|jedenastu dwanaście|dwunastu trzynaście|trzynastu czternaście|czternastu piętnaście|piętnastu szesnaście|szesnastu
      siedemnaście|siedemnastu osiemnaście|osiemnastu dziewiętnaście|dziewiętnastu`,
    tens: `dwadzieścia|dwudziestu trzydzieści|trzydziestu czterdzieści|czterdziestu pięćdziesiąt|pięćdziesięciu sześćdziesiąt siedemdziesiąt
      osiemdziesiąt dziewięćdziesiąt`,
    hundreds: 'sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset',
    thousand: 'tysiąc|tysiące|tysięcy',
    and: 'i',
    double: 'podwójne|podwójna|podwójny',
    triple: 'potrójne|potrójna|potrójny',
    zeros: 'zera',
    times: 'razy',
    plus: 'plus',
  },
};
