import { isJsonObject } from '../../../operation/json.ts';
import type { FlowType } from '../store.ts';
import type { CompiledFlow } from './compilation.ts';
import { compileGraph } from './graph.ts';
import { compileSimple } from './simple.ts';

/**
 * The design that plays a flow, made of its configuration alone, so that the same flow always gives the same design. It
 * takes any configuration that is stored, of earlier releases too, and never throws.
 */
export function compileFlow(type: FlowType, flowSchema: unknown): CompiledFlow {
  const flow = isJsonObject(flowSchema) ? flowSchema : {};
  return type === 'simple' ? compileSimple(flow) : compileGraph(flow);
}
