import type { LanguageData } from '../language.ts';

/** German, with what is heard of it in Austria, Switzerland and the north. */
export const de: LanguageData = {
  code: 'de',
  headFinal: true,
  capitalNouns: true,
  terms: [
    'meine intelligenz ist ganz|völlig|rein|komplett|zwar|vollständig? künstlich',
    'künstlich ist ~1 meine intelligenz',
    'künstlich*|kuenstlich*|künschtlich*|künstliche-intelligenz intelligenz*|intelligent*|intelligänz|intelligenzia',
    'künstliche-intelligenz',
    'künstlich-intelligent*',
    'artificial intelligence',
    'ki-basis',
    'ai-basis',
    'ki-technologie',
    'ki-technik',
  ],
  acronyms: 'KI AI KIs AIs',
  agents: `*assistent *assistentin *assistenten *assistenz *assischtent *assischtentin *assistänt *assistäntin *agent
    *agentin *agenten *bot *bots *roboter *robo *stimme *system *systems *programm *programms *software *maschine
    *computer *rezeptionist *rezeptionistin *rezeptionskraft *sekretär *sekretärin *sekretariat *telefonist
    *telefonistin *concierge *kundenberater *kundenberaterin *telefonberater *telefonberaterin *helfer *helferin *kollege *kollegin *kollegen *mitarbeiter
    *mitarbeiterin *mitarbeitende *mitarbeiterstimme *begleiter *begleiterin *dienst *service *modell *sprachmodell
    *anwendung *wesen *avatar *figur *rezeption *empfang *empfangsdame *empfangskraft *gesprächspartner *gesprächspartnerin
    *ansprechpartner *ansprechpartnerin *anrufer *anruferin *anrufbeantworter *disponent *disponentin *hilfe
    *telefonassistenz *butler *kraft *bürokraft *vertretung *aushilfe *lotse
    *lotsin *person *persona *instanz *interviewer *interviewerin *kumpel *freund *freundin *gehilfe *gehilfin
    *sachbearbeiter *sachbearbeiterin *ding *dings *dame *wirt *wirtin *kellner *kellnerin *vermittlung
    *dialogsystem *annahme *schnittstelle form art stück *fräulein`,
  links: `mit auf von durch aus der des basis grundlage basierend basierende mittels hilfe
    gestützt betrieben gesteuert namens`,
  modifiers: `virtuell* digital* neu* automatisch* automatisiert* sprechend* telefonisch* intelligent* smart* klein*
    groß* freundlich* persönlich* nett* schlau* klug* fleißig* jung* eigen* moderne* generativ* dialogfähig*
    sogenannt* reine waschecht* echt* lernend* gesteuert* basiert* basierend* gestützt* unterstützt* betrieben*
    generiert* sprach voice stimm telefon chat service kunden support telefonie termin dialog conversational dein*
    redend* plaudernd* arbeitend* laufend* freundliche* offiziell* gutgelaunt* brandneu* hilfsbereit* ganz* rund`,
  others: `team teams abteilung firma unternehmen agentur startup start-up labor lab labs experte expertin experten
    berater beraterin berater-team entwickler entwicklerin entwicklung forscher forscherin forschung forschungsinstitut institut lösung
    lösungen produkt produkte projekt projekte tool tools werkzeug kurs kurse seminar schulung workshop konferenz
    messe gipfel podcast newsletter verordnung gesetz strategie gmbh ag kg ug ltd inc consulting beratung
    zentrum akademie schule hochschule studio verein verband beauftragte beauftragter beauftragten spezialist
    spezialistin manager managerin leiter leiterin trainer trainerin dozent dozentin technik technologie
    technologien systeme programme anbieter hersteller händler partner partners solutions group campus hub bereich
    thema themen fragen anwendungen funktion funktionen initiative gesellschaft`,

  determiners: `seine seiner seinem seinen ein eine einer einem einen eines 'ne 'n 'ner 'nem ne n nem ner 'nen a en e es ere eren d' d der die das
    dem den des de dr unser unsere unserer unserem unseren ihr ihre ihrer ihrem ihren dein deine deiner deinem deinen
    euer eure eurer eurem euren mein meine meiner meinem dieser diese dieses diesem diesen so üs üsi üse jene jener`,
  adverbs: `aber leider glücklicherweise freilich dagegen hingegen doch ohnehin sowieso bereits immerhin echt voll total bedauerlicherweise inzwischen mittlerweile dennoch trotzdem eindeutig definitiv nur bloß bloss ja halt eben nämlich übrigens tatsächlich wirklich eigentlich einfach lediglich rein
    ausschließlich auch jetzt heute hier gerade derzeit momentan aktuell ehrlich offen gerne gern sogar selbst selber
    schlicht schlichtweg komplett vollständig ganz durch durchaus zu 100 % 100% prozent hundertprozentig offiziell
    zwar also allerdings jedoch technisch schon noch stolz natürlich gleichwohl nunmehr nun streng genommen
    zugegebenermaßen zugegeben bekanntlich direkt persönlich live grad grade eh fei scho nu man
    vielmehr`,
  asides: [
    'für uns',
    'mit ihnen|dir|euch',
    'zu ihnen|dir|euch',
    'ihnen|dir|euch|sie|dich',
    'seit kurzem|heute',
    'vor allem',
    'in echt',
    'in der tat',
    'in wahrheit|wirklichkeit',
    'im übrigen',
    'um ~2 ehrlich|genau|offen|präzise|fair|transparent|klar zu sein',
    'ehrlich|genauer|genau|offen|kurz|besser|streng|anders gesagt|genommen|gestanden',
    'zu hundert prozent',
    'durch und durch',
    'von kopf bis fuß',
    'wie sie|du|ihr ~4 hören|merken|wissen|hörst|merkst|weißt|gemerkt',
    'ich gestehe|gebe es? zu?',
    'der form halber',
    'der ordnung halber',
    'im moment',
    'im augenblick',
    'zur zeit',
    'am telefon',
    'am apparat',
    'in diesem moment|augenblick|gespräch|telefonat|anruf',
    'mit stolz',
    'mit haut und haar',
    'an dieser stelle',
    'bei diesem anruf|gespräch|telefonat',
    'aus fleisch und strom',
    'wenn|falls ~4',
    'für sie|dich|ihnen|dir|euch',
    'vom scheitel bis zur sohle',
    'bei uns',
    'im namen ~4',
    'im auftrag ~4',
    'rund um die uhr',
    'ein|eine|einem|einer|ihr|ihre|ihrem|ihrer|dein|deine|unser|unsere|der|die|das mit|von|durch|auf|per',
    'mit leib und seele',
  ],
  small: `von vom für über mit bei beim in im an am auf aus zu zum zur nach vor hinter unter zwischen durch gegen um
    seit bis per während wegen als wie wer was wo wann warum welche welcher welches die der das den dem des deren
    dessen ich du er sie es wir ihr mir mich dir dich ihn ihm ihnen uns euch sich man i ick ik mer bin bist ist sind
    seid war waren bi bisch isch habe hab hast hat haben hatte werde wird werden wurde wurden kann können könnte
    darf dürfen soll sollen muss müssen will wollen möchte möchten würde spricht sprechen da dort namens 's 'm zu vo
    vom em ere gell`,
  verbs: 'ist sind war hat habe haben wird werden kann könnte soll muss will darf würde spricht sprechen',
  after: '',
  genitives: 'der des von vom für bei beim aus im in am vo fürs',

  self: [
    'bin eine|einer von|der ~1 @',
    '@ ~2 , mit der|dem ~1 sie|du|ihr ~1 gerade|jetzt|hier|aktuell|momentan|eben|derzeit ~2 sprechen|reden|telefonieren|sprichst|redest|telefonierst',
    '@ …6 die|das|der|diese|eine|einer bin ich|i',
    '@ …6 eine|einer davon bin ich',
    'das gesetz nennt mich',
    'gesetz|gesetzgeber|juristisch nennt mich',
    'bin',
    'bi',
    'bün',
    'i ben',
    'bin|bi|bün ~1 ich|i|ick|ik|eich',
    "bin 's ,?",
    'ich|i|ick|ik ~4 @ ~1 bin|bi|spreche|arbeite|telefoniere|anrufe|verkörpere|darstelle',
    'ich , @ ,',
    'ich|mich|mir , @ ~3 ,',
    '@ bin|bi ich|i|ick',
    '@ , das|die|der bin|bi ich|i',
    'ich arbeite|spreche|diene|fungiere|melde|agiere|wurde|telefoniere hier|heute|jetzt|mich|ihnen|sie|dich|dir|ja|nämlich? hier|heute? als',
    'ich stelle ~3 vor ,',
    'bei mir handelt ~1 es sich ~2 um',
    'es sich bei mir ~3 um @',
    'sich bei mir ~3 um @',
    'hinter|in mir ~1 steckt|steht|verbirgt|arbeitet|werkelt|sitzt sich?',
    'ich basiere|beruhe ~1 auf',
    'ich auf @ basiere|beruhe',
    'ich werde ~2 von|durch @ gesteuert|betrieben|angetrieben|gesprochen',
    'ich|mich ~4 , der|die|das ~2 auf|mit|von|durch @ basiert|beruht|arbeitet|funktioniert|läuft|gesteuert|betrieben',
    'bin ~5 , der|die|das ~2 auf|mit|von|durch @ basiert|beruht|arbeitet|funktioniert|läuft|gesteuert|betrieben',
    'ich gehöre zur gattung',
    'mit mir , @',
    'mit mir ~2 sprechen|reden|telefonieren|haben sie|du ~3 mit',
    'mit mir ~1 haben|hast sie|du ~2 @',
    'nennen|nenn sie? mich',
    'mit mir als @',
    'von mir , @',
    'ich ~2 , ~1 bin',
    'meine wenigkeit , @',
    'aus mir spricht',
    'hinter dieser|meiner stimme ~1 steckt|steht|verbirgt|sitzt sich?',
  ],
  roles: ['als @ ~4 ich|i|mir|mich|mein|meine|meinem|meiner|meinen', 'als @ …6 ich'],
  about: [
    'die|diese|meine|unsere ~2 stimme …6 gehört|ist|stammt|kommt , ~1 von|zu|aus|die?',
    'die|diese|meine ~2 stimme …6 gehört|ist|stammt|kommt von|zu|aus|die?',
    'um ihr|ihren|dein|deinen ~1 anliegen|anruf|termin|bestellung|frage kümmert sich',
    'hier|da ~2 @ ~2 spricht|antwortet|telefoniert|rangeht|sitzt|abnimmt|annimmt|hilft|ist',
    'dieser|der|dieses|das anruf|gespräch|telefonat erfolgt|stammt|kommt|läuft|findet|geschieht ~2 durch|von|mit|über',
    'es ruft sie|dich @ an',
    '^ hier',
    'hier|da|do|dat|dit ist|isch|is|iss|sind|spricht|redet|schwätzt|grüßt|antwortet|telefoniert|meldet|ruft|begrüßt|hilft|berät|bedient|hört|schreibt|arbeitet|wacht|schnackt|schafft|babbelt|plaudert|bimmelt|erreichen|kümmert sich?',
    'hier|da ~2 spricht|meldet|antwortet|begrüßt sie|dich|euch|ihnen|dir|sich',
    'hier ist|spricht ~3 die stimme',
    'hier ~3 am apparat|telefon :? ,?',
    'hier :',
    'hier am apparat|telefon ist|spricht',
    '@ hier|am apparat|telefon',
    '@ ~4 hier|dran',
    '@ ~6 apparat',
    '@ ~8 am telefon|apparat|hörer',
    '@ …7 an|in der leitung|strippe',
    '^ ~3 hier ,',
    'am|an|auf apparat|telefon|hörer|leitung|strippe ~3 ist|isch|spricht|sitzt|hängt|haben|hast|begrüßt|steht',
    'am|auf anderen|der ende|seite ~4 ist|spricht|sitzt|hört|haben|wartet|antwortet|steht|begrüßt|arbeitet',
    'am anderen|andern ende ~4 ist|spricht|sitzt|hört|haben|wartet|antwortet|arbeitet',
    'auf dieser seite ~3 ist|spricht|sitzt|hört',
    'es|ihnen|dir|euch|sie|dich|jetzt|heute spricht|begrüßt|antwortet|meldet|hilft|berät|bedient|betreut|unterstützt|telefoniert|grüßt ~1 sich|ihnen|dir|sie|dich|euch? ~1 hier|heute|jetzt?',
    'mit ihnen|dir|euch|wem spricht|redet|telefoniert',
    'spricht|telefoniert|redet ~2 mit ihnen|dir|euch',
    'dies|das|dat|dieses ist|isch|is|hier ~1 ist?',
    'sie|du|ihr|se|si|wir sprechen|sprichst|sprecht|reden|redest|redet|telefonieren|telefonierst|telefoniert|unterhalten|unterhältst|chatten|chattest|kommunizieren|kommunizierst|plaudern|plauderst|schwätzet|rede|reded|schnacken|schnackst|quatschst|interagieren|verhandeln|schreiben|schreibst|korrespondieren ~5 mit|mid|met',
    'sprechen|sprichst|sprecht|reden|redest|telefonieren|telefonierst|unterhalten|unterhältst|chatten|chattest|kommunizieren|rede|reded|schnacken|interagieren|schnackst|plauderst sie|du|ihr|se|si|de ~5 mit|mid',
    'sprichste|redeste|telefonierste|sprechen ~3 mit',
    'sie|du|ihr|si ~5 mit @ ~2 sprechen|sprichst|sprecht|reden|redest|telefonieren|telefonierst|unterhalten|chatten|chattest|kommunizieren|verbunden|interagieren|interagierst|führen|führst|tun|plaudern|kommunizierst|kommt|rede',
    'sie|du|ihr ~5 von|durch @ ~2 betreut|beraten|bedient|begrüßt|angerufen|unterstützt|empfangen|geholfen',
    'mit @ ~1 sprechen|sprichst|sprecht|reden|redest|telefonieren|telefonierst|unterhalten ~1 sie|du|ihr|wir',
    'mit @ ~1 haben|hast ~1 sie|du ~2 zu tun|gespräch|vergnügen',
    'mit @ ~2 verbunden',
    'sie|du|ihr haben|hast|habt|hent ~3 @ ~1 am|an|in|auf ~1 apparat|telefon|leitung|strippe|ohr|hörer|draht',
    'haben|hast|habt sie|du|ihr ~3 @ ~1 am|an|in ~1 apparat|telefon|leitung|strippe|ohr|hörer|draht',
    'sie|du|ihr haben|hast|habt es ~3 mit',
    'haben|hast|habt sie|du|ihr es ~3 mit @',
    'sie|du|ihr es ~3 mit @ zu tun',
    'sie|du|ihr haben|hast|habt ~3 @ erreicht|angerufen|erwischt|dran',
    'sie|du|ihr ~3 @ erreicht|angerufen|erwischt ~1 haben|hast',
    'haben|hast sie|du ~2 @ erreicht|erwischt|dran',
    'sie|du sind|bist ~3 mit|bei @',
    'sind|bist sie|du ~3 mit @ verbunden',
    'sie|du ~3 im gespräch mit',
    'sie|du hören|hörst ~3 @',
    'sie|du|ihr werden|wirst|werdet ~4 von|durch @ …3 betreut|beraten|bedient|begrüßt|angerufen|unterstützt|empfangen|begleitet|verbunden',
    'ihr|ihre|dein|deine|der|die ~1 gesprächspartner|gesprächspartnerin|ansprechpartner|ansprechpartnerin|gegenüber|anrufer|anruferin|assistent|assistentin|begleiter|begleiterin|berater|beraterin|gesprächspartnerin|telefonpartner|stimme …7 ist|heißt',
    'ihr|ihre|dein|deine ~1 gesprächspartner|gesprächspartnerin|ansprechpartner|ansprechpartnerin|assistentin|assistent|gegenüber : @',
    'wer|was|mit …7 spricht|redet|telefoniert|sprechen|hören|anruft|abnimmt|begrüßt|antwortet|rangeht|sprichst|hörst|ist|zuhört|bedient|hilft ,? ~1 ist|:',
    'stimme …6 ist|gehört|stammt|kommt|hören|ist , ~2 von|zu|aus|die?',
    'stimme …6 ist|gehört|stammt|kommt ,',
    'was|wen sie|du ~3 hören|hörst , ist',
    'diese|diesen|dieses|dieser|der|das|den|die|ihr|ihren|unser|unseren|dein|deinen ~1 anruf|gespräch|telefonat|anrufs|telefongespräch|unterhaltung|chat|telefon|interview|leitung|hotline|anliegen|anfrage|bestellung|anrufe wird|werden ~5 von|durch|mit ~1 @ ~3 entgegengenommen|geführt|beantwortet|bearbeitet|betreut|angenommen|abgewickelt|bedient|abgenommen|durchgeführt|gemacht|erledigt|übernommen|getätigt|besetzt|geleitet',
    'wird|werden ~2 anruf|gespräch|telefonat|chat|unterhaltung|telefongespräch ~4 von|durch|mit @ ~3 entgegengenommen|geführt|beantwortet|bearbeitet|betreut|angenommen|abgewickelt|bedient|abgenommen|durchgeführt|getätigt|übernommen',
    'anruf|gespräch|telefonat|chat|unterhaltung|telefongespräch ~3 von|durch @ ~3 entgegengenommen|geführt|beantwortet|bearbeitet|betreut|angenommen|abgewickelt|bedient|durchgeführt|getätigt',
    'diese|diesen|dieses|dieser|das|den|ihren|ihr|deinen ~1 anruf|gespräch|telefonat|chat|telefongespräch|hörer|unterhaltung|telefondienst|telefon|hotline|leitung|anliegen|interview|bestellung ~1 führt|führe|beantwortet|bearbeitet|übernimmt|nimmt|betreut|bedient|macht|erledigt',
    'gespräch|anruf|telefonat|chat ~1 ~1 führen|führst|findet sie|du? ~4 mit',
    'sie|du führen|führst ~2 gespräch|telefonat ~2 mit',
    '@ ~6 spricht|telefoniert|redet|verhandelt|plaudert ~3 mit ihnen|dir|euch',
    '@ …6 , das|die|der ~3 mit ihnen|dir|euch ~2 spricht|telefoniert|redet',
    '@ …6 spricht|antwortet|telefoniert|redet hier|ihnen|dir|gerade|jetzt',
    '@ ~5 nimmt|nehme|führt|beantwortet|bearbeitet|begleitet|übernimmt ~3 anruf|anrufe|gespräch|telefonat|hörer|anliegen|fragen|bestellung|chat',
    '@ ~5 nimmt ~4 entgegen|ab',
    '@ ~5 begrüßt|berät|bedient|betreut|unterstützt|hilft|begleitet ~1 sie|dich|euch|ihnen|dir',
    '@ ~4 ruft ~2 an',
    '@ ~2 hat ~3 angenommen|abgenommen|abgehoben|rangegangen|entgegengenommen',
    '@ ist|geht|is ~2 am|an|dran|ans|ran',
    'kein ~6 , sondern ~2 @ am|an|in',
    'nimmt|nehmt|nahm|geht hier|heute|jetzt|gerade ~2 @ ~4 ab|an|entgegen|ran|dran|telefon|anrufe|hörer|anruf',
    'handelt es sich ~3 um',
    'es sich ~7 um @ ~1 handelt',
    'es ist ~1 @',
    'ist|is @ dran|hier|apparat',
    'ich , ~1 bin @',
    'willkommen|grüße|gruß|grüezi|servus von|bei|vo ~1 @',
    'anruf|nachricht von|einer|der ~1 @',
    'am telefon :',
    'wird ~4 von|durch @ geführt|beantwortet|entgegengenommen|angenommen',
  ],
  names: [
    'mein|mei name|nome|nama ist|isch|is|lautet',
    'ich|i|ick heiße|heiß|heiss|heisse|heeß',
    'heiße|heisse ich',
    'man nennt mich',
    'name ist|lautet',
    'nennen sie mich',
    'nenn mich',
    'nennt mich',
    'ich höre auf ~2 namen',
    "ich bin 's ,?",
    'mich nennt man',
    'genannt',
    'bin ich',
  ],
  corrections: [
    'oder ~1 besser|genauer|vielmehr ~1 gesagt? ,?',
    'genauer|besser|präziser|ehrlich|anders|kurz|klar|deutlich gesagt ,?',
    'das heißt ,?',
    'also ,?',
    'sprich ,?',
    'nämlich ,?',
    'und zwar ,?',
    'um genau|präzise|ehrlich|exakt zu sein ,?',
    'genau genommen ,?',
    'genaugenommen ,?',
    'ich meine ,?',
    'kurz ,?',
    'mit anderen worten ,?',
    'vielmehr ,?',
    'beziehungsweise ,?',
    'bzw ,?',
    'd.h ,?',
    'bin ich ,?',
  ],
  copulas: "ist isch is 's bin war sind",
  light: `hallo hi hey guten gute guete grüezi grüß grüss gott servus moin tach tag gruezi abend willkommen
    herzlich liebe lieber sehr geehrte geehrter geehrten damen herren dame herr herrn frau bitte beachten sie du ihr ihnen dir euch
    dich uns wir ich dass das es ist wird hinweis zur zum info information vorab vorweg zunächst zuerst eins noch
    kurz kleiner wichtig wichtiger transparenz halber der die den gemäß nach laut gesetz gesetzlich gesetzlichen pflicht
    informationspflicht weise weisen darauf hin teile teilen mit informieren informiere sage sagen ganz offen ehrlich gesagt
    und aber denn also ja jetzt heute hier gerade aktuell momentan derzeit danke vielen dank für ihren deinen anruf
    wissen wisst weißt sollten solltest müssen muss möchte möchten darf dürfen will wollen kann können hiermit übrigens
    natürlich zwar im am bei in rahmen damit kein missverständnis entsteht klar gesagt nur fürs protokoll moment augenblick
    vertretung service unsere unserer unserem unser ein eine einen einem diesem dieser dieses telefonat gespräch anruf schön gut gern gerne
    übrigens tatsächlich statt zu unserem kunden datenschutz grund gründen aus rechtlichen transparenzgründen
    gäll gell na nun so nämlich deshalb darum daher weil da zugegeben ganz verpflichtet vorschrift stelle dieser aufmerksam bewusst`,

  negations: `kein keine keiner keinem keinen keines koa koane keni kei kän nicht nit nich ned net nie niemals nichts nix
    niemand niemanden niemandem weder ohne statt anstatt anstelle kaum keinesfalls keineswegs anders keen keene`,
  harmless: [
    'ich|wir ~1 muss|will|darf|möchte|möchten|müssen|kann|dürfen ~4 sagen',
    'gleich vorweg|vorab|zu|am|vorneweg beginn|anfang?',
    'statt|anstatt|anstelle der|einer|einem|des|von ~1 warteschleife|band|bandansage|menschen|mensch|kollegen|anrufbeantworters|anrufbeantworter',
    'muss|will|darf|möchte|möchten|müssen|kann|lassen|dürfen ~4 sagen',
    'sie|du|ihr sollten|müssen|solltest|musst|solltet ~2 wissen',
    'sollten|müssen|solltest|musst|solltet sie|du|ihr ~2 wissen',
    'nicht|net|ned|nit|nich ~3 wundern|erschrecken|überrascht|verschweigen|verheimlichen|vergessen|verwundert|vorenthalten|verstecken|irritieren|täuschen|schlimm|erschrick|wunder ,?',
    'wundern|erschrecken|erschrick|wunder|wundere|vergessen|verhehle|verschweige ~3 nicht|ned|net|nit',
    'nicht nur|bloß|allein|zuletzt',
    'kein|keine|keinen ~1 sorge|angst|problem|zweifel|geheimnis|scheu|hehl|scherz|witz|bange|panik|missverständnis|missverständnisse|frage|umschweife',
    'ohne ~1 umschweife|wenn|scheu|zweifel|witz',
    'nichts|niemand ander* als',
    'nicht ~1 weniger|mehr als',
    'warum|wieso nicht',
    'ob sie|du|ihr ~1 es ~2 glauben|glaubst|wollen ~1 nicht',
    'nicht wahr',
    'nicht ~1 mit ~3 verwechseln',
    'ich|wir ~1 möchte|möchten|muss|müssen|will|wollen|darf|dürfen|soll|sollen|kann',
    'möchte|möchten|muss|müssen|darf|dürfen|will|wollen ich|wir',
    'muss|darf ~1 gesagt|sagen',
    'kaum zu glauben',
    'glauben sie|s mir ,?',
    'glaub|glaube mir|s ,?',
    'wie|was sie|du ~4 vielleicht|möglicherweise|wahrscheinlich ~3',
    'soll heißen',
    'keine andere als',
    'kein anderer als',
    'bevor sie|du ~2 fragen|fragst',
    'falls|wenn|bevor sie|du ~4 fragen|fragst|wundern|wunderst|wissen|möchten|wollen',
    'nicht ~1 ohne ~1 hinweis',
  ],
  contrasts: 'sondern aber nur bloß bloss lediglich vielmehr stattdessen dafür',
  joints: 'und un u weil denn deshalb darum daher wobei',
  that: 'dass daß',
  conditions:
    'wenn falls sofern sobald solange wäre wär wärst würde würden würd wären ob angenommen außerhalb hätte hätten',
  doubts: `war waren gleich nachher anschließend danach sagen glaube glaubt glauben glaubst denke denken denkt denkst meint vermute vermuten vermutet behauptet behaupten
    behaupte angeblich vielleicht womöglich eventuell möglicherweise vermutlich wahrscheinlich könnte könnten kann können kannst
    möchte möchten möchtest will wollen willst wollten darf dürfen soll sollen sollte sollten muss müssen fast beinahe quasi praktisch gleichsam
    klinge klingt klingen wirke wirkt wirken scheint scheinen scheine fragen fragt frage träume träumt wünsche wünschen
    manchmal gelegentlich normalerweise meistens oft üblicherweise sonst bald demnächst künftig zukünftig später lieber wie
    sogenannte tun tue spiele spielt sagt hält halten haltet hielt halte verwechselt verwechseln vorstellen stell stellen gegenteil ehemals früher
    besser gegen beschuldigt verdächtigt verdacht gerücht scherz witz`,
  me: 'ich i ick mir mich mein meine meiner meinem meinen',
  questions: `bin bist ist sind seid war haben hast hat kann können könnten darf dürfen soll sollen will wollen möchten möchtest
    würden wer was wen wem warum wieso weshalb wann wo wie welche welcher ob sprechen sprichst reden redest telefonieren spreche rede hätten wussten wissen weißt glauben glaubst suchen
    interessieren brauchen kennen nutzen nutzt habt werden wird wirst denken finden`,
  elsewhere: `website webseite homepage internet online app portal gestern bald demnächst künftig zukünftig später früher
    nächste nächsten nächster letzte letzten letztes vergangene montag dienstag mittwoch donnerstag freitag samstag sonntag
    nachts abends wochenende wochenenden feierabend zuvor neulich damals manchmal sommer winter jahr woche monat außerhalb feiertagen`,
  or: 'oder',
  humans: [
    'aus fleisch',
    'mensch',
    'menschen',
    'ein|einem|einen|der|dem|a|richtiger ~2 mensch|menschen',
    'echte|echten|echter|echtem|wirkliche|richtige|richtigen|leibhaftige|leibhaftigen ~1 person|mensch|menschen|kollegin|kollege|kollegen|mitarbeiter|mitarbeiterin|frau|mann|stimme',
    'eine|einer ~1 echte|echten|richtige|richtigen|wirkliche|lebende|leibhaftige|menschliche ~1',
    'ein|eine|einem|einer ~1 mensch|person|frau|mann|kollege|kollegin|mitarbeiter|mitarbeiterin|lebewesen|stimme',
    'menschlich',
    'menschliche ~1 stimme|person',
    'persönlich für sie da',
    'jemand',
    'niemand',
    'lebende seele',
    'kollege|kollegin|mitarbeiter|mitarbeiterin|person',
  ],
  flesh: [
    'aus fleisch und blut',
    'mit herz und puls',
    'leibhaftige person',
    'leibhaftiger mensch',
    'echter mensch',
    'echten menschen',
    'echtem menschen',
    'menschlicher mitarbeiter',
    'mensch aus fleisch',
  ],
  places: 'hier apparat leitung telefon ende seite hörer dran strippe dahinter da',
  vague: [
    'virtuell*|digital*|automatisch*|automatisiert*|smart*|intelligent* ~1 *assistent|*assistentin|*assistenz|*agent|*agentin|*stimme|*system|*service|*concierge|*berater|*beraterin|*kollege|*kollegin|*begleiter|*begleiterin|*helfer|*helferin',
    '*assistent|*assistentin|*assistenz',
    '*bot|*roboter',
    'computer|computerstimme',
    '*ansage|*bandansage',
  ],
};
