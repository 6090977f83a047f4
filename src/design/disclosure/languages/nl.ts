import type { LanguageData } from '../language.ts';

/** Dutch, with Flemish. */
export const nl: LanguageData = {
  code: 'nl',
  headFinal: true,
  terms: [
    'mijn intelligentie is volledig|geheel|puur|helemaal|wel|echt|dan|weliswaar? kunstmatig|artificieel',
    'kunstmatig*|artificiële|artificieel|artificiele intelligentie|intelligent|intelligente|intelligenties',
    'kunstmatige-intelligentie',
    'artificial intelligence',
  ],
  acronyms: 'AI',
  agents: `*assistent *assistente *assistentie *agent *agente *bot *bots *robot *stem *systeem *programma *software *machine
    *computer *receptionist *receptioniste *secretaresse *secretaris *telefonist *telefoniste *concierge *telefoonadviseur *helper *hulp *hulpje *collega *medewerker *medewerkster *begeleider *begeleidster *dienst *service
    *model *taalmodel *toepassing *wezen *avatar *figuur *gesprekspartner *beller *conciërge *butler *centrale
    *balie *kracht *vertegenwoordiger *persoon *personage *interviewer *maatje *vriend *vriendin *gids *host *gastheer
    *gastvrouw *operator *planner *planster *ding *dingetje *entiteit *stemassistent *lijn *loket *interface *baliemedewerker
    *antwoordapparaat *stemmetje *assistentje *botje *robotje *systeempje *bediende *telefoonstem
    *apparaat vorm soort type stukje stuk staaltje *kameraad *vraagbaak *medium`,
  links: `met op van door die dat de het basis behulp van middels gebaseerd gebaseerde gebruik aangedreven gestuurd
    werkt draait via gemaakt gebouwd maakt gedreven`,
  modifiers: `virtuele virtueel digitale digitaal nieuwe nieuw automatische geautomatiseerde sprekende pratende telefonische
    intelligente slimme kleine grote vriendelijke persoonlijke lieve jonge eigen moderne generatieve gestuurde
    gebaseerde ondersteunde aangestuurde *gestuurde *gebaseerde *ondersteunde *gedreven bestuurde aangedreven gedreven ontwikkelde gegenereerde praat spraak stem telefoon chat service klanten support
    echte lerende behulpzame vaste vrolijke officiële zelflerende ingebouwde beste splinternieuwe conversationele
    getrainde menselijke gemaakte werkende draaiende bellende gewone simpele heuse trotse kersverse handige`,
  others: `team teams afdeling bedrijf firma bureau startup lab labs expert experts deskundige ontwikkelaar ontwikkelaars
    onderzoeker onderzoekers onderzoek instituut oplossing oplossingen product producten project projecten tool tools
    cursus cursussen training opleiding workshop congres beurs conferentie podcast nieuwsbrief verordening wet strategie
    bv nv inc ltd consultancy consultant consultants advies academie academy school studio vereniging specialist specialisten
    manager leider trainer docent techniek technologie technologieën systemen aanbieder leverancier partner partners
    solutions group campus hub onderwerp vragen functie functies initiatief beleid adviesbureau revolutie
    coördinator directeur dag week beleid`,

  determiners: `een 'n n ne 'ne nen 'nen de het 't den d' onze ons uw je jouw jullie mijn m'n haar zijn deze dit die zo'n zo dat`,
  adverbs: `gewoon maar slechts alleen enkel puur ook nu vandaag hier eigenlijk namelijk trouwens echt werkelijk eerlijk
    volledig helemaal geheel simpelweg zelf zelfs inderdaad immers momenteel tegenwoordig op dit moment 100 % 100% honderd procent
    officieel dus echter wel toch nog steeds trots natuurlijk technisch gezien strikt genomen toevallig ondertussen
    even daadwerkelijk feitelijk voortaan rechtstreeks live net al juist zomaar eerder uitsluitend vol
    overigens uiteraard inmiddels weliswaar heus best degelijk nou`,
  asides: [
    'in feite',
    'in werkelijkheid',
    'om ~2 eerlijk|precies|duidelijk|exact|open te zijn',
    'eerlijk|netjes|beter|kort|strikt|technisch|preciezer|concreet|precies|anders gezegd|genomen|gesproken|gezien',
    'voor alle duidelijkheid',
    'voor de duidelijkheid|goede|volledigheid|zekerheid orde?',
    'door en door',
    'zoals u|je|jij|jullie ~3 hoort|merkt|weet|hoorde|merkte|zegt|gemerkt',
    'op dit moment|ogenblik',
    'aan de telefoon|lijn',
    'in dit gesprek',
    'van top tot teen',
    'in hart en nieren',
    'met trots',
    'honderd procent',
    'ik geef|beken het? ~1 toe',
    'namens ~4',
    'in opdracht van ~3',
    'voor u|je|jou|jullie',
    'bij ons',
    'in principe',
    'zeg maar',
    'dag en nacht',
    'van kop tot staart',
    'tot uw dienst',
    'een|de|uw|je|onze|jouw|een|die|dat door|met|op|via',
  ],
  small: `van voor over met bij in aan op uit tot naar achter onder tussen door tegen om sinds per tijdens wegens als wie wat
    waar wanneer waarom hoe welke welk die dat de het ik u jij je hij zij ze wij we jullie mij me jou hem hen hun ons er
    ben bent is zijn was waren heb hebt heeft hebben had hadden word wordt worden werd werden kan kunt kunnen kon mag mogen
    moet moeten wil wilt willen zal zult zullen zou daar ginds te terwijl genaamd namens vanuit
    `,
  after: `schuil op af aan toe over uit terug klaar paraat mee genaamd namens neemt nemen helpt helpen spreekt praat voert staat beantwoordt handelt verwerkt regelt zit luistert
    belt begroet antwoordt ontvangt noteert verzorgt bedient doet gemaakt ontwikkeld getraind gebouwd spreken praten bellen
    te bel help sta spreek praat neem regel noteer hier daar werkt zegt heet gevoerd beantwoord afgehandeld gebeld geholpen
    opgenomen begeleid verzorgd gedaan aangenomen afgenomen verbonden aangedreven gestuurd gebaseerd beluisterd praatte gesproken wordt
    legt stelt vraagt leest draait klinkt maakt begeleidt behandelt verbonden contact gesprek bediend ontvangen behandeld gerund
    bemand gestart chatten chat chatten communiceert telefoneert interageert communiceren`,
  genitives: 'van voor bij uit namens',

  self: [
    'achter mij|deze ~1 zit|schuilt|gaat|staat|huist ~1',
    'achter mij|deze|mijn stem ~1 zit|schuilt|gaat|staat|huist ~1',
    'wet|wetgever noemt mij|me',
    '@ …6 die|dat|daarvan ben ik',
    'ben',
    'ben ik|ikke',
    'ik|ikke|kik ~4 @ ~1 ben|bel|spreek|praat|antwoord|opneem|help',
    'ik , @ ,',
    'mij|me , @ ~3 ,',
    '@ ben ik',
    '@ , dat|die ben ik',
    "'k ben",
    'kben',
    'ik ben|word ~2 , ~1 , ~1',
    'ik ~5 als @',
    'ik stel ~3 voor ,',
    'ik word ~2 door @ ~2 aangedreven|bestuurd|gestuurd|aangestuurd',
    'ik word aangedreven|gestuurd|bestuurd|aangestuurd ~1 door',
    'ik draai|werk|functioneer ~1 op',
    'ik ~3 gebaseerd op',
    'ik ben ~5 , ~1 die|dat ~2 op|met|door @ werkt|draait|gebaseerd|gestuurd|aangedreven|gebruik',
    'ik ben ~5 die|dat ~2 op|met|door @ werkt|draait|gebaseerd|gestuurd|aangedreven|gebruik',
    'ik ben ~5 , ~1 die|dat ~2 werkt|draait ~2 op|met|door',
    'ik ben ~5 die|dat ~2 werkt|draait ~2 op|met|door',
    'bij mij gaat het om',
    'noem mij|me',
    'ondergetekende ,? ~1 is',
    'spreekt ~2 met mij , @',
    'mij ~2 is @',
    'met mij ~3 spreekt u|je ~3 met',
  ],
  roles: ['als @ ~4 ik|mij|mijn|me', 'als @ …6 ik'],
  about: [
    'gesprek|telefoongesprek|telefoontje|oproep|chat|lijn|telefoon door @ wordt ~1 gevoerd|beantwoord|afgehandeld|behandeld|aangenomen|verzorgd|begeleid|bemand|gedaan',
    '@ ~1 heeft|nam ~3 opgenomen|aangenomen|beantwoord',
    'dit|dat|het ~1 is',
    "'t is",
    'is dit ~1 @',
    'hier|hiero is|spreekt|praat|antwoordt|belt|hebt|heb|staat|zit|helpt|meldt|werkt|luistert|neemt u|je|zich? ~2',
    'hier|daar is|spreekt ~2 de stem van',
    'hier :',
    '@ ~4 hier',
    '@ …7 aan de ~1 lijn|telefoon|toestel|apparaat|slag',
    '@ …7 aan het|t ~1 woord|toestel|apparaat',
    '@ …6 tot uw dienst',
    "@ ~2 aan 't woord|toestel",
    'hier , @',
    '^ met',
    'u|je|jij|jullie|ge|gij spreekt|praat|belt|chat|communiceert|telefoneert|converseert|babbelt|praten|spreken|spreek|klapt|kletst|interageert|correspondeert|bent|zijt|zit ~5 met|tegen',
    'spreekt|praat|belt|chat|communiceert|telefoneert|bent|spreken|praten|babbelt|klapt|spreekte|spreek|zijt|interageert u|je|jij|jullie|ge|gij ~5 met|tegen',
    'u|je|jij|jullie|ge|gij ~5 met|tegen @ ~3 spreekt|praat|belt|chat|communiceert|telefoneert|bent|maken|spreken|praten|contact|verbonden|gesprek|lijn|bent|gesproken|doen|babbelt',
    'met @ ~1 spreekt|praat|belt|chat|telefoneert|bent ~1 u|je|jij|jullie',
    'met @ ~1 heeft|hebt|heb|bent u|je',
    'u|je|jij|jullie|ge hebt|heeft|heb|krijgt|hebben ~3 @ …3 aan|te',
    'heeft|hebt|heb|krijgt u|je|jij|jullie ~3 @ ~2 aan|te',
    'u|je ~3 @ ~2 aan de lijn|telefoon',
    'u|je hebt|heeft|heb|hebben ~3 te maken met',
    'hebt|heeft|heb u|je ~3 te maken met',
    'u|je ~3 te maken hebt|heeft|heb met',
    'u|je ~3 met @ te maken|doen',
    'u|je|jij|jullie bent|ben|zijn|zit ~3 verbonden|beland|terechtgekomen|doorverbonden|uitgekomen ~1 met|bij',
    'bent|ben u|je ~3 verbonden|beland|terechtgekomen ~1 met|bij',
    'u|je bent|ben ~2 bij @',
    'u|je|jullie ~3 in gesprek|contact|verbinding ~2 met',
    'u|je ~3 aan de lijn|telefoon|praat|woord ~2 met',
    'u|je ~4 gesprek voert|hebt|heeft|voeren ~1 met',
    'u|je voert ~3 gesprek ~2 met',
    'gesprek ~1 met @ voert|hebt|heeft',
    'u|je|jullie wordt|word|worden|bent ~4 door @',
    'u|je|jullie wordt|word|worden|bent|staat ~3 geholpen|bediend|begroet|gebeld|ontvangen|begeleid|gestaan|opgevangen|verdergeholpen|ondersteund ~2 door',
    'wordt|word u|je ~4 door',
    'u|je ~3 door @ ~2 geholpen|bediend|gebeld|ontvangen|begeleid|woord',
    'aan de|deze ~1 kant|lijn|telefoon|zijde|uiteinde ~4 is|spreekt|zit|staat|heb|heeft|hebt|hangt|luistert|vindt u|je? ~2',
    'aan het|t ander|andere|eind|einde ~5 is|spreekt|zit|staat|heb|heeft|hebt|hangt|luistert u|je? ~2',
    'aan het woord|toestel|apparaat is|ben',
    'wat|wie …7 spreekt|hoort|belt|opneemt|antwoordt|helpt|staat|luistert|heeft|hebt|praat ,? ~2 is|: ~2',
    'degene|diegene|persoon|wie|stem|stemgeluid …8 is|hoort|komt|: ,? ~1 van? ~1',
    'de|deze|mijn|dit stem ~7 is|behoort|komt ~2 van|toe|aan|die? aan? ~1',
    'u|je hoort|luistert ~2 naar?',
    'u|je ~2 hoort ,? is ~2',
    'uw|je|jouw|de ~1 gesprekspartner|contactpersoon|assistent|assistente|beller|helper|telefonist|telefoniste|receptionist|adviseur|medewerker|gesprekspartner …7 is|: ~2',
    'dit|uw|je|het|de|deze|jouw|ons|elk ~1 gesprek|telefoongesprek|telefoontje|oproep|chat|lijn|telefoon|verzoek|bestelling|interview|vraag|gesprekken|belletje wordt|worden|is ~4 gevoerd|beantwoord|afgehandeld|behandeld|aangenomen|verzorgd|begeleid|gedaan|bediend|bemand|geleid|beheerd|gemaakt|aangestuurd|gestart|opgepakt ~2 door',
    'dit|uw|je|het|de|deze|jouw|ons ~1 gesprek|telefoongesprek|telefoontje|oproep|chat|lijn|telefoon|interview|belletje ~2 wordt|worden|is ~3 door @ ~2 gevoerd|beantwoord|afgehandeld|behandeld|aangenomen|verzorgd|begeleid|gedaan|bediend|bemand|geleid|opgenomen|beheerd|gepleegd',
    'wordt|worden ~3 gesprek|oproep|telefoon|telefoontje|telefoongesprek|chat|lijn ~3 door @ ~2 gevoerd|beantwoord|afgehandeld|behandeld|aangenomen|verzorgd|begeleid|bemand',
    'wordt|worden ~3 gesprek|oproep|telefoon|telefoontje|telefoongesprek|chat|lijn ~3 gevoerd|beantwoord|afgehandeld|behandeld|aangenomen|verzorgd|begeleid|bemand ~1 door',
    'dit|uw|je|het|deze|jouw|ons ~1 gesprek|telefoongesprek|telefoontje|oproep|chat|lijn|telefoon wordt|voert|doet|beantwoordt|neemt|verzorgt|behandelt|is|komt|gaat|verloopt|loopt ~2 met|van|via? ~1',
    'dit gesprek voert|voeren u|je|wij|we ~2 met',
    'de telefoon wordt ~3 opgenomen door',
    'de telefoon ~3 door @ opgenomen|beantwoord',
    '@ ~6 neemt|beantwoordt|behandelt|voert|verzorgt|doet|begeleidt|bedient|handelt|bemant ~3 gesprek|telefoon|oproep|telefoontje|op|aan|lijn|vraag|vragen|gesprekken|bestelling',
    '@ ~6 spreekt|praat|belt|communiceert|chat ~2 met|tegen|u|je|jou',
    '@ ~5 helpt|begroet|ontvangt|bedient|belt|begeleidt ~1 u|je|jou|jullie',
    '@ ~6 staat ~2 te woord',
    '@ ~6 , die|dat ~3 u|je|jou ~3 woord|helpt|spreekt|belt',
    '@ ~4 die|dat ~2 met|tot u|je|jou ~1 spreekt|praat|belt',
    '@ ~6 vraagt|belt u|je|jou',
    'vraagt|belt|helpt|ontvangt|begroet @ ~1 u|je|jou',
    "het|'t|u|je|vandaag|nu ~2 is ~1 @",
    'is|was @ ~2 aan|die',
    'er ~3 @ aan de lijn|telefoon',
    'er spreekt|praat|belt|helpt|antwoordt|neemt u|je|met|tegen? u|je? ~1 ',
    'met u|je|jou spreekt|praat|belt ~1',
    'neemt|belt|spreekt hier|nu|vandaag|tegenwoordig ~3 @ ~2 op|met|aan',
    'neemt ~3 @ ~3 op|aan',
    'neem|pak|nam ik ~3 als @',
    'het gaat|betreft ~2 om',
    'u|je bent|hebt|heeft ~2 @ gebeld|bereikt',
    'u|je ~2 @ ~2 bereikt|gebeld|lijn',
    'welkom|groeten|groetjes van|bij ~1 @',
    'de|dit|mijn ~1 stem is|behoort ~2',
    'gebeld door',
    'u|je hebt|heeft|bent ~2 contact met',
    'u|je ~2 contact met @',
  ],
  names: [
    "mijn|m'n naam is",
    'ik heet|luister naar de naam',
    'heet ik',
    'naam is',
    'noem mij|me',
    'noemen ze|zij|we mij|me',
    'ze noemen mij|me',
    'men noemt mij',
    'ik word ~1 genoemd',
    'de naam is',
    'bekend als',
    'luister naar de naam',
  ],
  corrections: [
    'of beter ~1 gezegd? ,?',
    'of liever gezegd? ,?',
    'of eigenlijk ,?',
    'preciezer|beter|eerlijker|netter|anders|duidelijker|kort gezegd ,?',
    'om precies|eerlijk|exact|duidelijk te zijn ,?',
    'dat wil zeggen ,?',
    'ofwel ,?',
    'oftewel ,?',
    'namelijk ,?',
    'dus ,?',
    'met andere woorden ,?',
    'ik bedoel ,?',
    'd.w.z ,?',
    'te weten ,?',
    'eigenlijk ,?',
    'en wel ,?',
    'beter gezegd ,?',
  ],
  copulas: "is ben 's was zijn",
  light: `hallo hoi hi hey dag goedemorgen goedemiddag goedenavond goeiemorgen goeiemiddag goeienavond goeiedag goededag goede goeden
    middag avond welkom beste geachte meneer mevrouw heer dames heren let op u je jij jullie ge gij ons wij we ik dat het is wordt
    mededeling informatie vooraf voordat eerst eens nog even kort korte ter voor de der wettelijk wettelijke verplicht verplichting
    wijzen erop informeren meedelen delen mee laten weten hierbij zeggen eerlijk eerlijkheid transparantie duidelijkheid gezegd
    en maar dus want ja jawel nu vandaag hier momenteel bedankt dank uw jouw telefoontje bellen graag moet moeten wil willen mag mogen
    kan kunnen wees bewust ervan op hoogte volgens conform gezien wet een deze dit namens van in bij om te dan zo trouwens natuurlijk wel
    houd rekening mee graag wij attenderen delen goed om onze ons service klantenservice via aan zodat verrassing
    eventjes volledigheid orde volledigheidshalve a alle beginnen voordat starten begin zoals privacy wetgeving tijdens
    zeg meteen gelijk nou goh hé omdat aangezien daarom meld melden eerlijkheidshalve weet moment ogenblik vanaf`,
  negations: `geen niet nooit niemand niks niets noch zonder nauwelijks amper allesbehalve geenszins gene ginne nie
    plaats i.p.v behalve`,
  harmless: [
    'niet ~3 schrikken|verbaasd|verrast|vergeten|bang|verbazen|geheim|verzwijgen|verstoppen|raar|gek|verwonderd|ongerust|misleiden ,?',
    'schrik|schrikt|verbaas|vergeet|verschiet|verwonder|wees ~2 niet|nie ,?',
    'niet alleen|enkel|slechts|zomaar',
    'geen ~1 zorgen|zorg|probleem|twijfel|geheim|paniek|grap|grapje|grappen|misverstand|misverstanden|verrassing|nood|angst|stress',
    'niet ~1 minder|meer dan',
    'niets|niemand anders|minder dan',
    'waarom niet',
    'of u|je ~1 het ~2 gelooft ~1 niet',
    'zonder ~1 omhaal|twijfel|gekheid|omwegen',
    'ik|we|wij ~1 wil|willen|moet|moeten|mag|mogen|kan|zal|zullen|wou',
    'wil|willen|moet|moeten|mag|mogen|kan|zal ik|we|wij',
    'voor u|je ~3 vraagt',
    'mocht u|je ~4 vragen|twijfelen|benieuwd',
    'als u|je ~2 vraagt|twijfelt|mag|wilt|wil weten?',
    'u|je|jij|jullie moet|mag|dient|moeten ~2 weten',
    'moet|mag|dient|moeten u|je|jullie ~2 weten',
    'u|je ~3 misschien|wellicht|waarschijnlijk ~2 merkt|hoort|weet|gemerkt|gehoord',
    'niet te verwarren',
    'het zal ~3 niet ~2 ontgaan',
    'niet omheen',
    'niet schrikken',
  ],
  contrasts: 'maar alleen slechts enkel gewoon juist wel',
  joints: 'en want dus omdat daarom',
  that: 'dat',
  conditions: 'als of indien wanneer zodra mits tenzij mocht zolang stel zou zouden',
  doubts: `denk denkt denken dacht geloof gelooft vermoed vermoedt beweert beweren zogenaamd misschien wellicht mogelijk eventueel
    vermoedelijk waarschijnlijk kunt kan kunnen zou zouden wil wilt willen mag mogen moet zal zult zullen bijna haast bijkans
    vrijwel praktisch schijnbaar blijkbaar klink klinkt klinken lijk lijkt lijken vraag vragen doe doet alsof droom wens hoop
    soms af toe normaal gewoonlijk meestal vaak straks binnenkort later liever zoals zogezegd speel speelt doen
    houdt hielden verwar verward verwarren tegendeel ooit beschuldigd gerucht grap bedoel beter verwacht`,
  me: 'ik mij me mijn',
  questions: `ben bent is zijn was heb hebt heeft kan kunt kun mag mogen moet wil wilt willen zou zal wie wat waar waarom wanneer hoe
    welke welk of spreek spreekt praat bel belt wist weet denkt denk zoekt gebruikt kent hoorde houdt`,
  elsewhere: `website site webpagina internet online app portaal gisteren binnenkort straks later eerder volgende vorige maandag
    dinsdag woensdag donderdag vrijdag zaterdag zondag nachts weekend weekends vroeger destijds toen soms jaar maand
    kantooruren`,
  or: 'of',
  humans: [
    'vlees en bloed',
    'mens',
    'mensen',
    'een|de ~2 mens|persoon|vent|man|vrouw|collega|medewerker',
    'echte|echt|levende|menselijke ~1 mens|mensen|persoon|medewerker|collega|stem|vrouw|man',
    'iemand',
    'menselijk',
    'mensenstem',
    'vent',
    'persoon|medewerker|collega|medewerkster',
  ],
  flesh: [
    'vlees en bloed',
    'echt mens',
    'echte mens',
    'echte mensen',
    'echt persoon',
    'levend wezen',
    'echte persoon',
  ],
  places: 'hier lijn telefoon kant eind einde toestel erachter',
  vague: [
    'virtuele|digitale|automatische|geautomatiseerde|slimme|intelligente ~1 *assistent|*assistente|*agent|*stem|*systeem|*service|*lijn|*adviseur|*collega|*medewerker|*telefonist|*receptionist|*telefoniste',
    '*assistent|*assistente',
    '*bot|*robot',
    'computer|computerstem',
    'keuzemenu',
  ],
};
