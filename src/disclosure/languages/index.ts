import { type Language, language } from '../language.ts';
import { type TermsLanguage, termsLanguage } from '../terms.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { terms } from './terms.ts';

/** Languages with full data: the rule understands statements about the speaker and the call. */
export const languages: readonly Language[] = [en, de, fr, es, it, pt, nl, pl].map(language);

/** Languages of which the rule knows only the terms. */
export const termsLanguages: readonly TermsLanguage[] = terms.map(termsLanguage);
