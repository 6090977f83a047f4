import type { Design } from '../../design/schema/design.ts';
import { found } from '../../operation/found.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import type { VersionChoice } from '../conversations/schema.ts';
import type { CompiledFlow } from '../flows/compile/compilation.ts';
import { compileFlow } from '../flows/compile/compile.ts';
import { flowVersionNotFound } from '../flows/version.ts';
import type { ChosenFlowVersion } from '../flows/version-store.ts';

/** A version of a flow, and the design that it becomes. */
export interface CompiledVersion extends CompiledFlow {
  readonly version: number;
  readonly tag: string;
  readonly isActive: boolean;
  readonly flowSchema: unknown;
}

/** Designs that were compiled last, by the id of the version, which never changes. */
const compiled = new Map<string, CompiledFlow>();
const mostCompiled = 200;
/** Bytes of a configuration. A longer one is compiled each time, so that the designs take at most some megabytes. */
const longestKept = 32_768;
const mostWarnings = 20;

/**
 * Reads a version of a flow and compiles it. A usual flow takes a millisecond or two, and each turn of a simulation needs its
 * design, so the last ones are kept.
 * @throws ToolError `not_found`
 */
export async function readCompiled(
  stores: Stores,
  flowId: string,
  choice: VersionChoice,
): Promise<CompiledVersion> {
  const chosen = found(await stores.flowVersions.chosen(flowId, choice), 'flow', flowId);
  const { version } = chosen;
  if (!version) throw flowVersionNotFound(flowId, typeof choice === 'number' ? choice : 0);
  const { version: number, tag, isActive, flowSchema } = version;
  return { version: number, tag, isActive, flowSchema, ...compiledFrom(chosen, version.id) };
}

/**
 * The same for a call that needs a design.
 * @throws ToolError `not_found`, and 501 `not_yet_supported` if nothing in the flow says what a call does
 */
export async function readPlayable(
  stores: Stores,
  flowId: string,
  choice: VersionChoice = 'newest',
): Promise<CompiledVersion & { readonly design: Design }> {
  const { design, ...version } = await readCompiled(stores, flowId, choice);
  if (design) return { ...version, design };
  throw new ToolError('not_yet_supported', meaninglessFlow, {
    hint: `${callText('read_design', { flowId, version: version.version })} lists why. A node needs a type and a text that say what happens: say, question, condition, answer, transfer or end.`,
  });
}

export const meaninglessFlow = 'Nothing in this flow says what happens in a call.';

function compiledFrom({ type, version, bytes }: ChosenFlowVersion, versionId: string): CompiledFlow {
  const known = compiled.get(versionId);
  if (known) {
    // A map keeps the order of insertion: the first is the one that nobody has asked for the longest.
    compiled.delete(versionId);
    compiled.set(versionId, known);
    return known;
  }
  const made = compileFlow(type, version?.flowSchema);
  if (bytes > longestKept) return made;
  compiled.set(versionId, made);
  if (compiled.size > mostCompiled) compiled.delete(compiled.keys().next().value ?? '');
  return made;
}

/** Warnings about the parts of a flow that its copy has lost. */
export function leftOut(meaningless: CompiledFlow['meaningless']) {
  return meaningless.slice(0, mostWarnings).map(({ path, message }) => ({
    path: '',
    message: `${path} of the flow is left out: ${message}`,
    hint: 'edit_design changes the copy.',
  }));
}
