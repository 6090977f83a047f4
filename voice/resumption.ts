/** What the agent says when another worker takes over a call. */
const apologies: Readonly<Record<string, string>> = {
  en: 'Sorry, I lost you for a moment.',
  de: 'Entschuldigung, ich habe Sie kurz nicht gehört.',
  es: 'Perdone, se ha cortado un momento.',
  fr: 'Excusez-moi, je vous ai perdu un instant.',
  it: 'Mi scusi, la linea è caduta per un momento.',
  nl: 'Sorry, ik was u even kwijt.',
  pt: 'Desculpe, perdi a ligação por um momento.',
  pl: 'Przepraszam, połączenie na chwilę się przerwało.',
};

/** The apology in a language, such as `de` or `de-AT`; in English for a language that has none. */
export function apologyIn(language: string): string {
  const [name = ''] = language.toLowerCase().split('-');
  return apologies[name] ?? 'Sorry, I lost you for a moment.';
}
