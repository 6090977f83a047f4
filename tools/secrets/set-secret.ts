import * as v from 'valibot';
import { Secret, SecretName } from '../../src/resources/secrets/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const setSecret = defineTool({
  name: 'set_secret',
  title: 'Set a secret',
  description:
    'Creates a secret or replaces its value. Designs name it in the headers, queries and addresses of webhooks and fetches as {{secret.NAME}}. The value is encrypted and never returned.',
  rest: { method: 'PUT', path: '/v1/projects/{projectId}/secrets/{name}' },
  input: v.strictObject({
    projectId: ref('project'),
    name: SecretName,
    value: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxCodePoints(10_000),
      v.description('Stored encrypted, never returned.'),
    ),
  }),
  output: Secret,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  special: { secretInput: 'value' },
  handler: ({ stores, services, caller }, { name, value }) =>
    stores.secrets.set(name, services.seal(caller, 'secrets', name, value)),
});
