import type { Property } from '../../design/proof/properties.ts';
import { prove } from '../../design/proof/prove.ts';
import type { ToolContext } from '../../environment/context.ts';
import type { InputProblem } from '../../operation/define.ts';
import { shortenList } from '../record/shorten-list.ts';
import { usesById } from '../search/reached.ts';
import { firstQuestion, greetingWarnings } from './greeting.ts';
import type { LiveAgent } from './live-agents.ts';
import { notProved, type ProvedVersion, type ProvedVersions } from './proof-result.ts';
import { exposedDesign } from './stored-design.ts';

/** Flows and conversations that one call proves, and how many of them it reads at once: 2.5 MB at most. */
const [mostAgents, readAtOnce] = [100, 10];
/** Those that break a property are described, so many. */
const mostBroken = 30;
/** Characters of what a flow breaks. */
const longestReason = 400;
/** Characters of all proofs together. The first of each flow and conversation is always shown. */
const mostProofs = 12_000;
/** Bytes of all that is described, because hosts refuse results of more than 40,000. */
const mostBytes = 32_000;

/** The properties that a flow can break: its configuration is not a graph of steps. */
const ofFlows: ReadonlySet<string> = new Set(['disclosedBeforeCollecting', 'disclosedFirst']);

/** Problems of properties that name a step, node or variable, which are of one design. */
export function namesOfOneDesign(properties: readonly Property[]): InputProblem[] {
  return properties.flatMap((property, index) =>
    Object.entries<unknown>(property).flatMap(([member, value]): InputProblem[] => {
      const names = typeof value === 'object' && value !== null ? Object.keys(value) : [member];
      return names.some((name) => /^(?:step|hookNode|variable)$/.test(name))
        ? [
            {
              path: ['properties', index, member],
              message: 'Names a part of one design: give its conversationId.',
            },
          ]
        : [];
    }),
  );
}

/**
 * Proves the active version of every flow and conversation, those that callers meet first. Each waits for its turn. Those
 * that break a property come first, with the proofs of what they break; the others have none.
 */
export async function proveLive(
  { caller, stores, services, signal }: ToolContext,
  properties: readonly Property[],
): Promise<ProvedVersions> {
  const { agents, total } = await stores.liveAgents.list(mostAgents);
  const broken: { readonly agent: LiveAgent; readonly breaks: Broken }[] = [];
  const holding: ProvedVersion[] = [];
  for (let at = 0; at < agents.length; at += readAtOnce) {
    const some = agents.slice(at, at + readAtOnce);
    const documents = await services.readInTurn(caller, () => {
      // The client may have left meanwhile.
      signal.throwIfAborted();
      return stores.liveAgents.documents(some.map(({ id }) => id));
    });
    for (const agent of some) {
      await services.turn(caller);
      const breaks = brokenBy(agent, documents.get(agent.id), properties);
      if (breaks) broken.push({ agent, breaks });
      else holding.push({ ...agent, isActive: true, holds: true, proofs: [] });
    }
  }
  const first = broken.slice(0, mostBroken);
  const uses = usesById(await stores.uses.of(first.map(({ agent }) => agent.id)));
  const reached = first.map(({ agent, breaks }) => ({
    ...agent,
    isActive: true,
    reachedBy: [...uses(agent.id).reachedBy],
    holds: false,
    ...shortened(breaks, mostProofs / first.length),
  }));
  const versions = [...reached, ...holding].filter(bytesLeft(mostBytes));
  const leftOut = total - versions.length;
  return { holds: broken.length === 0, versions, ...(leftOut > 0 && { leftOut }) };
}

/** True for the first items that take so many bytes together. */
function bytesLeft(bytes: number): (item: unknown) => boolean {
  let left = bytes;
  return (item) => {
    left -= Buffer.byteLength(JSON.stringify(item));
    return left >= 0;
  };
}

/** As many proofs as fit, and how many more there are. */
function shortened({ proofs, note }: Broken, characters: number): Broken {
  const fit = shortenList(proofs, characters);
  const shown = fit.length > 0 ? fit : proofs.slice(0, 1);
  const more = proofs.length - shown.length;
  if (more > 0) return { proofs: shown, note: `It breaks ${more} more of the properties.` };
  return { proofs: shown, ...(note !== undefined && { note }) };
}

type Broken = Pick<ProvedVersion, 'proofs' | 'note'>;

/** The proofs of what a version breaks; undefined if all properties hold. */
function brokenBy(
  { kind }: LiveAgent,
  document: unknown,
  properties: readonly Property[],
): Broken | undefined {
  const asProofs = (proofs: ProvedVersion['proofs']) => (proofs.length > 0 ? { proofs } : undefined);
  if (kind === 'flow') {
    const message = silenceOf(document);
    if (message === undefined) return undefined;
    const asked = properties.filter(({ property }) => ofFlows.has(property));
    return asProofs(asked.map((property) => ({ property, holds: false, message })));
  }
  const design = exposedDesign(document);
  if (!design) return { proofs: [], note: notProved };
  const broken = prove(design, properties).filter(({ holds }) => !holds);
  return asProofs(broken.map(({ counterexample: _, ...proof }) => proof));
}

/** What a flow says instead of disclosing the AI, and what it then asks first. */
function silenceOf(flowSchema: unknown): string | undefined {
  const [warning] = greetingWarnings(flowSchema);
  if (!warning) return undefined;
  const question = firstQuestion(flowSchema);
  const asks = question === undefined ? '' : ` It asks: ${JSON.stringify(question)}`;
  const characters = Array.from(`${warning.path}: ${warning.message}${asks}`);
  return characters.length <= longestReason
    ? characters.join('')
    : `${characters.slice(0, longestReason - 1).join('')}…`;
}
