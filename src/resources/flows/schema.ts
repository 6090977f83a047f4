import * as v from 'valibot';
import { Cuid, ref } from '../../operation/reference.ts';
import { Timestamp } from '../record/timestamp.ts';
import { VersionHistory } from '../versions/version-history.ts';

/** A flow (service-api#flow). */
export const Flow = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  name: v.string(),
  type: v.picklist(['simple', 'graph']),
  description: v.nullable(v.string()),
  agentProfileId: v.nullable(Cuid),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** A version of a flow (service-api#flow-version). */
export const FlowVersion = v.strictObject({
  id: Cuid,
  flowId: Cuid,
  version: v.pipe(v.number(), v.integer()),
  tag: v.string(),
  flowSchema: v.unknown(),
  isActive: v.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** A version as it is read, with its history on request. */
export const FlowVersionRead = v.strictObject({ ...FlowVersion.entries, ...VersionHistory });

export const FlowName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxCodePoints(200),
  v.description('For people, such as Front desk.'),
);

export const FlowDescription = v.pipe(v.string(), v.maxCodePoints(5000));

export const AgentProfileReference = v.pipe(
  v.nullable(ref('agentProfile')),
  v.description('Profile whose voice speaks; null for none.'),
);

/** Any JSON passes, because `storedFlowSchema` reports problems as 422 `flow_schema_invalid`, not as 400. */
export const FlowSchema = v.pipe(v.unknown(), v.description('The flow configuration.'));

/** The schema that MCP shows for `flowSchema`: the whole format would cost every client tokens. */
export const flowSchemaOnMcp = {
  type: 'object',
  description:
    'simple: all optional: greeting, instructions, language, languages[], persona{name,role,tone}, skills[{key,enabled,settings}], questions[{key,prompt,required}], faq[{question,answer}], handoff{number,when}, closing. graph: nodes[{id}], edges[{id,from,to}], entry.',
};
