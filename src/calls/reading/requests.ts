import { endOfParts, partsOf } from './patterns.ts';
import { type Found, folded, lazily, Phrases, phrases, separated, type Token, tokensOf } from './words.ts';

/** What a caller may ask for at any step; 'other' is known by its description alone. */
export type CommandKind = 'person' | 'stop' | 'repeat' | 'human' | 'swearing' | 'emergency' | 'other';

type KnownKind = Exclude<CommandKind, 'other'>;

/** What callers say to ask for something at any step; `*` stands for the rest of a word, `_` for up to three words. */
const said: Readonly<Record<KnownKind, string>> = {
  person: `living soul|a word with one of|natter with|chat with one of|get me your _|get me someone|get me somebody|get me one of|get me _ technician|get me _ supervisor|give me your _ supervisor|your supervisor|your manager please|a supervisor|somebody real|someone real|anyone real|anybody real|put me on to|put me onto|pass me over|patch me through|hand me over|hand me to|switch me to|on the line please|someone on the line|somebody on the line|somebody on the phone|someone on the phone|speak to one of|talk to one of|speak with one of|talk with one of|speak to whoever|talk to whoever|speak to your|speak with your|talk to your|talk with your|rather speak to|rather talk to|sooner speak to|sooner talk to|need a human|need a person|need a real person|anyone i can talk to|anybody i can talk to|someone i can talk to|somebody i can talk to|anyone i can speak to|anybody i can speak to|someone i can speak to|somebody i can speak to|a human being please|an operator|a live person|live agent|real agent|customer service please|speak to _ person|speak to _ human|speak to _ someone|speak with _ someone|speak to _ agent|speak to _ representative|speak to _ manager|speak to _ operator|speak with _ person|speak with _ human|speak with _ agent|speak with _ manager|talk to _ person|talk to _ human|talk to _ someone|talk to _ somebody|talk to _ agent|talk to _ representative|talk to _ manager|talk to _ operator|talk with _ person|talk with _ human|talk with _ someone|speak to _ somebody|put me through|transfer me|connect me|get me _ person|get me _ human|get me _ agent|get me a manager|real person please|human please|operator please|agent please|representative please|give me _ person|give me _ human|can someone else help|want a human|want a person|want a real person|talk to _ staff|speak to _ staff|speak to _ real person|talk to _ real person|pass me _ to|a colleague please
    mit _ mitarbeiter* sprechen|mit _ menschen sprechen|mit _ menschen reden|mit jemandem sprechen|mit _ jemand* sprechen|mit _ jemand* reden|mit _ kollegen sprechen|mit _ person sprechen|mitarbeiter sprechen|mit _ mitarbeiter* reden|verbinden sie mich|stellen sie mich durch|einen mitarbeiter bitte|einen menschen bitte|mich verbinden|mich durchstellen|mich _ verbinden|mich _ durchstellen|geben sie mir _ mitarbeiter*|geben sie mir _ menschen|geben sie mir _ kollegen|geben sie mir _ kollegin|mit dem chef sprechen|mit _ chef* sprechen|echten menschen sprechen|einen echten menschen|richtigen menschen|mit _ berater* sprechen
    parler à quelqu'un|parler à _ quelqu'un|parler avec quelqu'un|parler à _ conseiller*|parler à _ personne|parler avec _ personne|parler avec _ conseiller*|parler à _ humain|parler avec _ humain|parler à _ employé*|parler à _ responsable|parler à _ collègue|passez-moi _ quelqu'un|passez-moi|passer quelqu'un|me passer|me mettre en relation|mettez-moi en relation|transférez-moi|un conseiller s'il vous plaît|un humain s'il vous plaît|me transférer|avoir quelqu'un|avoir un conseiller|une vraie personne s'il vous plaît|parler à _ agent|avoir une vraie personne
    hablar con _ persona|hablar con alguien|hablar con _ agente|hablar con _ operador*|hablar con _ humano|hablar con _ encargad*|hablar con _ compañer*|hablar con _ responsable|hablar con _ empleado|páseme|pásame|me pasa con|me puede pasar|me pone con|póngame con|pasarme con|transfiérame|quiero un humano|un operador por favor|comuníqueme|me comunica|con una persona por favor|con un asesor|hablar con _ asesor|una persona de verdad por favor
    parlare con _ persona|parlare con qualcuno|parlare con _ operator*|parlare con _ umano|parlare con _ responsabile|parlare con _ collega|parlare con _ addett*|mi passi|mi passa|passarmi|mi metta in contatto|un operatore per favore|un operatore grazie|mi trasferisca|mi colleghi|voglio un operatore|vorrei un operatore|parlare con _ impiegat*|parlare con una persona
    medewerker spreken|medewerker aan de lijn|met _ medewerker spreken|met _ medewerker praten|met een mens spreken|met een mens praten|met _ iemand spreken|iemand spreken|met _ iemand praten|met _ mens|mens spreken|persoon spreken|met _ persoon spreken|verbind me door|doorverbinden|verbindt u me|echt mens|met _ collega spreken|collega spreken|mij doorverbinden|verbind mij|manager spreken|een mens alstublieft|een medewerker alstublieft|met _ persoon praten
    falar com _ pessoa|falar com alguém|falar com _ atendente|falar com _ humano|falar com _ funcionári*|falar com _ operador*|falar com _ responsável|falar com _ colega|passe-me|passar-me|me passa para|me passa pra|me passe|me transfere|me transfira|pode passar para|um atendente por favor|quero um atendente|ligue-me a|falar com _ gerente|falar com _ assistente|me conecta|quero uma pessoa|falar com _ gente|passar a alguém
    połącz* mnie|mnie połączyć|rozmawiać z _ człowiekiem|rozmawiać z _ konsultant*|porozmawiać z _ człowiekiem|porozmawiać z kimś|porozmawiać z _ konsultant*|porozmawiać z _ pracownik*|rozmawiać z kimś|z konsultantem proszę|z konsultantem|z człowiekiem|z pracownikiem|z żywym człowiekiem|przełącz* mnie|mnie przełączyć|dać mi konsultanta|proszę konsultanta|porozmawiać z _ osobą|rozmawiać z _ osobą|z kimś z obsługi|z żywą osobą|chcę konsultanta|z kierownikiem`,
  stop: `forget what i said|don't need you any more|don't need it any more|don't need _ any more|never mind then bye|catch you _ time|some other time then|maybe some other time|maybe another time|another time then|i'll _ some other time|i'll _ another time|leave it for another|leave it till|leave it there|forget i rang|forget i called|forget i asked|forget the whole|won't be needing you|won't be needing it|don't need you after all|don't need it after all|no longer need|don't need _ anymore|sorted itself|it's sorted itself|night night|ta ra|toodle|all the best|i'll let you go|let you go now|let you get on|i'll ring back|i'll ring again|i'll ring another|i'll phone back|i'll phone again|i'll try again|best be off|better be off|got to be off|have to be off|need to be off|must be off|gotta bounce|gotta split|must fly|got to fly|have to fly|better go|best go|should get going|better get going|need to get going|have to get going|gotta get going|have to drop off|have to jump off|need to jump off|gonna have to go|going to have to go|call this off|call it off|let's not bother|not to bother|let's drop it|scrap that|scrap it|gotta run|have to run|got to run|need to run|i must go|i've got to go|i need to go|i should go|gotta hang up|have to hang up|need to hang up|gotta dash|have to dash|must dash|i'm off|talk later|talk to you later|call you later|call you another time|i'll call back later|i'll call again later|i'll try again later|i'll leave it|let's leave it|leave it for now|leave it at that|forget about that|never mind bye|never mind then|never mind thanks|never mind thank you|never mind i|changed my mind bye|have a good one|have a nice day bye|catch you later|see ya|see you later|so long|cheerio|ta ta|another call coming|got another call|end this call|stop this|i quit|stop please|please stop|i'll call another time|i don't want to do this|stop here|bye now|bye for now|that's all bye|gotta go|got to go|i'd better go|don't book anything|cancel that|forget it|stop calling|don't call|never mind bye|i don't want this|not interested|leave me alone|goodbye|good bye|bye bye|bye|hang up|i have to go|stop it|end the call|cancel the call|drop it|no longer interested|take me off|remove me|i'm done|i'm hanging up|i give up|don't bother|forget about it|i've changed my mind
    vergessen sie's|vergessen sie es|vergiss es|lassen wir's|lassen wir das|lassen sie's|lassen sie es gut sein|kein interesse|nicht interessiert|rufen sie nicht|auf wiederhören|tschüss|tschüs|tschau|wiederhören|ich lege auf|ich leg auf|hören sie auf|ach egal|das bringt nichts|rufen sie mich nicht mehr an|ich hab kein interesse|auf wiedersehen|ich will das nicht|lassen sie mich in ruhe|abbrechen|hat sich erledigt|ich muss auflegen
    laissez tomber|au revoir|ça m'intéresse pas|ça ne m'intéresse pas|pas intéressé|pas intéressée|je raccroche|ne m'appelez plus|m'appelez plus|arrêtez de|ne rappelez plus|je ne veux plus|tant pis|oubliez ça|oubliez|je n'en veux pas|laissez-moi tranquille|je suis pas intéressé|arrêtez|salut au revoir|adieu|je dois y aller
    déjelo|olvídelo|olvídalo|déjalo|no me interesa|no estoy interesad*|adiós|hasta luego|cuelgo|no me llame|no me llamen|no llamen más|voy a colgar|ya no quiero|no quiero nada|déjeme en paz|déjenme en paz|me voy|no quiero seguir|no quiero esto|cancele todo|da igual adiós|dejen de llamar
    lasci stare|lasci perdere|lascia stare|lasciamo stare|lasciamo perdere|non mi interessa|non sono interessat*|arrivederci|arrivederla|riattacco|non mi chiami|non mi chiamate|non chiamate|basta così arrivederci|metto giù|non voglio|addio|mi lasci in pace|smetta|smettete|smettetela|chiudo
    laat maar zitten|laat maar|vergeet het|geen interesse|niet geïnteresseerd|dag hoor|tot ziens|ik hang op|bel me niet|niet meer bellen|hou op|houd op|stop ermee|ik wil dit niet|ik heb geen interesse|doei|laat me met rust|ik hoef niks|ik wil niet meer|ik stop ermee|ik moet ophangen|doeg|bel niet meer|hoeft niet meer
    deixe estar|deixa estar|deixa pra lá|deixe pra lá|deixa para lá|esqueça|esquece|não estou interessad*|não me interessa|não tenho interesse|não me liguem|não me ligue|não ligue mais|não liguem|tchau|adeus|vou desligar|com licença|não quero mais|não quero nada|me deixa em paz|deixem-me em paz|deixe-me em paz|até logo|até à próxima|pare de ligar|parem de ligar|desisto
    do widzenia|proszę nie dzwonić|nie dzwońcie|nie dzwonić|nie jestem zainteresowan*|nie interesuje mnie|nie interesuje|rozłączam się|rezygnuję|dziękuję do widzenia|dajcie mi spokój|proszę dać spokój|nieważne|żegnam|nie chcę już|nie chcę|kończę|proszę zapomnieć|daj spokój|niech pan da spokój|niech pani da spokój|do usłyszenia|nara`,
  repeat: `say that again|say it again please|can you say it again|could you say it again|can you repeat|could you repeat|repeat that|please repeat|repeat the question|come again|what was that|didn't catch|did not catch|didn't hear|did not hear|couldn't hear|did not get that|did not understand|can't hear you|i beg your pardon|what did you say|pardon|pardon me|one more time|once more please|excuse me what|you're breaking up|didn't get that|didn't quite catch|say again|what's that again|i missed that|didn't understand|you broke up|repeat
    wie bitte|noch mal bitte|nochmal bitte|noch einmal bitte|wiederholen sie|wiederholen|bitte wiederholen|nicht verstanden|noch einmal|was haben sie gesagt|nicht gehört|verstehe sie nicht|sagen sie das _ noch|was sagten sie|akustisch nicht|versteh sie nicht|versteh sie schlecht|hab sie nicht verstanden|nochmal sagen|noch mal sagen|bitte nochmal
    vous pouvez répéter|pouvez répéter|répétez|répéter|comment ça|pardon|je n'ai pas compris|j'ai pas compris|pas entendu|mal entendu|vous dites|redites|encore une fois|pouvez-vous répéter|je n'ai pas entendu|j'ai pas entendu|redire|plaît-il|vous avez dit quoi|je vous entends mal|je vous entends pas|ça coupe|je n'entends pas|je vous entends très mal
    puede repetir|repita|repetir|repítame|me lo repite|repítalo|cómo dice|cómo ha dicho|no le he entendido|no he entendido|no entendí|no le oigo|no le escucho|no se oye|qué ha dicho|otra vez por favor|se oye fatal|perdone qué|no le entendí|se corta|cómo dijo|mande|qué dijo|se oye muy mal
    può ripetere|ripeta|ripetere|ripete|come ha detto|come scusi|non ho capito|non ho sentito|non la sento|come dice|un'altra volta|me lo ridice|cosa ha detto|che ha detto|di nuovo per favore|non si sente|si sente male|la sento male|potrebbe ridire|ridire
    kunt u dat herhalen|kunt u herhalen|herhalen|herhaal|wat zei u|wat zegt u|nog een keer|nog eens|niet verstaan|verstond _ niet|versta _ niet|niet gehoord|zegt u dat nog|pardon|ik hoor u niet|wablief|u valt weg|niet begrepen|hoor u slecht|zei u
    pode repetir|repita|repete|repetir por favor|pode dizer _ novo|como disse|como é|não percebi|não entendi|não ouvi|o que disse|o que você disse|outra vez por favor|de novo por favor|repetir a pergunta|não estou a ouvir|não tô ouvindo|não estou ouvindo|poderia repetir|falar de novo|fala de novo|diga outra vez|está a cortar|tá cortando|importa-se de repetir|podia repetir
    proszę powtórzyć|może pan powtórzyć|może pani powtórzyć|powtórzyć|powtórz|słucham|jeszcze raz|nie usłyszałem|nie usłyszałam|nie dosłyszałem|nie dosłyszałam|nie zrozumiałem|nie zrozumiałam|co pan mówi|co pani mówi|co pani powiedziała|co pan powiedział|nie słyszę|przerywa`,
  human: `proper person, dear|a proper person or|one of them computers|one of them bots|one of them recordings|a real girl|a real lady|a real woman|a real man|a real bloke|a real fella|a human on this|a human on the|human on this line|human on the line|talking to software|speaking to software|talking to _ software|flesh and blood|one of those machines|one of them machines|one of these machines|one of those computers|one of these computers|one of those bots|one of those robots|one of them robots|one of these robots|one of those ai|one of these ai|one of those automated|talking to _ machine*|talking to _ computer*|talking to _ robot*|talking to _ bot*|speaking to _ machine*|speaking to _ computer*|speaking to _ robot*|speaking with _ computer*|speaking with _ robot*|talking with _ computer*|talking with _ robot*|chatting to _ computer*|chatting with _ computer*|chatting with _ robot*|chatting with _ machine*|chatting to _ robot*|chatting to _ machine*|jawing with|with a computer right now|with a robot right now|with a machine right now|computer doing|machine doing|robot doing|a recording is it|not a recording|no a recording|just a recording|is it _ recording|is it _ machine|is it _ robot|is it _ computer|is it _ a human|is it _ real person|is it _ person or|actual lady|actual woman|actual man|are you _ woman|are you _ man or|are you _ living|are you _ breathing|are you made of|somebody sat there|someone sat there|anyone actually there|anybody actually there|someone actually there|somebody actually there|anybody really there|anyone really there|somebody really there|someone really there|do i hear _ robot|do i hear _ machine|do i hear _ computer|have i got _ robot|have i got _ machine|have i got _ computer|have i got _ real|have i got _ human|you're _ robot|you're _ machine|you're _ computer|you're _ bot|you are _ robot|you are _ machine|you are _ computer|automated system|automated voice|automated service|an automatic|computer voice|robot voice|is that _ computer|is that _ voice|a computer or|a machine or|a person or|a human or|a robot or|or a human|or a person|or a machine|or a robot|or a program|or a recording|or a computer|talking with _ machine|speaking with _ machine|talking to _ recording|talking to _ program|who am i talking to|who am i speaking to|who am i speaking with|chatbot|voice bot|virtual assistant|answering machine|are you _ program|are you automated|is this automated|are you an actual|are you actually|are you _ real|are you _ computer|an actual human|an actual person|are you _ ai|is this _ ai|artificial intelligence|are you _ robot|are you _ human|are you _ person|are you _ machine|are you _ computer|are you _ bot|are you _ gadget*|are you _ lady|are you _ recording|are you _ software|are you alive|are you real|is this _ robot*|is this _ machine|is this _ recording|is this _ computer|is this _ bot|is this _ human|is this _ real person|is this _ live person|is this _ tape|is that _ robot*|is that _ recording|is that _ machine|is that _ human|is that _ real person|it is one of those robot*|one of those robots or|am i _ talking to _ human|am i _ talking to _ robot|am i _ talking to _ machine|am i _ talking to _ person|am i _ speaking to _ human|am i _ speaking to _ person|am i _ speaking with _ human|you sound _ perfect|you sound like a robot|you sound like a machine|you a robot|you a machine|you a human|you're not _ human are you|you're not real|live person on the line|are you a robot|are you a human|are you human|are you real|is this a robot|is this a machine|talking to a robot|talking to a machine|speaking to a robot|talking to a computer|speaking to a machine|are you an ai|are you a bot|are you a machine|are you a computer|am i talking to _ person|is this a recording|is this an ai|is this a bot|are you a real person|is this a real person|talking to an ai|speaking with a robot|is that a robot|talking to a bot|speaking with a machine
    automatische stimme|computerstimme|automatische ansage|ist das eine ansage|sind sie eine künstliche|sind sie ein roboter|sind sie ein mensch|sind sie eine maschine|bist du ein roboter|bist du ein mensch|ist das ein computer|ist das ein roboter|rede ich mit einem|spreche ich mit einem menschen|spreche ich mit einem roboter|spreche ich _ mit einer maschine|spreche ich _ computer|sind sie echt|ist das eine maschine|sind sie eine ki|sind sie ein computer|sind sie ein automat|spreche ich _ roboter|spreche ich _ maschine|rede ich _ roboter|rede ich _ maschine|rede ich _ computer|sind sie _ mensch|sind sie _ roboter|sind sie _ maschine|sind sie _ computer|ist das _ roboter|ist das _ maschine|spreche ich _ automaten|sie ein mensch oder
    voix automatique|serveur vocal|boîte vocale|intelligence artificielle|êtes-vous un robot|vous êtes un robot|c'est un robot|je parle à un robot|je parle à une machine|êtes-vous humain|vous êtes humain|vous êtes une vraie personne|vous êtes une machine|êtes-vous une machine|une vraie personne ou|robot ou|c'est une machine|je parle à une vraie|vous êtes une ia|un robot ou|vous êtes réel|c'est un répondeur|je parle avec un robot
    voz automática|es un contestador|inteligencia artificial|es usted un robot|eres un robot|es un robot|es una máquina|hablo con un robot|hablo con una máquina|hablando con un robot|hablando con una máquina|es usted una persona|es usted humano|eres humano|hablo con una persona real|es una grabación|es usted una máquina|eres una máquina|esto es un robot|persona o _ robot|persona o _ máquina|robot o _ persona|máquina o _ persona|eres una ia|hablo con una persona o
    voce automatica|è un risponditore|intelligenza artificiale|lei è un robot|è un robot|sei un robot|parlando con un robot|parlo con un robot|è una macchina|parlando con una macchina|è una persona vera|robot o|macchina o|persona o _ robot|persona o _ macchina|lei è umano|è un computer|parlo con una macchina|parlo con una persona vera|è una registrazione|è un'intelligenza artificiale|sei umano|è umano|è una voce registrata
    computerstem|automatische stem|kunstmatige intelligentie|bent u een robot|ben je een robot|is dit een robot|praat ik met een robot|spreek ik met een robot|spreek ik met een mens|bent u een mens|bent u echt|spreek ik met een computer|praat ik met een computer|praat ik met een machine|bent u een computer|is dit een computer|spreek ik _ mens|spreek ik _ computer|spreek ik _ robot|praat ik _ robot|praat ik _ computer|bent u wel een|bent u _ mens|bent u _ robot|is dit een bandje|mens of _ robot|robot of|computer of
    voz automática|inteligência artificial|atendimento automático|você é um robô|é um robô|você é humano|estou a falar com um robô|estou falando com um robô|é uma máquina|você é uma máquina|falando com uma máquina|a falar com uma máquina|é uma pessoa real|é gente de verdade|robô ou|máquina ou|pessoa ou _ robô|é humano|é uma gravação|pessoa ou _ máquina|falo com um robô|a falar com um robô|tô falando com _ robô|falar com uma máquina ou|você é real
    automatyczny głos|automatyczna sekretarka|sztuczna inteligencja|czy pan jest robotem|czy pani jest robotem|jest robotem|czy to robot|czy rozmawiam z robotem|rozmawiam z robotem|rozmawiam z maszyną|rozmawiam z automatem|rozmawiam z człowiekiem|czy to automat|jest człowiekiem|robot czy|automat czy|człowiek czy|to jest robot|czy to maszyna|czy pani jest prawdziw*|czy to nagranie|jest pan robotem|jest pani robotem|jesteś robotem|żywy człowiek czy|rozmawiam z komputerem|to robot czy|automatem czy|jest maszyną`,
  swearing: `fuck|fucking|shit|bullshit|asshole|bitch|bastard|fuck off|piss off
    scheiße|scheiß|arschloch|verdammte|fick|wichser|fotze|verpiss
    merde|putain|connard|salope|enculé|bordel|conne
    mierda|joder|cabrón|hijo de puta|gilipollas|coño|puta
    merda|cazzo|stronzo|vaffanculo|puttana|coglione
    klootzak|godverdomme|kut|tering|klote|lul|rot op
    porra|caralho|foda-se|filho da puta|cabrão|puta que pariu
    kurwa|cholera jasna|pierdol*|skurwysyn|spierdalaj|gówno|do dupy`,
  emergency: `it's an emergency|smell gas|smelling gas|smells of gas|smell _ gas|gas smell|stinks of gas|reeks of gas|rotten egg*|rotten eggs|egg smell|leaking gas|smell of gas|smells like gas|gas leak|on fire|there's a fire|house is on fire|help me|not breathing|isn't breathing|stopped breathing|call an ambulance|ambulance|heart attack|unconscious|passed out|collapsed|bleeding _ badly|bleeding heavily|chest pain|chest pains|can't breathe|cannot breathe|overdose|stroke|choking|call 911|smoke everywhere|fire in the|suicide|kill myself|is dying|won't wake up|caught fire|bleeding a lot|had an accident|is unconscious|there's smoke|lots of blood|burning
    notfall|gasgeruch|riecht nach gas|riecht es nach gas|es brennt|brennt's|brennt es|feuer|hilfe|atmet nicht|atmet nicht mehr|bewusstlos|krankenwagen|notarzt|herzinfarkt|schlaganfall|blutet stark|keine luft|rettungswagen|zusammengebrochen|umgekippt|ohnmächtig|brust tut|riecht ganz stark nach gas|nach gas|verblutet|bekommt keine luft|kriegt keine luft|reagiert nicht|sehr viel blut|bringe mich um|feuerwehr|rauch kommt|alles voller rauch
    urgence|c'est une urgence|odeur de gaz|sent le gaz|fuite de gaz|au feu|il y a le feu|au secours|à l'aide|ne respire pas|respire plus|inconscient|inconsciente|ambulance|crise cardiaque|infarctus|samu|les pompiers|évanoui|évanouie|a perdu connaissance|perdu connaissance|saigne beaucoup|s'est effondré|un incendie|ça brûle|prend feu|pris feu|étouffe|plein de fumée|de la fumée partout|mal à la poitrine|feu dans|malaise|me suicider|ne répond plus|ne réagit plus
    emergencia|huele a gas|olor a gas|fuga de gas|escape de gas|fuego|incendio|socorro|auxilio|no respira|inconsciente|ambulancia|infarto|se ha desmayado|se desmayó|no reacciona|sangra mucho|sangrando mucho|ayúdenme|ayúdeme|desmayado|desmayada|dolor en el pecho|se está ahogando|se ahoga|se está quemando|derrame cerebral|mucho humo|bomberos|perdió el conocimiento|perdido el conocimiento|suicidarme|no puede respirar|no puedo respirar
    emergenza|è un'emergenza|odore di gas|puzza di gas|fuga di gas|al fuoco|c'è un incendio|incendio|aiuto|non respira|svenuto|svenuta|ambulanza|infarto|perso i sensi|sanguina molto|privo di sensi|priva di sensi|pompieri|va a fuoco|sta bruciando|dolore al petto|soffocando|ha preso fuoco|tanto fumo|fumo dappertutto|non reagisce|perde molto sangue|si è accasciat*|sta male|perso conoscenza|non riesce a respirare|non riesco a respirare|prende fuoco
    noodgeval|gaslucht|ruik gas|ruiken gas|gaslek|brand|er is brand|staat in brand|help|ademt niet|ademt niet meer|bewusteloos|ambulance|hartaanval|beroerte|flauwgevallen|bloedt hevig|in brand|pijn op de borst|geen adem|krijgt geen lucht|112|stikt|veel bloed|brandweer|reageert niet|in elkaar gezakt|vuur|gas geroken|naar gas|rook
    emergência|cheiro a gás|cheiro de gás|cheira a gás|fuga de gás|vazamento de gás|fogo|incêndio|socorro|não respira|não está respirando|não está a respirar|desmaiou|inconsciente|ambulância|ataque cardíaco|infarto|enfarte|ajuda rápido|sangrando muito|a sangrar muito|pegando fogo|a arder|dor no peito|bombeiros|perdeu os sentidos|muita fumaça|muito fumo|não reage|não acorda|vazando gás|cheirando a gás|cheiro forte de gás|me matar|engasgado|engasgada|avc|me ajuda pelo amor de deus
    nagły wypadek|nagły przypadek|pilny przypadek|czuć gaz|czuję gaz|ulatnia się gaz|wyciek gazu|pożar|pali się|ratunku|pomocy|nie oddycha|nieprzytomn*|karetka|karetkę|zawał|stracił przytomność|straciła przytomność|mocno krwawi|zemdlał|zemdlała|pogotowie|udar|dusi się|gazem śmierdzi|śmierdzi gazem|zapach gazu|straż pożarn*|dym|krwawi|ból w klatce|nie może oddychać|ogień|nie reaguje`,
};

interface Pattern {
  readonly kind: KnownKind;
  readonly parts: readonly (readonly string[])[];
}

const patterns = (): Pattern[] =>
  (Object.keys(said) as KnownKind[]).flatMap((kind) =>
    separated(said[kind])
      .filter((phrase) => /[*_]/.test(phrase))
      .map((phrase) => ({ kind, parts: partsOf(phrase) })),
  );

const plain = new Phrases(() =>
  (Object.keys(said) as KnownKind[]).flatMap((kind) =>
    separated(said[kind])
      .filter((phrase) => !/[*_]/.test(phrase))
      .map((phrase): [string, KnownKind] => [phrase, kind]),
  ),
);

const patternsByWord = lazily(() =>
  Map.groupBy(patterns(), ({ parts }) => (parts[0]?.[0] ?? '').replace('*', '').slice(0, 4)),
);

/** These begin like a request, but ask for nothing. */
const harmless = phrases(
  "i say it again|i'll say it again|i'll say that again|let me say it again|i don't want to do this with|i'm done explaining|done explaining|i'm done waiting|done waiting|i'm done repeating|i'm done talking to|i'm done arguing|i'm done with|laat maar staan|laat maar komen|laat maar doorgaan|stop ermee bedoel|do not hang up|don't hang up|lascia stare così|déjelo como está|déjelo así|déjela como está|deixe estar como está|deixe estar assim|deixa estar assim|lassen sie es so|lassen wir das so|lassen sie's so|lassen wir's so|lasci stare così|ho bisogno di aiuto con|help me with|can you help me|could you help me|hilfe bei|aide pour|ajuda com|pomocy w|pomocy przy",
);

function patternAt(tokens: readonly Token[], from: number): Found<KnownKind> | undefined {
  for (const { kind, parts } of patternsByWord().get((tokens[from]?.word ?? '').slice(0, 4)) ?? []) {
    const to = endOfParts(tokens, from, parts);
    if (to !== undefined) return { value: kind, from, to };
  }
  return undefined;
}

/** Before a phrase: the caller does not ask for it. */
const noWords = new Set(
  `no not isn t never without nothing kein keine keinen nicht nichts ohne weder pas aucun aucune sans rien ni nada sin niente non nessun nessuna senza geen niet zonder niets nao nenhum nenhuma sem nie bez zadnego zadnej zaden`.split(
    ' ',
  ),
);
/** Phrases that begin with a negation of their own need none before them. */
const reach = 4;

function isNegated(tokens: readonly Token[], found: Found<KnownKind>): boolean {
  for (let index = found.from - 1; index >= Math.max(0, found.from - reach); index -= 1) {
    const next = tokens[index + 1];
    if (next && /[,.;:!?]/.test(next.gap)) return false;
    if (noWords.has(tokens[index]?.word ?? '')) return true;
  }
  return false;
}

/** These phrases ask only if the turn says little else: they are also ordinary words. */
const weakPhrases =
  phrases(`pardon|bye|goodbye|good bye|pardon me|noch einmal|nog een keer|jeszcze raz|encore une fois|once more please|sorry|słucham|como é|mande|
  au revoir|arrivederci|adiós|hasta luego|dag hoor|tot ziens|tschüss|tschau|do widzenia|até logo|com licença|auf wiederhören|auf wiedersehen|feuer|fogo|fuego|brand|vuur|help|hilfe|aiuto|pomocy|stroke|choking|ambulance|urgence|rook|dym|burning|help me|nog eens|me voy|doei|nieważne|nie chcę|non voglio|chiudo|kończę|no quiero nada|arrêtez|stikt|étouffe|brandweer|malaise|sta male|krwawi|112|bombeiros|pompieri|i'm done|doch|lul|nara|adieu|emergency|notfall|emergencia|emergenza|emergência|noodgeval|salut au revoir|passez-moi|adeus|tchau|bye bye|doeg|zei u`);
/** Words around a weak phrase, at most. */
const fewWords = 8;
/** These mean a repetition only in a very short turn: callers also repeat prescriptions. */
const infinitives = phrases(
  'repeat|wiederholen|répéter|repetir|ripetere|herhalen|powtórzyć|herhaal|repete|ripete|repita|redire|ridire|répétez',
);
const veryFewWords = 3;

function isWeakPhrase(tokens: readonly Token[], { from, to }: Found<KnownKind>): boolean {
  if (tokens.length > fewWords && weakPhrases.at(tokens, from)?.to === to) return true;
  return tokens.length > veryFewWords && infinitives.at(tokens, from)?.to === to;
}

function knownRequests(tokens: readonly Token[]): Found<KnownKind>[] {
  const found: Found<KnownKind>[] = [];
  for (let index = 0; index < tokens.length; ) {
    const skipped = harmless.at(tokens, index);
    const next = skipped ? undefined : (plain.at(tokens, index) ?? patternAt(tokens, index));
    const isWeak = next !== undefined && isWeakPhrase(tokens, next);
    if (next && !isWeak && !isNegated(tokens, next)) found.push(next);
    index = skipped?.to ?? next?.to ?? index + 1;
  }
  return found;
}

/** The more urgent request decides. */
const urgency: readonly KnownKind[] = ['emergency', 'swearing', 'human', 'person', 'stop', 'repeat'];

/**
 * What a caller asks for at any step; null if nothing. 'other' and 'emergency' also match the words of their description. A
 * negation ("it's not urgent", "no gas smell") asks for nothing.
 */
export function commandIn(
  text: string,
  commands: readonly { readonly id: string; readonly kind: CommandKind; readonly description: string }[],
): string | null {
  const tokens = tokensOf(text);
  const requests = knownRequests(tokens);
  for (const kind of urgency) {
    const command = commands.find((candidate) => candidate.kind === kind);
    if (command && requests.some(({ value }) => value === kind)) return command.id;
  }
  // "It's not flooding or anything, just wasting water."
  const isCalm = calm.isIn(tokens);
  const emergency = commands.find(({ kind }) => kind === 'emergency');
  if (emergency && !isCalm && floods.isIn(tokens)) return emergency.id;
  const described = commands.filter(({ kind }) => kind === 'other' || (kind === 'emergency' && !isCalm));
  return described.find(({ description }) => isDescribed(tokens, description))?.id ?? null;
}

/** Said of what cannot wait. Whoever says so goes on with the address, so that the turn is no mere request. */
const floods = phrases(
  `overflowing|flooding|flooded|burst pipe|pipe burst|pipe has burst|water everywhere|pouring through|gushing|überschwemmt|rohrbruch|inondé|inondation|inundado|inundación|allagato|allagamento|overstroming|inundou|zalewa|zalało`,
);

/** Said of what can wait. */
const calm = phrases(
  `not urgent|isn't urgent|nothing urgent|not emergency|we're fine|i'm fine|no emergency|not an emergency|isn't an emergency|no rush|no hurry|nothing pressing|not flooding|isn't flooding|can wait|it'll wait|will wait|nothing dramatic|nothing serious|just wasting
  nicht dringend|nichts dringendes|kein notfall|keine eile|kann warten|pas urgent|rien d'urgent|peut attendre|no es urgente|nada urgente|puede esperar|non è urgente|niente di urgente|può aspettare|niet dringend|geen haast|kan wachten|não é urgente|nada urgente|pode esperar|nie jest pilne|nic pilnego|może poczekać`,
);

/** True if a turn asks for a person, an end, a repetition or help: it answers no question. */
export function isRequest(tokens: readonly Token[]): boolean {
  return knownRequests(tokens).some(({ value }) => value !== 'swearing');
}

/** These also begin another wish: "I've changed my mind, Friday is better." */
const changesOfMind = phrases(
  "i've changed my mind|cancel that|don't call|don't bother|i'm done|have a good one|ya no quiero|no quiero esto|ik wil dit niet|nie chcę|nie chcę już",
);

/** True if a turn says more than a goodbye to end the call: "forget it", "gotta go". */
export function saysToStop(text: string): boolean {
  const tokens = tokensOf(text);
  return knownRequests(tokens).some(
    ({ value, from, to }) =>
      value === 'stop' && weakPhrases.at(tokens, from)?.to !== to && !changesOfMind.has(tokens, from),
  );
}

const shortestStem = 5;

/** True if the turn says two words of one clause of a description, or its only one, without a negation before them. */
function isDescribed(tokens: readonly Token[], description: string): boolean {
  return description.split(';').some((clause) => isOfClause(tokens, clause));
}

function isOfClause(tokens: readonly Token[], description: string): boolean {
  const wanted = new Set(
    tokensOf(description).flatMap(({ word }) => (word.length > 3 && !idle.has(word) ? [stem(word)] : [])),
  );
  const heard = new Set(
    tokens.flatMap(({ word }, index) =>
      wanted.has(stem(word)) && !isNegated(tokens, { value: 'emergency', from: index, to: index + 1 })
        ? [stem(word)]
        : [],
    ),
  );
  return heard.size >= Math.min(2, wanted.size) && heard.size > 0;
}

function stem(word: string): string {
  return word.slice(0, shortestStem);
}

const idle = new Set(
  `caller asks about wants with that this from their there they will would have something someone anything says when which
   anrufer fragt nach will möchte über eine einen einer etwas wenn appelant demande veut pour avec quelque chose llama pregunta quiere sobre para algo cuando
   chiede vuole chiamante qualcosa quando beller vraagt wil over iets naar wanneer pergunta quer sobre alguma coisa quando pyta chce dzwoniacy cos kiedy dotyczy`
    .split(/\s+/)
    .map(folded),
);
