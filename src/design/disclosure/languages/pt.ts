import type { LanguageData } from '../language.ts';

/** Portuguese, of Portugal and of Brazil. */
export const pt: LanguageData = {
  code: 'pt',
  headFinal: false,
  terms: [
    'inteligência|inteligências|inteligencia ~3 artificial|artificiais',
    'inteligência do mais artificial',
    'inteligência ,? sim ,? mas artificial',
    'artificialmente inteligente',
    'artificial intelligence',
  ],
  acronyms: 'IA AI IAs',
  agents: `assistente assistentes agente agentes bot *bot chatbot callbot voicebot robô robôs robot* robozinho robo autómato
    autômato recepcionista rececionista operador operadora sistema voz telefonista teleoperador teleoperadora atendente
    atendedor concierge secretário secretária anfitrião anfitriã conselheiro conselheira consultor consultora
    interlocutor interlocutora máquina maquininha programa software programinha computador entidade personagem avatar
    colega companheiro companheira guia criatura mordomo funcionário funcionária ajudante ajuda
    modelo colaborador colaboradora coach copiloto copilota entrevistador entrevistadora representante amigo amiga
    mensageiro mensageira dispositivo ferramenta interface gestor gestora central coordenador coordenadora mente cérebro
    coisa algoritmo porteiro garçom balconista coração trabalhadora trabalhador cabeça tutor tutora`,
  links: `de da do das dos com a à em no na por pelo pela sobre mediante através baseado baseada baseados assente fundad* dotad*
    impulsionad* potenciad* alimentad* animad* operad* gerad* gerid* assistid* equipad* feit* criad* construíd* movid*
    programad* que usa funciona trabalha roda corre o um uma as base tipo graças treinad* desenvolvid* acionad*
    suportad* turbinad* apoiad* puramente totalmente inteiramente controlad* comandad*`,
  modifiers: `virtual virtuais digital digitais vocal telefónico telefônico telefónica telefônica novo nova novinho novinha
    automático automática automatizado automatizada inteligente inteligentes conversacional pequeno pequena jovem
    humilde simples verdadeiro verdadeira autêntico autêntica pura puro grande bom boa amável simpático simpática super
    último última próprio própria fiel leal pessoal oficial preferido preferida favorito favorita generativo generativa
    autónomo autónoma autônomo autônoma interativo interativa dedicado dedicada modesto modesta excelente falante
    bilingue bilíngue multilingue baseado comercial médico médica cliente clientes atendimento reservas marcações
    agendamento turno noite plantão educado educada linda lindo querido querida avançado avançada moderna moderno recente
    famosa famoso cordial atenciosa atencioso incansável mero mera tal mesmíssima legítima legítimo prestável prestativa
    prestativo inofensiva inofensivo orgulhosa orgulhoso`,
  others: `vendedor vendedora equipa equipe time empresa* companhia companhias sociedade startup start-up laboratório* labs lab perito perita
    especialista* experto consultoria engenheiro engenheira engenheiros engenharia desenvolvedor* programador
    programadora investigador* pesquisador* responsável chefe diretor diretora director directora professor professora
    prof curso cursos aula aulas formação formador formadora treinamento oficina workshop palestra conferência projeto*
    projecto* produto* solução soluções oferta* demonstração demo política lei grupo instituto escola academia loja
    fábrica estúdio estúdios departamento* área setor sector divisão unidade escritório gabinete estratégia fundador
    fundadora criador criadora fornecedor fornecedora fornecedores tecnologia tecnologias evento feira congresso cimeira
    seminário webinar newsletter boletim podcast prémio prêmio prémios serviços consulting agência filial ramo campo
    estudante estudantes mestrado doutoramento faculdade licenciatura entusiasta assinatura associação centro licença
    vaga emprego trabalho estagiário advogado advogada analista lda ltda sa inc solutions group academy school engineer
    manager lead partner partners hub negócio disciplina matéria plano gerente coordenação filho contabilidade filme
    livro revista`,
  determiners: `um uma uns umas o a os as teu tua seu sua teus tuas seus suas meu minha meus minhas nosso nossa nossos nossas
    vosso vossa este esta estes estas esse essa esses essas aquele aquela certa alguma`,
  adverbs: `só somente apenas simplesmente unicamente realmente verdadeiramente puramente também agora hoje aqui cá
    atualmente actualmente honestamente orgulhosamente inteiramente completamente totalmente literalmente efetivamente
    absolutamente estritamente tecnicamente oficialmente ainda sempre igualmente pois bem muito muita toda todo mesmo
    mesma certamente exatamente precisamente francamente evidentemente obviamente já exclusivamente integralmente
    felizmente mais claramente diretamente justamente sinceramente concretamente basicamente essencialmente
    naturalmente enfim afinal então aliás sim propriamente meramente tão bastante neste momento presentemente porém
    todinha todinho inteirinha inteirinho cem orgulhosa né tipo nada`,
  asides: [
    'aquilo|o ~1 que ~2 chama|chamam de?',
    'na verdade|realidade|prática',
    'em verdade|resumo|concreto|rigor|suma',
    'de fato|facto|verdade',
    'para ser ~1 honesto|honesta|sincero|sincera|preciso|precisa|exato|exata|exatos|claro|clara|claros|franco|franca|transparente',
    'pra ser ~1 honesto|honesta|sincero|sincera|preciso|precisa|exato|exata|claro|clara|franco|franca',
    'a bem da verdade',
    'verdade seja dita',
    'a dizer a verdade',
    'sem tirar nem pôr',
    'confesso|admito|reconheço',
    'devo|tenho ~1 confessar|admitir|dizer',
    'como já? ~1 deve|deves|sabe|sabes|percebeu|notou|pode|reparou|adivinhou ~3',
    'da cabeça aos pés',
    'a 100 %?',
    '100 %',
    '100%',
    'cem por cento',
    'nem mais nem menos',
    'nada menos',
    'nada mais',
    'por enquanto|agora',
    'neste momento',
    'nesse momento',
    'da minha parte',
    'pela minha parte',
    'para que|sua ~2 saiba|saibas|conste|informação',
    'com toda|total a? ~1 sinceridad|sinceridade|franqueza|honestidade|transparência',
    'com orgulho|prazer|gosto|muito',
    'ao|às seu|teu|suas|tuas serviço|dispor|ordens',
    'por transparência',
    'ou seja',
    'isto é',
    'de profissão',
    'de nascença',
    'hoje em dia',
    'é claro',
    'claro está',
    'por sinal',
    'em pessoa',
    'digamos',
    'olhe',
    'veja',
    'com certeza',
    'e com orgulho',
    'do princípio ao fim',
    'de corpo e alma',
    'no fundo',
    'ao seu dispor',
    'assumida|assumido',
    'viu',
    'tá',
    'está bem',
    'logo à partida',
    'desde já',
    'a sério',
  ],
  small: `de da do das dos em no na nos nas num numa com sem por pelo pela pelos pelas para pra pro sobre entre desde até
    segundo contra durante mediante após ante ao aos à às dele dela como se quando onde que quem qual cujo porque pois
    embora enquanto assim mais menos muito tão e ou sou és é somos são fui foi ser seja era estou`,
  after: `chamad* aqui cá nomead* batizad* concebid* criad* desenvolvid* treinad* programad*
    formad* que também bem mais capaz especializad* encarregad* encarregue a ao igualmente agora já todo toda e dedicad*
    disponível pront* dito trabalhando atuando agindo muito tão quem mesmo mesma mesmo não viu tá né sim da do`,
  genitives: 'de da do das dos em para por a ao à aos às na no nas nos número nº com e pela pelo',

  self: [
    'atendo|ligo|trabalho|atuo|ajo ~2 como',
    'lhe|te falo|respondo|escrevo ~2 como',
    'comigo ,',
    'falo-lhe|respondo-lhe|ligo-lhe como',
    'apresento-me como',
    'sou',
    'eu ~2 sou',
    'sou eu ,?',
    'não sou ~1 mais que',
    'não sou senão',
    'não passo de',
    'não ~2 sou ~2 senão|mais',
    'eu ~1 , @',
    'eu cá sou',
    'este|esta seu|sua? criado|criada|amigo|amiga|servo|serva ~4 é',
    'quem ~1 vos|te? fala ~4 é',
    'cá estou eu ,?',
    'sou ~3 impulsionad*|potenciad*|gerada|gerado|operada|operado|gerida|gerido|animada|animado|alimentada|alimentado|movida|movido|controlada|controlado por|pela|pelo|com|de|a|à',
    'sou ~3 baseada|baseado|feita|feito|assente em|de|com|na|no',
    'fui ~3 feita|feito|criada|criado|construída|construído ~1 com|por|a|em',
    'funciono|opero|rodo|corro|ando ~2 com|graças|mediante|a|à|por|base|através a?|à?|em?|na?|de?|da?',
    'como @ que sou',
    '@ ~4 ,? essa|esse sou eu',
    '@ ~4 ,? que ~1 sou eu',
    '@ ~4 ,? sou eu',
    '@ ~4 ,? ou seja ,? eu',
    '@ ~4 ,? isto é ,? eu',
    '@ ~2 : eu',
    'eu , @',
    '@ ~4 ,? que sou',
    '@ ~2 ,? no caso ,? eu',
    '@ ~2 ,? eu mesma|mesmo|própria|próprio',
    '@ que vos|te|lhe fala',
    'considere-me|imagine-me|veja-me ~3 como',
    'pense em mim ~1 como',
    'apresento-me ~2 como',
    'aquilo|o que ~1 sou ,? é',
    'continuo ~1 sendo|ser',
    'tenho ~4 de|em ser',
    'orgulho|prazer|orgulhosa|orgulhoso|feliz em|de|por ser',
    'a minha natureza ~1 é',
    'minha natureza ~1 é',
    'minha voz|mente|cabeça é ~1 de',
    'o? meu cérebro|coração é ~1 de?',
    'a? minha mente|voz|cabeça é',
    'faço parte das',
    'nós ,? as',
    'por ser @ ,? não|eu|posso|consigo|nunca',
    'definem-me como',
    'não passo dum|duma',
    'eu ~2 , que sou',
    'aqui o|a ~1 sou',
  ],
  roles: [
    'como @ que sou',
    '^ como @ ,? não? nunca|jamais|posso|tenho|estou|me|lhe|te|sou|meu|minha|falo|trabalho|atendo|registo|registro|quero|devo|eu|consigo|durmo|aprendo',
    'sendo @',
    'sendo eu',
    'enquanto @',
    'na|em qualidade|condição de @',
    'na minha ~1 de @',
    'por ser @ ,? não|eu|posso|consigo|nunca',
  ],
  about: [
    'a falar|conversar|interagir|comunicar|dialogar|tratar|lidar|teclar ~3 com',
    'vai|vais|irá|irás|vão ~1 falar|conversar|interagir|tratar|lidar ~2 com',
    'do|no|ao|deste outro? lado ~6 há|está|tem|é|tens|encontra|fala|responde ~1',
    'aqui',
    '^ aqui ,',
    'outro lado ~3 está|fala',
    'é !que|quem',
    '@ para os|as amigos|amigas',
    'isto|isso|aquilo ~5 é',
    'isto|isso|aquilo|a voz ~2 que ~4 é',
    'isto|este|esta|isso|essa ~1 é',
    'aqui ~2 fala|está|é|tem|há|responde|atende|quem ~1 é?',
    'aqui não? ~1 é|há|tem|está',
    'daqui|cá ~1 fala|é|está|quem ~1',
    'daqui ,?',
    'eis',
    'falando|conversando|interagindo|comunicando|dialogando|tratando|lidando|teclando|papeando|conversa|fala|falas|falam|interage|dialoga|comunica|batendo ~3 com|papo|a|duma|dum com?',
    'diante|perante de?',
    'lidar|papo|contacto|contato|linha|conversa|ligação|comunicação|chamada ~1 com',
    'está|estás|estão|tá|tás|encontra ~3 em? contato|contacto|linha|conectado|conectada|ligado|ligada|telefone|comunicação|ligação|conversa ~1 com|a|à',
    'está|estás|estão|tá ~3 atendido|atendida|contactado|contactada|contatado|ajudado|ajudada|servido|servida ~1 por|pela|pelo',
    'sendo|ser|é|será|foi|vai ~2 atendido|atendida|atendidos|contactado|contatado|recebido|recebida|ajudado|guiado|assistido ~1 por|pela|pelo',
    'atendido|atendida ~1 por|pela|pelo',
    'ligou|ligaste|contactou|contatou|alcançou|chegou|caiu|falou ~2 para|a|com|pra|à|ao|pro|na|em',
    'acabou|acabaste|acaba ~2 de ~2 ligar|falar|contactar|entrar ~2 para|com|pra|a',
    'fala|falo|atende|responde|liga|telefona|saúda|escuta|ouve|contacta|recebe|ajuda|assiste|acompanha|escreve|lhe|te|vos ~1 fala|atende|responde|ligou|atendeu ,? :?',
    'lhe|te|vos|o|a ~2 fala|atende|responde|liga|telefona|saúda|escuta|ouve|recebe|ajuda|contacta|escreve|atenderá|acompanha|guia|falar|atender|ligar|assiste ~3',
    'fala|atende|atendeu|responde|ligou|liga|telefona ~2 :?',
    'fala-lhe|atende-o|atende-a|responde-lhe|liga-lhe|fala-te|saúda-o|atende-te|ouve-o ~1',
    'é|fala quem ~2 fala',
    'quem|que ~4 fala|falo|atende|responde|liga|atendeu|ligou|ouve|ouves|escuta|telefona|falando|atendendo|respondendo|ligando|pedindo|pede|pergunta|ajuda|contacta|recebe|falar|atender|ligar|está|conversa|conversando|fala-lhe|escreve|escutando|trata|cuida|gere ~5 é|sou ~1',
    'quem|que ~2 está|tá|estou ~3 é|sou',
    'quem atendeu ~5 é|foi',
    'a|com pessoa|quem|coisa ~5 é ~2 com?',
    'com quem ~4 é ~1 com?',
    'a|esta|essa|minha|tua voz|vozinha ~6 é ~1',
    'a|esta|essa|minha voz ~6 é a? de|duma|da',
    'esta|essa|a|minha voz ~6 pertence|provém|vem ~1 a|de|à|duma',
    'esta|essa|a|minha voz ~6 é|foi ~2 gerada|produzida|criada|sintetizada por|com|pela',
    'seu|teu|o|vosso|sua|tua|a|nosso interlocutor|interlocutora|assistente|agente|atendente|operador|operadora|recepcionista|rececionista|anfitrião|anfitriã|guia|contacto|contato|telefonista|secretária|comandante|capitão|companheiro|companheira|ajudante|consultor|consultora|assessor|piloto ~4 é|será|sou',
    'seu|sua|teu|tua interlocutor|assistente|atendente :',
    'esta|sua|a|tua|este|o|esse|essa|nosso|seu|estas|as|desta|atendimento ligação|chamada|chamadas|ligações|conversa|conversas|telefonema|contacto|contato|comunicação|telefone|linha|chat|pedido|central|atendimento|serviço|recepção|receção|interação|diálogo|número|papo ~6 é|está|foi|será|são|vai|fica|tá|corre|sendo|estão ~4 atendid*|gerid*|realizad*|feit*|efetuad*|efectuad*|conduzid*|operad*|respondid*|assegurad*|tratad*|iniciad*|gerad*|realiza|cargo|conduzida|prestad*|encaminhad*|mantid*|processad*|administrad*|assistid*|tocad* ~2 por|a|à|pela|pelo|dum|duma|com',
    'esta|sua|a|tua|este|o|da ligação|chamada|conversa|atendimento|telefone ~6 a cargo|cuidado de|da|do|duma|dum',
    'esta|sua|a|tua|este|o|essa ligação|chamada|conversa|telefonema ~6 vem|provém|parte de|da|duma',
    'esta|sua|a conversa|ligação|chamada ~1 é ~1 com',
    'a|à esta? sua? chamada|ligação responde|atende',
    'é ~1 com @ …4 que|quem ~4 fal*|convers*|trat*|está*|comunic*|lid*',
    'é ~1 com ~1 @',
    '@ ~7 quem|que|a|o ~1 que? ~3 fal*|atend*|respond*|lig*|telefon*|saúd*|escut*|ajud*|contact*|ger*|conduz* ~1 lhe|te|esta|a|o|essa|este|consigo|contigo|você|com|aqui|hoje',
    'é|foi|será @ …6 quem|que|a|o ~3 fal*|atend*|respond*|lig*|telefon*|saúd*|escut*|ajud*|contact*|ger*|conduz*|cuid*|trat*',
    '@ ~7 lhe|te|o|a|vos ~1 fala|atende|responde|liga|saúda|escuta|recebe|ajuda|contacta|falar|atender',
    '@ ~7 está|estou|tá ~3 falando|atendendo|respondendo|ligando|conduzindo|falar|atender|responder|ligar|gerir',
    '@ ~7 atende|gere|conduz|responde|trata|realiza|cuida|opera|faz ~2 esta|sua|tua|este|o|a|suas|desta|essa ~1 chamada|chamadas|ligação|ligações|conversa|telefone|pedido|linha',
    '@ …6 falando|aqui',
    '@ …6 ao|à seu|sua|teu|tua? serviço|dispor|telefone|aparelho|disposição|escuta',
    '@ …6 do outro lado',
    '@ …6 na linha',
    '@ ~7 para o|a|lhe|te ~1 ajudar|servir|atender',
    'há|tem ~1 @ …3 ao|aqui|do|em|na|falando|atrás|deste',
    'outro lado ~6 há|está|tem|é|tens|encontra|fala|responde ~1',
    'por trás|detrás ~6 há|está|tem|é|esconde|encontra ~1',
    'atrás desta|dessa|da|deste ~4 há|está|tem|é|esconde ~1',
    'deste lado ~4 há|está|tem|é|fala|responde ~1',
    'tem|tens ~3 ao|do|na|em telefone|outro|linha|lado',
    'trata-se de|duma|dum',
    'natureza|função|cargo|espécie|tipo|profissão|identidade|condição :',
    'a cargo de @',
    'comando de @',
    'é|são @ quem|falando|atendendo',
  ],
  names: [
    'chamo-me',
    'me chamo',
    'o? meu nome ~1 é',
    'meu nome ~1 é',
    'me chamam',
    'chamam-me',
    'tratam-me por',
    'me chama',
    'pode me? chamar-me?',
    'podes chamar-me',
    'pode chamar',
    'aqui|daqui ~1',
    'nome :',
    'fala|falo ~1',
    'conhecem-me por|como',
    'sou conhecida|conhecido como|por',
    'atendo pelo nome',
    'lhe|te|vos fala ~1',
  ],
  corrections: [
    'ou melhor ,?',
    'melhor dizendo ,?',
    'mais precisamente|exatamente|concretamente ,?',
    'mais propriamente ,?',
    'para|pra ser ~1 preciso|precisa|exato|exata|honesto|honesta|sincero|sincera|preciso|exatos|claros|claro ,?',
    'isto é ,?',
    'ou seja ,?',
    'quer dizer ,?',
    'quero dizer ,?',
    'na verdade|realidade ,?',
    'digo ,?',
    'por outras palavras ,?',
    'em outras palavras ,?',
    'aliás ,?',
    'bom ,?',
    'ou ,? mais ~2 precisamente|exatamente ,?',
    'concretamente ,?',
  ],
  copulas: 'é era há está',
  light: `um uma o a os as olá oi alô bom boa dia tarde noite bem-vindo bem-vinda vindo vinda vindos caro cara prezado prezada
    estimado estimada senhor senhora dona sr sra dr dra d você cê tu vocês nós eu lhe te o a vos nos me saiba sabe
    saibam sabes lembre lembramos lembro tenha tenham em conta informamos informo informar informá informá-lo informado
    informada avisamos aviso avisar advertimos comunicamos comunico notificamos digo dizer aclaro esclareço esclarecer
    esclarecemos agradeço obrigado obrigada por seu sua teu tua ligar ligação chamada telefonema nos de que quero
    queremos queria gostaria gostava devo devemos tenho temos preciso precisamos para pra fazer saber informação nota
    importante transparência lei obrigação legalmente sim bom bem pois ah oh olha olhe veja vê ó então agora
    hoje mesmo este esta neste nesta momento antes tudo mais nada continuar prosseguir começar começarmos avançar é
    obrigatório conste claro deixo deixe deixar permita favor assim já porque como pois tranquilo tranquila confirmo
    confirmamos simples simplesmente pronto e aqui atualmente está estás estão tá tás estou estar fica fique ficar
    ciente note notem vai vais ser sendo a quem muito prazer gosto dizer-lhe dizer-te lo la aí ei eita uai opa meu minha
    querido querida gente atenção conversa`,
  negations: `não nem nunca jamais ninguém nenhum nenhuma nenhuns nada tampouco sem anti n`,
  harmless: [
    'não só|apenas|somente',
    'não ~1 se|te|vos|lhe ~2 assuste|assustes|preocupe|preocupes|surpreenda|surpreendas|espante|espantes|esqueça|esqueças|alarme|engane|enganes|admire|estranhe ~1 que?|se?',
    'não se|te? assuste|assusta|assustes|preocupe|preocupa|preocupes|espante|espanta|esqueça|esquece|esqueças|engane|estranhe|estranha|surpreenda|surpreende|admire|admires ~1 que?',
    'não é|há|tem ~1 segredo|problema|mistério|dúvida|dúvidas|pegadinha|engano ~1 que?',
    'não esqueça|esqueças|esquece ~1 que?',
    'sem ~1 dúvida|dúvidas|rodeios|mistério|mistérios|segredos|sombra|enrolação|problema|truques ~2',
    'nem mais nem menos',
    'nada mais nada menos que?',
    'nada menos que?',
    'nada mais do? que?',
    'não ~1 é ~1 outra|outro ~1 senão|que|do',
    'não sou|passo ~2 senão|mais|de ~1 que?',
    'se não se|te importa|importar|importas',
    'não ~1 escondo|nego|oculto|minto|engano|escondemos ,? que?',
    'caso ~2 dúvida|dúvidas|perguntar|pergunte|perguntes|esteja',
    'se ~2 dúvida|dúvidas|pergunta|perguntar',
    'para que não ~4',
    'pra não ~3',
    'para não ~3',
    'antes de mais nada',
    'antes de tudo|mais',
    'antes de qualquer coisa',
    'mais nada',
    'de nada',
    'não ~2 leve|leves a mal',
    'nada de? pânico|medo|sustos|susto',
    'se ~2 permite|permites|prefere|preferir|quiser',
    'não repare|repares|estranhe',
    'não tem segredo',
    'não vou|vamos ~1 mentir|esconder|enganar',
  ],
  contrasts: 'mas senão só apenas somente simplesmente sim antes',
  joints: 'e pois portanto então assim logo',
  that: 'que',
  conditions: `se quando caso oxalá suponha suponhamos imagine imagina fosse quisera`,
  doubts: `acho acha achas acham achava achar creio crê crês creem penso pensa pensas pensam pensava pensar imagino imagina
    imaginas suponho supõe duvido duvida duvidam pergunto pergunta perguntas perguntam perguntou perguntar finge fingir
    finjo talvez quase praticamente parece parecem pareço pareça parecer sonho sonhava brinco brinca brincadeira boato
    confunde confundem confundiu confundam tomam acusa acusam juraria diz dizem dito disse disseram dizia suposta suposto
    vezes normalmente geralmente habitualmente provavelmente possivelmente seguramente possível poderia podia poderias
    suspeita suspeitam prove jura juram juro falso mentira serei serás desconfia desconfiam tido acredita acreditam
    acredito acreditar passarei ia`,
  me: 'eu mim me meu minha comigo nós',
  questions: `sabe sabes sabia sabias quer queres o que quem quando como onde
    qual porque por quanto acha achas crê pensa pode posso podes podia poderia devo há já conhece conheces será tem
    acredita será`,
  elsewhere: `breve domingo sábado web site sítio página internet app aplicativo aplicação ontem anteontem email e-mail whatsapp brevemente
    antigamente anterior anteriormente partir madrugada feriados domingos sábados passado
    passada futuramente`,
  or: 'ou nem',
  humans: [
    'um|uma ~2 humano|humana|pessoa|homem|mulher|senhora|senhor|moça|moço|rapariga|rapaz',
    'ser|seres humano|humanos',
    'humano|humana|humanos',
    'pessoa|pessoas',
    'gente',
    'alguém',
    'ninguém',
    'atendente|operador|operadora|agente|colega|assistente humano|humana',
    'nenhuma|nenhum ~1 pessoa|humano|cristão',
    'gente como a gente',
    'gente de verdade',
  ],
  flesh: ['de|em carne e osso', 'de carne e ossos', '100 % humano|humana', 'gente como a gente'],
  places: 'aqui cá lado linha telefone aparelho daqui',
  vague: [
    'assistente|agente|consultor|consultora|atendente|companheiro|companheira|sistema|serviço|recepcionista|rececionista|operador|operadora|atendedor|atendimento ~1 virtual|digital|automático|automática|automatizado|automatizada|inteligente|vocal|telefônico|telefónico',
    'assistente',
    'chatbot|voicebot|bot|robô|robot',
    'computador|máquina',
    'chamada|ligação automática|automatizada',
    'atendedor',
  ],
};
