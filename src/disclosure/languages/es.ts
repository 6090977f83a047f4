import type { LanguageData } from '../language.ts';

/** Spanish of Spain and Latin America. */
export const es: LanguageData = {
  code: 'es',
  headFinal: false,
  terms: [
    'inteligencia|inteligencias ~3 artificial|artificiales',
    'inteligencia todo lo artificial que',
    'inteligencia , ~2 ,? pero artificial',
    'artificialmente inteligente',
    'artificial intelligence',
  ],
  acronyms: 'IA AI IAs',
  agentNouns: `asistente* agente agentes bot *bot chatbot callbot voicebot robot* robotina autómata recepcionista operador
    operadora sistema voz telefonista teleoperador teleoperadora concierge conserje secretario secretaria anfitrión
    anfitriona interlocutor interlocutora máquina maquina maquinita programa
    software programita ordenador computadora entidad personaje avatar compañero compañera colega guía guia criatura
    mayordomo empleado empleada ayudante ayuda contestador contestadora modelo colaborador
    colaboradora coach copiloto copilota entrevistador entrevistadora encuestador encuestadora representante amigo
    amiga mensajero mensajera portavoz dispositivo herramienta interfaz tele gestor gestora ejecutivo ejecutiva
    centralita camarero camarera mesero mesera despachador despachadora coordinador coordinadora bicho mente cerebro
    cerebrito dependiente dependienta cosa algoritmo conciencia`,
  links: `de del con a por en sobre mediante basad* fundad* dotad* impulsad* potenciad* alimentad* animad* operad*
    generad* gestionad* asistid* equipad* hech* cread* construid* movid* programad* que usa funciona trabaja corre la el
    una un las base tipo gracias entrenad* desarrollad* accionad* manejad* propulsad* puramente plenamente totalmente`,
  modifiers: `virtual virtuales digital digitales vocal telefónico telefónica nuevo nueva automático automática
    automatizado automatizada inteligente inteligentes conversacional conversacionales pequeño pequeña joven humilde
    simple verdadero verdadera auténtico auténtica pura puro gran grande buen buena amable simpático simpática súper
    super última último propio propia fiel leal servicial personal oficial preferido preferida favorito favorita
    generativo generativa autónomo autónoma interactivo interactiva dedicado dedicada modesto modesta excelente
    humildísima parlanchín parlanchina bilingüe multilingüe basado basada comercial médico médica cliente clientes
    atención llamadas citas reservas turnos noche guardia educado educada linda lindo querida querido avanzado avanzada
    moderna moderno flamante reciente famosa famoso cordial atento atenta nocturno nocturna incansable mera mero
    bendita bendito mismísima mismísimo`,
  otherNouns: `asesor asesora asesores consejero consejera vendedor vendedora equipo equipos empresa* compañía compañías sociedad startup start-up laboratorio* labs lab experto* experta*
    especialista* consultor consultora consultores consultoría ingeniero ingeniera ingenieros ingeniería desarrollador*
    investigador* responsable* jefe jefa director directora profesor profesora profe curso cursos clase clases
    formación taller talleres charla conferencia proyecto* producto* solución soluciones oferta* demostración demo
    política ley grupo instituto escuela academia tienda fábrica estudio estudios departamento* área división unidad
    oficina gabinete estrategia fundador fundadora creador creadora proveedor proveedora proveedores tecnología
    tecnologías evento feria congreso cumbre seminario webinar boletín podcast premio premios servicios consulting
    agencia filial sector campo estudiante estudiantes máster master carrera grado beca entusiasta aficionado
    suscripción asociación club centro licencia puesto empleo trabajo becario abogado abogada analista programador
    programadora sl sa srl ltd inc solutions group academy school engineer manager lead partner partners hub
    negocio sección rama materia asignatura plan gerente coordinación dirección cátedra hijo novio`,
  determiners: `un una unos unas el la los las lo tu tus su sus mi mis nuestro nuestra nuestros nuestras vuestro vuestra
    vuestros vuestras este esta estos estas ese esa esos esas aquel aquella cierta alguna`,
  adverbs: `solo sólo solamente simplemente únicamente realmente verdaderamente puramente también ahora hoy aquí acá
    actualmente honestamente orgullosamente enteramente completamente totalmente literalmente efectivamente
    absolutamente estrictamente técnicamente oficialmente todavía aún siempre igualmente pues bien muy toda todo
    mismo misma ciertamente exactamente precisamente francamente evidentemente obviamente ya exclusivamente
    íntegramente felizmente más mas nada plenamente claramente directamente justamente sinceramente concretamente
    sencillamente enterita enterito nomás nomas propiamente además encima puro meramente apenas tan bastante algo
    justo orgullosa básicamente esencialmente afortunadamente naturalmente`,
  asides: [
    'lo que ~2 llama|llaman|conoce|denomina como?',
    'en realidad|verdad|efecto|resumen|concreto|rigor|esencia',
    'de hecho|verdad|veras',
    'la verdad ~1',
    'por supuesto|cierto|así',
    'así que',
    'para ser ~1 honesto|honesta|sincero|sincera|preciso|precisa|exacto|exacta|exactos|claro|clara|claros|franco|franca|transparente|transparentes',
    'a decir verdad',
    'todo hay que decirlo',
    'tal cual',
    'sin más',
    'lo confieso|admito|reconozco',
    'como ya? habrá|habrás|sabe|sabes|puede|podrá|podrás|oye|escucha|imaginará|nota|verá|verás ~3',
    'de pies a cabeza',
    'de arriba abajo',
    'al 100 %?',
    '100 %?',
    '100%',
    'cien por cien|ciento',
    'ni más ni menos',
    'nada menos',
    'nada más',
    'de momento',
    'por ahora',
    'en este momento',
    'por mi parte',
    'para que ~2 sepa|sepas|sepan|quede|conste ~2',
    'con toda|total ~1 sinceridad|franqueza|honestidad|transparencia',
    'con orgullo|gusto|mucho',
    'por si ~4',
    'a su|tu servicio|disposición',
    'por transparencia',
    'se lo aclaro|digo|advierto',
    'te lo aclaro|digo|advierto',
    'o sea',
    'es decir',
    'y a mucha honra',
    'a mucha honra',
    'de profesión',
    'de nacimiento',
    'para más señas',
    'ahora mismo',
    'hoy en día',
    'cómo no',
    'eso sí',
    'claro está',
    'a secas',
    'para servirle|servirte',
    'digamos',
    'mire',
    'fíjese',
    'fíjate',
    'ojo',
  ],
  functionWords: `de del a al con en por para sin sobre entre desde hasta hacia según contra durante mediante tras ante bajo como
    si cuando donde que quien quienes cual cuál cuyo porque pues aunque mientras así más menos muy tan y e u soy eres es
    somos son fui fue ser sea era`,
  after: `aquí acá llamad* nombrad* bautizad* diseñad* cread*
    desarrollad* entrenad* programad* formad* que también bien más capaz especializad* encargad* puest* al a igualmente
    ahora ya todo toda y dedicad* disponible list* dicho hablando llamando respondiendo atendiendo trabajando operando
    actuando muy tan quien mismo misma`,
  genitives: 'de del desde en por para al a número nº con y',

  self: [
    'atiendo|llamo|trabajo|actúo|contesto ~2 como',
    'le|te|os hablo|escribo|atiendo|respondo ~2 como',
    'conmigo ,',
    'soy',
    'yo ~2 soy',
    'soy yo ,?',
    'no soy ~1 más que',
    'no soy sino',
    'no soy ~2 sino',
    'yo ~1 , @',
    'este|esta servidor|servidora ~3 es',
    'un|una servidor|servidora ~3 es',
    'su|tu servidor|servidora ~3 es',
    'quien suscribe ~3 es',
    'aquí una servidora ,?',
    'soy ~3 impulsad*|potenciad*|generad*|operad*|gestionad*|animad*|alimentad*|creada|creado por|con|de',
    'soy ~3 basada|basado|hecha|hecho en|de|con',
    'estoy ~2 hecha|hecho|basada|basado|impulsada|impulsado|construida|construido|dotada|dotado|operada|operado|potenciada|potenciado|programada|programado|creada|creado de|en|por|con|a',
    'funciono|opero|corro|ando ~2 con|gracias|mediante|a|por|base a?|de?|en?',
    'como @ que soy',
    '@ ~4 ,? esa|ese soy yo',
    '@ ~4 ,? y? esa|ese|que|eso soy',
    '@ ~4 ,? soy yo',
    '@ ~4 ,? o sea ,? yo',
    '@ ~4 ,? es decir ,? yo',
    '@ ~2 : yo',
    '@ ~2 ,? porque|pues|que? eso ~3 soy',
    'puede|puedes|podés llamarme ~1',
    'me ~1 puede|puedes|podés ~1 llamar ~1',
    'yo , @',
    'considéreme|considérame|piense|imagínese|tómeme|véame ~3 como',
    'me presento ~2 como',
    'lo que soy ~1 es',
    'sigo siendo',
    'encantado|encantada|orgulloso|orgullosa|feliz de ser',
    'tengo ~4 de ser',
    'mi naturaleza ~1 es',
    'mi condición ~1 es|de',
    'mi cerebro|mente|voz|corazón es|son ~1 de',
    'mi cerebro|mente|voz es|son',
    'nosotras|nosotros ,? las @',
    'vengo siendo',
    'me definen como',
    'presentarme ,? :?',
  ],
  roles: [
    'al ser @',
    'por ser',
    'como @ que soy',
    '^ como @ ,? no? nunca|jamás|puedo|tengo|estoy|me|le|te|soy|mi|mis|hablo|trabajo|atiendo|registro|quiero|debo|yo|sólo|solo|aprendo|sé|duermo',
    'siendo @',
    'siendo yo|como @',
    'siendo yo',
    'en calidad de @',
    'en mi ~1 de @',
    'por ser @ ,? no|me|nunca|puedo',
  ],
  about: [
    'el|la único|única que es',
    '@ , ~3 , le|te|os|lo|la ~1 atiende|habla|escucha|responde|llama|saluda|atenderá|ayuda',
    '@ , ~3 , está ~1 al|a|en|aquí',
    'placer|gusto|honor de hablar|conversar|charlar con',
    '^ es !que|quien',
    'pues|bueno|hola|sí|porque|aló es !que|quien',
    'es la|el de',
    'esta|su|tu|la|el llamada|conversación|teléfono|pedido|reserva|consulta la|lo|se|le ~1 toma|coge|recoge|contesta|tomará|pasa|está',
    'detrás|tras ~6 hay|está|es',
    'detrás|tras ~6 se esconde|encuentra|oculta',
    'llamada|llamadas ~3 realizada|hecha|gestionada|generada|operada ~1 por|con|mediante',
    'aquí|acá',
    '^ aquí|acá ,',
    'va|vas|vais ~1 a ~1 hablar|conversar|charlar|tratar|platicar ~2 con',
    'tiene|tienes|tenés|tenéis ~3 al|del|de|en teléfono|otro|lado|línea ~4 a?',
    'del|al|en este|otro lado ~4 tiene|tienes|tenés ~1',
    'hablará|hablarás ~1 con',
    '@ para los|las amigos|amigas',
    'detrás|tras|lado|detras …9 , hay|está',
    'esto|esta|este ~1 es',
    'aquí|acá ~2 habla|está|tiene|tienes|contesta|responde|atiende|le|te|llama ~1',
    'aquí|acá no? ~1 es|hay|está|tiene',
    'he ahí|aquí',
    'habla|hablas|hablando|conversa|conversas|conversando|charlas|charlando|charla|platica|platicas|platicando|hablás|habláis|hablan|comunicando|comunica|interactuando|interactúa|interactúas|dialogando|chateando|chatea|tratando|trata|conversás|dialoga ~4 con',
    'habla usted|vos|ud ~1 con',
    'está|estás|estáis|están|estas|esta|estoy|encuentra ~3 comunicado|comunicada|conectado|conectada|contacto|comunicación|línea|conversación|manos|contactado|contactada|teléfono ~1 con|de',
    'está|estás|estáis|están ~2 siendo atendido|atendida|atendidos|ayudado|contactado|llamado ~1 por',
    'ha|has|habéis|han ~2 llamado|contactado|comunicado|dado|localizado|marcado|topado|caído|llegado ~2 a|con|al',
    'acaba|acabas ~3 de ~3 con|a',
    'te|se|le ~2 comunicaste|comunicó|contactaste|contactó|topaste ~1 con',
    'llamaste|llamó|llegaste|llegó|marcó ~1 a|al|con',
    'le|te|os|les|lo|la|se ~2 habla|hablamos|atiende|responde|llama|contesta|saluda|escucha|recibe|ayuda|asiste|acompaña|contacta|escribe|telefonea|hablará|atenderá|atendemos|guía|guiará|ayudará|acompañará|coge|agarra|asistirá|hablo|dirijo :? a?',
    'le|te|os|les ~2 habla|atiende|responde|llama|contesta|escucha ~4 ,',
    'atiende|responde|habla|contesta|llama|saluda ,? :?',
    'atendido|atendida|atendidos|atendidas ~2 por',
    'quien|que ~3 habla|atiende|responde|llama|contesta|saluda|escucha|oye|oyes|ayuda|contacta|escribe|atenderá|pide|pregunta|asiste|está|telefonea|hablando|atendiendo|respondiendo|hablas|recibe|marca|maneja|lleva|toma|coge|gestiona|descolgado|contestó|atendió ~5 es|soy ~1',
    'quien|que ~3 habla|atiende|responde|llama|contesta|saluda|escucha|oye|pide ~5 no es ~4 sino',
    'la|el|lo|esta|mi voz|vos ~6 es ~1',
    'la|esta|mi voz ~6 es la? de',
    'esta|mi|la voz ~6 pertenece|proviene|viene|corresponde ~1 a|de',
    'esta|mi|la voz ~6 está|es ~2 generada|producida|creada|sintetizada por|con|mediante',
    'su|tu|el|vuestro|la interlocutor|interlocutora|asistente|agente|asesor|asesora|operador|operadora|recepcionista|anfitrión|anfitriona|guía|contacto|telefonista|secretaria|secretario|comandante|capitán|compañero|compañera|ayudante …4 es|será|soy',
    'su|tu interlocutor|interlocutora|asistente :',
    'esta|su|la|tu|este|el|nuestra|nuestro|estas|las llamada|llamadas|conversación|comunicación|teléfono|línea|chat|consulta|solicitud|centralita|gestión|atención|servicio|recepción|entrevista|encuesta|cita|reserva|mensaje|aviso|recordatorio|número|conversaciones|interacción|diálogo|contestador ~6 es|está|será|ha|la|lo|son|están|fue|le|se|corre|queda ~3 atendid*|gestionad*|realizad*|hech*|llevad*|operad*|manejad*|conducid*|respondid*|efectuad*|contestad*|iniciad*|generad*|tramitad*|realiza|atiende|hace|gestiona|lleva|maneja|responde|efectúa|presta|cargo|contesta|conduce|opera|ejecutad*|asistid*|brindad*|encargad* ~2 por|a|cargo|con? de?|del?',
    'esta|su|la|tu|este|el llamada|conversación|teléfono|línea|atención|chat|centralita|entrevista|encuesta|gestión ~6 la|lo|le|se|los ~3 realiza|haciendo|realizando|atendiendo|haciéndo|gestionando|hará|contestando|atiende|hace|gestiona|lleva|maneja|responde|efectúa|presta|contesta|conduce|opera|tramita|brinda ~1',
    'a esta|su|tu llamada responde|contesta|atiende ~1',
    'esta|su llamada|conversación es ~1 con|de',
    'esta llamada proviene|viene|procede de',
    'es ~1 con @ …3 con? que|quien|la ~4 habla*|convers*|trat*|está*|comunic*',
    'con quien|la|el|lo que? ~3 habla|hablas|hablando|conversando|conversa|platica|está|estás|charlando|hablás|comunicando|tratando ~2 es ~2 con?',
    '@ ~7 quien|la|el|que|lo ~1 que? ~2 habl*|atiend*|respond*|llam*|contest*|salud*|escuch*|ayud*|contact*|gestion*|realiz*|lleva*|tien* ~1 le|te|esta|su|al|tu|del|el|la|con|hoy|aquí|desde|por',
    'es|fue|será @ …6 quien|la|el|que ~1 que? ~2 habl*|atiend*|respond*|llam*|contest*|salud*|escuch*|ayud*|contact*|atend*|realiz*|gestion*',
    '@ ~7 le|te|les|os|lo ~1 habla|atiende|responde|llama|contesta|saluda|escucha|recibe|ayuda|está|da|contacta|hablando|atendiendo',
    '@ ~7 está|estoy ~3 hablando|atendiendo|respondiendo|llamando|contestando|gestionando',
    '@ ~7 atiende|gestiona|maneja|responde|contesta|lleva|realiza|conduce|opera ~2 esta|su|tu|sus|este|tus|el|a ~1 llamada|llamadas|conversación|teléfono|consulta|línea|consultas',
    '@ …6 a|al ~1 su|tu|habla|teléfono|aparato|línea|otro servicio|disposición|lado|órdenes|habla',
    '@ …6 al habla|teléfono|aparato|servicio',
    '@ ~4 hablando|presente',
    '@ ~7 para servirle|servirte|atenderle|ayudarle',
    'hay ~1 @ …3 al|aquí|acá|hablando|detrás',
    'al otro lado ~6 hay|está|tiene|tienes|se|le|te|responde|encuentra ~3',
    'del otro lado ~6 hay|está|tiene|tienes|es',
    'al|en este? lado|extremo|otro ~4 hay|está|es',
    'se trata de',
    'trata de',
    'tratas|tratando con',
    'se ~1 comunica|comunicó ~1 con',
    'naturaleza|puesto|cargo|especie|tipo|profesión|identidad|condición :',
    'a cargo de @',
    'te|le|os ~1 paso a? presentar ~2 a',
    'bajo el mando de @',
  ],
  names: [
    'me llamo',
    'mi nombre ~1 es',
    'me dicen|llaman',
    'me conocen por|como',
    'me pusieron|nombraron|bautizaron',
    'llámame',
    'llámeme',
    'puede|puedes llamarme',
    'aquí|acá',
    'al habla',
    'nombre :',
    'les|le|te saluda|habla ~2',
  ],
  corrections: [
    'o mejor? dicho ,?',
    'mejor dicho ,?',
    'más exactamente|precisamente|concretamente ,?',
    'para ser ~1 preciso|precisa|exacto|exacta|honesto|honesta|sincero|sincera|precisos|exactos|claros ,?',
    'es decir ,?',
    'o sea ,?',
    'quiero decir ,?',
    'en realidad ,?',
    'digo ,?',
    'en otras palabras ,?',
    'vaya ,?',
    'bueno ,?',
    'en concreto ,?',
    'concretamente ,?',
    'o ,? para? ~2 más? concretos?',
  ],
  copulas: 'es era hay está',
  fillers: `tiene tienes encuentra encuentras un una el la los las está estás estáis estoy hola aló bueno buenos buenas días tardes noches bienvenido bienvenida bienvenidos saludos estimado estimada señor
    señora don doña sr sra señorita usted ud ustedes tú vos yo le te les os lo la se nos me sepa sabe sepan sabes recuerde
    recuerda tenga ten en cuenta informamos informo informarle informarte avisamos aviso avisarle avisarte advierto
    advertimos comunicamos comunico notificamos digo decirle decirte aclaro aclararle aclararte aclaramos gracias por su
    tu llamar llamada llamarnos de a que quiero queremos querría quisiera debo debemos tengo tenemos hacerle saber
    información aviso nota importante para transparencia ley obligación normativa legalmente sí no pues bien vale eh ey
    ah oh mire mira mirá oiga oye che venga sucede pasa ocurre resulta ahora hoy mismo este esta momento estos momentos
    antes nada todo seguir empezar comenzar continuar es obligatorio conste cuenta claro dejo deje dejar permítame
    permítanos indicarle indicarte hago constar favor así ya porque como tranquilo tranquila informado informada
    informarle confirmo confirmamos sencillo sencillamente pronto y aquí acá actualmente actualidad quiubo qué tal
    buen día encantado encantada mucho gusto atención`,
  negations: `no ni nunca jamás jamas nadie ningún ninguna ninguno nada tampoco sin anti ningun`,
  harmlessPhrases: [
    'en|por cuenta',
    'dar|doy|dará|darás|dado cuenta',
    'se ~2 da|dé|den cuenta',
    'por si cuenta',
    'le|te cuento',
    'no hay|está ~3 ,',
    'no solo|sólo|solamente|únicamente',
    'no ~1 se|te|os ~2 asuste|asustes|preocupe|preocupes|sorprenda|sorprendas|extrañe|extrañes|olvide|olvides|alarme|alarmes|apures|apure|espante|espantes|confunda|confundas|engañe|engañes ~1 que?',
    'no le|te ~2 sorprenda|extrañe|oculto|escondo|miento|engaño|ocultamos|oculto|voy ~2 que?',
    'no olvide|olvides|olvidés ~1 que?',
    'sin duda|dudas|rodeos|más|trampa|secretos',
    'sin lugar a dudas',
    'no ~2 secreto|problema|pasa ~1 que?',
    'no hay ~1 duda|dudas|secreto|misterio|confusión ~2 que?',
    'ni más ni menos',
    'nada más ni nada menos',
    'nada menos que?',
    'nada más que?',
    'no ~1 es ~2 otra|otro ~1 que',
    'no ~1 es|soy más|sino que?',
    'no soy ~2 más que',
    'si no ~2 importa|molesta',
    'no ~1 engaño|oculto|niego|escondo ,? que?',
    'por si ~2 dudas|duda|sabía|sabías|sabe|pregunta|preguntaba|no ~2',
    'no hace falta ~3',
    'para que no ~4',
    'nada de que? sustos|miedo|esconder',
    'antes de nada|todo',
    'antes que nada|todo',
    'si ~2 pregunta|preguntas|preguntaba|preguntabas',
    'si ~1 permite|permites|prefiere|gusta',
    'de nada',
    'no se|te lo? tome|tomes a mal',
    'no lo|se|te dude|dudes',
  ],
  contrasts: 'sino pero solo sólo solamente simplemente',
  joints: 'y e pues entonces así conque',
  that: 'que',
  conditions: `si cuando ojalá siempre supongamos imagine imagina fuera fuese hasta`,
  doubts: `cuenta creo cree crees creen creía creían creyó creyeron creer pienso piensa piensas piensan pensaba pensar imagino imagina imaginas
    imagine supongo supone dudo duda dudan pregunto pregunta preguntan preguntó preguntar pretende finge fingir quizá
    quizás acaso casi prácticamente parece parecen parezco parezca parecer pareciera sueño broma bromea
    rumor confunde confunden confundió confundieron confundas toman acusan acusa juraría dice dicen dicho dijo dijeron
    supuesta supuesto presunta veces normalmente generalmente habitualmente probablemente posiblemente
    seguramente posible podría podrías opina opinan demuestre demuestra demuéstreme gustaría
    llamarán sospecha sospechan jura juran falso mentira seré serás tomado`,
  firstPerson: 'yo mí mi me mis conmigo nosotros nosotras',
  questions: `sabe sabes sabía sabías quiere quieres qué que quién quien
    cuándo cómo como dónde cuál por cuánto cree crees piensa puede puedo puedes podría debo ha has conoce conoces acaso
    tiene`,
  elsewhere: `mañana web sitio página internet app aplicación ayer anteayer anoche correo whatsapp pronto próximamente antes
    antiguamente anterior anteriormente partir madrugada festivos fines domingos
    sábados`,
  or: 'o u ni',
  humans: [
    'un|una ~2 humano|humana|persona|hombre|mujer|señora|señor|chica|chico|muchacha',
    'ser|seres humano|humanos',
    'humano|humana|humanos',
    'persona|personas',
    'gente',
    'alguien',
    'nadie',
    'asesor|asesora|agente|operador|operadora|compañero|compañera|recepcionista|empleado|empleada humano|humana',
    'ninguna|ningún ~1 persona|humano|cristiano',
    'cristiano',
    'nadie',
    'un tipo|tío|pibe',
    'una tía|piba',
  ],
  humanIdioms: ['de carne y hueso', 'en carne y hueso', '100 % humano|humana', 'real y humana'],
  places: 'aquí acá lado línea teléfono aparato extremo',
  vagueTerms: [
    'asistente|agente|asesor|asesora|consejero|consejera|compañero|compañera|sistema|servicio|recepcionista|operador|operadora|contestador ~1 virtual|digital|automático|automática|automatizado|automatizada|inteligente|vocal|telefónico',
    'asistente',
    'chatbot|voicebot|bot|robot',
    'ordenador|computadora|máquina',
    'llamada automática|automatizada',
    'contestador',
  ],
};
