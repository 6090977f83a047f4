import * as v from 'valibot';
import { someOf } from '../../src/design/problem.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { ToolError } from '../../src/platform/errors.ts';
import { SecretName } from '../../src/resources/secrets/schema.ts';

export const deleteSecret = defineTool({
  name: 'delete_secret',
  title: 'Delete a secret',
  description:
    'Deletes a secret for good. Versions that name it can no longer be activated; the active ones send their requests without it.',
  rest: { method: 'DELETE', path: '/v1/projects/{projectId}/secrets/{name}' },
  input: v.strictObject({ projectId: ref('project'), name: SecretName }),
  output: v.strictObject({ name: v.string(), deleted: v.literal(true) }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  async consequences({ stores }, { name }) {
    const [[secret], users] = await Promise.all([
      stores.secrets.sealed([name]),
      stores.uses.mentions(`secret.${name}`),
    ]);
    if (!secret) return undefined;
    const named = users.length > 0 ? ` These conversations name it: ${someOf(users)}.` : '';
    return `Delete the secret ${name} for good?${named} Active versions send their requests without it, and versions that name it can no longer be activated.`;
  },
  async handler({ stores }, { name }) {
    if (!(await stores.secrets.remove(name)))
      throw new ToolError('not_found', `There is no secret ${name} in this project.`, {
        hint: 'list_secrets shows the names.',
      });
    return { name, deleted: true as const };
  },
});
