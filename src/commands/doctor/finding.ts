import { EmbeddedError, fileTrouble } from '../../db/embedded-error.ts';
import { codeOf } from '../../errors.ts';
import { CommandError } from '../command.ts';

/** What a check found, in words that hold no secret. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly what: string;
  /** How to mend it. */
  readonly mend?: string;
}

/** Looks at one thing, and changes nothing. */
export type Check = () => Finding[] | Promise<Finding[]>;

export const ok = (what: string): Finding => ({ level: 'ok', what });
export const warning = (what: string, mend: string): Finding => ({ level: 'warning', what, mend });
export const problem = (what: string, mend: string): Finding => ({ level: 'problem', what, mend });

/** What a check finds; one that fails is a problem itself. An unknown error shows its code only, for it may quote anything. */
export async function findings(subject: string, check: Check): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const words =
      error instanceof EmbeddedError || error instanceof CommandError ? error.message : fileTrouble(error);
    const [what, mend] = words?.split(/: (.*)/s, 2) ?? [];
    if (what !== undefined && mend !== undefined) return [problem(`${subject}: ${what}`, mend)];
    const code = codeOf(error) || (error instanceof Error ? error.name : 'no error');
    return [problem(`${subject}: cannot be looked at (${code})`, 'mend what the code names')];
  }
}
