import type * as v from 'valibot';
import type { Access } from '../operation/access.ts';
import {
  type Effect,
  type InputSchema,
  type Method,
  type Placement,
  type ToolDefinition,
  toolOf,
} from '../operation/define.ts';
import type { ResultKind } from '../operation/result.ts';
import type { ParleyEnvironment } from './context.ts';
import type { ConsequencesContext, McpTool, McpView } from './mcp-view.ts';

/** Defines an operation of Parley: its handler gets Parley's services and stores, and MCP may show it in its own way. */
export function defineTool<
  M extends Method,
  const Path extends `/${string}`,
  In extends InputSchema,
  Out extends v.GenericSchema,
  const A extends Access | 'none',
  const E extends Effect,
  const From extends { readonly [Name in keyof In['entries'] & string]?: Placement<M, Path> } = object,
  Kind extends ResultKind = never,
  Found = undefined,
>(
  definition: ToolDefinition<ParleyEnvironment, M, Path, In, Out, A, E, From, Kind, Found> & {
    readonly mcp?: McpView;
    /**
     * What a call is about to do, in words for the person behind an MCP client that can ask: nothing happens before that
     * person agrees. Undefined if there is nothing to ask, or if the operation will refuse the call anyway.
     */
    readonly consequences?: (
      context: ConsequencesContext,
      input: v.InferOutput<In>,
    ) => Promise<string | undefined>;
  },
): McpTool {
  const { mcp = {}, consequences, ...operation } = definition;
  return {
    ...toolOf<ParleyEnvironment, M, Path, In, Out, A, E, From, Kind, Found>(operation),
    mcp,
    consequences,
  };
}
