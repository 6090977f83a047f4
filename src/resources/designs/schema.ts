import * as v from 'valibot';
import { Design } from '../../design/schema/design.ts';
import { document } from '../../tool/document.ts';
import { Conversation, VersionSummary } from '../conversations/schema.ts';

/** A whole design, in and out (`service-api` part 2). */
export const DesignDocument = document('Design', Design);

/** How MCP shows a design: its schema would cost every client its tokens. */
export const designOnMcp = {
  type: 'object',
  description: 'A cd/1 design; describe_design shows the format, kind by kind.',
};

/** A version's name for people. */
export const Tag = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(100),
  v.description('Name of the version.'),
);

/** What changing or activating a conversation answers (`service-api` part 4). */
export const ConversationWithDesign = v.strictObject({
  ...Conversation.entries,
  design: v.nullable(DesignDocument),
});

/** What writing a design answers (`decisions` 4). */
export const VersionWithDesign = v.strictObject({ ...VersionSummary.entries, design: DesignDocument });

/** A problem of a design, as validation tells it (`decisions` 4). */
export const DesignProblem = v.strictObject({
  code: v.string(),
  severity: v.picklist(['error', 'warning']),
  path: v.pipe(v.string(), v.description('JSON pointer into the design.')),
  stepId: v.string(),
  message: v.string(),
  hint: v.string(),
});

/** A part of a design that differs from the version before. */
export const DesignChange = v.strictObject({
  path: v.pipe(v.string(), v.description('JSON pointer into the design.')),
  change: v.picklist(['added', 'removed', 'changed']),
});
