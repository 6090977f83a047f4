import * as v from 'valibot';
import { shortName } from '../../src/design/problem.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import {
  Credentials,
  credentialsOnMcp,
  Integration,
  IntegrationKind,
} from '../../src/resources/integrations/schema.ts';

export const createIntegration = defineTool({
  name: 'create_integration',
  title: 'Create an integration',
  description:
    'Keeps the credentials of a service. A design lists it in integrations, with its kind and id; crmLookup, crmWrite and calendar refer to that entry.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/integrations', status: 201 },
  input: v.strictObject({
    projectId: ref('project'),
    kind: v.pipe(IntegrationKind, v.description('Kind of the service.')),
    provider: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxCodePoints(100),
      v.description(
        'hubspot; for calendars caldav (credentials url, username, password) or cal.com (apiKey, eventTypeId).',
      ),
    ),
    name: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxCodePoints(200),
      v.description('For people, such as Sales CRM.'),
    ),
    credentials: Credentials,
  }),
  output: Integration,
  access: 'publish',
  effect: { readOnly: false, destructive: false, idempotent: false },
  special: { secretInput: 'credentials' },
  mcp: {
    inputs: { credentials: credentialsOnMcp },
    enteredOnPage: {
      at: ['credentials', 'accessToken'],
      isLeftOut: (input) => !Object.hasOwn(input, 'credentials'),
      called: ({ name, provider }) =>
        `access token of the integration ${shortName(String(name))} (${String(provider)})`,
    },
    hintAt: ([input]) =>
      input === 'credentials'
        ? 'This client cannot open a page on which a person enters the access token. Give credentials here, or let somebody create the integration over REST.'
        : undefined,
  },
  handler: ({ stores, services, caller }, { credentials, ...integration }) =>
    stores.integrations.create(integration, (id) =>
      services.seal(caller, 'integrations', id, JSON.stringify(credentials)),
    ),
});
