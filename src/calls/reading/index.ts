export { agreement, answerAtStart } from './agreement.ts';
export { answerIn, asksForFacts } from './answers.ts';
export type { Expects } from './kinds.ts';
export { optionIn, optionNamedIn } from './options.ts';
export { isQuestion } from './questions.ts';
export { type CommandKind, commandIn, saysToStop } from './requests.ts';
export { shapedIn } from './shapes.ts';
export { type Heard, valuesIn, type Wanted } from './values.ts';
export { tokensOf } from './words.ts';
