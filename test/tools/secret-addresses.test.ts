import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openDesignProject(world);
  conversationId = await project.newConversation();
});
afterAll(() => world.close());

const setSecret = (hosts: readonly string[]) =>
  project.call('PATCH', `/v1/projects/${project.projectId}/secrets/KEY`, {
    value: 'the-value-that-nobody-may-see',
    hosts,
    headers: ['authorization'],
  });

/** The reason that the check of a design gives for not sending the secret to the URL; undefined if it may be sent. */
async function problemOf(url: string): Promise<string | undefined> {
  const ask = {
    id: 'ask',
    fetch: { url, method: 'GET', headers: { authorization: '{{secret.KEY}}' }, responseMappings: [] },
  };
  const problems = await project.problems(conversationId, {
    ...starterDesign,
    hooks: { before: { rootNodeId: 'ask', nodes: { ask } } },
  });
  return problems.find(({ message }) => message.startsWith('The secret "KEY" '))?.message;
}

describe('a bound host', () => {
  it.each([
    ['api.example.com', 'https://api.example.com/x'],
    ['api.example.com', 'https://API.example.com:443/x'],
    ['api.example.com', String.raw`https:\\api.example.com\x`],
    ['api.example.com', 'https://api.example.com/{{path}}?q={{query}}#{{fragment}}'],
    ['api.example.com:443', 'https://api.example.com'],
    ['api.example.com:8443', 'https://api.example.com:8443'],
    ['*.example.com', 'https://eu.api.example.com'],
    ['http://api.example.com', 'http://api.example.com'],
    ['http://api.example.com:80', 'http://api.example.com'],
    ['localhost', 'http://localhost'],
    ['localhost:80', 'http://localhost'],
    ['127.0.0.1:8080', 'http://127.1:8080'],
    ['[::1]:8080', 'http://[0:0:0:0:0:0:0:1]:8080'],
    ['xn--bcher-kva.example', 'https://bücher.example'],
  ])('%s may get a secret at %s', async (host, url) => {
    expect((await setSecret([host])).status).toBe(200);
    expect(await problemOf(url)).toBeUndefined();
  });

  it.each([
    ['api.example.com', 'https://evil.example', 'is not bound to the host evil.example.'],
    ['api.example.com', 'https://api.example.com.evil.example', 'is not bound to the host'],
    ['api.example.com', 'https://api.example.com.', 'is not bound to the host'],
    ['api.example.com', 'https://api.example.com:8443', 'is not bound to the host api.example.com:8443.'],
    ['api.example.com', 'http://api.example.com', 'is not bound to the host'],
    [
      'api.example.com',
      String.raw`https://evil.example\@api.example.com`,
      'is not bound to the host evil.example',
    ],
    ['http://api.example.com', 'https://api.example.com', 'is not bound to the host'],
    ['*.example.com', 'https://example.com', 'is not bound to the host'],
    ['*.example.com', 'https://evilexample.com', 'is not bound to the host'],
    ['localhost:443', 'http://localhost', 'is not bound to the host'],
    ['https://localhost', 'http://localhost', 'is not bound to the host'],
  ])('%s gets no secret at %s', async (host, url, problem) => {
    expect((await setSecret([host])).status).toBe(200);
    expect(await problemOf(url)).toContain(problem);
  });

  it.each([
    'https://api.example.com/',
    'api.example.com:0443',
    'api.example.com:65536',
    'user@api.example.com',
    'bücher.example',
    '127.1',
    '*.com',
    '*',
    'ftp://api.example.com',
    '{{host}}.example.com',
  ])('is never written as %s', async (host) => {
    refused(await setSecret([host]), 400, 'invalid_request');
  });
});

describe('an address to which no secret is sent', () => {
  it.each([
    'https://{{host}}/',
    'https://{{host}}.example.com/',
    'https://api.{{domain}}/',
    'https://api.example.com{{path}}',
    'https://api.example.com:{{port}}/',
    'https://api.example.com:44{{port}}',
    'https:{{host}}',
    'https:///{{host}}/api.example.com',
    String.raw`https:\\{{host}}\api.example.com`,
    'https://%{{code}}.example.com',
    'https://[::{{last}}]/',
    '{{scheme}}://api.example.com',
    'http{{s}}://api.example.com',
    '//api.example.com',
  ])('%s has no fixed host', async (url) => {
    await setSecret(['api.example.com', '*.example.com', 'http://api.example.com']);
    expect(await problemOf(url)).toContain('cannot be sent to an address whose host is not fixed');
  });

  it.each([
    'foo://api.example.com/',
    'ftp://api.example.com/',
    'wss://api.example.com/',
    'file:///etc/passwd',
  ])('%s begins with another scheme', async (url) => {
    await setSecret(['api.example.com', 'http://api.example.com']);
    expect(await problemOf(url)).toContain('that begins with neither http nor https');
  });

  it.each([
    'https://evil.example@api.example.com/',
    'https://:password@api.example.com/',
    'https://{{user}}@api.example.com/',
    String.raw`https://api.example.com@evil.example\@api.example.com`,
  ])('%s names a user', async (url) => {
    await setSecret(['api.example.com']);
    expect(await problemOf(url)).toContain('that names a user');
  });
});
