import { randomUUID } from 'node:crypto';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

const lines: string[] = [];
let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld({ log: pino({ base: null }, { write: (line: string) => void lines.push(line) }) });
  project = await openDesignProject(world);
});
afterAll(() => world.close());

const fetched = async (url: string) => {
  const reply = await fetch(url);
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as never };
};

const addressOf = async (conversationId: string, n: number, of = project): Promise<string> => {
  const { status, body } = await of.read(conversationId, n, '?file=true');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.url;
};

async function sent(file: Uint8Array | string, of = project): Promise<string> {
  const { uploadId, url } = created(await of.call('POST', `/v1/projects/${of.projectId}/uploads`));
  const reply = await fetch(url, {
    method: 'PUT',
    body: typeof file === 'string' ? file : new Uint8Array(file),
  });
  expect(reply.status).toBe(200);
  return uploadId;
}

const written = (conversationId: string, body: object, of = project) =>
  of.call('POST', `/v1/conversations/${conversationId}/versions`, body);

test('a design goes out by an address and comes in by an upload, in few tokens over MCP', async () => {
  const design = await disclosedDesign(world, project, 'bank-hotline');
  const conversationId = await project.newConversation({ design });
  const client = await world.mcp('modern http', project.key);
  let tokens = 0;
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const text = content[0]?.text ?? '';
    expect(isError, text).toBeFalsy();
    tokens += countTokens(text) + countTokens(JSON.stringify(input));
    return JSON.parse(text);
  };
  const file = await call('read_design', { conversationId, version: 1, file: true });
  expect(Object.keys(file)).toEqual(['version', 'url', 'expiresAt', 'bytes']);
  expect(Date.parse(file.expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
  const { status, headers, body } = await fetched(file.url);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual((await project.read(conversationId, 1)).body);
  const { uploadId, url } = await call('create_upload', {});
  const [stepId = ''] = Object.keys(design.steps);
  const changed = structuredClone(body) as typeof design;
  Object.assign(changed.steps[stepId] ?? {}, { name: 'Renamed' });
  await fetch(url, { method: 'PUT', body: JSON.stringify(changed) });
  const { version } = await call('write_design', { conversationId, version: 1, uploadId });
  expect(version).toBe(2);
  expect((await project.read(conversationId, 2)).body.steps[stepId]).toMatchObject({ name: 'Renamed' });
  expect(tokens).toBeLessThan(countTokens(JSON.stringify(design)) / 3);
});

describe('the address of a design', () => {
  test('is refused if it was changed, has expired, or if its key was revoked', async () => {
    const conversationId = await project.newConversation();
    const url = await addressOf(conversationId, 1);
    const [content = '', signature = ''] = url.slice(url.lastIndexOf('/') + 1).split('.');
    const base = url.slice(0, url.lastIndexOf('/'));
    const claims = JSON.parse(Buffer.from(content, 'base64url').toString()) as unknown[];
    const forged = (change: (claims: unknown[]) => unknown) =>
      `${base}/${Buffer.from(JSON.stringify(change(claims))).toString('base64url')}.${signature}`;
    const other = await openDesignProject(world);
    const theirs = await other.newConversation();
    for (const wrong of [
      forged((all) => all.with(2, theirs)),
      forged((all) => all.with(0, other.projectId)),
      forged((all) => all.with(3, 2)),
      forged((all) => all.with(4, 2 * Number(all[4]))),
      forged(() => ({})),
      forged(() => []),
      `${url}0`,
      `${url}.${signature}`,
      `${base}/x`,
      `${base}/bnVsbA.${signature}`,
    ])
      expect((await fetched(wrong)).status, wrong).toBe(404);
    expect((await fetched(url)).status).toBe(200);
    const later = Date.now() + 15 * 60_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(later);
    const expired = await fetched(url);
    clock.mockRestore();
    expect(expired).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('has expired') } },
    });
    expect(lines.join('')).not.toContain(content);
    expect(lines.join('')).toContain('/v1/design-files/{token}');

    const { key, keyId } = await world.key(project.projectId, { access: ['read'] });
    const { body } = await world.rest(
      'GET',
      `/v1/conversations/${conversationId}/versions/1/design?file=true`,
      {
        key,
      },
    );
    expect((await fetched(body.url)).status).toBe(200);
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [keyId]);
    expect((await fetched(body.url)).status).toBe(401);
  });

  test('is not made for what has no design, nor with other parts', async () => {
    const conversationId = await project.newConversation();
    refused(await project.read(conversationId, 9, '?file=true'), 404, 'not_found');
    refused(await project.read(conversationId, 1, '?file=true&texts=true'), 400, 'invalid_request');
    const simple = await project.newConversation({ kind: 'simple' });
    refused(await project.read(simple, 1, '?file=true'), 501, 'not_yet_supported');
  });

  test('finds nothing once the conversation is in the trash', async () => {
    const conversationId = await project.newConversation();
    const url = await addressOf(conversationId, 1);
    expect((await project.call('DELETE', `/v1/conversations/${conversationId}`)).status).toBe(200);
    expect((await fetched(url)).status).toBe(404);
  });
});

describe('write_design with uploadId', () => {
  // A key may have ten uploads that wait for their use.
  beforeEach(async () => {
    project = await openDesignProject(world);
  });

  test('uses an upload once, and only if the design was stored', async () => {
    const conversationId = await project.newConversation();
    const uploadId = await sent(JSON.stringify(starterDesign));
    refused(await written(conversationId, { uploadId, version: 9 }), 409, 'version_conflict');
    created(await written(conversationId, { uploadId, version: 1 }));
    const { message } = refused(await written(conversationId, { uploadId }), 404, 'not_found');
    expect(message).toContain('has been used');
  });

  test('refuses an upload of another project, an empty one, and a design next to it', async () => {
    const conversationId = await project.newConversation();
    const other = await openDesignProject(world);
    const uploadId = await sent(JSON.stringify(starterDesign), other);
    refused(await written(conversationId, { uploadId }), 404, 'not_found');
    const { uploadId: waiting } = created(
      await project.call('POST', `/v1/projects/${project.projectId}/uploads`),
    );
    refused(await written(conversationId, { uploadId: waiting }), 404, 'not_found');
    refused(
      await written(conversationId, { uploadId: waiting, design: starterDesign }),
      400,
      'invalid_request',
    );
    refused(await written(conversationId, {}), 400, 'invalid_request');
  });

  test('finds what a design in the request would be refused for', async () => {
    const conversationId = await project.newConversation();
    const wrong = {
      ...starterDesign,
      steps: { ...starterDesign.steps, help: { kind: 'answer', surplus: 1 } },
    };
    const gone = structuredClone(starterDesign);
    gone.entry.stepId = 'nowhere';
    const quiet = structuredClone(starterDesign);
    Object.assign(quiet.steps['greeting'] ?? {}, { introLine: 'Hello.' });
    for (const design of [wrong, gone, quiet, [], 7]) {
      const inline = await written(conversationId, { design });
      const byFile = await written(conversationId, { uploadId: await sent(JSON.stringify(design)) });
      expect(inline.status).toBeGreaterThanOrEqual(400);
      const { requestId: _, ...error } = inline.body.error;
      expect(byFile.status).toBe(inline.status);
      expect(byFile.body.error).toMatchObject(error);
    }
  });

  test.each([
    ['no JSON', '{', 'Is not valid JSON.'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'Is not valid UTF-8.'],
    ['a design deeper than any', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, ''],
    ['a member called __proto__', '{"__proto__": {}}', ''],
  ])('refuses %s, and the upload can be used again', async (_, file, message) => {
    const conversationId = await project.newConversation();
    const uploadId = await sent(file);
    for (let time = 0; time < 2; time++) {
      const error = refused(await written(conversationId, { uploadId }), 400, 'invalid_request');
      expect(JSON.stringify(error)).toContain(message);
    }
  });

  test('refuses a file that is larger than a request may be', async () => {
    const conversationId = await project.newConversation();
    const uploadId = await sent(`${JSON.stringify(starterDesign)}${' '.repeat(262_144)}`);
    refused(await written(conversationId, { uploadId }), 413, 'payload_too_large');
  });

  test('replays its response for a repeated Idempotency-Key', async () => {
    const conversationId = await project.newConversation();
    const body = { uploadId: await sent(JSON.stringify(starterDesign)) };
    const headers = { 'idempotency-key': randomUUID() };
    const write = () =>
      world.rest('POST', `/v1/conversations/${conversationId}/versions`, { key: project.key, body, headers });
    const first = created(await write());
    expect(created(await write())).toEqual(first);
    expect(await project.versions(conversationId)).toHaveLength(2);
  });
});
