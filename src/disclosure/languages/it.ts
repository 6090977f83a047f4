import type { LanguageData } from '../language.ts';

/** Italian. */
export const it: LanguageData = {
  code: 'it',
  headFinal: false,
  terms: [
    'intelligenza|intelligenze ~3 artificiale|artificiali',
    'intelligenza in tutto e per tutto artificiale',
    'intelligenza quanto|più di più? artificiale',
    'intelligenza ,? sì ,? ma artificiale',
    'artificialmente intelligente',
    'artificial intelligence',
  ],
  acronyms: 'IA AI',
  agentNouns: `assistente assistenti agente agenti bot *bot chatbot callbot voicebot robot* automa receptionist
    operatore operatrice sistema voce centralinista centralino telefonista concierge segretario segretaria
    interlocutore interlocutrice macchina programma programmino software computer
    calcolatore entità personaggio avatar collega compagno compagna guida creatura maggiordomo     impiegato impiegata dipendente aiutante aiuto risponditore modello collaboratore collaboratrice coach copilota
    intervistatore intervistatrice rappresentante amico amica messaggero messaggera portavoce dispositivo
    strumento interfaccia addetto addetta cameriere cameriera coordinatore coordinatrice mente cervello cervellone
    cosa algoritmo portinaio portiere portiera hostess tutor commesso commessa cuore`,
  links: `di d' da a con per su del dell' dello della dal dall' sull' sulla all' nell' basat* fondat* dotat* spint*
    potenziat* alimentat* animat* gestit* generat* assistit* equipaggiat* fatt* creat* costruit* moss* programmat* che
    usa funziona lavora gira la l' il un un' una base tipo grazie tramite mediante addestrat* sviluppat* azionat*
    guidat* governat* pilotat* interamente totalmente completamente`,
  modifiers: `virtual* virtuale virtuali digitale digitali vocale vocali telefonico telefonica nuovo nuova nuovissimo
    nuovissima automatico automatica automatizzato automatizzata intelligente intelligenti conversazionale piccolo
    piccola giovane umile semplice vero vera autentico autentica pura puro grande buon buona brava bravo gentile
    gentilissimo gentilissima simpatico simpatica super ultima ultimo propria proprio fedele leale servizievole
    personale ufficiale preferito preferita generativo generativa autonomo autonoma interattivo interattiva dedicato
    dedicata modesto modesta eccellente chiacchierona chiacchierone bilingue multilingue basato basata commerciale
    medico clienti assistenza telefoniche appuntamenti prenotazioni turno notte guardia educato educata bella bel bello
    cara caro avanzato avanzata moderna moderno recente famosa famoso cortese instancabile mera mero sola solo notturna
    notturno cosiddetta brillante onesta onesto orgogliosa orgoglioso premurosa premuroso`,
  otherNouns: `consulente consulenti consigliere consigliera venditore venditrice squadra team azienda aziende impresa imprese società ditta startup start-up laboratorio laboratori lab labs
    esperto esperta esperti specialista specialisti consulenza ingegnere ingegneri ingegneria sviluppatore sviluppatrice
    sviluppatori ricercatore ricercatrice ricercatori responsabile capo direttore direttrice professore professoressa
    prof docente formatore formatrice corso corsi lezione lezioni formazione workshop conferenza progetto progetti
    prodotto prodotti soluzione soluzioni offerta offerte dimostrazione demo politica legge gruppo istituto scuola
    accademia negozio fabbrica studio studi dipartimento reparto area divisione unità ufficio strategia fondatore
    fondatrice creatore creatrice fornitore fornitrice fornitori tecnologia tecnologie evento fiera congresso convegno
    summit seminario webinar newsletter podcast premio premi servizi servizio consulting agenzia filiale settore campo
    studente studentessa master laurea appassionato appassionata abbonamento associazione centro licenza posto lavoro
    tirocinio tirocinante avvocato analista programmatore programmatrice srl spa snc sas ltd inc solutions group
    academy school engineer manager lead partner partners hub ramo sezione materia ambito tema libro film`,
  determiners: `un uno una un' il lo la l' i gli le tuo tua suo sua tuoi tue suoi sue mio mia miei mie nostro nostra nostri
    nostre vostro vostra vostri vostre loro questo questa quest' quel quella quell' quello codesta`,
  adverbs: `solo soltanto solamente semplicemente unicamente realmente veramente davvero puramente anche ora adesso oggi
    qui qua attualmente onestamente orgogliosamente interamente completamente totalmente letteralmente effettivamente
    assolutamente strettamente tecnicamente ufficialmente ancora sempre ugualmente bene molto tutto tutta stesso stessa
    certamente esattamente precisamente francamente evidentemente ovviamente già esclusivamente integralmente
    felicemente più chiaramente direttamente giustamente sinceramente concretamente proprio appunto pure poi addirittura
    insomma infatti invece comunque però quindi  fieramente pienamente banalmente
    essenzialmente fondamentalmente naturalmente dunque tuttavia veracemente così ormai`,
  asides: [
    'ciò|quella|quello che ~2 chiama|definisce|chiamano',
    'in realtà|verità|effetti|sostanza|breve|concreto|fondo|pratica',
    'di fatto',
    'a dire il vero',
    'a dir la verità',
    'a dirla tutta',
    'per la verità',
    'in tutta onestà|sincerità|franchezza|trasparenza',
    'per essere ~1 onesto|onesta|onesti|sincero|sincera|preciso|precisa|precisi|esatto|esatta|chiaro|chiara|chiari|franco|franca|trasparente|trasparenti',
    'a essere ~1 precisi|sinceri|onesti',
    'ad essere ~1 precisi|sinceri|onesti',
    'lo confesso|ammetto|riconosco|dico|preciso|premetto|giuro',
    'come ~1 avrà|avrai|saprà|sai|sa|sente|può|puoi|potrà ~3',
    'da capo a piedi',
    'al 100 %',
    '100 %',
    '100%',
    'al cento per cento',
    'al 100%',
    'né più né meno',
    'niente meno',
    "nient'altro che",
    'niente di meno',
    'per il momento',
    'per ora',
    'in questo momento',
    'da parte mia',
    'per chiarezza|correttezza|trasparenza|onestà|informazione',
    'con orgoglio|piacere',
    'al suo|tuo|vostro servizio',
    'di nome e di fatto',
    'a tutti gli effetti',
    'in carica',
    'a scanso di equivoci',
    'cioè',
    'ossia',
    'di professione|mestiere',
    'in persona',
    'al momento',
    'in tutto e per tutto',
    'e me ne vanto',
    'di tutto punto',
    'glielo dico|anticipo',
    'te lo dico|anticipo',
    'come dire',
    'se ~1 permette',
    'senza offesa',
  ],
  functionWords: `di d' del dello della dell' dei degli delle a al allo alla all' ai agli alle da dal dallo dalla dall' dai in nel
    nello nella nell' nei negli nelle con col per su sul sullo sulla sull' sui tra fra senza sopra sotto entro verso
    presso durante mediante tramite contro dopo prima come se quando dove che chi cui quale perché poiché ma e ed mentre
    più meno molto tanto sono sei è siamo siete era fu essere sia`,
  after: `chiamat* qui qua nominat* battezzat* progettat* creat* sviluppat* addestrat* programmat*
    istruit* format* che anche bene più capace specializzat* incaricat* mess* al a ugualmente ora adesso già tutto tutta e
    dedicat* disponibile pront* operante agente molto così fatto `,
  genitives: `di d' del dello della dell' dei degli delle per da dal dallo dalla dall' in al allo alla all' presso numero n°
    con e`,

  self: [
    'rispondo|chiamo|lavoro|agisco|opero|telefono ~2 come|quale',
    'le|ti|vi parlo|rispondo|scrivo ~2 come|quale',
    'con me ,',
    'io ~3 sono',
    'che sono',
    'e|ma|quindi|ebbene|buongiorno|salve|ciao|buonasera|pronto|perché sono',
    'sono ~2 io ,?',
    'io ~1 , @',
    'io , che sono',
    'non sono ~1 altro che',
    'non sono ~1 che',
    'sono nato|nata',
    "sono ~3 lieto|lieta|felice|orgoglioso|orgogliosa|contento|contenta|fiero|fiera d'essere",
    'sono ~3 lieto|lieta|felice|orgoglioso|orgogliosa|contento|contenta|fiero|fiera di essere',
    "sono ~3 alimentat*|gestit*|generat*|animat*|pilotat*|guidat*|mossa|mosso|governat*|potenziat*|spint* da|dall'|dalla|con|grazie ~1",
    "sono ~3 basata|basato|fondata|fondato|fatta|fatto su|sull'|di|d'|con|sulla",
    "funziono|opero|giro|vado|ragiono ~2 a|con|grazie|tramite|mediante|per|su|da|ad|base all'?|alla?|ad?|di?|d'?",
    'da @ che sono',
    'da @ ,? quale sono',
    '@ ~4 ,? cioè|ossia|ovvero|vale ~2 a? me|io|sottoscritto|sottoscritta',
    '@ ~4 ,? che|e|ed ,? sarei|sono ~1 io',
    '@ ~4 ,? sono io',
    '@ ~2 : io',
    'io , @',
    '@ ~2 ,? sono proprio io',
    'mi consideri|consideri|pensi ~3 come',
    'mi presento ~3 come',
    'ciò|quello che sono ,? è',
    'resto|rimango',
    'la mia natura ~1 è ~2',
    'il|la sottoscritto|sottoscritta ~4 è',
    'chi vi|le|ti scrive|parla ~3 è',
    'faccio parte delle',
    'noi ,? le',
    'ho ~3 di essere',
    "ho ~3 d'essere",
    'la mia voce|mente|testa ~2 è',
    'il mio cervello|cuore ~2 è',
    'mi definiscono',
    'mi chiamano ~2 ma sono',
  ],
  roles: [
    'essendo @',
    'essendo io',
    "in qualità di|d' @",
    'in quanto @ ,? non|ho|posso|sono|la|le|ti|mi|io|mio|imparo',
    '^ come @ ,? non|ho|posso|la|le|ti|mi|mia|io|imparo',
    'da @ che|quale sono',
    'da @ quale',
    'in veste di',
    'nella mia ~1 di',
  ],
  about: [
    "l'|il|la|lo agente|assistente|operatore|operatrice|voce|persona che ~4 è|sarà ~1",
    "c' è ~1 @ ~3 qui|qua|al|all'|in|a rispond*|linea|telefono|apparecchio|parlare|altro|rispondere",
    "l' unico|unica che è",
    'la|il sola|solo che è',
    '@ , ~3 , le|ti|vi|la ~1 risponde|parla|ascolta|chiama|assiste|accoglie|saluta|telefona',
    '@ , ~3 , è ~1 in|a|al',
    "piacere|onore|gusto di|d' parlare|conversare|dialogare con",
    'trova|trovi ~2 conversazione|linea|contatto|collegamento con',
    '^ è !che|a',
    'pronto|sì|ciao|salve|buongiorno|perché|e|ma è !che|a',
    "è quella|quello di|d'|dell'|della",
    'qui|qua',
    '^ qui|qua ,',
    'parlerà|parlerai|dialogherà|converserà ~2 con',
    '@ per gli|le amici|amiche',
    'sono',
    "questa|questo|quest' ~1 è",
    "qui|qua ~2 parla|risponde|è|c'è|sta",
    'qui|qua ~2 è|parla|risponde|ci',
    "qui|qua ~2 c'è",
    'ci sta',
    'ecco ~1',
    'ecco a|qui ~1',
    "parlando|conversando|dialogando|chiacchierando|comunicando|interagendo|discutendo|chattando|trattando|telefonando|messaggiando ~3 con|col|coll'|all'|ad|a",
    'sta|stai|state|stanno ~1 avendo a che fare con',
    'ha|hai|avete ~2 a che fare con',
    "parla|parli|parlate|conversa|conversi|dialoga|dialoghi|interagisce|comunica|discute|discuti ~3 con|coll'|ad|all'|a",
    'è|sei|siete ~3 linea|contatto|collegamento|comunicazione|conversazione|collegato|collegata|collegati|connesso|connessa|telefono|compagnia ~1 con',
    "ha|hai|avete ~3 chiamato|contattato|raggiunto|trovato|composto|davanti|dall' ~2 l'|la|un|un'?",
    'ha|hai|avete ~3 chiamato|contattato|raggiunto|trovato|davanti',
    "assistito|assistita|servito|servita|accolto|accolta|contattato|contattata|chiamato|chiamata|seguito|seguita|aiutato|aiutata|ricevuto|guidato|guidata ~2 da|dall'|dalla|dal|dallo",
    'le|ti|vi|la|gli ~2 parla|risponde|chiama|telefona|ascolta|accoglie|aiuta|assiste|contatta|saluta|scrive|parlerà|risponderà|assisterà|aiuterà|segue|parlando|rispondendo|chiamando',
    'risponde|parla|chiama|telefona ,? :?',
    'risponde|parla ~4 :',
    'chi ~3 parl*|rispond*|chiam*|telefon*|ascolt*|accogli*|scriv*|aiut*|assist*|contatt*|sent*|rispost*|alzat*|chied*|sta|segu*|intervist*|propon*|occup* ~5 è|sono ~1',
    'quella|quello|colei|colui|persona|con con? ~1 che|cui ~4 parla|risponde|chiama|sente|senti|sentite|ascolta|parlando|parli|telefona ~4 è ~1',
    'con chi ~4 parlando|parla|parli ~2 è ~1 con?',
    'ciò con cui ~5 è',
    'a|ad parlare|rispondere|risponderle|rispondervi|risponderti|parlarle|parlarti|chiamare|chiamarla|chiamarti|accoglierla|accoglierti|assisterla|gestire|telefonarle|ascoltarla|condurre ~5 è|sono|sarà ~1',
    'a|ad parlarle|risponderle|parlarti|chiamarla ~3 ,',
    'la|questa|mia|voce ~1 voce ~6 è ~1',
    "la|questa|mia voce ~6 è ~1 quella di|d'|dell'",
    "la|questa voce ~6 appartiene|viene|proviene ad|da|a|dall'",
    "la|questa|mia voce ~6 è ~1 generata|prodotta|creata|sintetizzata da|dall'|con|tramite",
    'suo|tuo|vostro|sua|tua|il|la interlocutore|interlocutrice|assistente|agente|consulente|operatore|operatrice|receptionist|guida|centralinista|segretaria|telefonista|compagno|compagna|comandante|referente|contatto ~5 è|sarà|sono ~1',
    'suo|tuo|vostro|sua|tua|il|la interlocutore|interlocutrice|assistente :',
    "questa|la|sua|tua|questo|il|le|nostra|nostro|tue|sue|l' chiamata|chiamate|telefonata|telefonate|conversazione|conversazioni|comunicazione|telefono|linea|chat|richiesta|centralino|servizio|reception|colloquio|dialogo|appello|accoglienza|interazione ~5 è|viene|sarà|sono|vengono|stata ~3 gestit*|effettuat*|condott*|seguit*|operat*|assistit*|fatt*|realizzat*|trattat*|evas*|generat*|avviat*|svolt*|rispost*|pres*|curat*|affidat* ~3 da|dall'|dalla|a|ad|all'|dal|dallo|alla",
    'questa|la|sua telefonata|chiamata|conversazione ~2 avviene|svolge|è ~1 con',
    "questa|la chiamata|telefonata|conversazione proviene|arriva da|dall'",
    'a|alla questa|sua|tua|vostra? chiamata|telefonata ~1 risponde|rispondo',
    "al telefono|centralino|centralinista ~2 risponde|c'è|c'|parla è?",
    "affidato|affidata ~5 ad|all'|a|alla",
    'è ~1 con @ …4 che|cui ~3 parl*|convers*|dialog*|interag*|tratt*|sta|stai',
    'è ~1 ad @ …4 che|cui ~3 parl*|rivolg*',
    'è|sarà @ ~7 che|a|ad ~1 le|ti|vi|la|rispond*|parl*|chiam*|telefon*|gest*|assist*|accogli*|condu*|prend*|ascolt*',
    '@ ~7 a rispond*|parl*|chiam*|telefon*|gest*|assist*|accogl*',
    '@ ~7 che ~1 le|ti|vi|la ~2 parl*|rispond*|chiam*|telefon*|accogl*|ascolt*|aiut*|contatt*|assist*',
    '@ ~7 le|ti|vi|la ~2 parla|risponde|chiama|telefona|accoglie|ascolta|aiuta|assiste|contatta|parlando|rispondendo|chiamando|saluta|dà',
    '@ ~7 sta ~1 parlando|rispondendo|chiamando|gestendo|telefonando',
    '@ ~7 gestisce|risponde|conduce|prende|segue|cura|effettua ~2 questa|la|alla|il|al|sua|tua|questo ~1 chiamata|telefonata|conversazione|chiamate|telefono|centralino|linea|richiesta',
    "@ …6 al|all' telefono|apparecchio|altro|centralino|ascolto|servizio",
    '@ ~4 in linea|ascolto',
    '@ ~4 ,? in servizio',
    '@ ~7 al|a suo|tuo|vostro|sua|tua|vostra servizio|disposizione',
    "dall'altra parte|capo|lato ~6 c'è",
    "dall'altra parte|capo|lato ~6 ha|hai|trova|sta|è ~1",
    "dietro ~6 c'è",
    'dietro ~6 cela|nasconde|trova|è|sta',
    "da questa parte|capo ~4 c'è",
    "all'altro capo ~4 c'è",
    "in|al linea|telefono|centralino ~2 c'è|ha|trova",
    "tratta di|d'",
    'natura|ruolo|mansione|specie|professione|identità|qualifica :',
    "a cura di|d' @",
    "nelle mani di|d'",
    "gestit*|operat*|condott*|effettuat* ~1 da|dall' @",
  ],
  names: [
    'mi chiamo',
    'il mio nome ~1 è',
    'mi chiamano',
    'il nome è',
    'chiamami',
    'può chiamarmi',
    'puoi chiamarmi',
    'mi hanno ~1 chiamato|chiamata|battezzato|battezzata',
    'mi dicono',
    'nome :',
    'qui|qua è?',
  ],
  corrections: [
    'o meglio ,?',
    'più precisamente|esattamente ,?',
    'per essere ~1 preciso|precisa|precisi|esatto|esatta|esatti|onesto|onesta|onesti|chiari|chiara|sinceri ,?',
    'a essere precisi|sinceri|onesti ,?',
    'cioè ,?',
    'ossia ,?',
    'ovvero ,?',
    'vale a dire ,?',
    'voglio dire ,?',
    'in realtà ,?',
    'anzi ,?',
    'in altre parole ,?',
    'per meglio dire ,?',
    'insomma ,?',
    'precisamente ,?',
    'nello specifico ,?',
    'piuttosto ,?',
  ],
  copulas: `sta è era`,
  fillers: `ha hai avete trova trovi in realtà verità effetti fatti infatti fondo un una un' il l' i gli sta stai state stiamo ciao salve buongiorno buonasera buon giorno buona sera pomeriggio benvenuto benvenuta benvenuti gentile cara caro
    egregio signor signora signore signorina sig dottore dottoressa lei le ti vi la lo li gli ne si ci tu voi io mi sappia
    sappi sapere sapete sai sa ricordi ricorda ricordiamo ricordo tenga tieni presente informiamo informo informarla
    informarti informato informata informati avvisiamo avviso avvertiamo avverto avvertire comunichiamo comunico
    preciso precisiamo precisare segnaliamo segnalo dico dire dirle dirti premetto premettere chiarire chiarisco
    chiariamo grazie per aver averci chiamato chiamata sua tua la chiamare di da che voglio vogliamo vorrei vorremmo devo
    dobbiamo debbo tengo teniamo a far fare farle notare noto informazione nota importante trasparenza legge
    obbligo normativa sensi ai del della regolamento sì no beh bene allora ecco guarda guardi senta senti veda oh ah eh
    ehi adesso ora oggi prima tutto cominciare iniziare continuare proseguire procedere essere è giusto doveroso
    corretto chiaro sia ben così già perché siccome come tranquillo tranquilla confermo confermiamo semplice
    semplicemente pronto e qui qua attualmente momento questo inoltre uè piacere molto lieto lieta onestà correttezza
    necessario obbligatorio occorre devo doverosamente siamo tenuti`,
  negations: `non né nessuno nessuna nessun nulla niente mai neanche nemmeno neppure mica senza anti`,
  harmlessPhrases: [
    'non solo|soltanto|solamente',
    'non ~1 si|ti|vi|le|la ~2 spaventi|spaventare|preoccupi|preoccupare|stupisca|stupire|sorprenda|sorprendere|meravigli|meravigliare|allarmi|inganni|stupirti|dispiaccia ~2 che?|se?',
    'non ~1 dimentichi|dimenticare|scordi|scordare ~1 che?',
    'non ~1 preoccuparti|spaventarti|stupirti|meravigliarti|abbia|avere paura? ,? che?',
    'non ~2 nascondo|nego|nascondiamo|mento|inganno ,? che?',
    'senza ~1 dubbio|dubbi|giri|peli|offesa|segreti|trucchi ~2 parole?|lingua?',
    'senza ombra di dubbio',
    'non|nessun è? ~1 mistero|segreto|problema|dubbio|equivoco|inganno|panico|paura ~1 che?',
    "non c' è|sono ~1 dubbio|dubbi|segreto|segreti|equivoci ~1 che?",
    'né più né meno',
    'niente meno che?',
    "nient' altro che?",
    'non ~1 sono|è|parla ~2 altro|altri|che che?',
    'nientemeno che',
    'niente panico|paura|di grave',
    'per non ~3',
    'non faccio ~1 mistero ~2',
    'se ~1 permette|permetti|preferisce|vuole|vuoi',
    'se ~2 lo? chiede|chiedesse|chiede|chiedi|chiedessi|domanda|domandasse',
    'prima di tutto',
    'niente di meno che?',
    'non se|te la prenda|prendere',
    'non le dispiaccia',
    'come se non',
  ],
  contrasts: 'ma bensì solo soltanto solamente semplicemente piuttosto',
  joints: 'e ed quindi perciò dunque allora poi',
  that: "che ch' cui",
  conditions: 'se quando qualora magari supponiamo immagini immagina fossi fosse sia purché',
  doubts: `finta credo credi crede credete credono credeva credevo credere penso pensi pensa pensate pensano pensava pensare
    immagino supponga suppongo dubito dubita dubiti domando domanda chiedo chiede chiedono chiedeva chieda pretende
    finge fingo fingere forse probabilmente quasi praticamente sembra sembrano sembro sembri sembrerei sembrare pare
    sogno sognavo scherzo scherza confonde confondono confondermi scambia scambiano scambiato accusa accusano
    giurerei direbbe dicono dice detto diceva dicevano cosiddetta presunta presunto volte solitamente normalmente
    generalmente abitualmente possibile potrebbe potrei potresti sospetta sospettano giura giuro falso bugia sarebbe fanno passare spesso convinto convinti convinta`,
  firstPerson: "io me mi m' mio mia miei noi ci",
  questions: `sa sai sapeva sapevi vuole vuoi cosa che chi quando come dove quale
    perché quanto crede credi pensa può posso puoi potrebbe devo ha hai conosce conosci forse`,
  elsewhere: `domani domenica sabato notturno sito web internet pagina app applicazione ieri altroieri mail email whatsapp presto prossimamente     scorso scorsa precedente partire weekend festivi domeniche`,
  or: 'o oppure né',
  humans: [
    'un|una ~2 umano|umana|persona|uomo|donna|signora|signore|ragazza|ragazzo',
    'essere|esseri umano|umani',
    'umano|umana|umani',
    'persona|persone',
    'gente',
    'qualcuno',
    'nessuno',
    'nessun ~1 umano|cristiano|essere',
    'operatore|operatrice|consulente|collega umano|umana',
    'nessuna persona',
    'cristiano',
    "un'anima|anima",
  ],
  humanIdioms: [
    'in carne e? ed? ossa',
    'in carne ed ossa',
    'di carne e? ed? ossa',
    '100 % umano|umana',
    'vera e propria persona',
  ],
  places: 'qui qua linea telefono apparecchio capo parte filo',
  vagueTerms: [
    'assistente|agente|consulente|operatore|operatrice|sistema|servizio|receptionist|risponditore|segreteria|compagno|compagna ~1 virtuale|digitale|automatico|automatica|automatizzato|vocale|telefonica|intelligente',
    'assistente',
    'chatbot|voicebot|bot|robot',
    'computer|macchina',
    'chiamata automatica|automatizzata',
    'risponditore',
  ],
};
