import * as v from 'valibot';
import type { JsonDocument } from '../../operation/document.ts';
import { checkShape } from '../../operation/input.ts';
import { isJsonObject, jsonProblems } from '../../operation/json.ts';
import type { JsonObject } from '../../operation/result.ts';
import {
  type ErrorProblem,
  jsonPointer,
  mostProblems,
  payloadTooLarge,
  ToolError,
} from '../../platform/errors.ts';
import { deceptions, type FlowIssue, objectsOf } from '../designs/greeting.ts';
import type { FlowType } from './store.ts';

/** Bytes (service-api#limits). */
export const configurationLimit = 262_144;

const text = v.optional(v.string());

/** The format of a simple flow (decisions#flow-formats). */
const SimpleFlow = v.strictObject({
  greeting: text,
  instructions: text,
  language: text,
  languages: v.optional(v.array(v.string())),
  persona: v.optional(v.strictObject({ name: text, role: text, tone: text })),
  skills: v.optional(
    v.array(
      v.strictObject({
        key: v.string(),
        enabled: v.optional(v.boolean()),
        settings: v.optional(v.record(v.string(), v.unknown())),
      }),
    ),
  ),
  questions: v.optional(
    v.array(v.strictObject({ key: v.string(), prompt: v.string(), required: v.optional(v.boolean()) })),
  ),
  faq: v.optional(v.array(v.strictObject({ question: v.string(), answer: v.string() }))),
  handoff: v.optional(v.strictObject({ number: v.string(), when: text })),
  closing: text,
});

/** The format of a graph flow (decisions#flow-formats). Unknown members are kept; `referenceIssues` checks ids. */
const Identified = v.looseObject({ id: v.pipe(v.string(), v.nonEmpty('Expected at least 1 character.')) });
const GraphFlow = v.looseObject({
  nodes: v.optional(v.array(Identified)),
  edges: v.optional(v.array(v.looseObject({ ...Identified.entries, from: text, to: text }))),
  entry: text,
});

/**
 * Returns a valid flow configuration with the JSON text that it is stored as.
 * @throws ToolError 422 `flow_schema_invalid` with at most 100 problems; 413 above 256 KiB
 */
export function storedFlowSchema(type: FlowType, flowSchema: unknown): JsonDocument {
  const issues = flowIssues(type, flowSchema);
  if (issues.length > 0)
    throw new ToolError('flow_schema_invalid', `The flow configuration has ${issues.length} problem(s).`, {
      details: { issues },
      hint: 'Correct the members of flowSchema that details.issues names, then call again.',
    });
  const json = JSON.stringify(flowSchema);
  if (Buffer.byteLength(json) > configurationLimit) throw payloadTooLarge(configurationLimit);
  return { json, value: flowSchema };
}

/** Problems that a response lists besides those of other inputs. */
const mostListed = 20;

/** The problems of a flow configuration in a call whose other inputs are wrong: a model can correct all at once. */
export function furtherFlowProblems({ type = 'simple', flowSchema }: JsonObject): ErrorProblem[] {
  if ((type !== 'simple' && type !== 'graph') || flowSchema === undefined) return [];
  if (jsonProblems(flowSchema).length > 0) return [];
  return flowIssues(type, flowSchema)
    .slice(0, mostListed)
    .map((issue) => ({ code: 'flow_schema_invalid', ...issue, hint: 'The path points into flowSchema.' }));
}

/**
 * Does the same for a call whose flow, and so its type, is not known: the problems that both types have.
 * @param member the input that holds the configuration, or the part of it that changes.
 */
export function furtherVersionProblems(member: 'flowSchema' | 'merge') {
  return ({ [member]: flowSchema }: JsonObject): ErrorProblem[] => {
    const inGraph = furtherFlowProblems({ type: 'graph', flowSchema });
    return furtherFlowProblems({ type: 'simple', flowSchema })
      .filter(({ path, message }) =>
        inGraph.some((other) => other.path === path && other.message === message),
      )
      .map((found) => ({ ...found, hint: `The path points into ${member}.` }));
  };
}

function flowIssues(type: FlowType, flowSchema: unknown): FlowIssue[] {
  if (!isJsonObject(flowSchema)) return [{ path: '', message: 'Expected a JSON object.' }];
  // The input was checked as JSON.
  const { problems } = checkShape(type === 'simple' ? SimpleFlow : GraphFlow, flowSchema);
  const shape = problems.map(({ path, message }) => ({ path: jsonPointer(path), message }));
  const issues = [...shape, ...deceptions(flowSchema)].slice(0, mostProblems);
  if (type === 'simple' || issues.length >= mostProblems) return issues;
  return [...issues, ...referenceIssues(flowSchema)].slice(0, mostProblems);
}

/** Finds ids that appear twice, and `entry`, `from` and `to` that name no node: the first 100 of them. */
function referenceIssues(flow: Record<string, unknown>): FlowIssue[] {
  const issues: FlowIssue[] = [];
  const note = (message: string, ...path: (string | number)[]) => {
    if (issues.length < mostProblems) issues.push({ path: jsonPointer(path), message });
  };
  const idsOf = (list: 'nodes' | 'edges') => {
    const seen = new Set<string>();
    for (const [index, { id }] of objectsOf(flow[list])) {
      if (typeof id !== 'string') continue;
      if (seen.has(id)) note('Stands more than once.', list, index, 'id');
      seen.add(id);
    }
    return seen;
  };
  const nodes = idsOf('nodes');
  idsOf('edges');
  const named = (target: unknown, ...path: (string | number)[]) => {
    if (typeof target === 'string' && !nodes.has(target)) note('Names no node.', ...path);
  };
  named(flow['entry'], 'entry');
  for (const [index, edge] of objectsOf(flow['edges'])) {
    named(edge['from'], 'edges', index, 'from');
    named(edge['to'], 'edges', index, 'to');
  }
  return issues;
}
