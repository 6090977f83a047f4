/** What an agent says where its design has no words for it. */
interface Lines {
  /** The truthful reply to "Are you a human?". */
  readonly human: string;
  /** Follows a silence. */
  readonly stillThere: string;
  /** After the line has failed, before the last lines are said again. */
  readonly lost: string;
  /** Before a question that is asked again because the reply fits nothing. */
  readonly notUnderstood: string;
  /** Asks for what is still missing, by its names. */
  readonly missing: (names: string) => string;
  /** Asks what is wrong with what was read back. */
  readonly change: string;
  /** Why a value cannot be noted, before the question for it. */
  readonly incomplete: string;
  readonly impossible: string;
  readonly closed: (hours: string) => string;
  /** Follows a question that the facts of the design do not answer. */
  readonly unanswered: string;
}

const english: Lines = {
  human: 'I am an AI assistant, not a human.',
  stillThere: 'Are you still there?',
  lost: 'Sorry, I lost you for a moment.',
  notUnderstood: "I'm sorry, I didn't quite get that.",
  missing: (names) => `${names}, please?`,
  change: 'What should I change?',
  incomplete: 'That number seems to be too short.',
  impossible: "I'm afraid there is no such day.",
  closed: (hours) => `I'm afraid we are closed then. We are open ${hours}.`,
  unanswered: "I'm afraid I can't answer that.",
};

/** By the code of the language (ISO 639-1). */
const lines: Readonly<Record<string, Lines>> = {
  en: english,
  de: {
    human: 'Ich bin ein KI-Assistent und kein Mensch.',
    stillThere: 'Sind Sie noch da?',
    lost: 'Entschuldigung, die Verbindung war kurz weg.',
    notUnderstood: 'Das habe ich leider nicht verstanden.',
    missing: (names) => `${names}, bitte?`,
    change: 'Was soll ich ändern?',
    incomplete: 'Die Nummer scheint zu kurz zu sein.',
    impossible: 'Diesen Tag gibt es leider nicht.',
    closed: (hours) => `Da haben wir leider geschlossen. Geöffnet ist ${hours}.`,
    unanswered: 'Das kann ich Ihnen leider nicht beantworten.',
  },
  fr: {
    human: 'Je suis un assistant IA, pas un humain.',
    stillThere: 'Êtes-vous toujours là ?',
    lost: 'Excusez-moi, la ligne a été coupée un instant.',
    notUnderstood: "Je n'ai pas bien compris.",
    missing: (names) => `${names}, s'il vous plaît ?`,
    change: 'Que dois-je modifier ?',
    incomplete: 'Ce numéro semble trop court.',
    impossible: "Ce jour n'existe pas.",
    closed: (hours) => `Nous sommes malheureusement fermés ce jour-là. Nous sommes ouverts ${hours}.`,
    unanswered: 'Je ne peux malheureusement pas répondre à cela.',
  },
  es: {
    human: 'Soy un asistente de IA, no una persona.',
    stillThere: '¿Sigue ahí?',
    lost: 'Perdone, se ha cortado un momento.',
    notUnderstood: 'Perdone, no le he entendido bien.',
    missing: (names) => `¿${names}, por favor?`,
    change: '¿Qué debo cambiar?',
    incomplete: 'Ese número parece demasiado corto.',
    impossible: 'Ese día no existe.',
    closed: (hours) => `Lo siento, ese día está cerrado. Abrimos ${hours}.`,
    unanswered: 'Lo siento, eso no se lo puedo responder.',
  },
  it: {
    human: 'Sono un assistente IA, non una persona.',
    stillThere: 'È ancora in linea?',
    lost: 'Mi scusi, la linea è caduta per un attimo.',
    notUnderstood: 'Mi scusi, non ho capito bene.',
    missing: (names) => `${names}, per favore?`,
    change: 'Che cosa devo cambiare?',
    incomplete: 'Il numero sembra troppo corto.',
    impossible: 'Quel giorno non esiste.',
    closed: (hours) => `Mi dispiace, quel giorno siamo chiusi. Siamo aperti ${hours}.`,
    unanswered: 'Mi dispiace, a questo non posso rispondere.',
  },
  pt: {
    human: 'Sou um assistente de IA, não uma pessoa.',
    stillThere: 'Ainda está aí?',
    lost: 'Desculpe, a ligação caiu por um momento.',
    notUnderstood: 'Desculpe, não percebi bem.',
    missing: (names) => `${names}, por favor?`,
    change: 'O que devo alterar?',
    incomplete: 'Esse número parece demasiado curto.',
    impossible: 'Esse dia não existe.',
    closed: (hours) => `Lamento, nesse dia estamos fechados. Estamos abertos ${hours}.`,
    unanswered: 'Lamento, não consigo responder a isso.',
  },
  nl: {
    human: 'Ik ben een AI-assistent, geen mens.',
    stillThere: 'Bent u er nog?',
    lost: 'Sorry, de verbinding viel even weg.',
    notUnderstood: 'Dat heb ik helaas niet goed begrepen.',
    missing: (names) => `${names}, alstublieft?`,
    change: 'Wat moet ik aanpassen?',
    incomplete: 'Dat nummer lijkt te kort te zijn.',
    impossible: 'Die dag bestaat niet.',
    closed: (hours) => `Dan zijn we helaas gesloten. We zijn open ${hours}.`,
    unanswered: 'Dat kan ik helaas niet beantwoorden.',
  },
  pl: {
    human: 'Jestem asystentem AI, nie człowiekiem.',
    stillThere: 'Czy jest pan lub pani nadal na linii?',
    lost: 'Przepraszam, połączenie na chwilę się zerwało.',
    notUnderstood: 'Przepraszam, nie całkiem zrozumiałem.',
    missing: (names) => `${names}, proszę?`,
    change: 'Co mam zmienić?',
    incomplete: 'Ten numer wydaje się za krótki.',
    impossible: 'Takiego dnia nie ma.',
    closed: (hours) => `Niestety wtedy jest zamknięte. Otwarte jest ${hours}.`,
    unanswered: 'Niestety nie mogę na to odpowiedzieć.',
  },
};

/** The lines in a language. */
export function linesIn(language: string): Lines {
  return lines[language] ?? english;
}

/** True if there are lines in a language. */
export function hasLinesIn(language: string): boolean {
  return Object.hasOwn(lines, language);
}
