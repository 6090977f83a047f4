import type { DisclosureRuling } from './disclosure/rule.ts';
import type { Design } from './schema/design.ts';

/** What a design names outside itself: ids of records, each once. */
export interface OutsideNames {
  readonly integrationIds: readonly string[];
  readonly knowledgeBaseIds: readonly string[];
  readonly conversationIds: readonly string[];
}

/** What the checks have to know beyond the document. */
export interface Facts {
  /** The kind of each integration of the project that the design names. */
  readonly integrationKinds: ReadonlyMap<string, string>;
  /** The knowledge bases and conversations of the project that the design names. */
  readonly knowledgeBaseIds: ReadonlySet<string>;
  readonly conversationIds: ReadonlySet<string>;
  /** The version that the design follows, whose lines need no new disclosure; undefined for a first version. */
  readonly base: Design | undefined;
  /** The most steps that the plan allows, and the plan's name. */
  readonly stepLimit: number;
  readonly plan: string;
  /** Says of a line whether it tells that an AI speaks: the rule, and a model after it where one is configured. */
  readonly disclosure: (line: string) => DisclosureRuling;
}

/** What a design names outside itself. */
export function outsideNames({ steps, knowledge = [], integrations = [] }: Design): OutsideNames {
  const transfers = Object.values(steps).flatMap((step) =>
    step.kind === 'transfer' && step.destination.kind === 'conversation' ? [step.destination.value] : [],
  );
  return {
    integrationIds: [...new Set(integrations.map(({ integrationId }) => integrationId))],
    knowledgeBaseIds: [...new Set(knowledge.map(({ knowledgeBaseId }) => knowledgeBaseId))],
    conversationIds: [...new Set(transfers)],
  };
}
