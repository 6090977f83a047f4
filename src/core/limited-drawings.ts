import { ToolError } from '../platform/errors.ts';
import type { RenderDiagram } from '../services/rendering/renderer.ts';
import type { RateLimits } from '../transports/auth/rate-limits.ts';

/**
 * Draws for projects of whose drawings few have failed. A drawing fails if the design is too large, or if the client leaves:
 * both cost as much as a picture.
 */
export function limitedDrawings(render: RenderDiagram, limits: RateLimits): RenderDiagram {
  return async (projectId, diagram, format, signal) => {
    await limits.requireFewFailedDrawings(projectId);
    try {
      return await render(projectId, diagram, format, signal);
    } catch (error) {
      if (signal.aborted || (error instanceof ToolError && error.code === 'payload_too_large'))
        await limits.countFailedDrawing(projectId);
      throw error;
    }
  };
}
