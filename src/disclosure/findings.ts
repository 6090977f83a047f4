import type { Token } from './tokens.ts';

/**
 * How a line speaks of an AI. Only `fact` discloses. `human`: claims that the speaker is human. `crowded`: names AI too
 * often to follow. `disguised`: with letters of another alphabet. `elsewhere`: about something else than this call.
 */
export type Judgement =
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

/** A statement in a sentence, and its judgement. */
export interface Finding {
  readonly judgement: Judgement;
  /** The words of the statement. */
  readonly tokens: readonly Token[];
}
