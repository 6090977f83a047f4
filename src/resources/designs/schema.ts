import * as v from 'valibot';
import { formatHint } from '../../design/format-hint.ts';
import { Design } from '../../design/schema/design.ts';
import { document } from '../../operation/document.ts';
import type { JsonObject } from '../../operation/result.ts';
import { Conversation, VersionNumber, VersionSummary } from '../conversations/schema.ts';

/** A whole design, as input and output (`service-api#conversation-design`). */
export const DesignDocument = document('Design', Design);

/** A design input on MCP. The whole schema would cost a client 4,000 to 8,000 tokens for each tool. */
export const designOnMcp = {
  type: 'object',
  description: 'A cd/1 design, as in describe_design.',
};

/** The hint for an input `design` that does not match the format. */
export function designHintAt([input, ...place]: readonly string[], sent: JsonObject): string | undefined {
  return input === 'design' && sent['design'] !== undefined ? formatHint(sent['design'], place) : undefined;
}

export const Tag = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxCodePoints(100),
  v.description('A name, such as before-summer.'),
);

/** Response of updating a conversation and of activating a version (`decisions#conversations`). */
export const ConversationWithDesign = v.strictObject({
  ...Conversation.entries,
  design: v.nullable(DesignDocument),
});

export const DesignProblem = v.strictObject({
  code: v.string(),
  severity: v.picklist(['error', 'warning']),
  path: v.pipe(v.string(), v.description('JSON pointer into the design.')),
  stepId: v.string(),
  message: v.string(),
  hint: v.string(),
});

/** A problem that did not prevent a write. */
export const DesignWarning = v.strictObject({
  path: DesignProblem.entries.path,
  message: v.string(),
  hint: v.string(),
});

/** What a response warns of, each a `DesignWarning`; left out if that is nothing. The short schema costs clients fewer tokens. */
export const Warnings = v.exactOptional(v.array(v.record(v.string(), v.string())));

/** Response of writing a design (`decisions#designs`). */
const { n: _, ...summaryEntries } = VersionSummary.entries;

export const EarlierWarnings = v.exactOptional(
  v.pipe(
    v.number(),
    v.description('How many others the version before had, too: validate_design lists them.'),
  ),
);

export const WrittenVersion = v.strictObject({
  version: VersionNumber,
  ...summaryEntries,
  summary: v.pipe(
    v.array(v.string()),
    v.description('What differs from the version that was changed, also what was removed.'),
  ),
  warnings: v.pipe(v.array(DesignWarning), v.description('About the change.')),
  earlierWarnings: EarlierWarnings,
  touchedScenarios: v.exactOptional(
    v.pipe(v.array(v.string()), v.description('Scenarios that pass a changed place: run_scenarios.')),
  ),
  design: DesignDocument,
});

export const DesignChange = v.strictObject({
  path: v.pipe(v.string(), v.description('JSON pointer into the design.')),
  change: v.picklist(['added', 'removed', 'changed']),
});
