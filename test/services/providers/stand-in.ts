import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that a stand-in has received. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
}

type Answer = readonly [status: number, body: unknown];

/** A local server that answers with JSON, and remembers what it was asked. */
async function openStandIn(answer: (call: Call) => Answer) {
  const calls: Call[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const call = { method, path, authorization: headers.authorization ?? '', body };
      calls.push(call);
      const [status, content] = answer(call);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

/** The account that the stand-in of Twilio knows. */
export const twilioAccount = {
  accountSid: 'AC0123456789',
  authToken: 'the-token-of-twilio',
  from: '+12025550100',
};

/** Behaves like the Messages resource of Twilio: 401 and 400 with its codes, 201 with the message. */
export async function openTwilio() {
  const { accountSid, authToken } = twilioAccount;
  const credentials = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const messages: Record<string, string>[] = [];
  const standIn = await openStandIn(({ method, path, authorization, body }) => {
    if (authorization !== credentials) return [401, { code: 20003, message: 'Authenticate', status: 401 }];
    if (method !== 'POST' || path !== `/2010-04-01/Accounts/${accountSid}/Messages.json`)
      return [404, { code: 20404, message: `The requested resource ${path} was not found`, status: 404 }];
    const form = Object.fromEntries(new URLSearchParams(body));
    if (!/^\+[1-9]\d{6,14}$/.test(form['To'] ?? ''))
      return [400, { code: 21211, message: `Invalid 'To' Phone Number: ${form['To'] ?? ''}`, status: 400 }];
    if (!form['Body']) return [400, { code: 21602, message: 'Message body is required.', status: 400 }];
    messages.push(form);
    return [201, { sid: `SM${randomUUID().replaceAll('-', '')}`, status: 'queued' }];
  });
  return { ...standIn, messages };
}

/** The access token that the stand-in of HubSpot knows. */
export const hubSpotToken = 'pat-the-token-of-hubspot';

interface HubSpotRecord {
  readonly id: string;
  readonly properties: Record<string, string>;
  readonly associations: readonly unknown[];
}

interface Search {
  readonly filterGroups: readonly {
    readonly filters: readonly { propertyName: string; operator: string; value: string }[];
  }[];
  readonly properties: readonly string[];
  readonly limit: number;
}

/** Behaves like the objects of HubSpot's CRM API v3: search, create and update, with its errors. */
export async function openHubSpot(contacts: readonly Record<string, string>[] = []) {
  const objects: Record<string, HubSpotRecord[]> = { contacts: [], deals: [], calls: [], notes: [] };
  const create = (
    type: string,
    properties: Record<string, string>,
    associations: readonly unknown[] = [],
  ) => {
    const record = { id: String(1_000 + Object.values(objects).flat().length), properties, associations };
    objects[type]?.push(record);
    return record;
  };
  for (const contact of contacts) create('contacts', contact);
  const standIn = await openStandIn(({ method, path, authorization, body }) => {
    if (authorization !== `Bearer ${hubSpotToken}`)
      return [401, { status: 'error', message: 'Authentication credentials not found.' }];
    const [, type = '', rest] = /^\/crm\/v3\/objects\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    const records = objects[type];
    if (!records) return [404, { status: 'error', message: 'resource not found' }];
    const input = JSON.parse(body) as Partial<HubSpotRecord>;
    if (method === 'PATCH') {
      const record = records.find(({ id }) => id === rest);
      if (!record) return [404, { status: 'error', message: 'resource not found' }];
      Object.assign(record.properties, input.properties);
      return [200, record];
    }
    if (rest !== 'search') {
      const { properties = {}, associations } = input;
      if ((type === 'calls' || type === 'notes') && properties['hs_timestamp'] === undefined)
        return [400, { status: 'error', message: 'hs_timestamp is required' }];
      return [201, create(type, properties, associations)];
    }
    const { filterGroups, properties, limit } = JSON.parse(body) as Search;
    const results = records.filter((record) =>
      filterGroups.some(({ filters }) =>
        filters.every(({ propertyName, operator, value }) =>
          operator !== 'EQ'
            ? false
            : propertyName === 'associations.contact'
              ? JSON.stringify(record.associations).includes(`"${value}"`)
              : record.properties[propertyName] === value,
        ),
      ),
    );
    // HubSpot returns the properties that were asked for, and null for those without a value.
    const shown = results.slice(0, limit).map(({ id, properties: all }) => ({
      id,
      properties: Object.fromEntries(properties.map((name) => [name, all[name] ?? null])),
    }));
    return [200, { total: results.length, results: shown }];
  });
  return { ...standIn, objects, create };
}
