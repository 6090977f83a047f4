import type { DisclosureRuling } from '../disclosure/index.ts';
import type { Design } from './schema/design.ts';
import type { SecretBinding } from './secret-binding.ts';
import { secretReferences } from './secrets.ts';
import { signingNames } from './signing.ts';

/** The ids of records and the names of secrets that a design refers to, without duplicates. */
export interface OutsideNames {
  readonly integrationIds: readonly string[];
  readonly knowledgeBaseIds: readonly string[];
  readonly conversationIds: readonly string[];
  readonly secretNames: readonly string[];
}

/** The chat models of this installation. */
export interface ChatModels {
  readonly names: readonly string[];
  /** True if any other name goes to a provider, too. */
  readonly takesOthers: boolean;
}

/** What the checks need to know about the project. */
export interface Facts {
  /** The kinds of the project's integrations that the design names, by id. */
  readonly integrationKinds: ReadonlyMap<string, string>;
  readonly knowledgeBaseIds: ReadonlySet<string>;
  readonly conversationIds: ReadonlySet<string>;
  /** False if the project is always open, because nobody has said otherwise. */
  readonly hasOpeningHours: boolean;
  /** Where the project's secrets may be sent, by name; null if nobody has bound one. */
  readonly secretBindings: ReadonlyMap<string, SecretBinding | null>;
  /** The version before, whose lines need no new check for disclosure; undefined for version 1. */
  readonly base: Design | undefined;
  /** The models that an answer step may name. */
  readonly models: ChatModels;
  readonly stepLimit: number;
  readonly plan: string;
  /** What to do about a text that is neither an id nor the name of one record, by kind and text: `conversation Desk`. */
  readonly nameHints?: ReadonlyMap<string, string>;
  /** Rules on whether a line discloses the AI (`decisions#disclosure`). */
  readonly disclosure: (line: string) => DisclosureRuling;
}

export function outsideNames(design: Design): OutsideNames {
  const { steps, knowledge = [], integrations = [] } = design;
  const transfers = Object.values(steps).flatMap((step) =>
    step.kind === 'transfer' && step.destination.kind === 'conversation' ? [step.destination.value] : [],
  );
  return {
    integrationIds: [...new Set(integrations.map(({ integrationId }) => integrationId))],
    knowledgeBaseIds: [...new Set(knowledge.map(({ knowledgeBaseId }) => knowledgeBaseId))],
    conversationIds: [...new Set(transfers)],
    secretNames: [...new Set([...secretReferences(design).map(({ name }) => name), ...signingNames(design)])],
  };
}
