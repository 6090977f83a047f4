import type { CallDriver, EffectOutcome } from '../../calls/call-driver.ts';
import type { OutwardEffect, TransferEffect } from '../../calls/call-state.ts';
import { type Prompt, understandingPrompt } from '../../calls/prompts.ts';
import { readByRule } from '../../calls/reader.ts';
import type { ToolContext } from '../../environment/context.ts';
import type { Caller } from '../../operation/context.ts';
import type { Prompted } from '../../services/models/prompted.ts';

/** Asks the model, for one call. */
export type Ask = <Result>(prompt: Prompt<Result>) => Promise<Prompted<Result>>;

/** Asks the model, or returns undefined if the rule has to read instead. */
export type AskIfAllowed = <Result>(prompt: Prompt<Result>) => Promise<Prompted<Result> | undefined>;

/** Performs for real what the call so far has led to. */
export type Perform = (effect: OutwardEffect, driver: CallDriver) => Promise<EffectOutcome>;

/** Finds the passages of knowledge bases that fit a question, by knowledge base. */
export type Search = (
  query: string,
  knowledgeBaseIds: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

/** What a call may ask for outside of the engine. */
export interface Outside {
  /** Lets others run between two events of the call. */
  readonly pause: () => Promise<void>;
  readonly search: Search;
  /** Undefined if the rule reads everything. */
  readonly ask?: AskIfAllowed | undefined;
  readonly perform?: Perform | undefined;
  /** Hands the call over to somebody else. `later`: who carries the sound does so, and reports it with another turn. */
  readonly handOver?: ((effect: TransferEffect) => Promise<EffectOutcome | 'later'>) | undefined;
}

/** Performs what the call waits for until it listens, is over, or waits for a transfer that somebody else carries out. */
export async function settle(driver: CallDriver, outside: Outside): Promise<void> {
  while (await performNext(driver, outside));
}

/**
 * Performs the effect that the call waits for. Returns false if it waits for none. A turn is read with the model if there is
 * one that responds in its form, else by rule.
 */
export async function performNext(
  driver: CallDriver,
  { pause, search, ask, perform, handOver }: Outside,
): Promise<boolean> {
  await pause();
  const { pending } = driver;
  if (!pending) return false;
  switch (pending.kind) {
    case 'understand': {
      // A step looks into what was said before it, and there may be nothing to look into.
      const isEmpty = pending.reads === 'collect' && pending.text === '';
      const asked = isEmpty ? undefined : ask && (await ask(understandingPrompt(pending)));
      if (!asked) driver.understand(readByRule(pending), 'rule');
      else if (asked.failure !== undefined) {
        driver.note(`The rule read a turn at ${pending.step}: ${asked.failure}.`);
        driver.understand(readByRule(pending), 'rule');
      } else driver.understand(asked.result, 'model');
      return true;
    }
    case 'search':
      driver.finishSearch(await search(pending.query, pending.knowledgeIds));
      return true;
    case 'transfer': {
      if (!handOver) throw new TypeError('nobody hands the call over');
      const outcome = await handOver(pending);
      if (outcome === 'later') return false;
      driver.finishTransfer(outcome);
      return true;
    }
    case 'request':
    case 'sms':
    case 'crmLookup':
    case 'crmWrite':
    case 'calendar':
      if (!perform) throw new TypeError(`nobody performs ${pending.kind}`);
      driver.finishRequest(await perform(pending, driver));
      return true;
  }
}

/** Passages of one knowledge base that an answer is made from. */
const mostPassages = 5;

/** Searches the knowledge bases of the project, as `query_knowledge` does. One that does not exist has no passages. */
export function searching(
  {
    stores,
    services,
    caller,
  }: Pick<ToolContext, 'stores' | 'services'> & { readonly caller: Pick<Caller, 'projectId'> },
  signal: AbortSignal,
): Search {
  const { embedQuestion } = services;
  return async (query, knowledgeBaseIds) => {
    const embed = embedQuestion && (() => embedQuestion(query, signal));
    const found = new Map<string, readonly string[]>();
    for (const id of knowledgeBaseIds) {
      const passages = await stores.knowledgeSearch.passages(id, query, mostPassages, embed);
      services.meter(caller, [{ service: 'kb', mode: null, metric: 'requests', quantity: 1 }]);
      found.set(
        id,
        (passages ?? []).map(({ text }) => text),
      );
    }
    return found;
  };
}
