import type { Design } from '../../src/design/schema/design.ts';
import type { World } from '../world.ts';
import { headersWith, writeRow } from './write-row.ts';

/** Returns the part of a response that is equal in every version. */
function lasting(body: unknown) {
  const { design, isActive, changes } = body as Record<string, unknown>;
  return { design, isActive, changes };
}

/** Each connection has its own conversation, and edits its first version. */
function editDesign(steps: number, designOf: (world: World) => Design) {
  return writeRow({
    name: `edit-design-${steps}`,
    path: `PATCH /v1/conversations/{id}/versions/{n}/design, a text in a design of ${steps} steps, 8 connections`,
    statements:
      'read and parse, one assignment, BEGIN, status, 2 locks, update of the counter, insert, audit row, COMMIT',
    baseline: 'http.ts',
    connections: 8,
    warmUpConnections: 8,
    async request(world, create) {
      const { projectId, key } = world;
      const design = designOf(world);
      const conversation = { name: 'Line', kind: 'advanced', design };
      const conversationId = await create(`/v1/projects/${projectId}/conversations`, conversation);
      const path = `/steps/${messageOf(design)}/text`;
      const patch = [{ op: 'replace', path, value: 'I am looking that up for you now.' }];
      return {
        method: 'PATCH',
        path: `/v1/conversations/${conversationId}/versions/1/design`,
        headers: headersWith(key),
        // The first version is not the newest after one call.
        body: JSON.stringify({ patch, onConflict: 'branch' }),
      };
    },
    compare: lasting,
    // The version number may gain a digit.
    sameLength: false,
  });
}

/** Returns the id of a step that only says something. */
function messageOf({ steps }: Design): string {
  const found = Object.entries(steps).find(([, { kind }]) => kind === 'message');
  if (!found) throw new Error('the design has no message');
  return found[0];
}

export const editSmallDesign = editDesign(20, ({ smallDesign }) => smallDesign);
export const editLargeDesign = editDesign(200, ({ design }) => design);
