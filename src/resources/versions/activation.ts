import * as v from 'valibot';
import { shortName } from '../../design/problem.ts';
import type { InputAccess } from '../../operation/define.ts';
import { ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import type { Entrance } from './entrances.ts';
import type { Handler } from './handler.ts';

/** Entrances that a response lists. */
const mostListed = 20;
/** The most losses that a question names. */
const mostTold = 10;

/** The input that also activates what a call stores. */
export const Activate = v.exactOptional(
  v.pipe(v.boolean(), v.description('True activates it too, or stores nothing.')),
);

/** Where callers meet a version that has gone live; empty if no number and no web agent leads to it. */
export const Answers = v.pipe(
  v.array(v.string()),
  v.description('Numbers and web agents where callers meet it now.'),
);

/** What `activate` needs. */
export const activateAccess: InputAccess = {
  access: 'publish',
  hint: 'Leave activate out to store a draft, which somebody else can put live.',
};

/**
 * Activates what this transaction has stored. The error of a gate says that nothing was stored.
 * @throws ToolError what the activation throws
 */
export async function activatedAtOnce<Result>(activation: Promise<Result>): Promise<Result> {
  try {
    return await activation;
  } catch (error) {
    if (!(error instanceof ToolError) || error.status >= 500) throw error;
    const { code, message, status, details, hint, problems } = error;
    throw new ToolError(code, message, {
      status,
      problems,
      cause: error,
      hint: `Nothing was stored: leave activate out to store it as a draft.${hint === undefined ? '' : ` ${hint}`}`,
      ...(details && { details }),
    });
  }
}

/** What a version that is to go live takes away from callers. */
interface Loss {
  readonly handler: Handler;
  /** The name of the flow or conversation. */
  readonly name: string;
  /** What the question calls the version. */
  readonly called: string;
  readonly activeVersion: number;
  /** Each in words that fit after "Callers lose". */
  readonly lost: readonly string[];
}

/** A question that names what callers lose, and where they meet it; undefined if they lose nothing. */
export async function lossInWords(
  stores: Stores,
  { handler, name, called, activeVersion, lost }: Loss,
): Promise<string | undefined> {
  if (lost.length === 0) return undefined;
  const answers = await answersOf(stores, handler);
  const entrances = handler.kind === 'flow' ? 'No phone number' : 'No phone number and no web agent';
  const met =
    answers.length > 0
      ? `New calls meet it at once at: ${answers.join(', ')}.`
      : `${entrances} leads to it yet.`;
  const told = lost.slice(0, mostTold).map((loss) => `- ${loss}`);
  const more = lost.length > told.length ? [`- and ${lost.length - told.length} more`] : [];
  return [
    `Activate ${called} of the ${handler.kind} ${shortName(name)} in place of version ${activeVersion}? Callers lose:`,
    ...told,
    ...more,
    `${met} To go back, activate version ${activeVersion}.`,
  ].join('\n');
}

/** Where callers meet a flow or conversation. */
export async function answersOf(stores: Stores, handler: Handler): Promise<string[]> {
  const entrances = await stores.entrances.of(handler, mostListed + 1);
  const listed = entrances.slice(0, mostListed).map(described);
  return entrances.length > mostListed ? [...listed, 'and more'] : listed;
}

function described({ name, number, isEnabled }: Entrance): string {
  const what = number === null ? `web agent ${name}` : `${number} ${name}`;
  return isEnabled ? what : `${what} (disabled)`;
}
