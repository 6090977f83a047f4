/** What an agent says and looks for in a call, where its flow has no words of its own. */
export interface Words {
  /** The name of the language, for a model. */
  readonly language: string;
  /** Says that an AI speaks. */
  readonly disclosure: string;
  readonly help: string;
  readonly more: string;
  readonly putThrough: string;
  readonly nobodyFree: string;
  /** Said to a caller who asks for a person, if the flow has no handoff. */
  readonly noPerson: string;
  readonly notKnown: string;
  readonly offerPerson: string;
  /** Ends a call in which a required answer did not come. */
  readonly callAgain: string;
  readonly goodbye: string;
  readonly swearing: string;
  /** Title and description of the options of a route. */
  readonly options: {
    readonly question: readonly [title: string, description: string];
    readonly person: readonly [title: string, description: string];
    readonly details: readonly [title: string, description: string];
    readonly nothing: readonly [title: string, description: string];
  };
}

const english: Words = {
  language: 'English',
  disclosure: 'I am an AI assistant.',
  help: 'How can I help you?',
  more: 'Is there anything else I can do for you?',
  putThrough: "One moment please, I'll put you through.",
  nobodyFree: "I'm sorry, nobody is free right now.",
  noPerson: "I'm sorry, I can't put you through to anybody.",
  notKnown: "I'm afraid I don't know that.",
  offerPerson: 'Shall I put you through to somebody?',
  callAgain: "I'm sorry, I couldn't take that down. Please call again a little later. Goodbye.",
  goodbye: 'Thank you for calling. Goodbye!',
  swearing: "I'm sorry that this is annoying. I'll do my best.",
  options: {
    question: ['Question', 'Asks something.'],
    person: ['A person', 'Asks for a person.'],
    details: ['Request', 'Wants to book, order or change something, or to leave a message.'],
    nothing: ['No', 'Needs nothing more.'],
  },
};

/** By the code of the language (ISO 639-1): the languages in which callers are read without a model. */
const words: Readonly<Record<string, Words>> = {
  en: english,
  de: {
    language: 'German',
    disclosure: 'Ich bin ein KI-Assistent.',
    help: 'Wie kann ich Ihnen helfen?',
    more: 'Kann ich sonst noch etwas für Sie tun?',
    putThrough: 'Einen Moment bitte, ich verbinde Sie.',
    nobodyFree: 'Es tut mir leid, gerade ist niemand frei.',
    noPerson: 'Es tut mir leid, ich kann Sie mit niemandem verbinden.',
    notKnown: 'Das weiß ich leider nicht.',
    offerPerson: 'Soll ich Sie mit jemandem verbinden?',
    callAgain:
      'Es tut mir leid, das konnte ich nicht aufnehmen. Bitte rufen Sie etwas später noch einmal an. Auf Wiederhören.',
    goodbye: 'Vielen Dank für Ihren Anruf. Auf Wiederhören!',
    swearing: 'Es tut mir leid, dass das ärgerlich ist. Ich gebe mir Mühe.',
    options: {
      question: ['Frage', 'Fragt etwas.'],
      person: ['Ein Mensch', 'Möchte mit einem Menschen oder Mitarbeiter sprechen.'],
      details: [
        'Anliegen',
        'Möchte buchen, kaufen, einen Termin, etwas ändern oder eine Nachricht hinterlassen.',
      ],
      nothing: ['Nein', 'Braucht nichts mehr.'],
    },
  },
  fr: {
    language: 'French',
    disclosure: 'Je suis un assistant IA.',
    help: 'Comment puis-je vous aider ?',
    more: 'Puis-je faire autre chose pour vous ?',
    putThrough: 'Un instant, je vous mets en relation.',
    nobodyFree: "Je suis désolé, personne n'est disponible en ce moment.",
    noPerson: 'Je suis désolé, je ne peux vous mettre en relation avec personne.',
    notKnown: 'Je ne le sais malheureusement pas.',
    offerPerson: "Voulez-vous que je vous mette en relation avec quelqu'un ?",
    callAgain: "Je suis désolé, je n'ai pas pu le noter. Rappelez un peu plus tard. Au revoir.",
    goodbye: 'Merci de votre appel. Au revoir !',
    swearing: 'Je suis désolé que ce soit agaçant. Je fais de mon mieux.',
    options: {
      question: ['Question', 'Pose une question.'],
      person: ['Une personne', 'Demande une personne ou un conseiller.'],
      details: ['Demande', 'Veut réserver, acheter, modifier quelque chose ou laisser un message.'],
      nothing: ['Non', "N'a plus besoin de rien."],
    },
  },
  es: {
    language: 'Spanish',
    disclosure: 'Soy un asistente de IA.',
    help: '¿En qué puedo ayudarle?',
    more: '¿Puedo hacer algo más por usted?',
    putThrough: 'Un momento, por favor, le paso.',
    nobodyFree: 'Lo siento, ahora mismo no hay nadie disponible.',
    noPerson: 'Lo siento, no puedo pasarle con nadie.',
    notKnown: 'Lo siento, eso no lo sé.',
    offerPerson: '¿Quiere que le pase con alguien?',
    callAgain: 'Lo siento, no he podido anotarlo. Vuelva a llamar un poco más tarde. Adiós.',
    goodbye: 'Gracias por llamar. ¡Adiós!',
    swearing: 'Siento que esto sea molesto. Hago lo que puedo.',
    options: {
      question: ['Pregunta', 'Pregunta algo.'],
      person: ['Una persona', 'Pide hablar con una persona.'],
      details: ['Solicitud', 'Quiere reservar, comprar, cambiar algo o dejar un mensaje.'],
      nothing: ['No', 'No necesita nada más.'],
    },
  },
  it: {
    language: 'Italian',
    disclosure: 'Sono un assistente IA.',
    help: 'Come posso aiutarla?',
    more: "Posso fare qualcos'altro per lei?",
    putThrough: 'Un momento, per favore, la metto in contatto.',
    nobodyFree: 'Mi dispiace, al momento nessuno è libero.',
    noPerson: 'Mi dispiace, non posso passarle nessuno.',
    notKnown: 'Mi dispiace, questo non lo so.',
    offerPerson: 'Vuole che le passi qualcuno?',
    callAgain: 'Mi dispiace, non sono riuscito a prenderne nota. Richiami un po’ più tardi. Arrivederci.',
    goodbye: 'Grazie della chiamata. Arrivederci!',
    swearing: 'Mi dispiace che sia fastidioso. Faccio del mio meglio.',
    options: {
      question: ['Domanda', 'Chiede qualcosa.'],
      person: ['Una persona', 'Chiede di parlare con una persona.'],
      details: ['Richiesta', 'Vuole prenotare, acquistare, cambiare qualcosa o lasciare un messaggio.'],
      nothing: ['No', "Non ha bisogno d'altro."],
    },
  },
  pt: {
    language: 'Portuguese',
    disclosure: 'Sou um assistente de IA.',
    help: 'Em que posso ajudar?',
    more: 'Posso ajudar em mais alguma coisa?',
    putThrough: 'Um momento, por favor, vou transferir a chamada.',
    nobodyFree: 'Lamento, neste momento ninguém está livre.',
    noPerson: 'Lamento, não posso transferir a chamada para ninguém.',
    notKnown: 'Lamento, isso não sei.',
    offerPerson: 'Quer que transfira a chamada para alguém?',
    callAgain: 'Lamento, não consegui anotar. Ligue de novo um pouco mais tarde. Adeus.',
    goodbye: 'Obrigado pela sua chamada. Adeus!',
    swearing: 'Lamento que isto seja aborrecido. Faço o meu melhor.',
    options: {
      question: ['Pergunta', 'Pergunta alguma coisa.'],
      person: ['Uma pessoa', 'Pede para falar com uma pessoa.'],
      details: ['Pedido', 'Quer marcar, comprar, alterar alguma coisa ou deixar uma mensagem.'],
      nothing: ['Não', 'Não precisa de mais nada.'],
    },
  },
  nl: {
    language: 'Dutch',
    disclosure: 'Ik ben een AI-assistent.',
    help: 'Waarmee kan ik u helpen?',
    more: 'Kan ik nog iets voor u doen?',
    putThrough: 'Een moment alstublieft, ik verbind u door.',
    nobodyFree: 'Het spijt me, er is nu niemand vrij.',
    noPerson: 'Het spijt me, ik kan u met niemand doorverbinden.',
    notKnown: 'Dat weet ik helaas niet.',
    offerPerson: 'Zal ik u met iemand doorverbinden?',
    callAgain: 'Het spijt me, dat kon ik niet noteren. Bel later nog eens. Tot ziens.',
    goodbye: 'Bedankt voor uw telefoontje. Tot ziens!',
    swearing: 'Het spijt me dat dit vervelend is. Ik doe mijn best.',
    options: {
      question: ['Vraag', 'Vraagt iets.'],
      person: ['Een mens', 'Wil met een mens of medewerker spreken.'],
      details: ['Verzoek', 'Wil boeken, kopen, iets wijzigen of een bericht achterlaten.'],
      nothing: ['Nee', 'Heeft niets meer nodig.'],
    },
  },
  pl: {
    language: 'Polish',
    disclosure: 'Jestem asystentem AI.',
    help: 'W czym mogę pomóc?',
    more: 'Czy mogę jeszcze w czymś pomóc?',
    putThrough: 'Chwileczkę, już łączę.',
    nobodyFree: 'Przykro mi, nikt nie jest teraz wolny.',
    noPerson: 'Przykro mi, nie mogę z nikim połączyć.',
    notKnown: 'Niestety tego nie wiem.',
    offerPerson: 'Czy mam z kimś połączyć?',
    callAgain: 'Przykro mi, nie udało mi się tego zapisać. Proszę zadzwonić trochę później. Do widzenia.',
    goodbye: 'Dziękuję za telefon. Do widzenia!',
    swearing: 'Przykro mi, że to denerwujące. Robię, co mogę.',
    options: {
      question: ['Pytanie', 'O coś pyta.'],
      person: ['Człowiek', 'Chce rozmawiać z człowiekiem.'],
      details: ['Sprawa', 'Chce coś zarezerwować, kupić, zmienić lub zostawić wiadomość.'],
      nothing: ['Nie', 'Niczego więcej nie potrzebuje.'],
    },
  },
};

/** The words in a language; English ones if Parley has none in it. */
export function wordsIn(language: string): Words {
  return hasWordsIn(language) ? (words[language] ?? english) : english;
}

export function hasWordsIn(language: string): boolean {
  return Object.hasOwn(words, language);
}
