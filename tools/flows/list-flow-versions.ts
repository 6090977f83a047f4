import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found, notFound } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { FlowVersionRead } from '../../src/resources/flows/schema.ts';
import { Limit, NextCursor, NumberCursor, wholeList } from '../../src/resources/record/page.ts';
import { HistoryDetails, withHistory } from '../../src/resources/versions/version-history.ts';
import type { PageRequest } from '../../src/store/page.ts';

/** Bytes that a list of all versions reads at once: four of the largest configurations. */
const bytesAtOnce = 1_048_576;

export const listFlowVersions = defineTool({
  name: 'list_flow_versions',
  title: 'List flow versions',
  description:
    'Lists the versions of a flow, newest first: who made each, which is active, when it was live. get_flow_version reads a configuration.',
  rest: { method: 'GET', path: '/v1/flows/{flowId}/versions' },
  input: v.strictObject({ flowId: ref('flow'), limit: Limit, cursor: NumberCursor, details: HistoryDetails }),
  output: v.strictObject({ versions: v.array(FlowVersionRead), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    keeps: ['createdAt'],
    implied: { details: true },
    leavesOut: ['flowSchema'],
    outputSchema: false,
    pages: { items: 'versions', cursor: 'version' },
  },
  async handler({ caller, stores, services, signal }, { flowId, limit, cursor, details }) {
    // Several pages show what was active when the first was read, so that exactly one version is active.
    let active: number | undefined;
    const read = async (page: PageRequest) => {
      const bytes = limit === undefined && cursor === undefined ? bytesAtOnce : undefined;
      const { activeVersion, items, ...more } = await services.readInTurn(caller, () => {
        // The client may have left meanwhile.
        signal.throwIfAborted();
        return stores.flowVersions.list(flowId, { ...page, bytes });
      });
      active ??= activeVersion;
      if (items.length === 0 && cursor === undefined) throw notFound('flow', flowId);
      const versions = items.map((item) =>
        withHistory({ ...item, isActive: item.version === active }, details),
      );
      return { versions, ...more };
    };
    const [flow, versions] = await Promise.all([
      stores.flows.find(flowId),
      wholeList({ limit, cursor }, read),
    ]);
    found(flow, 'flow', flowId);
    return versions;
  },
});
