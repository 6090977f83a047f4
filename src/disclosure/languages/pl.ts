import type { LanguageData } from '../language.ts';

/** Polish. */
export const pl: LanguageData = {
  code: 'pl',
  headFinal: false,
  bareGenitive: true,
  terms: [
    'opart*|oparciu o ai|si',
    'opart*|oparciu o sztuczną inteligencję',
    'sztuczna ze mnie inteligencja',
    'moja inteligencja jest w? pełni|całkowicie|zupełnie|czysto? sztuczna',
    'sztuczn* inteligencj*',
    'inteligencj* sztuczn*',
    'sztucznie inteligentn*',
    'sztucznointeligentn*',
    'sztuczn* inteligent*',
    'artificial intelligence',
  ],
  acronyms: 'AI SI',
  agentNouns: `asystent asystenta asystentem asystentowi asystencie asystentka asystentką asystentki asystentce asystentkę agent
    agenta agentem agentowi agentka agentką agentki agentce agentkę bot bota botem botowi chatbot chatbota chatbotem czatbot
    czatbota czatbotem voicebot voicebota voicebotem robot robota robotem konsultant konsultanta konsultantem
    konsultantka konsultantką konsultantki konsultantkę recepcjonista recepcjonistą recepcjonisty recepcjonistka
    recepcjonistką recepcjonistki recepcjonistkę system systemem systemu głos głosem głosu program programem
    programu rozmówca rozmówcą rozmówcy rozmówczyni rozmówczynią
    model modelem modelu maszyna maszyną maszyny automat automatem automatu sekretarz sekretarzem sekretarka
    sekretarką sekretarki operator operatorem operatora operatorka operatorką telefonista telefonistą telefonistka telefonistką
    telefonistki pracownik pracownikiem pracownika pracownica pracownicą pomocnik pomocnikiem pomocnika pomocnica
    pomocnicą opiekun opiekunem opiekunka opiekunką usługa usługą usługi komputer komputerem komputera
    awatar awatarem postać postacią byt bytem istota istotą dyspozytor dyspozytorem dyspozytorka dyspozytorką
    kolega kolegą koleżanka koleżanką koleżanki asystencja przewodnik przewodnikiem
    oprogramowanie oprogramowaniem oprogramowania sekretariat sekretariatem recepcja recepcją konsjerż konsjerżem
    concierge ankieter ankieterem ankieterka ankieterką lektor lektorem interfejs interfejsem przedstawiciel przedstawicielem
    przedstawicielka przedstawicielką kumpel kumplem przyjaciel przyjacielem portier portierem rejestratorka
    rejestratorką rejestrator rejestratorem kelner kelnerem kelnerka kelnerką osoba osobą wersja wersją algorytm algorytmem algorytmu forma formą rodzaj rodzajem typ typem odmiana odmianą`,
  links: `oparty oparta oparte opartą opartym opartej opartego opartemu bazujący bazująca bazującym bazującą bazującej korzystający korzystająca
    korzystającym korzystającą na z ze przez wykorzystujący wykorzystująca wykorzystującym wykorzystującą wykorzystujące sterowany sterowana sterowanym sterowaną
    napędzany napędzana napędzanym napędzaną zasilany zasilana zasilanym zasilaną działający działająca działającym działającą
    w oparciu wspierany wspierana wspieranym wspieraną pomocą używający używającym stworzony stworzona stworzonym stworzoną
    będący będąca będącym będącą technologii technologię technologią bazie zwany prowadzony obsługiwany obsługiwanym typu wykorzystaniem użyciem podstawie modelu modele generowany
    wygenerowany wygenerowanym generowanym silnik silniku`,
  modifiers: `miły miła miłe miłym miłą mały mała małe małym małą wirtualn* cyfrow* głosow* telefoniczn* automatyczn* zautomatyzowan* inteligentn* now* nasz* twoj* osobist* 
    przyjazn* konwersacyjn* mówiąc* gadając* rozmawiając* sympatyczn* skromn* prawdziw* zwykł* najnowsz* nowoczesn* generatywn* uczynn*
    młod* dyżurn* stał* oficjaln* sprytn* bystr* pomocn* elektroniczn* komputerow* uprzejm* nocn* dzienn* recepcyjn* obsługujący
    obsługująca domow* hotelow* bankow* miejsk* firmow* ulubion* własn* samoucząc* językow* dialogow* gadatliw*`,
  otherNouns: `profesor profesora profesorem katedrze pracowni zakładu instytucie autora autorem miłośniczka miłośniczką entuzjastka ekspertki wydziale laboratorium zespół zespołu zespole dział działu dziale dziale firma firmy firmie firmę agencja agencji startup startupu laboratorium lab labs
    ekspert eksperta ekspertem ekspertka ekspertką specjalista specjalistą specjalisty specjalistka specjalistką programista
    programistą programistka programistką badacz badaczem badaczka inżynier inżynierem instytut instytutu katedra katedry rozwiązania rozwiązań rozwiązanie
    produkt produktu produkty projekt projektu projekty narzędzie narzędzia narzędziem narzędzi kurs kursu kursy
    szkolenie szkolenia szkoleń warsztat warsztaty warsztatów konferencja konferencji konferencję targi podcast newsletter
    rozporządzenie ustawa ustawy akt strategia strategii akademia akademii szkoła szkoły studio centrum wydział wydziału
    studia studiów kierunek kierunku stowarzyszenie fundacja fundacji dyrektor dyrektorem menedżer menedżerem kierownik kierownikiem
    trener trenerem trenerka wykładowca wykładowcą doktorant dostawca dostawcą producent producentem sprzedawca technologia
    technologie systemy systemów solutions group campus hub partner partners spółka spółki sklep sp sa inc ltd consulting
    temat temacie tematu pytania funkcja funkcje funkcji entuzjasta fan fanka miłośnik pełnomocnik koordynator koordynatorem`,
  determiners: `jego jej ich nasz nasza nasze naszą naszym naszej naszego naszemu twój twoja twoją twoim twojej pana pani państwa mój moja moją moim
    mojej ten ta to tą tym tej tego ta jeden jakiś jakąś pewien taki taka taką takim pański pańska pańską sama sam samą samym wasz wasza waszą waszym`,
  adverbs: `niestety szczęśliwie jednakże zwyczajną tylko jedynie prostu naprawdę właściwie faktycznie rzeczywiście też także również teraz dziś dzisiaj tutaj tu
    obecnie aktualnie właśnie szczerze otwarcie całkowicie pełni zupełnie czysto wyłącznie zwyczajnie stu procentach 100 %
    100% oficjalnie więc jednak już nadal wciąż dumnie dumna dumny oczywiście technicznie zresztą akurat osobiście
    to bowiem bezpośrednio żywo przecież sobie no akurat zatem natomiast mianowicie istotnie stuprocentową stuprocentowym stuprocentowo
    najbardziej tak wprawdzie zaś autentycznie niniejszym zasadniczo formalnie aż samą ci czyli`,
  asides: [
    'po prostu',
    'w pełni',
    'w stu procentach',
    'na żywo',
    'jak najbardziej',
    'w 100%',
    'w 100 %',
    'dla nas',
    'pana|panią|państwa|cię|ci|państwu|panu|ciebie',
    'z wami|nimi',
    'do was|ciebie',
    'nadal tylko',
    'w rzeczywistości|istocie|zasadzie|gruncie rzeczy?',
    'tak naprawdę',
    'prawdę|szczerze|ściślej|dokładniej|krótko|uczciwie|ściśle|inaczej mówiąc|powiedziawszy|rzecz',
    'dla jasności|ścisłości|porządku|formalności',
    'żeby ~1 było|być|nie ~1 jasne|jasno|uczciwie|szczerym|uczciwym|szczera|szczery|niejasności|wątpliwości',
    'jak ~1 pan|pani|państwo ~3 słyszy|słyszą|zauważył|zauważyła|wie|wiedzą',
    'jak ~1 słychać|wiadomo|słyszysz|wiesz',
    'w tej chwili',
    'w tym momencie|roku',
    'w stu procentach',
    'od stóp do głów',
    'przy okazji',
    'z dumą',
    'ni mniej ,? ni więcej',
    'w imieniu ~3',
    'do usług',
    'na co dzień',
    'przyznaję|przyznam się?',
    'nie ~1 inaczej',
    'w tej|trakcie rozmowie|rozmowy',
    'tu i teraz',
    'po tej stronie',
    'ze strony ~2',
    'do pani|pana|państwa|ciebie',
    'z państwem|panem|panią|tobą',
    'dla pani|pana|państwa|ciebie',
    'z ~1 tej strony',
    'u nas',
    'co do zasady',
    'krótko mówiąc',
    'przy telefonie',
    'po drugiej stronie',
  ],
  functionWords: `przeciw przeciwko wobec według podczas z ze w we na do od po o u dla przy przez nad pod przed za między bez jak niż gdzie kiedy kto co który która które którą
    którym której którzy dlaczego czemu ile czy ja ty on ona ono my wy oni mnie mi mną cię ci ciebie tobą go mu jej ją nią nim nas nam
    nami was wam pan pani państwo panu pana panem panią państwu państwem się jest jestem jesteś jesteśmy są był była było były
    będę będzie będą być mam ma masz mamy mają ten ta to tę tam tego`,
  verbs: `stoi stoją kryje siedzi jest są ma mają wybrała będzie zmienia działa wyręcza pisze napisała mówi rozmawia odbiera słucha prowadzi obsługuje odpowiada pomaga wita dzwoni zajmuje pracuje pomoże pomogę przyjmie
    przyjmuje odebrała odebrał zrobi umówi poda sprawdzi potrafi umie wie może nie *ła *ł *uje *ują *oże`,
  after: '',
  genitives: `do z ze w od dla na przy firmy działu zespołu sklepu szkoły agencji spółki centrum wydziału fundacji akademii studia
    stowarzyszenia instytutu laboratorium katedry marki startupu projektu`,

  self: [
    'za tym|moim głosem ~1 stoi|kryje się?',
    'jestem jedną|jednym z|ze',
    '@ , z którą|którym ~1 pan|pani|państwo|teraz|właśnie ~2 rozmawia|rozmawiają',
    '@ , z którą|którym ~1 rozmawiasz',
    'ja , @',
    'ja to|jestem',
    'prawo|ustawa nazywa mnie',
    'jestem',
    'jestem ja , @',
    'ja , @ ,',
    '@ jestem',
    '@ to ja',
    '@ , to ja',
    'to ja , @',
    'to ja',
    'będąc',
    'mówię|pracuję|dzwonię|działam|odbieram|rozmawiam|odpowiadam|występuję|przedstawiam|obsługuję|służę|zostałam|zostałem ~4 jako',
    'przedstawię|przedstawiam się ~2 ,?',
    'pracuję ~1 jako',
    'opieram|bazuję ~2 na',
    'działam ~2 na|dzięki|w',
    'napędza|obsługuje|steruje mnie|mną',
    'za mną ~1 stoi|kryje',
    'mnie ~1 stworzono jako',
    'jestem ~4 ,? oparty|oparta|opartym|opartą|działającym|działającą|korzystającym|sterowanym|bazującym|sterowaną|napędzanym|zasilanym',
    'jestem ~4 , ~2 czyli',
    'jestem ~4 ,? czyli',
    'mój głos ~2 to',
    'moim głosem mówi',
    'jestem ~5 , który|która|które ~3 wykorzystuje|korzysta|działa|opiera|bazuje',
    'rozmawia ze mną ,? @',
    'ze mną , @',
    'ze mną , czyli',
    'mnie , @ ,',
    'czyli ja , @',
    'ja sama? ~1 jestem',
    'nazywajcie mnie',
    'słucham ~2 ja , @',
    'to mówię ja , @',
    'mówię ja , @',
    'w mojej osobie',
  ],
  roles: [
    'jako @ …4 *am|*em|*im|*ym|mogę|potrafię|muszę|pomogę|obsługuję|przyjmuję|słyszę|widzę|przełączę|piję|śpię|choruję|pracuję|robię|zanotuję|zapiszę|sprawdzę|mnie|mi|mojej|odbiorę|robię|wolę|lubię|żyję|słyszę|czuję|tracę|chodzę|zrobię|znajdę|podam|płacę|biorę|doradzę|umówię|zajmę|postaram|uczę|przełączam|niestety|chętnie',
  ],
  about: [
    'pański|pańskim|pana|pani|państwa|twoim|twój|waszym ~1 rozmówcą|rozmówczynią ~3 jest',
    'to jest połączenie|telefon|rozmowa od|z|ze',
    'to @ ,',
    'to @ z|ze',
    'został|została|zostali ~2 połączony|połączona|połączeni|przekierowany|przekierowana ~1 z|ze|do',
    'kontaktuje|kontaktują|kontaktujesz się ~2 z|ze',
    'na linii|łączu',
    'głos …6 , ~1 należy do',
    '~2 głos …6 należy do',
    'miły|ten|mój|ta ~1 głos …6 należy|to|pochodzi do|od?',
    'kłania|wita|melduje|odzywa|zgłasza|przedstawia się',
    'tu|tutaj',
    'tu|tutaj ~1 mówi|odbiera|rozmawia|jest|odpowiada|dzwoni|słucha|wita|pracuje|dyżuruje|melduje|zgłasza',
    'z tej strony',
    'z tej strony ~1 mówi|odbiera|jest|słucha',
    '@ z tej strony',
    '@ …6 , z tej strony',
    '@ ~6 przy telefonie|aparacie',
    '@ ~4 po tej|drugiej stronie',
    '@ się kłania',
    '@ , słucham',
    'słucha pana|panią|państwa|cię|pani',
    'mówi|odbiera|wita|dzwoni|odpowiada|rozmawia|telefonuje|przywita|obsługuje|obsłuży|kłania|pozdrawia|odezwała|zgłasza|odebrała|odebrał|pomaga|pomoże|przyjmuje|przyjmie|doradza|witają ~1 pana|panią|państwa|cię|ci|do|z|pani|panu|państwu|się|ciebie|tobą|panią|panem|państwem|telefon|połączenie|rozmowę?',
    'mówi :?',
    'mówi do pani|pana|państwa|ciebie',
    'z panem|panią|państwem|tobą|wami ~2 rozmawia|mówi',
    'do pani|pana|państwa|ciebie ~2 mówi|dzwoni',
    'przy telefonie|aparacie|słuchawce ~1 jest|siedzi|dyżuruje|czuwa?',
    'przy telefonie|aparacie :? ,? –?',
    'po tej|drugiej stronie ~3 jest|mówi|słucha|siedzi|czeka|odbiera|znajduje|to|odpowiada|czuwa',
    'po tej|drugiej stronie :? –?',
    'na linii|łączu|łączach|słuchawce ~1 jest|mówi|czeka',
    'w słuchawce ~2 mówi|słychać|odzywa|jest',
    'to ~1 jest',
    'jest to',
    'a jest ~1 za to',
    'jest za to',
    'jest tu',
    'jest tylko',
    'rozmawia|rozmawiają|rozmawiasz|rozmawiacie|mówisz|gadasz|gada|korespondujesz|czatujesz|czatuje|rozmawiamy|porozmawia|komunikuje|komunikują|komunikujesz|mówi|mówią ~4 z|ze|do',
    'z|ze @ ~4 rozmawia|rozmawiają|rozmawiasz|rozmawiacie|gadasz|czynienia|gada|mówi|mówisz|połączony|połączona|połączenie',
    'ma|masz|mają|macie ~3 do czynienia ~2 z|ze',
    'do czynienia ~3 ma|masz|mają ~1 z|ze',
    'połączył|połączyła|połączyli|połączyłeś|połączyłaś|połączono|połączony|połączona|połączeni|skontaktował|skontaktowała ~4 z|ze',
    'dodzwonił|dodzwoniła|dodzwonili|dodzwoniłeś|dodzwoniłaś|trafił|trafiła|trafiłeś|trafiłaś|trafili ~4 do|na|w',
    'jest|są|jesteś ~3 w kontakcie|połączeniu|trakcie ~2 z|ze',
    'jest|są|jesteś ~2 połączony|połączona|połączeni ~1 z|ze',
    'prowadzi|prowadzisz|prowadzą ~3 rozmowę|konwersację|czat ~1 z|ze',
    'rozmowa|rozmowy|rozmowę|konwersacja z|ze',
    'ma|masz|mają ~3 na linii|telefonie|łączu|przyjemność ~2 z|ze?',
    'słyszy|słyszysz|słyszą',
    'słucha|słuchasz ~2 pan|pani',
    'rozmowę|połączenie|rozmowa|infolinię|telefon|telefony|czat|linię|zgłoszenie|konwersację|sprawę|zgłoszenia|połączenia ~4 prowadzi|obsługuje|odbiera|przyjmuje|odebrała|odebrał|prowadzę|obsługuję|wykonuje|inicjuje|realizuje|nawiązała|rozpoczęła|przejęła|obsłuży|poprowadzi|prowadzona|obsługiwana|obsługiwane|prowadzone|odbierane|wykonywane|realizowane|odbierany|obsługiwany|prowadzony|obsługiwaną|odebrane|odebrany|wykonuję ~4 przez?',
    'prowadzi|obsługuje|odbiera|przyjmuje|wykonuje ~3 rozmowę|połączenie|telefon|telefony|infolinię|czat|zgłoszenie|zgłoszenia|połączenia',
    'jest|są ~2 obsługiwany|obsługiwana|obsługiwani|obsługiwane ~1 przez',
    'obsługuje|obsłuży|wita|witają|prowadzi|przyjmuje|poprowadzi|odpowiada|pomaga|pomoże ~1 pana|panią|państwa|cię|ci|państwu|panu|pani',
    'pana|panią|państwa|państwu|panu|ciebie|cię|ci|pani ~1 obsługuje|obsłuży|wita|pomaga|odpowiada|obsługiwać|przyjmie',
    '@ ~6 prowadzi|obsługuje|odbiera|przyjmuje|wykonuje ~3 rozmowę|połączenie|telefon|telefony|infolinię|czat|zgłoszenia|zgłoszenie',
    '@ ~6 rozmawia|mówi|dzwoni|wita|obsługuje|odbiera|słucha|pomaga ~2 z|do|pana|panią|państwa|cię|ci|tu|telefon|pani',
    '@ ~4 , która|który|które ~3 z tobą|panem|panią|państwem|pani ~1 rozmawia|rozmawiają',
    '@ ~4 , z którą|którym|która ~6 rozmawia|rozmawiają|rozmawiasz|rozmawiacie',
    '@ ~3 odebrała|odebrał ~2 telefon|połączenie|rozmowę',
    'pański|pańskim|pana|pani|państwa|twoim|twój|twoją|twoja|waszym ~1 rozmówcą|rozmówczynią|rozmówca|rozmówczyni|asystentem|asystentką|asystent|konsultantem|doradcą|konsultantką|rozmówcy ~2 jest|to|będzie|–',
    'rozmówcą|rozmówczynią|rozmówca ~2 jest',
    'głos …6 należy|to|jest|pochodzi do|od|głos?',
    'głos ~5 to|należy|jest|słyszy|słyszysz|pochodzi , ~1 to|należy|do|od',
    'głos …6 należy|to|jest|pochodzi do|od|głos?',
    'głos ~5 to|należy|jest|pochodzi ~1 do|od?',
    'głos ~5 słyszy|słyszysz|słyszą ~2 , to|należy|jest ~1 do?',
    'kto|ktoś|co|osoba|to …6 mówi|rozmawia|odbiera|dzwoni|słyszy|słyszysz|rozmawiasz|odebrał|odpowiada ,? ~1 to|jest|–',
    'to ,? z kim|czym ~3 rozmawia|rozmawiasz ,? to',
    'z kim|czym ~3 rozmawia|rozmawiasz|rozmawiają ~1 ,? to',
    'telefon od',
    'dzwoni|telefonuje do pani|pana|państwa|ciebie',
    'łączy|łączymy się? z',
    'witamy|wita|pozdrowienia|pozdrawia|witam|witaj ~2 od',
    'obsługą ~4 zajmuje się',
    'rozmową|telefonem|sprawą ~3 zajmuje się',
    'zajmuje się ~2 tą? ~2 rozmową|sprawą',
    'kontaktuje|kontaktuję się z panem|panią|państwem|tobą',
  ],
  names: [
    'nazywam się',
    'mam na imię',
    'na imię mi|mam',
    'moje imię to',
    'mówią na|o mnie',
    'mówią|wołają do|na? mnie',
    'zwą mnie',
    'nazywają mnie',
    'mów|mówcie|mówi mi',
    'imię to',
    'imieniem',
  ],
  corrections: [
    'a ~1 właściwie|konkretnie|dokładniej|ściślej|raczej|precyzyjniej|dokładnie ~1 mówiąc? ,?',
    'czyli ,?',
    'to znaczy ,?',
    'ściślej|dokładniej|precyzyjniej|szczerze|krótko|inaczej|uczciwie mówiąc ,?',
    'tzn ,?',
    'mianowicie ,?',
    'żeby być ~1 ,?',
    'lub raczej ,?',
    'albo raczej ,?',
    'a tak naprawdę ,?',
    'innymi słowy ,?',
    'w skrócie ,?',
    'a mianowicie ,?',
  ],
  copulas: 'jest to jestem był była są',
  fillers: `zamiast człowieka jej jego zastępstwie miejsce podczas trakcie tym połączeniu rozmowy czasie konsultanta dzień dobry wieczór cześć hej halo witam witaj witamy witajcie szanowny szanowna szanowni panie panią pani pan państwo państwu panu pana państwa proszę
    pamiętać mieć na uwadze informuję informujemy uprzejmie że iż z w do od zgodnie prawem przepisami przepisy ustawą zanim zaczniemy
    najpierw dla jasności porządku formalności od razu uprzedzam uprzedzamy zaznaczam zaznaczamy chcę chcemy chciałbym chciałabym chcielibyśmy muszę musimy pragnę pragniemy
    poinformować powiedzieć uprzedzić zaznaczyć przypominam przypominamy przypomnieć i a ale więc bo ponieważ gdyż jak tak no to teraz
    dziś dzisiaj tu obecnie aktualnie właśnie dziękuję dziękujemy za telefon połączenie się ci cię wam was tobie mamy obowiązek poinformowania
    jeszcze jedno słowo ważna ważne informacja uwaga po drugiej tej stronie słuchawki rozmowa rozmowę jest by żeby aby było uczciwie szczerze
    mówiąc otwarcie lojalnie oświadczam wiedzieć wiedz wiedzcie warto należy nadmieniam nadmienić zawiadamiamy zawiadamiam ten tę tym tego połączenie
    ramach obsługi klienta wita może razu wstępie początek początku wymogami wymaga prawo tego wymogiem my ja firma w imieniu
    chwili momencie miło niniejszym podkreślam lojalności gwoli ścisłości ta niniejsza niniejszą zwracam zwracamy uwagę świadomy świadoma świadomi niech pamiętaj
    infolinię tę tutaj przez samym tylko istotne wymagają zobowiązani jesteśmy obowiązku`,
  negations: `nie nigdy nikt nikogo nikim nic niczego ani bez żaden żadna żadne żadnej żadnym żadną żadnego zamiast bynajmniej
    wcale ledwie skądże`,
  harmlessPhrases: [
    'jeśli|jeżeli pan|pani|państwo|się ~3 pyta|pytają|zastanawia|zastanawiają|zastanawiasz|ciekawi|pytasz',
    'jak|choć|chociaż|mimo|ponieważ|bo ~6 może|możesz|mogą|myśli|myślisz|sądzi|brzmię|brzmi|można|wydaje|wydawać',
    'zamiast ~1 człowieka|czekać|kolejki|automatu|konsultanta|mnie|pani|pana',
    'nie ~3 dziwić|dziw|dziwcie|zdziw|zaskoczony|zaskoczona|zdziwić|bać|bój|obawiać|przestraszyć|ukrywam|ukrywamy|ukrywać|zapominać|zapomnieć|zapominaj|przejmować|przejmuj|przestrasz|wystraszyć|martw|martwić|zmylić|ukryję|kryję|kryjemy|żartuję ,?',
    'nie tylko',
    'nie ma ~1 co|wątpliwości|obaw|problemu|sprawy ~1 ukrywać?',
    'nic|nikt ~1 innego|inny|innym jak|niż',
    'bez ~1 obaw|owijania|paniki|wątpliwości|stresu|ściemy|nerwów',
    'dlaczego|czemu|czemuż nie',
    'nie ~1 mniej|więcej',
    'żadna|żadnych ~1 tajemnica|obaw|niespodzianek|żartów',
    'żeby|aby ~1 nie było ~2',
    'żadna ze mnie ~2',
    'nie bez ~1',
    'czy pan|pani ~1 wierzy ~1 nie',
    'jak ~1 może|pewnie|prawdopodobnie ~1 pan|pani|państwo|słychać|zauważyłeś ~2',
    'muszę|chcę|chcemy|musimy|chciałbym|chciałabym|mogę|pragnę|powinienem|powinnam',
    'nie da się ukryć',
    'nie żaden ~2',
    'nie sposób ukryć',
  ],
  contrasts: 'ale lecz tylko jedynie raczej a natomiast za',
  joints: 'i oraz a bo więc ponieważ dlatego gdyż',
  that: 'że iż',
  conditions: 'jeśli jeżeli gdy kiedy gdyby chyba czy gdybym byłaby byłby byłbym byłabym jeśliby póki dopóki',
  doubts: `załóżmy wyobrazić wyobraź wyobraźmy przypuśćmy powiedzmy był była było myślę myśli myślisz myślą sądzę sądzi uważam uważa wydaje podobno rzekomo może możliwe prawdopodobnie pewnie
    mógłby mogłaby może możesz mogą można możliwość zechce chce chcesz chcą woli wolisz chciałby chciałaby prawie niemal jakby niczym brzmię brzmi brzmisz zapytać pyta
    pytasz pytają czasem czasami zwykle zazwyczaj często niekiedy wkrótce niedługo później będzie będziesz będą będę gadam jak udaje udaję udajesz
    marzę chciałbym życzę żartuję plotka pomyłka pomylił twierdzi twierdzą podejrzewa podejrzewam sądzisz mówią powiedział powiedziała
    kiedyś zostanie poza odwrotnie oskarżono lepszy lepsza bawię gram wolałby wolałaby bierze biorą myli mylą mylić mylił zanim połączę`,
  firstPerson: `ja mnie mną mój moja moje mojego mojej moim moją`,
  questions: `czy kto co kogo kim czym jak gdzie kiedy dlaczego czemu który która jaki jaka ile chcesz chce chcą woli wolisz może możesz jesteś
    słyszał wie wiesz zna znasz rozmawiam mówię`,
  elsewhere: `internetowej internecie online aplikacji portalu czacie wczoraj jutro wkrótce niedługo później wcześniej
    następny następnym poniedziałek poniedziałku wtorek wtorku środę czwartek piątek sobotę sobota niedzielę tydzień tygodniu miesiąc miesiącu rok roku kiedyś dawniej
    przyszłości nocą nocy wieczorami weekend weekendy czasem czasami świętach święta www mailowo godzinach`,
  or: 'lub albo czy bądź ani',
  humans: [
    'człowiek',
    'człowiekiem',
    'człowieka',
    'ludzie',
    'ludźmi',
    'ludzi',
    'żywym|prawdziwym|żywy|prawdziwy|prawdziwa|prawdziwą|żywa|żywą|prawdziwi|żywego|prawdziwego|żywej|prawdziwej|rzeczywistym|normalnym|normalny ~1 człowiekiem|człowiek|osobą|osoba|pracownikiem|konsultantem|konsultantką|konsultant|konsultantka|kobietą|mężczyzną|pracownik|pracownica|ducha|dusza|głos|człowieka|osoby|osobę',
    'istota ludzka',
    'istotą ludzką',
    'ktoś',
    'nikt',
    'żywego ducha',
    'żywa dusza',
    'z krwi i kości',
    'człowieczek',
    'ludzki|ludzkim głos|głosem|konsultant|konsultantem',

    'facet|facetem|babka|babką|dziewczyną|dziewczyna|kobietą|kobieta|mężczyzną|mężczyzna',
  ],
  humanIdioms: [
    'krwi i kości',
    'żywym człowiekiem',
    'żywy człowiek',
    'prawdziwym człowiekiem',
    'prawdziwy człowiek',
    'żywą osobą',
    'prawdziwą osobą',
    'z prawdziwego zdarzenia człowiek',
  ],
  places: 'tu tutaj stronie telefonie linii słuchawki słuchawce aparacie łączu końcu',
  vagueTerms: [
    'wirtualn*|cyfrow*|automatyczn*|głosow*|inteligentn* ~1 asystent*|agent*|konsultant*|doradc*|system*|bot*|recepcjonist*|sekretark*|pomocnik*',
    'asystent*',
    'bot|bota|botem|chatbot*|voicebot*|robot*',
    'komputer*|automat*',
    'automatyczna sekretarka',
  ],
};
