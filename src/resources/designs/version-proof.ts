import type { PlaceSelector, Property } from '../../design/proof/properties.ts';
import { type Proof, prove } from '../../design/proof/prove.ts';
import type { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import { found } from '../../operation/found.ts';
import { callText, type Issue, invalidRequest, jsonPointer } from '../../platform/errors.ts';
import {
  chosenNumber,
  designNotYetSupported,
  type VersionChoice,
  versionNotFound,
} from '../conversations/schema.ts';
import type { DesignOwner } from '../record/design-owner.ts';
import { notProved, type ProvedVersion, type ProvedVersions } from './proof-result.ts';
import { exposedDesign, requireExposed } from './stored-design.ts';

/** Versions to prove; the newest and the active one if undefined. */
export type ProvenVersions = VersionChoice | readonly VersionChoice[] | undefined;

/** A version that was read to be proved. */
export interface ReadVersion {
  readonly version: number;
  readonly tag: string;
  readonly isActive: boolean;
  /** Null if it cannot be proved, for the reason in `note`. */
  readonly design: Design | null;
  readonly note?: string;
}

type IdentifiedVersion = ReadVersion & { readonly ids: Ids };

type Named = 'step' | 'hook node' | 'variable';

/** The ids that a property can name. */
type Ids = Readonly<Record<Named, ReadonlySet<string>>>;

/**
 * Proves versions of a conversation or a flow. A property may name a step, node or variable that only some of them have.
 * @throws ToolError `invalid_request` for a name that no version has
 */
export async function proveVersions(
  { caller, services, signal }: ToolContext,
  owner: DesignOwner,
  versions: readonly ReadVersion[],
  properties: readonly Property[],
): Promise<ProvedVersions> {
  const read = versions.map((version) => ({ ...version, ids: idsOf(version.design) }));
  refuseUnknownNames(owner, read, properties);
  const proved: ProvedVersion[] = [];
  for (const { design, ids, ...which } of read) {
    await services.turn(caller);
    signal.throwIfAborted();
    if (design === null) proved.push({ ...which, holds: false, note: which.note ?? notProved, proofs: [] });
    else {
      const proofs = prove(design, properties).map((proof) => withMissingNames(proof, ids));
      proved.push({ ...which, holds: proofs.every(({ holds }) => holds), proofs });
    }
  }
  return { holds: proved.every(({ holds }) => holds), versions: proved };
}

/** The versions that a call chooses. */
export function versionsIn(version: ProvenVersions): readonly VersionChoice[] {
  return version === undefined ? ['newest', 'active'] : [version].flat();
}

/**
 * Reads the versions of a conversation that a call chooses, each once. A version that the call does not name is read even if it
 * cannot be proved: the others can.
 * @throws ToolError `not_found`, and 501 like `loadDesign`
 */
export async function readVersions(
  { caller, stores, services }: ToolContext,
  conversationId: string,
  version: ProvenVersions,
): Promise<ReadVersion[]> {
  const chosen = versionsIn(version);
  const conversation = found(
    await services.readInTurn(caller, () =>
      stores.conversationVersions.findChosen(conversationId, {
        numbers: chosen.filter((choice) => typeof choice === 'number'),
        newest: chosen.includes('newest'),
        active: chosen.includes('active'),
      }),
    ),
    'conversation',
    conversationId,
  );
  if (conversation.kind === 'simple') throw designNotYetSupported();
  const { newestVersion, activeVersion, versions } = conversation;
  const numbers = chosen.map((choice) => chosenNumber(conversation, choice));
  return [...new Set(numbers)].map((n) => {
    const stored = versions.get(n);
    if (!stored) throw versionNotFound(conversationId, n);
    const isNamed = version !== undefined || n === newestVersion;
    const design = isNamed ? requireExposed(stored.design, conversationId) : exposedDesign(stored.design);
    return { version: n, tag: stored.tag, isActive: n === activeVersion, design };
  });
}

/**
 * A property about an id that no version has would hold for no reason.
 * @throws ToolError `invalid_request`
 */
function refuseUnknownNames(
  owner: DesignOwner,
  read: readonly IdentifiedVersion[],
  properties: readonly Property[],
): void {
  const where = read.length === 1 ? 'this version' : 'these versions';
  const issues = properties.flatMap((property, index) =>
    namesIn(property).flatMap(({ path, what, id }): Issue[] =>
      read.some(({ ids }) => ids[what].has(id))
        ? []
        : [
            {
              in: 'body',
              path: jsonPointer(['properties', index, ...path]),
              message: `There is no ${what} ${JSON.stringify(id)} in ${where}.`,
            },
          ],
    ),
  );
  const [first, ...more] = issues;
  if (!first) return;
  const outline = callText('read_design', { ...owner, version: read[0]?.version, outline: true });
  throw invalidRequest([first, ...more], { hint: `${outline} shows the ids.` });
}

/** A proof that says which names the version does not have. */
function withMissingNames(proof: Proof, ids: Ids): Proof {
  const missing = namesIn(proof.property).filter(({ what, id }) => !ids[what].has(id));
  if (missing.length === 0) return proof;
  const names = missing.map(({ what, id }) => `${what} ${JSON.stringify(id)}`).join(' and no ');
  return { ...proof, message: `${proof.message} This version has no ${names}.` };
}

function idsOf(design: Design | null): Ids {
  const { before, after } = design?.hooks ?? {};
  return {
    step: new Set(Object.keys(design?.steps ?? {})),
    'hook node': new Set([before, after].flatMap((hook) => Object.keys(hook?.nodes ?? {}))),
    variable: new Set(design?.variables?.map(({ id }) => id)),
  };
}

const named: Readonly<Record<string, Named>> = {
  step: 'step',
  hookNode: 'hook node',
  variable: 'variable',
};

/** The steps, nodes and variables that a property names, each with its path in the property. */
function namesIn(property: Property): { path: string[]; what: Named; id: string }[] {
  const at = (path: string[], id: string) => {
    const what = named[path.at(-1) ?? ''];
    return what ? [{ path, what, id }] : [];
  };
  return Object.entries<string | PlaceSelector>(property).flatMap(([member, value]) =>
    typeof value === 'string'
      ? at([member], value)
      : Object.entries<string>(value).flatMap(([inner, id]) => at([member, inner], id)),
  );
}
