import type { Services } from '../../environment/services.ts';
import { canMatch } from './origins.ts';
import type { WebAgent } from './web-agent-store.ts';

/** Logs how many of a web agent's origins no page can have. `parley doctor` names them. */
export function warnOfOrigins(
  services: Pick<Services, 'warn'>,
  { id, projectId, allowedOrigins }: WebAgent,
): void {
  const unmatched = allowedOrigins.filter((entry) => !canMatch(entry)).length;
  if (unmatched > 0)
    services.warn({ projectId, webAgentId: id, unmatched }, 'allowedOrigins has entries that match no page');
}
