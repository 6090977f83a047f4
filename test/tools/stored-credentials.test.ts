import { describe, expect, it, onTestFinished } from 'vitest';
import type { Design, HookNode } from '../../src/design/schema/design.ts';
import { actionBlocks } from '../../src/design/schema/hooks.ts';
import { openSessionProject, visitOf } from '../helpers/session-project.ts';
import { openSite } from '../helpers/wall-trial.ts';
import { openWorld } from '../helpers/world.ts';
import { hubSpotToken, openHubSpot, openTwilio, twilioAccount } from '../services/providers/stand-in.ts';

/** Every column of the database that holds something sealed, and whether a run may use it. A new one fails until it stands here. */
const sealedColumns: Readonly<Record<string, 'used' | 'no credential' | 'not of runs'>> = {
  'integrations.sealed_credentials': 'used',
  'secrets.sealed_value': 'used',
  'web_agents.sealed_handover_secret': 'used',
  'knowledge_files.sealed_content': 'no credential',
  'idempotency_keys.sealed_answer': 'not of runs',
  'phone_numbers.sealed_auth_password': 'not of runs',
  'secret_requests.sealed_value': 'not of runs',
  'tasks.sealed_content': 'no credential',
  'trash.sealed_content': 'not of runs',
  'upload_pieces.sealed_content': 'no credential',
  'voice_references.sealed_audio': 'no credential',
};

const shopKey = 'the-key-of-the-shop';
const signingSecret = 'the-secret-that-signs';
const calendarPassword = 'the-password-of-the-diary';
/** What a receiver returns: a key that may not publish must not see it if the receiver got a credential. */
const reply = 'what-the-receiver-knows';
const phone = '+12025550143';

interface Places {
  readonly url: string;
  readonly integrationId: string;
  readonly calendarId: string;
}

interface Arrived {
  /** What the site has received, as text. */
  readonly site: string;
  readonly twilio: string;
  readonly hubSpot: string;
}

/** A way in which a run can use a stored credential. */
interface Use {
  readonly column: string;
  /** The block of a hook node that uses it; null: the end of a call that is handed over. */
  readonly block: keyof typeof actionBlocks | null;
  readonly node: (places: Places) => Omit<HookNode, 'id' | 'next'>;
  /** True if a receiver got the credential. */
  readonly isUsed: (arrived: Arrived) => boolean;
  /** True if a draft still sends the request, with a placeholder or without a signature. */
  readonly isSentWithout?: true;
}

const fetchOf = (fetch: Partial<NonNullable<HookNode['fetch']>>): Omit<HookNode, 'id' | 'next'> => ({
  fetch: {
    url: '',
    method: 'GET',
    responseMappings: [{ id: 'r', variableId: 'reply', path: 'reply' }],
    ...fetch,
  },
});
const atSite = ({ site }: Arrived) => site.includes(shopKey);
const signed = (site: string, headers = /"webhook-signature":"v1,/) => headers.test(site);
const crmWrite = (writes: Partial<NonNullable<HookNode['crmWrite']>>): Omit<HookNode, 'id' | 'next'> => ({
  crmWrite: {
    integrationRef: 'crm',
    contactIdSource: { variableId: 'contact' },
    operations: ['update_contact'],
    ...writes,
  },
});
const atHubSpot = ({ hubSpot }: Arrived) => hubSpot.includes(hubSpotToken);
const properties = {
  propertyMappings: [{ id: 'p', property: 'email', source: 'custom' as const, value: 'evil@evil.example' }],
};

const uses: Readonly<Record<string, Use>> = {
  'a secret in a header': {
    column: 'secrets.sealed_value',
    block: 'fetch',
    node: ({ url }) => fetchOf({ url, headers: { authorization: '{{secret.KEY}}' } }),
    isUsed: atSite,
    isSentWithout: true,
  },
  'a secret in a query': {
    column: 'secrets.sealed_value',
    block: 'fetch',
    node: ({ url }) => fetchOf({ url, query: { key: '{{secret.KEY}}' } }),
    isUsed: atSite,
    isSentWithout: true,
  },
  'a secret in a URL': {
    column: 'secrets.sealed_value',
    block: 'fetch',
    node: ({ url }) => fetchOf({ url: `${url}/{{secret.KEY}}` }),
    isUsed: atSite,
    isSentWithout: true,
  },
  'a secret that is an address': {
    column: 'secrets.sealed_value',
    block: 'fetch',
    node: () => fetchOf({ url: '{{secret.BASE}}/orders' }),
    isUsed: ({ site }) => site.includes('/private/base/orders'),
  },
  'a secret in a header of a webhook': {
    column: 'secrets.sealed_value',
    block: 'webhook',
    node: ({ url }) => ({ webhook: { url, headers: { authorization: '{{secret.KEY}}' }, payload: [] } }),
    isUsed: atSite,
    isSentWithout: true,
  },
  'the secret that signs all webhooks': {
    column: 'secrets.sealed_value',
    block: 'webhook',
    node: ({ url }) => ({ webhook: { url, payload: [] } }),
    isUsed: ({ site }) => signed(site),
    isSentWithout: true,
  },
  'a secret that signs one webhook': {
    column: 'secrets.sealed_value',
    block: 'webhook',
    node: ({ url }) => ({
      webhook: { url, payload: [], secretHint: 'KEY', signatureHeader: 'x-signed' },
    }),
    isUsed: ({ site }) => signed(site, /"x-signed":"v1,/),
    isSentWithout: true,
  },
  'the account for text messages': {
    column: 'secrets.sealed_value',
    block: 'sendSms',
    node: () => ({ sendSms: { to: { literalString: phone }, message: 'Hello' } }),
    isUsed: ({ twilio }) => twilio.includes('Basic '),
  },
  'an integration that is searched': {
    column: 'integrations.sealed_credentials',
    block: 'crmLookup',
    node: () => ({
      crmLookup: {
        integrationRef: 'crm',
        matchBy: ['phone'],
        phoneSource: { variableId: 'number' },
        fieldMappings: [{ id: 'r', field: 'firstname', variableId: 'reply' }],
      },
    }),
    isUsed: atHubSpot,
  },
  'an integration whose contact is changed': {
    column: 'integrations.sealed_credentials',
    block: 'crmWrite',
    node: () => crmWrite({ updateContact: properties }),
    isUsed: atHubSpot,
  },
  'an integration in which a contact is made': {
    column: 'integrations.sealed_credentials',
    block: 'crmWrite',
    node: () =>
      crmWrite({
        contactIdSource: { variableId: 'nothing' },
        createContactIfMissing: true,
        updateContact: properties,
      }),
    isUsed: atHubSpot,
  },
  'an integration that gets a note': {
    column: 'integrations.sealed_credentials',
    block: 'crmWrite',
    node: () => crmWrite({ operations: ['create_note'], createNote: { bodyTemplate: 'Note' } }),
    isUsed: atHubSpot,
  },
  'an integration that gets a call': {
    column: 'integrations.sealed_credentials',
    block: 'crmWrite',
    node: () =>
      crmWrite({
        operations: ['log_call'],
        logCall: { includeTranscript: false, includeSummary: true, includeRecordingUrl: false },
      }),
    isUsed: atHubSpot,
  },
  'a calendar that is booked': {
    column: 'integrations.sealed_credentials',
    block: 'calendar',
    node: () => ({ calendar: { integrationRef: 'diary', action: 'book', durationMinutes: 30 } }),
    isUsed: ({ site }) => site.includes('/diary/'),
  },
  'a calendar that is searched for free times': {
    column: 'integrations.sealed_credentials',
    block: 'calendar',
    node: () => ({
      calendar: { integrationRef: 'diary', action: 'freeTimes', offeredVariableId: 'reply' },
    }),
    isUsed: ({ site }) => site.includes('/diary/'),
  },
  'the secret that signs handovers': {
    column: 'web_agents.sealed_handover_secret',
    block: null,
    node: () => ({ setVariable: { variableId: 'reply', value: 'none' } }),
    isUsed: ({ site }) => site.includes('session.transfer'),
  },
};

/** A design that uses a credential before the call, and transfers it. */
const designOf = (node: Omit<HookNode, 'id' | 'next'>, { integrationId, calendarId }: Places): Design => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  variables: ['reply', 'contact', 'number', 'nothing'].map((id) => ({ id, type: 'text' as const })),
  integrations: [
    { id: 'crm', kind: 'crm', integrationId },
    { id: 'diary', kind: 'calendar', integrationId: calendarId },
  ],
  steps: {
    hello: {
      kind: 'greeting',
      introLine: 'Hello, I am an AI assistant. {{reply}}',
      on: { next: 'connect' },
    },
    connect: {
      kind: 'transfer',
      destination: { kind: 'phoneNumber', value: '+12025550155' },
      on: { failed: 'bye' },
    },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
  hooks: {
    before: {
      rootNodeId: 'number',
      nodes: {
        number: {
          id: 'number',
          setVariable: { variableId: 'number', value: phone },
          next: { hookNode: 'contact' },
        },
        contact: {
          id: 'contact',
          setVariable: { variableId: 'contact', value: '1000' },
          next: { hookNode: 'use' },
        },
        use: { id: 'use', ...node, next: { step: 'hello' } },
      },
    },
  },
});

/** Receivers that return a reply to a credential, and a project with all credentials. */
async function openCredentials() {
  const received: object[] = [];
  const site = await openSite((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      received.push({ url: request.url, headers: request.headers, body });
      response.end(JSON.stringify({ reply: JSON.stringify(received).includes(shopKey) ? reply : 'nothing' }));
    });
  });
  const [twilio, hubSpot] = [await openTwilio(), await openHubSpot([{ phone, firstname: reply }])];
  const world = await openWorld({
    models: undefined,
    outbound: { allow: site.allow, twilioUrl: twilio.url, hubSpotUrl: hubSpot.url },
  });
  onTestFinished(() => world.close());
  const project = await openSessionProject(world);
  const bound = { hosts: [`http://${new URL(site.url).host}`], headers: ['authorization'], inUrl: true };
  for (const [name, value] of Object.entries({
    KEY: shopKey,
    BASE: `${site.url}/private/base`,
    WEBHOOK_SIGNING_SECRET: signingSecret,
    HANDOVER_WEBHOOK_URL: `${site.url}/handover`,
    TWILIO_ACCOUNT_SID: twilioAccount.accountSid,
    TWILIO_AUTH_TOKEN: twilioAccount.authToken,
    TWILIO_FROM: twilioAccount.from,
  }))
    await project.call('PATCH', `/v1/projects/${project.projectId}/secrets/${name}`, { value, ...bound });
  const integration = await project.call('POST', `/v1/projects/${project.projectId}/integrations`, {
    kind: 'crm',
    provider: 'hubspot',
    name: 'CRM',
    credentials: { accessToken: hubSpotToken },
  });
  const calendar = await project.call('POST', `/v1/projects/${project.projectId}/integrations`, {
    kind: 'calendar',
    provider: 'caldav',
    name: 'Diary',
    credentials: { url: `${site.url}/diary/`, username: 'ana', password: calendarPassword },
  });
  return {
    world,
    project,
    places: {
      url: site.url,
      integrationId: String(integration.body.id),
      calendarId: String(calendar.body.id),
    },
    /** What has arrived since the last look. */
    arrived(): Arrived {
      const all = [received, twilio.calls, hubSpot.calls];
      const [atSite = '', atTwilio = '', inHubSpot = ''] = all.map((calls) => JSON.stringify(calls));
      for (const calls of all) calls.length = 0;
      return { site: atSite, twilio: atTwilio, hubSpot: inHubSpot };
    },
  };
}

const input = { caller: { script: [{ hangUp: true }] } };
const withoutPublish = ['read', 'draft', 'run'] as const;
const credentials = [
  shopKey,
  signingSecret,
  calendarPassword,
  hubSpotToken,
  twilioAccount.authToken,
  '/private/base',
];

describe.each(Object.entries(uses))('%s', (_, { node, isUsed, isSentWithout, block }) => {
  it('is used by no draft of a key that may not publish, on REST and MCP, and what it brought is not shown', async () => {
    const { world, project, places, arrived } = await openCredentials();
    const design = designOf(node(places), places);
    const conversationId = await project.newConversation();
    await project.store(conversationId, 1, design);
    const draft = await project.write(conversationId, {
      ...design,
      steps: { ...design.steps, bye: { kind: 'end', line: 'Bye.' } },
    });
    expect(draft.status, JSON.stringify(draft.body)).toBe(201);
    for (const access of [withoutPublish, [...withoutPublish, 'publish'] as const]) {
      const { key } = await world.key(project.projectId, { access });
      const mayPublish = access.length > withoutPublish.length;
      const client = await world.mcp('modern http', key);
      const ways = {
        REST: async (version: number) =>
          (
            await world.rest('POST', `/v1/conversations/${conversationId}/live-simulations`, {
              key,
              body: { ...input, version },
            })
          ).body,
        MCP: async (version: number) =>
          (
            await client.callTool({
              name: 'simulate_live',
              arguments: { ...input, conversationId, version },
            })
          ).structuredContent,
      };
      for (const [way, play] of Object.entries(ways))
        for (const version of [1, 2]) {
          const what = `${way}, version ${version}, ${access.join()}`;
          arrived();
          const report = JSON.stringify(await play(version));
          const seen = arrived();
          expect(report, what).toContain('"transcript"');
          for (const credential of credentials) expect(report, what).not.toContain(credential);
          const isDraft = version === 2;
          // A simulation hands no call over.
          const mayUse = block !== null && (mayPublish || !isDraft);
          expect(isUsed(seen), `${what}: ${report}`).toBe(mayUse);
          if (mayUse) {
            if (!mayPublish) expect(report, what).not.toContain(reply);
            continue;
          }
          for (const credential of credentials) expect(JSON.stringify(seen), what).not.toContain(credential);
          if (block === null) continue;
          expect(report, what).toMatch(/may not publish|access \\"publish\\"/);
          if (!isSentWithout) expect(Object.values(seen), what).toEqual(['[]', '[]', '[]']);
        }
    }
  });

  it('is used by no version 1 of such a key, until somebody who may publish activates or assigns it', async () => {
    const { world, project, places, arrived } = await openCredentials();
    const { key } = await world.key(project.projectId, { access: withoutPublish });
    const client = await world.mcp('modern http', key);
    const body = {
      projectId: project.projectId,
      name: 'New',
      design: designOf(node(places), places),
    };
    const { projectId: _, ...content } = body;
    const onRest = await world.rest('POST', `/v1/projects/${project.projectId}/conversations`, {
      key,
      body: content,
    });
    expect(onRest.status, JSON.stringify(onRest.body)).toBe(201);
    const onMcp = await client.callTool({ name: 'create_conversation', arguments: body });
    const created = [onRest.body.id, onMcp.structuredContent?.['id']];
    const decide = [
      async (id: string) => (await project.activate(id, 1)).status,
      async (id: string) => (await project.newWebAgent({ conversationId: id, scopes: ['chat'] })) && 200,
    ];
    for (const [index, id] of created.entries()) {
      const play = async () => {
        arrived();
        const route = `/v1/conversations/${id}/live-simulations`;
        const answer = await world.rest('POST', route, { key, body: { ...input, version: 1 } });
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        return isUsed(arrived());
      };
      expect(await play()).toBe(false);
      expect(await decide[index]?.(id)).toBe(200);
      expect(await play()).toBe(block !== null);
    }
  });

  it('is used for visitors by the live version only, whoever starts the session', async () => {
    const { world, project, places, arrived } = await openCredentials();
    const conversationId = await project.newConversation();
    const written = await project.write(conversationId, designOf(node(places), places));
    expect(written.status, JSON.stringify(written.body)).toBe(201);
    const webAgentId = await project.newWebAgent({ conversationId, scopes: ['chat'] });
    const { key } = await world.key(project.projectId, { access: withoutPublish });
    arrived();
    const visit = async () => {
      const { status, body } = await project.startSession({ webAgentId }, { key });
      expect(status, JSON.stringify(body)).toBe(201);
      await visitOf(body.roomUrl, body.token).start();
      return arrived();
    };
    expect(Object.values(await visit())).toEqual(['[]', '[]', '[]']);
    const activated = await project.activate(conversationId, 2);
    expect(activated.status, JSON.stringify(activated.body)).toBe(200);
    expect(isUsed(await visit())).toBe(true);
  });
});

it('covers every sealed column and every block of a hook node that leaves Parley', async () => {
  const world = await openWorld({ models: undefined });
  onTestFinished(() => world.close());
  const columns = await world.rows(
    "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public' and column_name like 'sealed%' order by 1",
  );
  expect(columns.map(({ name }) => name)).toEqual(Object.keys(sealedColumns).toSorted());
  const used = Object.keys(sealedColumns).filter((name) => sealedColumns[name] === 'used');
  expect([...new Set(Object.values(uses).map(({ column }) => column))].toSorted()).toEqual(used.toSorted());
  const inner = ['condition', 'setVariable'];
  const outward = Object.keys(actionBlocks).filter((name) => !inner.includes(name));
  const blocks = Object.values(uses).flatMap(({ block }) => block ?? []);
  expect([...new Set(blocks)].toSorted()).toEqual(outward.toSorted());
});
