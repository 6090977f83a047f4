import type { Language } from './languages.ts';

/** The words of times. `phrase=minutes` gives what a phrase adds to the hour. */
export interface TimeWords {
  /** Before an hour. */
  readonly at: string;
  /** After an hour. */
  readonly clock: string;
  /** Before an hour, with what they add to it: "half past=30". */
  readonly ahead: string;
  /** After an hour. */
  readonly behind: string;
  /** Between minutes and the hour. */
  readonly past: string;
  readonly to: string;
  /** Between the hour and minutes. */
  readonly and: string;
  readonly minus: string;
  /** Minutes of the day. */
  readonly fixed: string;
  readonly morning: string;
  readonly afternoon: string;
  readonly evening: string;
}

export const timeWords: Readonly<Record<Language, TimeWords>> = {
  en: {
    at: 'at|around|about|by|from|after|for|before|until|say',
    clock: "o'clock|oclock|o clock",
    ahead:
      'half past=30|half=30|quarter past=15|a quarter past=15|quarter after=15|a quarter after=15|quarter to=-15|a quarter to=-15|quarter till=-15|quarter of=-15|quarter before=-15',
    behind: '',
    past: 'past|after|minutes past|minutes after',
    to: 'to|till|before|minutes to|minutes before',
    and: '',
    minus: '',
    fixed: 'noon=720|midday=720|midnight=0',
    morning: 'in the morning|a m|am|morning|this morning',
    afternoon: 'in the afternoon|p m|pm|afternoon|this afternoon',
    evening: 'in the evening|at night|evening|tonight|dinner|for dinner',
  },
  de: {
    at: 'um|gegen|ab|so gegen|so um|bis|circa|ungefähr um|auf',
    clock: 'uhr|h',
    ahead: 'halb=-30|viertel vor=-15|viertel nach=15|dreiviertel=-15|drei viertel=-15|viertel=-45',
    behind: '',
    past: 'nach|minuten nach',
    to: 'vor|minuten vor',
    and: 'und',
    minus: '',
    fixed:
      'mittags um zwölf=720|zwölf uhr mittags=720|mitternacht=0|mittag=720|am mittag=720|punkt zwölf=720',
    morning:
      'morgens|früh|in der früh|vormittags|am vormittag|am morgen|vormittag|montagmorgen|dienstagmorgen|mittwochmorgen|donnerstagmorgen|freitagmorgen|samstagmorgen|sonntagmorgen',
    afternoon:
      'nachmittags|am nachmittag|nachmittag|heute nachmittag|montagnachmittag|dienstagnachmittag|mittwochnachmittag|donnerstagnachmittag|freitagnachmittag|samstagnachmittag|sonntagnachmittag',
    evening:
      'abends|am abend|abend|heute abend|nachts|in der nacht|montagabend|dienstagabend|mittwochabend|donnerstagabend|freitagabend|samstagabend|sonntagabend',
  },
  fr: {
    at: 'à|vers|vers les|à partir de|pour|dès|après|avant|autour de|disons',
    clock: 'heures|heure|h',
    ahead: '',
    behind:
      'et quart=15|et demie=30|et demi=30|moins le quart=-15|moins quart=-15|moins un quart=-15|trois quarts=45',
    past: '',
    to: '',
    and: 'et',
    minus: 'moins',
    fixed: 'midi=720|minuit=0',
    morning: 'du matin|le matin|matin|dans la matinée',
    afternoon: "de l'après-midi|l'après-midi|après-midi|dans l'après-midi|cet après-midi",
    evening: 'du soir|le soir|soir|dans la soirée|ce soir',
  },
  es: {
    at: 'a las|a la|las|la|sobre las|para las|hacia las|desde las|a eso de las|tipo|después de las|antes de las',
    clock: 'horas|hora|h|en punto',
    ahead: 'un cuarto para las=-15|cuarto para las=-15',
    behind: 'y media=30|y cuarto=15|menos cuarto=-15|menos un cuarto=-15|y tres cuartos=45',
    past: '',
    to: 'para las|para la',
    and: 'y',
    minus: 'menos',
    fixed: 'al mediodía=720|a mediodía=720|mediodía=720|medianoche=0|a medianoche=0',
    morning: 'de la mañana|por la mañana|en la mañana|a m|am|de la madrugada',
    afternoon: 'de la tarde|por la tarde|en la tarde|p m|pm|esta tarde',
    evening: 'de la noche|por la noche|en la noche|esta noche',
  },
  it: {
    at: 'alle|verso le|le|per le|alla|all|dalle|intorno alle|circa alle|sulle|dopo le|prima delle|verso l',
    clock: 'ore|in punto|h',
    ahead: 'un quarto alle=-15',
    behind:
      'e mezza=30|e mezzo=30|e un quarto=15|e quarto=15|meno un quarto=-15|meno quarto=-15|e tre quarti=45',
    past: '',
    to: '',
    and: 'e',
    minus: 'meno',
    fixed: 'mezzogiorno=720|mezzanotte=0|a mezzogiorno=720|a mezzanotte=0',
    morning: 'di mattina|del mattino|della mattina|mattina|di mattino|domattina',
    afternoon: 'del pomeriggio|di pomeriggio|nel pomeriggio|pomeriggio',
    evening: 'di sera|della sera|la sera|stasera|sera|di notte',
  },
  nl: {
    at: 'om|rond|tegen|vanaf|na|voor|omstreeks|zo rond',
    clock: 'uur|u|h',
    ahead: 'half=-30|kwart voor=-15|kwart over=15|kwart na=15',
    behind: '',
    past: 'over|na|minuten over',
    to: 'voor|minuten voor',
    and: '',
    minus: '',
    fixed: "twaalf uur 's middags=720|middernacht=0|tussen de middag=720|twaalf uur s middags=720",
    morning:
      "'s ochtends|in de ochtend|'s morgens|ochtend|vanochtend|morgenochtend|maandagochtend|dinsdagochtend|woensdagochtend|donderdagochtend|vrijdagochtend|zaterdagochtend|zondagochtend",
    afternoon:
      "'s middags|in de middag|middag|vanmiddag|morgenmiddag|maandagmiddag|dinsdagmiddag|woensdagmiddag|donderdagmiddag|vrijdagmiddag|zaterdagmiddag|zondagmiddag",
    evening:
      "'s avonds|in de avond|avond|vanavond|morgenavond|maandagavond|dinsdagavond|woensdagavond|donderdagavond|vrijdagavond|zaterdagavond|zondagavond|'s nachts",
  },
  pt: {
    at: 'às|as|à|pelas|para as|pras|por volta das|a partir das|lá pelas|depois das|antes das|umas|até às',
    clock: 'horas|hora|h|em ponto',
    ahead: 'um quarto para as=-15|quarto para as=-15|um quarto pras=-15',
    behind: 'e meia=30|e um quarto=15|e quinze=15|menos um quarto=-15|menos quarto=-15|e três quartos=45',
    past: '',
    to: 'para as|pras|para a|pra|para o|pro|minutos para as',
    and: 'e',
    minus: 'menos',
    fixed: 'ao meio-dia=720|meio-dia=720|meio dia=720|à meia-noite=0|meia-noite=0|meia noite=0',
    morning: 'da manhã|de manhã|pela manhã|manhã',
    afternoon: 'da tarde|de tarde|à tarde|pela tarde|tarde',
    evening: 'da noite|de noite|à noite|noite',
  },
  pl: {
    at: 'o|na|koło|około|po|od|przed|do|tak o|gdzieś o|o godzinie|godzina|godzinę',
    clock: 'godzina|godziny|godz|zero zero',
    ahead: 'wpół do=-30|w pół do=-30|za kwadrans=-15|kwadrans po=15|kwadrans przed=-15',
    behind: 'trzydzieści=30',
    past: 'po|minut po',
    to: 'przed|minut przed',
    and: 'i',
    minus: '',
    fixed: 'w samo południe=720|w południe=720|południe=720|północ=0|o północy=0',
    morning: 'rano|z rana|przed południem|nad ranem|do południa|ranka',
    afternoon: 'po południu|popołudniu',
    evening: 'wieczorem|wieczór|wieczora|w nocy',
  },
};
