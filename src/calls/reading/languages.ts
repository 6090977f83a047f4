export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl';

export const languages: readonly Language[] = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
