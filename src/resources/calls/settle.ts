import type { Prompted } from '../../models/prompted.ts';
import { type Prompt, understandingPrompt } from '../../runtime/prompts.ts';
import { readByRule } from '../../runtime/reader.ts';
import type { EffectOutcome, OutwardEffect, Player, TransferEffect } from '../../runtime/simulate.ts';
import type { Caller, ToolContext } from '../../tool/context.ts';

/** Asks the model, for one call. */
export type Ask = <Result>(prompt: Prompt<Result>) => Promise<Prompted<Result>>;

/** Asks the model, or returns undefined if the rule has to read instead. */
export type AskIfAllowed = <Result>(prompt: Prompt<Result>) => Promise<Prompted<Result> | undefined>;

/** Performs for real what the call so far has led to. */
export type Perform = (effect: OutwardEffect, player: Player) => Promise<EffectOutcome>;

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
  /** Hands the call over to somebody else. */
  readonly handOver?: ((effect: TransferEffect) => Promise<EffectOutcome>) | undefined;
}

/**
 * Goes on until the call listens or is over. A turn is read with the model if there is one, else by rule; if the model does
 * not say what it means, the step takes its fallback.
 */
export async function settle(
  player: Player,
  { pause, search, ask, perform, handOver }: Outside,
): Promise<void> {
  for (;;) {
    await pause();
    const { pending, outward, searching: wanted, transferring } = player;
    if (outward && perform) player.perform(await perform(outward, player));
    else if (transferring && handOver) player.handOver(await handOver(transferring));
    else if (wanted) player.found(await search(wanted.query, wanted.knowledgeBaseIds));
    else if (!pending) return;
    else {
      const asked = ask && (await ask(understandingPrompt(pending)));
      if (!asked) player.understand(readByRule(pending), 'rule');
      else if (asked.failure !== undefined) player.misunderstand(asked.failure);
      else player.understand(asked.result, 'model');
    }
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
