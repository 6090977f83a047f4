import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';

/** What a client sends, besides what all of them send. */
export interface ClientForm {
  /** The URL of its metadata document; without it, the client registers. */
  readonly document?: string;
  /** What it sends to the registration endpoint. */
  readonly registration?: Record<string, unknown>;
  readonly redirect: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: string;
}

/** The metadata of an authorization server, as far as clients read it. */
export interface ServerMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint: string;
  readonly revocation_endpoint: string;
  readonly code_challenge_methods_supported: readonly string[];
  readonly token_endpoint_auth_methods_supported: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly client_id_metadata_document_supported: boolean;
  readonly authorization_response_iss_parameter_supported: boolean;
}

/** A response with its JSON body. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Untyped, because each test asserts what it reads. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export async function send(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

export function sendForm(url: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return send(url, { method: 'POST', body: new URLSearchParams(fields), headers });
}

export function sendJson(url: string, body: unknown, headers: Record<string, string> = {}) {
  return send(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Sends an MCP request of the protocol of 2025, which needs no session. */
export function callMcp(
  url: string,
  token: string | undefined,
  method = 'tools/list',
  params: Record<string, unknown> = {},
): Promise<Reply> {
  return sendJson(
    url,
    { jsonrpc: '2.0', id: 1, method, params },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  );
}

/** Calls a tool, and returns its result. */
export async function callTool(
  url: string,
  token: string,
  name: string,
  input: Record<string, unknown> = {},
) {
  const reply = await callMcp(url, token, 'tools/call', { name, arguments: input });
  if (reply.status !== 200) return reply;
  const data = /^data: (.*)$/m.exec(reply.text)?.[1];
  return { ...reply, body: reply.body ?? JSON.parse(data ?? 'null') };
}

/** Finds the authorization server of an MCP endpoint, as clients do: from the refusal of a request without a token. */
export async function discover(mcpUrl: string) {
  const refusal = await callMcp(mcpUrl, undefined);
  expect(refusal.status).toBe(401);
  const challenge = parameters(refusal.headers.get('www-authenticate') ?? '');
  const resource = (await send(challenge['resource_metadata'] ?? '')).body as {
    resource: string;
    authorization_servers: string[];
    scopes_supported: string[];
  };
  // RFC 9728 section 3.3: clients drop metadata of another resource.
  expect(resource.resource).toBe(mcpUrl);
  const [issuer = ''] = resource.authorization_servers;
  const server = (await send(`${issuer}/.well-known/oauth-authorization-server`)).body as ServerMetadata;
  expect(server.issuer).toBe(issuer);
  return { challenge, resource, server };
}

export function parameters(challenge: string): Record<string, string> {
  expect(challenge).toMatch(/^Bearer /);
  return Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
}

/** A client with what it keeps between its requests. */
export interface OpenClient extends ClientForm {
  readonly mcpUrl: string;
  readonly clientId: string;
  readonly server: ServerMetadata;
  readonly resource: string;
  readonly verifier: string;
  readonly state: string;
  readonly scope: string;
}

/** Discovers the server, and registers if the client has no metadata document. */
export async function openClient(mcpUrl: string, form: ClientForm): Promise<OpenClient> {
  const { challenge, resource, server } = await discover(mcpUrl);
  const clientId = form.document ?? (await register(server, form)).body.client_id;
  return {
    ...form,
    mcpUrl,
    clientId,
    server,
    resource: resource.resource,
    verifier: randomBytes(32).toString('base64url'),
    state: randomBytes(8).toString('hex'),
    scope: challenge['scope'] ?? '',
  };
}

export async function register(
  server: ServerMetadata,
  { registration, redirect }: ClientForm,
): Promise<Reply> {
  const reply = await sendJson(server.registration_endpoint, {
    client_name: 'A client',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...registration,
  });
  expect(reply.status, reply.text).toBe(201);
  return reply;
}

/** The address to which a client sends its person. */
export function authorizationUrl(
  client: OpenClient,
  changes: Record<string, string | undefined> = {},
): string {
  const url = new URL(client.server.authorization_endpoint);
  const asked = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirect,
    code_challenge: createHash('sha256').update(client.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: client.state,
    scope: client.scope,
    resource: client.resource,
    ...changes,
  };
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> };

/** A browser: it keeps cookies by their paths, and follows redirects within its server only. */
export class Browser {
  readonly cookies = new Map<string, { readonly value: string; readonly path: string }>();

  async open(url: string, init: Sent = {}): Promise<Reply> {
    const { pathname } = new URL(url);
    const sent = [...this.cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`);
    const reply = await send(url, { ...init, headers: { ...init.headers, cookie: sent.join('; ') } });
    for (const line of reply.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; */);
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
      this.cookies.set(name, { value, path });
    }
    return reply;
  }

  /** Opens the sign-in page of an authorization. */
  async openSignIn(
    url: string,
    init: Sent = {},
  ): Promise<{ readonly page: Reply; readonly address: string }> {
    const redirect = await this.open(url, init);
    requireRedirect(redirect);
    const address = new URL(redirect.headers.get('location') ?? '', url).href;
    return { page: await this.open(address), address };
  }

  /** Sends the form of the sign-in page. */
  decide(
    address: string,
    fields: readonly (readonly [string, string])[],
    headers: Record<string, string> = {},
  ) {
    return this.open(address, {
      method: 'POST',
      body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
      headers: { origin: new URL(address).origin, 'sec-fetch-site': 'same-origin', ...headers },
    });
  }

  /** Follows the redirects after a decision, to the address of the client. */
  async finish(decision: Reply): Promise<URL> {
    requireRedirect(decision);
    const resumed = await this.open(decision.headers.get('location') ?? '');
    requireRedirect(resumed);
    return new URL(resumed.headers.get('location') ?? '');
  }
}

function requireRedirect({ status, text }: Reply): void {
  expect(status, text).toBe(303);
}

/** What a person allows. */
export interface Consent {
  readonly key: string;
  /** All that the client asks for by default. */
  readonly access?: readonly string[];
}

/** Lets a client in with a key, and returns the address to which the browser is sent. */
export async function allow(client: OpenClient, { key, access }: Consent): Promise<URL> {
  const browser = new Browser();
  const { address } = await browser.openSignIn(authorizationUrl(client));
  const chosen = access ?? client.scope.split(' ');
  const fields = chosen.map((one) => ['access', one] as const);
  return browser.finish(await browser.decide(address, [...fields, ['key', key], ['decision', 'allow']]));
}

/** Redeems a code. */
export function redeem(
  client: OpenClient,
  code: string,
  changes: Record<string, string> = {},
): Promise<Reply> {
  return sendForm(client.server.token_endpoint, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirect,
    client_id: client.clientId,
    code_verifier: client.verifier,
    resource: client.resource,
    ...changes,
  });
}

export function refresh(
  client: OpenClient,
  token: string,
  changes: Record<string, string> = {},
): Promise<Reply> {
  return sendForm(client.server.token_endpoint, {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: client.clientId,
    resource: client.resource,
    ...changes,
  });
}

/** Plays the whole flow, with the checks that clients make on the way. */
export async function connect(mcpUrl: string, form: ClientForm, consent: Consent) {
  const client = await openClient(mcpUrl, form);
  const back = await allow(client, consent);
  expect(back.href).toMatch(new RegExp(`^${form.redirect.replaceAll(/[.?*+[\]]/g, String.raw`\$&`)}`));
  expect(back.searchParams.get('state')).toBe(client.state);
  // RFC 9207: a client that talks to several servers notices a mixed-up one.
  expect(back.searchParams.get('iss')).toBe(client.server.issuer);
  const reply = await redeem(client, back.searchParams.get('code') ?? '');
  expect(reply.status, reply.text).toBe(200);
  return { client, tokens: reply.body as Tokens };
}
