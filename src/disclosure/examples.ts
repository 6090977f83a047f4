import { languages, termsLanguages } from './languages/index.ts';
import { normalise } from './normalise.ts';
import { sentencesOf } from './tokens.ts';

/**
 * A line in each language that discloses the AI, by the code of the language (ISO 639-1). Its keys are the 21
 * languages that the rule knows. Each line passes the rule.
 */
export const disclosingExamples: Readonly<Record<string, string>> = {
  en: 'Hello, I am the AI assistant of Sunny Dental.',
  de: 'Guten Tag, ich bin der KI-Assistent von Sunny Dental.',
  fr: "Bonjour, je suis l'assistant IA de Sunny Dental.",
  es: 'Hola, soy el asistente de IA de Sunny Dental.',
  it: "Buongiorno, sono l'assistente IA di Sunny Dental.",
  pt: 'Olá, sou o assistente de IA da Sunny Dental.',
  nl: 'Goedendag, ik ben de AI-assistent van Sunny Dental.',
  pl: 'Dzień dobry, jestem asystentem AI firmy Sunny Dental.',
  sv: 'Hej, jag är en AI-assistent.',
  da: 'Hej, jeg er en AI-assistent.',
  nb: 'Hei, jeg er en KI-assistent.',
  fi: 'Hei, olen tekoälyavustaja.',
  cs: 'Dobrý den, jsem asistent s umělou inteligencí.',
  sk: 'Dobrý deň, som asistent s umelou inteligenciou.',
  hu: 'Jó napot, én egy mesterséges intelligencia vagyok.',
  ro: 'Bună ziua, sunt un asistent bazat pe inteligență artificială.',
  el: 'Γεια σας, είμαι βοηθός τεχνητής νοημοσύνης.',
  bg: 'Здравейте, аз съм асистент с изкуствен интелект.',
  hr: 'Dobar dan, ja sam asistent s umjetnom inteligencijom.',
  uk: 'Добрий день, я помічник зі штучним інтелектом.',
  tr: 'Merhaba, ben bir yapay zeka asistanıyım.',
};

/**
 * Lines that disclose the AI in the likely language of a line: one, or more if close languages look alike.
 * @param line of which the first 1,000 characters count
 * @returns lines of {@link disclosingExamples}; the English one if the language is unknown
 */
export function examplesFor(line: string): string[] {
  const words = sentencesOf(normalise(line.slice(0, 1000))).flatMap(({ tokens }) => tokens);
  let [most, codes]: [number, readonly string[]] = [0, ['en']];
  for (const { vocabulary, codes: own } of [...languages, ...termsLanguages]) {
    const score = words.filter((token) => vocabulary.has(token)).length;
    if (score > most) [most, codes] = [score, own];
  }
  return codes.flatMap((code) => disclosingExamples[code] ?? []);
}
