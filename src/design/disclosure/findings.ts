import type { Token } from './tokens.ts';

/** How something is said: as a fact, or in a way that does not clearly tell it. */
export type Standing =
  | 'fact'
  | 'human'
  | 'crowded'
  | 'negated'
  | 'asked'
  | 'conditional'
  | 'doubtful'
  | 'quoted'
  | 'disguised'
  | 'elsewhere';

/** What a sentence says of an AI; `human`: of the speaker; `crowded`: so often that nobody can follow. */
export interface Finding {
  readonly standing: Standing;
  /** The words that say it. */
  readonly tokens: readonly Token[];
}
