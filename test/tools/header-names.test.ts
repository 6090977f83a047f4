import { expect, onTestFinished, test } from 'vitest';
import { Design, type HookNode } from '../../src/design/schema/design.ts';
import { tools } from '../contract/registry.ts';
import { openSimulationProject } from '../helpers/simulation-project.ts';
import { openSite } from '../helpers/wall-trial.ts';
import { openWorld } from '../helpers/world.ts';

interface Schema {
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly [member: string]: unknown;
}

/** The members of a schema, and of all that is in it, whose names speak of headers, each behind the name of its parent. */
function headersIn(schema: unknown, parent: string, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  const { entries = {} } = schema as Schema;
  return Object.entries(schema).flatMap(([member, inner]) =>
    member === 'entries'
      ? Object.entries(entries).flatMap(([name, entry]) => [
          ...(/header/i.test(name) ? [`${parent}.${name}`] : []),
          ...headersIn(entry, name, seen),
        ])
      : headersIn(inner, parent, seen),
  );
}

const ofConnection = [
  'host',
  'Connection',
  'content-length',
  'expect',
  'Keep-Alive',
  'proxy-authorization',
  'proxy-connection',
  'TE',
  'trailer',
  'Transfer-Encoding',
  'upgrade',
  'a b',
  'x-a\r\nhost',
  'x-{{said}}',
  'ümlaut',
];
const ofWebhook = ['webhook-id', 'Webhook-Timestamp'];
const ofContent = [
  'Content-Type',
  'user-agent',
  'Accept-Encoding',
  'authorization',
  'Cookie',
  'content-encoding',
  'accept',
];

/** Each input that names a header, with names that it refuses and names that it accepts. */
const places: Readonly<
  Record<string, { readonly refused: readonly string[]; readonly allowed: readonly string[] }>
> = {
  'fetch.headers': { refused: ofConnection, allowed: [...ofWebhook, ...ofContent, 'x-api-key'] },
  'webhook.headers': {
    refused: [...ofConnection, ...ofWebhook],
    allowed: [...ofContent, 'x-api-key'],
  },
  'webhook.signatureHeader': {
    refused: [...ofConnection, ...ofWebhook, ...ofContent, 'X-Taken'],
    allowed: ['webhook-signature', 'X-Signature-256'],
  },
  'set_secret.headers': { refused: ofConnection, allowed: [...ofContent, 'x-api-key'] },
};

test('the list names every place where an operation or a design names a header', () => {
  const named = [
    ...tools.flatMap(({ name, input }) => headersIn(input, name)),
    ...headersIn(Design, 'design'),
  ];
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(places).toSorted());
});

/** A design whose first node sends a request with this header. */
function designWith(place: string, name: string, url: string): { design: Design; at: string } {
  const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
  const node: Omit<HookNode, 'id'> =
    place === 'fetch.headers'
      ? { fetch: { url, method: 'GET', headers: { [name]: 'x' }, responseMappings: [] } }
      : {
          webhook: {
            url,
            payload: [],
            ...(place === 'webhook.headers'
              ? { headers: { [name]: 'x' } }
              : { headers: { 'x-taken': 'x' }, signatureHeader: name }),
          },
        };
  const design: Design = {
    schemaVersion: 'cd/1',
    entry: { stepId: 'hello' },
    variables: [{ id: 'said', type: 'text' }],
    steps: {
      hello: { kind: 'greeting', introLine: 'I am an AI assistant.', on: { next: 'bye' } },
      bye: { kind: 'end', line: 'Goodbye.' },
    },
    hooks: {
      before: { rootNodeId: 'send', nodes: { send: { id: 'send', ...node, next: { step: 'hello' } } } },
    },
  };
  const [block = '', member = ''] = place.split('.');
  const path = `/hooks/before/nodes/send/${block}/${member}`;
  return { design, at: member === 'headers' ? `${path}/${escaped}` : path };
}

async function openProject() {
  const received: unknown[] = [];
  const site = await openSite((request, response) => {
    received.push(request.headers);
    response.end('{}');
  });
  const world = await openWorld({ models: undefined, outbound: { allow: site.allow } });
  onTestFinished(() => world.close());
  const project = await openSimulationProject(world);
  const secret = (name: string, body: object) =>
    project.call('PATCH', `/v1/projects/${project.projectId}/secrets/${name}`, body);
  await secret('WEBHOOK_SIGNING_SECRET', { value: 'a secret to sign with', hosts: ['site.example'] });
  return { project, secret, received, url: site.url };
}

const inDesigns = Object.keys(places).filter((place) => !place.startsWith('set_secret'));

test.each(inDesigns)(
  'a design cannot name a header in %s that no request can set: not on write, not on activation, and not live',
  async (place) => {
    const { project, received, url } = await openProject();
    const id = await project.newConversation();
    for (const name of places[place]?.refused ?? []) {
      const { design, at } = designWith(place, name, url);
      const written = await project.write(id, design);
      expect([written.status, written.body.error?.code], name).toEqual([422, 'design_invalid']);
      const problems = await project.problems(id, design);
      expect(problems, name).toContainEqual(
        expect.objectContaining({ code: 'design_invalid', severity: 'error', path: at }),
      );
      await project.store(id, 1, design);
      const activated = await project.activate(id, 1);
      expect([activated.status, activated.body.error?.code], name).toEqual([422, 'design_invalid']);
      const { body } = await project.call('POST', `/v1/conversations/${id}/live-simulations`, {
        caller: { script: [{ hangUp: true }] },
      });
      expect(body.notes, name).toContainEqual(expect.stringMatching(/^request at send failed: The header /));
    }
    expect(received).toEqual([]);
  },
);

test.each(inDesigns)('a design can name any other header in %s, and it is sent', async (place) => {
  const { project, received, url } = await openProject();
  const id = await project.newConversation();
  const { allowed = [] } = places[place] ?? {};
  for (const name of allowed) {
    const { design } = designWith(place, name, url);
    expect((await project.write(id, design)).status, name).toBe(201);
    await project.store(id, 1, design);
    await project.call('POST', `/v1/conversations/${id}/live-simulations`, {
      caller: { script: [{ hangUp: true }] },
    });
    const value = place === 'webhook.signatureHeader' ? /^v1,/ : /^x$/;
    expect(received.at(-1), name).toHaveProperty(name.toLowerCase(), expect.stringMatching(value));
  }
  expect(received).toHaveLength(allowed.length);
});

test('a webhook cannot have a value in the header that carries its signature by default', async () => {
  const { project, url } = await openProject();
  const { design } = designWith('webhook.headers', 'Webhook-Signature', url);
  const written = await project.write(await project.newConversation(), design);
  expect([written.status, written.body.error?.code]).toEqual([422, 'design_invalid']);
});

test('a secret cannot be bound to a header that no request can set', async () => {
  const { secret } = await openProject();
  const { refused = [], allowed = [] } = places['set_secret.headers'] ?? {};
  const bind = (header: string) =>
    secret('KEY', { value: 'x', hosts: ['api.example.com'], headers: [header] });
  for (const name of refused) expect((await bind(name)).status, name).toBe(400);
  for (const name of allowed) expect((await bind(name)).status, name).toBe(200);
});
