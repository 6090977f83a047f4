import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';

export const getHealth = defineTool({
  name: 'get_health',
  title: 'Get health',
  description: 'Shows that the service is up, and which version and commit runs.',
  rest: { method: 'GET', path: '/healthz' },
  input: v.strictObject({}),
  output: v.strictObject({
    status: v.literal('ok'),
    service: v.literal('service-api'),
    version: v.string(),
    gitSha: v.string(),
  }),
  access: 'none',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler({ build }) {
    return {
      status: 'ok' as const,
      service: 'service-api' as const,
      version: build.version,
      gitSha: build.gitSha,
    };
  },
});
