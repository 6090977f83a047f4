import type { Language } from './languages.ts';

/** The words of dates. `phrase=number` gives what a phrase means; variants are separated by `|`, members by spaces or lines. */
export interface DateWords {
  /** From Monday on. */
  readonly weekdays: string;
  readonly months: string;
  /** Days from today. */
  readonly relative: string;
  /** Month and day. */
  readonly holidays: string;
  /** Before or after a weekday: the one of next week. */
  readonly next: string;
  readonly in: string;
  /** Number of days in the unit; 30 stands for a month. */
  readonly units: string;
  /** After "three days". */
  readonly fromNow: string;
  readonly after: string;
  readonly before: string;
  /** "the day after", before a date or after one. */
  readonly dayAfter: string;
  readonly dayBefore: string;
  /** After a weekday: a week later. */
  readonly weekLater: string;
  /** Between the day and the month. */
  readonly of: string;
  /** Before a day of the month alone. */
  readonly the: string;
  /** In these phrases the words mean a part of the day. */
  readonly notToday: string;
}

export const dateWords: Readonly<Record<Language, DateWords>> = {
  en: {
    weekdays:
      'monday|mon|mondays tuesday|tue|tues wednesday|wed thursday|thu|thurs friday|fri saturday sunday',
    months: `january|jan february|feb march april|apr may june|jun july|jul august|aug september|sept|sep october|oct november|nov
      december|dec`,
    relative: `today=0|tonight=0|this evening=0|this afternoon=0|tomorrow=1|the day after tomorrow=2|day after tomorrow=2|a week from today=7|
      one week from today=7|a week today=7|in a week's time=7|in a week=7|in a fortnight=14|a week from tomorrow=8|a week tomorrow=8|
      two weeks from today=14|this day next week=7|same day next week=7|in a couple of days=2|in two weeks' time=14`,
    holidays: `christmas eve=12-24|christmas day=12-25|christmas=12-25|boxing day=12-26|new year's eve=12-31|new year's day=01-01|
      new year's=01-01|halloween=10-31|valentine's day=02-14|valentine's=02-14|independence day=07-04|st patrick's day=03-17|
      saint patrick's day=03-17|st nicholas day=12-06|saint nicholas day=12-06|st nicholas=12-06|may day=05-01|epiphany=01-06`,
    next: 'next|of next week|next week',
    in: 'in|within',
    units: 'day=1|days=1|week=7|weeks=7|fortnight=14|month=30|months=30',
    fromNow: "from now|from today|later|time|days' time|weeks' time",
    after: 'after',
    before: 'before',
    dayAfter: 'the day after that|the day after|day after|the following day|the next day',
    dayBefore: 'the day before that|the day before|day before',
    weekLater: 'week|in a week|a week later|the week after|after next',
    of: 'of|in',
    the: 'the|on the',
    notToday: '',
  },
  de: {
    weekdays: `montag|montags|montagmorgen|montagvormittag|montagnachmittag|montagabend
      dienstag|dienstags|dienstagmorgen|dienstagvormittag|dienstagnachmittag|dienstagabend
      mittwoch|mittwochs|mittwochmorgen|mittwochvormittag|mittwochnachmittag|mittwochabend
      donnerstag|donnerstags|donnerstagmorgen|donnerstagvormittag|donnerstagnachmittag|donnerstagabend
      freitag|freitags|freitagmorgen|freitagvormittag|freitagnachmittag|freitagabend
      samstag|sonnabend|samstags|samstagmorgen|samstagvormittag|samstagnachmittag|samstagabend
      sonntag|sonntags|sonntagmorgen|sonntagvormittag|sonntagnachmittag|sonntagabend`,
    months: `januar|jänner februar|feber märz april mai juni|juno juli|julei august september oktober november dezember`,
    relative: `heute=0|heute morgen=0|heute früh=0|heute abend=0|heute nachmittag=0|morgen=1|morgen früh=1|übermorgen=2|in einer woche=7|
      heute in einer woche=7|heute in acht tagen=7|in acht tagen=7|in vierzehn tagen=14|heute in vierzehn tagen=14|
      heute in zwei wochen=14|morgen in einer woche=8|nächste woche am gleichen tag=7`,
    holidays: `heiligabend=12-24|heilig abend=12-24|weihnachten=12-25|erster weihnachtsfeiertag=12-25|ersten weihnachtsfeiertag=12-25|
      ersten weihnachtstag=12-25|zweiten weihnachtsfeiertag=12-26|zweiter weihnachtsfeiertag=12-26|zweiten weihnachtstag=12-26|
      silvester=12-31|neujahr=01-01|nikolaus=12-06|nikolaustag=12-06|dreikönig=01-06|heilige drei könige=01-06|valentinstag=02-14|
      tag der arbeit=05-01|erster mai=05-01|tag der deutschen einheit=10-03|allerheiligen=11-01`,
    next: 'nächsten|nächster|nächstem|nächste|nächste woche|der nächsten woche|in der nächsten woche',
    in: 'in',
    units: 'tag=1|tage=1|tagen=1|woche=7|wochen=7|monat=30|monate=30|monaten=30',
    fromNow: 'ab heute|von heute an|später',
    after: 'nach|nach dem',
    before: 'vor|vor dem',
    dayAfter:
      'den tag danach|der tag danach|den tag drauf|tag darauf|am tag danach|den tag nach|am tag nach|der tag nach|tag nach|einen tag nach|einen tag später|einen tag drauf',
    dayBefore:
      'den tag davor|am tag davor|der tag davor|am tag vor|den tag vor|der tag vor|tag vor|einen tag vor',
    weekLater: 'in einer woche|in acht tagen|übernächste woche|über acht tage',
    of: '',
    the: 'am|den|der|dem|zum|jetzt den',
    notToday: 'guten morgen|am morgen|jeden morgen|in der früh|schönen morgen',
  },
  fr: {
    weekdays: 'lundi|lundis mardi|mardis mercredi jeudi vendredi samedi dimanche',
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    relative: `aujourd'hui=0|ce soir=0|cet après-midi=0|ce matin=0|demain=1|après-demain=2|après demain=2|dans une semaine=7|
      aujourd'hui en huit=7|d'aujourd'hui en huit=7|dans huit jours=7|dans quinze jours=14|dans une quinzaine=14|d'ici une semaine=7|
      demain en huit=8|d'ici huit jours=7|d'ici quinze jours=14`,
    holidays: `la veille de noël=12-24|veille de noël=12-24|réveillon de noël=12-24|le réveillon=12-24|noël=12-25|jour de noël=12-25|
      saint-sylvestre=12-31|la saint-sylvestre=12-31|réveillon du nouvel an=12-31|le trente-et-un=12-31|jour de l'an=01-01|
      nouvel an=01-01|saint-nicolas=12-06|la saint-nicolas=12-06|saint-valentin=02-14|toussaint=11-01|épiphanie=01-06|
      quatorze juillet=07-14|fête du travail=05-01|armistice=11-11|assomption=08-15`,
    next: 'de la semaine prochaine|la semaine prochaine|semaine prochaine|prochain|prochaine',
    in: 'dans|d ici',
    units: 'jour=1|jours=1|semaine=7|semaines=7|mois=30',
    fromNow: 'plus tard|à partir d aujourd hui',
    after: 'après|après le|après la',
    before: 'avant|avant le|avant la',
    dayAfter: `le lendemain de|lendemain de|le lendemain du|lendemain du|le lendemain de la|le lendemain|le jour d'après|le jour après`,
    dayBefore: "la veille de|la veille du|la veille|le jour d'avant|le jour avant",
    weekLater: 'en huit|dans une semaine|dans huit jours',
    of: 'de',
    the: 'le|au|pour le|du',
    notToday: '',
  },
  es: {
    weekdays: 'lunes martes miércoles jueves viernes sábado|sábados domingo|domingos',
    months:
      'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre',
    relative: `hoy=0|hoy mismo=0|esta tarde=0|esta noche=0|esta mañana=0|mañana=1|pasado mañana=2|pasado=2|dentro de una semana=7|
      en una semana=7|de hoy en ocho=7|de hoy en ocho días=7|hoy en ocho=7|de aquí a una semana=7|en ocho días=7|dentro de ocho días=7|
      dentro de quince días=14|en quince días=14|de mañana en ocho=8|de aquí a quince días=14`,
    holidays: `nochebuena=12-24|navidad=12-25|día de navidad=12-25|nochevieja=12-31|año nuevo=01-01|fin de año=12-31|reyes=01-06|
      día de reyes=01-06|noche de reyes=01-05|día de la constitución=12-06|la constitución=12-06|la inmaculada=12-08|inmaculada=12-08|san nicolás=12-06|
      san valentín=02-14|día de los inocentes=12-28|los inocentes=12-28|santos inocentes=12-28|día de la hispanidad=10-12|
      todos los santos=11-01|san juan=06-24|día del trabajo=05-01`,
    next: 'de la semana que viene|la semana que viene|de la próxima semana|de la semana próxima|la próxima semana|que viene|próximo|próxima',
    in: 'en|dentro de|de aquí a',
    units: 'día=1|días=1|semana=7|semanas=7|mes=30|meses=30',
    fromNow: 'a partir de hoy|más tarde',
    after: 'después de|después del|tras|tras el|después de la|después de el',
    before: 'antes de|antes del|antes de la',
    dayAfter:
      'el día después de|el día después del|al día siguiente de|el día siguiente a|al día siguiente|el día siguiente|el día después|el día de después|un día después|el siguiente',
    dayBefore: 'el día antes de|el día antes del|el día antes|el día anterior|la víspera de|un día antes',
    weekLater: 'en ocho|dentro de una semana',
    of: 'de|del',
    the: 'el|el día|día|para el|al',
    notToday: 'por la mañana|de la mañana|a la mañana|en la mañana|la mañana',
  },
  it: {
    weekdays: 'lunedì martedì mercoledì giovedì venerdì sabato|sabati domenica',
    months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    relative: `oggi=0|stasera=0|oggi pomeriggio=0|stamattina=0|domani=1|dopodomani=2|dopo domani=2|tra una settimana=7|fra una settimana=7|
      oggi a otto=7|da oggi a otto=7|una settimana da oggi=7|tra otto giorni=7|fra otto giorni=7|tra quindici giorni=14|
      fra quindici giorni=14|domani a otto=8|tra una settimana esatta=7`,
    holidays: `vigilia di natale=12-24|la vigilia di natale=12-24|la vigilia=12-24|natale=12-25|giorno di natale=12-25|santo stefano=12-26|
      san silvestro=12-31|capodanno=01-01|ultimo dell'anno=12-31|befana=01-06|la befana=01-06|epifania=01-06|immacolata=12-08|
      l'immacolata=12-08|san nicola=12-06|san valentino=02-14|ferragosto=08-15|ognissanti=11-01|primo maggio=05-01|sant'ambrogio=12-07|santa lucia=12-13`,
    next: 'della prossima settimana|la prossima settimana|prossima settimana|della settimana prossima|la settimana prossima|settimana prossima|prossimo|prossima',
    in: 'tra|fra|in',
    units: 'giorno=1|giorni=1|settimana=7|settimane=7|mese=30|mesi=30',
    fromNow: 'da oggi|da adesso|più tardi',
    after: 'dopo|dopo il|dopo la|dopo l',
    before: 'prima di|prima del|prima della|prima dell',
    dayAfter:
      'il giorno dopo|giorno dopo|il giorno successivo|il giorno seguente|l indomani di|un giorno dopo',
    dayBefore: 'il giorno prima di|il giorno prima|giorno prima|il giorno prima della|il giorno prima del',
    weekLater: 'a otto|tra una settimana|fra una settimana',
    of: 'di',
    the: 'il|per il|al|del|l',
    notToday: '',
  },
  nl: {
    weekdays: `maandag|maandagochtend|maandagmiddag|maandagavond dinsdag|dinsdagochtend|dinsdagmiddag|dinsdagavond
      woensdag|woensdagochtend|woensdagmiddag|woensdagavond donderdag|donderdagochtend|donderdagmiddag|donderdagavond
      vrijdag|vrijdagochtend|vrijdagmiddag|vrijdagavond zaterdag|zaterdagochtend|zaterdagmiddag|zaterdagavond
      zondag|zondagochtend|zondagmiddag|zondagavond`,
    months: 'januari februari maart april mei juni juli augustus september oktober november december',
    relative: `vandaag=0|vanavond=0|vanmiddag=0|vanochtend=0|morgen=1|morgenochtend=1|morgenmiddag=1|morgenavond=1|overmorgen=2|over een week=7|
      vandaag over een week=7|over een week precies=7|precies over een week=7|morgen over een week=8|over veertien dagen=14|over acht dagen=7|
      vandaag over veertien dagen=14|een week na vandaag=7`,
    holidays: `kerstavond=12-24|eerste kerstdag=12-25|tweede kerstdag=12-26|kerstmis=12-25|kerst=12-25|oudejaarsavond=12-31|oud en nieuw=12-31|
      oudejaarsdag=12-31|nieuwjaarsdag=01-01|nieuwjaar=01-01|pakjesavond=12-05|sinterklaas=12-05|sinterklaasavond=12-05|driekoningen=01-06|valentijnsdag=02-14|
      koningsdag=04-27|bevrijdingsdag=05-05|sint maarten=11-11`,
    next: 'volgende week|van volgende week|volgende|volgend',
    in: 'over|binnen',
    units: 'dag=1|dagen=1|week=7|weken=7|maand=30|maanden=30',
    fromNow: 'vanaf nu|vanaf vandaag|later',
    after: 'na|na de',
    before: 'voor|vóór|voor de',
    dayAfter:
      'de dag erna|de dag daarna|dag erna|de dag daarop|de dag na|dag na|de dag erop|een dag later|een dag na',
    dayBefore: 'de dag ervoor|de dag daarvoor|de dag voor|een dag voor',
    weekLater: 'over een week|over acht dagen',
    of: 'van',
    the: 'de|op de|den',
    notToday: 'goede morgen|in de morgen|s morgen',
  },
  pt: {
    weekdays: `segunda-feira|segunda terça-feira|terça quarta-feira|quarta quinta-feira|quinta sexta-feira|sexta sábado|sábados domingo|domingos`,
    months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    relative: `hoje=0|hoje mesmo=0|hoje à noite=0|hoje à tarde=0|esta tarde=0|esta noite=0|amanhã=1|depois de amanhã=2|daqui a uma semana=7|
      de hoje a oito dias=7|de hoje a oito=7|hoje a oito=7|em uma semana=7|numa semana=7|dentro de uma semana=7|daqui a oito dias=7|
      daqui a quinze dias=14|de hoje a quinze dias=14|amanhã a oito=8|daqui uma semana=7|daqui quinze dias=14|de amanhã a oito dias=8`,
    holidays: `véspera de natal=12-24|a véspera de natal=12-24|noite de natal=12-24|consoada=12-24|natal=12-25|dia de natal=12-25|
      véspera de ano novo=12-31|passagem de ano=12-31|réveillon=12-31|ano novo=01-01|dia de reis=01-06|reis=01-06|imaculada conceição=12-08|
      são nicolau=12-06|dia dos namorados=06-12|tiradentes=04-21|dia do trabalhador=05-01|dia do trabalho=05-01|são silvestre=12-31|
      finados=11-02|são joão=06-24|são martinho=11-11|proclamação da república=11-15|nossa senhora aparecida=10-12|restauração da independência=12-01|dia da restauração=12-01`,
    next: `da semana que vem|semana que vem|da próxima semana|na próxima semana|próxima semana|da semana próxima|que vem|próximo|próxima`,
    in: 'daqui a|em|dentro de|daqui',
    units: 'dia=1|dias=1|semana=7|semanas=7|mês=30|meses=30',
    fromNow: 'a partir de hoje|mais tarde',
    after: 'depois de|depois do|depois da|após|após o|após a',
    before: 'antes de|antes do|antes da',
    dayAfter:
      'o dia depois de|o dia depois do|no dia depois do|no dia depois de|o dia depois|no dia seguinte a|no dia seguinte|o dia seguinte|dia seguinte|um dia depois|o dia a seguir|no dia a seguir a|no dia a seguir ao|um dia depois do|um dia depois de',
    dayBefore: 'o dia antes de|o dia anterior|no dia anterior|na véspera|um dia antes|na véspera de',
    weekLater: 'a oito|daqui a uma semana',
    of: 'de',
    the: 'o|o dia|dia|no dia|para o dia|ao dia|pro dia|a|no|em',
    notToday: '',
  },
  pl: {
    weekdays: `poniedziałek|poniedziałku|poniedziałki|poniedziałkowy wtorek|wtorku|wtorki środa|środę|środy|środzie czwartek|czwartku|czwartki
      piątek|piątku|piątki sobota|sobotę|soboty|sobocie niedziela|niedzielę|niedzieli`,
    months: `stycznia|styczeń|styczniu lutego|luty|lutym marca|marzec|marcu kwietnia|kwiecień|kwietniu maja|maj|maju czerwca|czerwiec|czerwcu
      lipca|lipiec|lipcu sierpnia|sierpień|sierpniu września|wrzesień|wrześniu października|październik|październiku
      listopada|listopad|listopadzie grudnia|grudzień|grudniu`,
    relative: `dzisiaj=0|dziś=0|dziś wieczorem=0|jutro=1|jutrzejszy dzień=1|pojutrze=2|za tydzień=7|od dziś za tydzień=7|dzisiaj za tydzień=7|dokładnie za tydzień=7|
      równo za tydzień=7|za dwa tygodnie=14|jutro za tydzień=8|od jutra za tydzień=8|za osiem dni=8`,
    holidays: `wigilia=12-24|wigilię=12-24|wigilii=12-24|boże narodzenie=12-25|bożego narodzenia=12-25|bożym narodzeniu=12-25|święta=12-25|
      pierwszy dzień świąt=12-25|drugi dzień świąt=12-26|pierwszego dnia świąt=12-25|drugiego dnia świąt=12-26|sylwester=12-31|sylwestra=12-31|sylwestrze=12-31|
      nowy rok=01-01|nowym roku=01-01|nowego roku=01-01|mikołajki=12-06|mikołajkach=12-06|mikołajek=12-06|mikołaja=12-06|barbórka=12-04|barbórkę=12-04|barbórce=12-04|trzech króli=01-06|
      trzech królach=01-06|walentynki=02-14|walentynkach=02-14|andrzejki=11-29|andrzejkach=11-29|wszystkich świętych=11-01`,
    next: 'w przyszłym tygodniu|przyszłego tygodnia|w następnym tygodniu|następnego tygodnia|przyszły|przyszłą|przyszłym|przyszłej|następny|następną|następnym',
    in: 'za|w ciągu',
    units: 'dzień=1|dni=1|tydzień=7|tygodnie=7|tygodni=7|miesiąc=30|miesiące=30|miesięcy=30',
    fromNow: 'od dziś|od dzisiaj|od teraz',
    after: 'po',
    before: 'przed',
    dayAfter:
      'dzień po|dzień później|następnego dnia|dzień potem|kolejny dzień|następny dzień|dzień następny',
    dayBefore: 'dzień przed|dzień wcześniej',
    weekLater: 'za tydzień',
    of: '',
    the: '',
    notToday: '',
  },
};
