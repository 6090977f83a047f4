import { type Language, language } from '../language.ts';
import { en } from './en.ts';

/** The languages whose lines the rule understands. */
export const languages: readonly Language[] = [en].map(language);
