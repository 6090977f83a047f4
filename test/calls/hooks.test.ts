import { describe, expect, test } from 'vitest';
import type { HookNode, Step } from '../../src/design/schema/design.ts';
import { designOf, nodesOf, play, said, walked } from './play.ts';

const steps: Record<string, Step> = {
  hello: { kind: 'greeting', introLine: 'I am an AI assistant.', on: { next: 'bye' } },
  shipped: { kind: 'end', line: 'It is on its way: {{status}}.' },
  bye: { kind: 'end', line: 'Goodbye.' },
};

const fetchOrder: HookNode = {
  id: 'order',
  next: { hookNode: 'isShipped' },
  fetch: {
    url: 'https://example.com/orders?of={{callerPhone}}',
    method: 'GET',
    headers: { authorization: 'Bearer {{secret.SHOP}}' },
    responseMappings: [
      { id: 'm1', variableId: 'status', path: 'orders[0].status', defaultValue: 'unknown' },
      { id: 'm2', variableId: 'count', path: 'count', transform: 'number' },
    ],
  },
};
const isShipped: HookNode = {
  id: 'isShipped',
  condition: {
    mode: 'logic',
    branches: [
      {
        id: 'yes',
        label: 'Shipped',
        predicate: { variable: { variableId: 'status' }, operator: 'eq', value: 'shipped' },
        next: { step: 'shipped' },
      },
    ],
    else: {},
  },
};

describe('before the call', () => {
  const design = designOf(steps, {
    hooks: { before: { rootNodeId: 'order', nodes: nodesOf(fetchOrder, isShipped) } },
  });

  test('a fetch fills variables, and a condition chooses the step', () => {
    const body = JSON.stringify({ orders: [{ status: 'shipped' }], count: '3' });
    const run = play(design, [], { requests: { order: { status: 200, body } } });
    expect(said(run)).toEqual(['agent: It is on its way: shipped.']);
    expect(run.variables).toEqual({ status: 'shipped', count: 3 });
    expect(walked(run)).toEqual(['order next', 'isShipped yes', 'shipped']);
  });

  test.each([
    ['without a mock', {}, 'unmocked', 'request at order failed: it has no mock, so nothing was sent'],
    ['that fails', { order: { fail: 'timed out' } }, 'failed', 'request at order failed: timed out'],
    [
      'with status 500',
      { order: { status: 500, body: '{}' } },
      'mocked',
      'fetch at order failed: status 500',
    ],
  ])('a request %s gives the defaults, takes else, and is reported', (_, requests, result, note) => {
    const run = play(design, [], { requests });
    expect(walked(run)).toEqual(['order next', 'isShipped else', 'hello next', 'bye']);
    expect(run.variables).toEqual({ status: 'unknown' });
    expect(run.notes).toEqual([note]);
    expect(run.requests).toMatchObject([{ node: 'order', result }]);
  });

  test('a request shows its values, but no secret', () => {
    expect(play(design, []).requests[0]).toMatchObject({
      method: 'GET',
      url: 'https://example.com/orders?of=%2B12025550143',
      headers: { authorization: 'Bearer {{secret.SHOP}}' },
    });
  });

  test('the entry point of the channel replaces the root', () => {
    const nodes = nodesOf(fetchOrder, isShipped, {
      id: 'chat',
      setVariable: { variableId: 'status', value: 'by {{channel}}' },
      next: { step: 'shipped' },
    });
    const hooks = { before: { rootNodeId: 'order', entryPoints: { chat: 'chat' }, nodes } };
    expect(said(play(designOf(steps, { hooks }), [], { channel: 'chat' }))).toEqual([
      'agent: It is on its way: by chat.',
    ]);
  });

  test.each([
    [{ firstname: 'Ana' }, { name: 'Ana' }, 'crm next'],
    [null, { name: 'friend' }, 'crm onNotFound'],
  ])('a lookup that finds %j', (contact, variables, exit) => {
    const crm: HookNode = {
      id: 'crm',
      next: { step: 'hello' },
      crmLookup: {
        integrationRef: 'crm',
        matchBy: ['phone'],
        phoneSource: { systemVariable: 'callerPhone' },
        fieldMappings: [{ id: 'f', field: 'firstname', variableId: 'name', defaultValue: 'friend' }],
        onNotFound: { step: 'bye' },
      },
    };
    const run = play(designOf(steps, { hooks: { before: { rootNodeId: 'crm', nodes: nodesOf(crm) } } }), [], {
      contacts: { crm: contact },
    });
    expect(run.variables).toEqual(variables);
    expect(walked(run)[0]).toBe(exit);
  });
});

describe('after the call', () => {
  const tell = (id: string): HookNode => ({
    id,
    webhook: {
      url: `https://example.com/${id}`,
      payload: [{ id: 'p', key: 'step', source: 'variable', systemVariable: 'endedAtStep' }],
    },
  });
  const ask: Step = {
    kind: 'recordingConsent',
    line: 'May I record?',
    on: { next: 'bye', declined: 'shipped' },
  };
  const design = designOf(
    { ask, ...steps },
    {
      hooks: {
        after: {
          entryPoints: { bye: 'ofStep', always: 'ofAll' },
          prematureHangupNodeId: 'ofHangUp',
          nodes: nodesOf(tell('ofStep'), tell('ofAll'), tell('ofHangUp')),
        },
      },
    },
  );
  const called = (script: Parameters<typeof play>[1]) =>
    play(design, script).requests.map((request) => [
      request.node,
      'body' in request ? request.body : undefined,
    ]);

  test('the entry point of the last step runs, or else the one that names no step', () => {
    expect(called(['Yes.'])).toEqual([['ofStep', { step: 'bye' }]]);
    expect(called(['No.'])).toEqual([['ofAll', { step: 'shipped' }]]);
  });

  test('a caller who hangs up early is followed by the node for that', () => {
    expect(called([{ hangUp: true }])).toEqual([['ofHangUp', { step: 'ask' }]]);
    expect(play(design, [{ hangUp: true }]).ended).toEqual({ reason: 'hungUp', step: 'ask' });
  });
});

test.each([
  ['eq', '3', 3, true],
  ['eq', '3.0', '3', true],
  ['neq', 'a', 'b', true],
  ['gt', '9', '10', true],
  ['lt', '10', '9', true],
  ['gt', 'b', 'a', false],
  ['contains', 'AN', 'Ana', true],
  ['contains', 'x', ['x', 'y'], true],
  ['exists', '', '', false],
  ['not_exists', '', undefined, true],
] as const)('%s %s of %j is %j', (operator, value, actual, expected) => {
  const check: HookNode = {
    id: 'check',
    condition: {
      mode: 'logic',
      branches: [
        {
          id: 'yes',
          label: 'Yes',
          predicate: { variable: { variableId: 'v' }, operator, value },
          next: { step: 'bye' },
        },
      ],
      else: { step: 'hello' },
    },
  };
  const design = designOf(steps, { hooks: { before: { rootNodeId: 'check', nodes: nodesOf(check) } } });
  const run = play(design, [], { variables: actual === undefined ? {} : { v: actual } });
  expect(run.path[0]?.exit).toBe(expected ? 'yes' : 'else');
});

test('a message and a note for the CRM are sent only if they are mocked, and are shown as they would be sent', () => {
  const node: HookNode = {
    id: 'tell',
    sendSms: { to: { systemVariable: 'callerPhone' }, message: 'Hello {{callerPhone}}' },
    crmWrite: {
      integrationRef: 'crm',
      contactIdSource: { systemVariable: 'contactId' },
      operations: ['create_note'],
      createNote: { bodyTemplate: 'Called from {{callerPhone}}' },
    },
  };
  const design = designOf(steps, { hooks: { before: { rootNodeId: 'tell', nodes: nodesOf(node) } } });
  const unsent = play(design, []);
  expect(unsent.requests).toMatchObject([
    { node: 'tell', block: 'sendSms', to: '+12025550143', message: 'Hello +12025550143', result: 'unmocked' },
    { node: 'tell', block: 'crmWrite', operations: { note: 'Called from +12025550143' }, result: 'unmocked' },
  ]);
  expect(unsent.notes).toEqual([
    'sms at tell failed: it has no mock, so nothing was sent',
    'crmWrite at tell failed: it has no mock, so nothing was sent',
  ]);
  const sent = play(design, [], { requests: { tell: { status: 200, body: '' } } });
  expect(sent.requests.map(({ result }) => result)).toEqual(['mocked', 'mocked']);
  expect(sent.notes).toEqual([]);
});

test.each([
  ['one value', { name: '{{ secret.KEY }}', more: '' }, '{ { secret.KEY }}'],
  ['two values in a row', { name: '{{', more: 'secret.KEY}}' }, '{ {secret.KEY}}'],
  ['two halves of the braces', { name: '{', more: '{secret.KEY}}' }, '{ {secret.KEY}}'],
])('a caller cannot name a secret with %s', (_, variables, sent) => {
  const node: HookNode = {
    id: 'ask',
    fetch: {
      url: 'https://example.com/{{secret.PATH}}/{{name}}{{more}}',
      method: 'GET',
      query: { of: '{{secret.PATH}} {{name}}{{more}}' },
      headers: { of: '{{secret.PATH}} {{name}}{{more}}' },
      responseMappings: [],
    },
  };
  const design = designOf(steps, {
    variables: [
      { id: 'name', type: 'text' },
      { id: 'more', type: 'text' },
    ],
    hooks: { before: { rootNodeId: 'ask', nodes: nodesOf(node) } },
  });
  const { requests } = play(design, [], { variables });
  const of = `{{secret.PATH}} ${sent}`;
  const encoded = encodeURIComponent(variables.name + variables.more);
  expect(requests).toMatchObject([
    { url: `https://example.com/{{secret.PATH}}/${encoded}`, query: { of }, headers: { of } },
  ]);
});
