import { codeOf } from '../../../platform/errors.ts';
import { EmbeddedError, fileTrouble } from '../../../postgres/embedded/error.ts';
import { PoolerError } from '../../../postgres/pgbouncer.ts';
import { CommandError } from '../../command.ts';

/** The result of a check, in words that contain no secret. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem';
  readonly what: string;
  /** How to mend it. */
  readonly mend?: string;
}

/** Looks at one thing and changes nothing. */
export type Check = () => Finding[] | Promise<Finding[]>;

export const ok = (what: string): Finding => ({ level: 'ok', what });
export const warning = (what: string, mend: string): Finding => ({ level: 'warning', what, mend });
export const problem = (what: string, mend: string): Finding => ({ level: 'problem', what, mend });

/**
 * Runs a check. If it throws, that is a problem itself. Of an unknown error, only the code is shown, because its
 * message may quote anything.
 */
export async function findings(subject: string, check: Check): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const message =
      error instanceof EmbeddedError || error instanceof CommandError || error instanceof PoolerError
        ? error.message
        : fileTrouble(error);
    // Both "problem: remedy" and "Problem. Remedy."
    const [what, mend] = message?.split(/[:.] (.*)/s, 2) ?? [];
    if (what !== undefined && mend !== undefined) return [problem(`${subject}: ${what}`, mend)];
    const code = codeOf(error) || (error instanceof Error ? error.name : 'no error');
    return [problem(`${subject}: the check failed (${code})`, 'mend what the code names')];
  }
}
