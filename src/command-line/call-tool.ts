import type { Core } from '../core/core.ts';
import type { Tool } from '../operation/define.ts';
import { requireWithinLimit } from '../operation/input.ts';
import { invoke } from '../operation/invoke.ts';
import type { JsonObject, ToolResult } from '../operation/result.ts';
import type { Config } from '../platform/config/config.ts';
import { identify } from './open-core.ts';

/**
 * Runs an operation in this process, for the key in use.
 * @throws ToolError, and CommandError if there is no key that the database knows
 */
export async function callTool(
  core: Core,
  config: Config,
  tool: Tool,
  value: JsonObject,
  { requestId, idempotencyKey }: { readonly requestId: string; readonly idempotencyKey?: string | undefined },
): Promise<ToolResult> {
  return invoke(core.runtime, tool, {
    caller: tool.access === 'none' ? undefined : (await identify(core, config)).caller,
    requestId,
    input: () => {
      requireWithinLimit(tool, Buffer.byteLength(JSON.stringify(value)));
      return { value, issues: [] };
    },
    naming: 'tool',
    idempotencyKey,
    signal: new AbortController().signal,
  });
}
