/**
 * Stop words that Postgres's own lists lack; its English and French lists are half as long as the German one. They are
 * verbs that begin questions, indefinite pronouns, courtesies and the remains of "I'd" and "a-t-il", but no word that a
 * passage could be about.
 */
const wordsByLanguage: Readonly<Record<string, string>> = {
  english: `could would may might must shall ought need cannot d m re ve ll us one ones much many lot lots every either
    neither another anything something nothing everything anyone someone anybody somebody nobody everyone everybody else
    also still yet already even ever please thank thanks hello hi yes okay get gets got getting let lets want know tell`,
  german: `mal bitte gern gerne danke hallo ja gibt geht darf dürfen dürfte möchte möchten müssen könnten sollen sollten
    lassen lässt viele vielen jemand niemand wann warum wieso weshalb wofür woher wohin wer wen wem wessen eigentlich
    schon bereits`,
  french: `où quand quel quelle quels quelles comment combien pourquoi quoi lequel laquelle est-ce a-t-il ça cela ceci y a
    peut peux peuvent puis-je pouvoir pourrait pourrais faut falloir doit dois doivent si s'il plaît bonjour merci aussi
    encore tout tous toute toutes plus très bien alors donc comme chez`,
};

/** Further stop words by text search configuration. */
export const stopWords: readonly { readonly language: string; readonly words: string }[] = Object.entries(
  wordsByLanguage,
).map(([language, words]) => ({ language, words }));
