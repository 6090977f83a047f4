/**
 * Decides whether a line tells its listener clearly that an AI speaks, in 21 languages, with rules and word lists: no model,
 * no network. Other modules import from this file alone.
 */
export { disclosingExamples, examplesFor } from './examples.ts';
export { type DisclosureRuling, languageCodeOf, ruleOnDisclosure } from './rule.ts';
