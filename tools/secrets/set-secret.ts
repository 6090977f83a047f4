import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { ToolError } from '../../src/platform/errors.ts';
import {
  bindingOf,
  bindingProblems,
  Secret,
  SecretHeaders,
  SecretHosts,
  SecretName,
} from '../../src/resources/secrets/schema.ts';

/** What a caller is told who gave the value in the call. */
const seenByModel = {
  path: '/value',
  message: 'The value went through the model, and may be kept with this chat.',
  hint: 'If the client can open pages, leave value out next time: a person then enters it on one.',
};

export const setSecret = defineTool({
  name: 'set_secret',
  title: 'Set a secret',
  description:
    'Creates, replaces or binds a secret. Leave value out: a person enters it on a page. Designs write {{secret.NAME}} in headers, queries and URLs.',
  rest: { method: 'PATCH', path: '/v1/projects/{projectId}/secrets/{name}' },
  input: v.strictObject({
    projectId: ref('project'),
    name: SecretName,
    value: v.exactOptional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxCodePoints(10_000),
        v.description('Stored encrypted, never returned.'),
      ),
    ),
    hosts: v.exactOptional(SecretHosts),
    headers: v.exactOptional(SecretHeaders),
    inUrl: v.exactOptional(v.pipe(v.boolean(), v.description('URLs may hold it.'))),
  }),
  output: Secret,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  special: { secretInput: 'value' },
  check: ({ value, ...binding }) => [
    ...(value === undefined && binding.hosts === undefined
      ? [{ path: ['value'], message: 'Give the value, or hosts to bind a secret that exists.' } as const]
      : []),
    ...bindingProblems(binding),
  ],
  mcp: {
    enteredOnPage: {
      at: ['value'],
      binds: true,
      isLeftOut: (input) => !Object.hasOwn(input, 'value'),
      called: ({ name }) => `secret ${String(name)}`,
    },
    hintAt: ([input]) =>
      input === 'value'
        ? 'This client cannot open a page on which a person enters the value. Give it here, or let somebody set it over REST.'
        : undefined,
    warn: (_, { value }) => (value === undefined ? [] : [seenByModel]),
  },
  async handler({ stores, services, caller }, { name, value, ...input }) {
    const binding = bindingOf(input);
    if (value !== undefined)
      return stores.secrets.set(name, services.seal(caller, 'secrets', name, value), binding);
    const bound = binding && (await stores.secrets.bind(name, binding));
    if (bound) return bound;
    throw new ToolError('not_found', `There is no secret ${name} in this project, so it needs a value.`, {
      hint: 'list_secrets shows the names.',
    });
  },
});
