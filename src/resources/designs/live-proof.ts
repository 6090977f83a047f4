import * as v from 'valibot';
import type { Property } from '../../design/proof/properties.ts';
import { prove } from '../../design/proof/prove.ts';
import type { LiveAgent } from '../../store/live-agents.ts';
import type { ToolContext } from '../../tool/context.ts';
import type { InputProblem } from '../../tool/define.ts';
import { Cuid } from '../../tool/reference.ts';
import { firstQuestion, greetingWarnings } from '../flows/greeting.ts';
import { usesById } from '../search/reached.ts';
import { exposedDesign } from './stored-design.ts';

/** Flows and conversations that one call proves, and how many of them it reads at once: 2.5 MB at most. */
const [mostAgents, readAtOnce] = [100, 10];
/** Those that break a property are described, so many. */
const mostBroken = 30;
/** Characters of what one of them breaks. */
const longestReason = 400;
/** Bytes of all that is described, because hosts refuse results of more than 40,000. */
const mostBytes = 32_000;

const Broken = v.strictObject({
  kind: v.picklist(['flow', 'conversation']),
  id: Cuid,
  name: v.string(),
  version: v.number(),
  reachedBy: v.pipe(v.array(v.string()), v.description('Numbers and web agents on which callers meet it.')),
  why: v.pipe(
    v.string(),
    v.description('The first property that a call breaks, and the shortest such call.'),
  ),
});

/** The active versions of a whole project, and what each breaks. */
export const LiveProof = v.strictObject({
  holds: v.pipe(v.boolean(), v.description('Every property holds for all that were proved.')),
  broken: v.array(Broken),
  holding: v.pipe(
    v.array(v.string()),
    v.description('Those for which every property holds, by kind and name.'),
  ),
  leftOut: v.exactOptional(
    v.pipe(v.number(), v.description('How many more there are, not proved or not named here.')),
  ),
});

/** The properties that a flow can break: its configuration is no graph of steps. */
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

/** Proves the active version of every flow and conversation, those that callers meet first. Each waits for its turn. */
export async function proveLive(
  { caller, stores, services, signal }: ToolContext,
  properties: readonly Property[],
): Promise<v.InferOutput<typeof LiveProof>> {
  const { agents, total } = await stores.liveAgents.list(mostAgents);
  const broken: { readonly agent: LiveAgent; readonly why: string }[] = [];
  const holding: string[] = [];
  for (let at = 0; at < agents.length; at += readAtOnce) {
    const some = agents.slice(at, at + readAtOnce);
    const documents = await services.readInTurn(caller, () => {
      // The client may have left meanwhile.
      signal.throwIfAborted();
      return stores.liveAgents.documents(some.map(({ id }) => id));
    });
    for (const agent of some) {
      await services.turn(caller);
      const why = brokenBy(agent, documents.get(agent.id), properties);
      if (why === undefined) holding.push(`${agent.kind} ${agent.name}`);
      else broken.push({ agent, why });
    }
  }
  const first = broken.slice(0, mostBroken);
  const uses = usesById(await stores.uses.of(first.map(({ agent }) => agent.id)));
  const described = first.map(({ agent, why }) => ({
    ...agent,
    reachedBy: [...uses(agent.id).reachedBy],
    why,
  }));
  const fits = bytesLeft(mostBytes);
  const shown = { broken: described.filter(fits), holding: holding.filter(fits) };
  const leftOut = total - shown.broken.length - shown.holding.length;
  return { holds: broken.length === 0, ...shown, ...(leftOut > 0 && { leftOut }) };
}

/** True for the first items that take so many bytes together. */
function bytesLeft(bytes: number): (item: unknown) => boolean {
  let left = bytes;
  return (item) => {
    left -= Buffer.byteLength(JSON.stringify(item));
    return left >= 0;
  };
}

/** What a version breaks first; undefined if all properties hold. */
function brokenBy(
  { kind }: LiveAgent,
  document: unknown,
  properties: readonly Property[],
): string | undefined {
  if (kind === 'flow')
    return properties.some(({ property }) => ofFlows.has(property)) ? silenceOf(document) : undefined;
  const design = exposedDesign(document);
  if (!design) return 'It has a step of a kind that the API does not expose, so nothing is proved.';
  const proof = prove(design, properties).find(({ holds }) => !holds);
  if (!proof) return undefined;
  const path = (proof.counterexample ?? []).map(({ id, exit }) => (exit === null ? id : `${id} (${exit})`));
  return short(`${proof.property.property}: ${proof.message} Such a call: ${path.join(', ')}.`);
}

/** What a flow says instead of disclosing the AI, and what it then asks first. */
function silenceOf(flowSchema: unknown): string | undefined {
  const [warning] = greetingWarnings(flowSchema);
  if (!warning) return undefined;
  const question = firstQuestion(flowSchema);
  const asks = question === undefined ? '' : ` It asks: ${JSON.stringify(question)}`;
  return short(`${warning.path}: ${warning.message}${asks}`);
}

function short(text: string): string {
  const characters = Array.from(text);
  return characters.length <= longestReason ? text : `${characters.slice(0, longestReason - 1).join('')}…`;
}
