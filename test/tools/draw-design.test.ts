import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { newId } from '../../src/platform/id.ts';
import { parsedMermaid, parsedSvg } from '../design/pictures.ts';
import { rawDesign } from '../designs/real-designs.ts';
import {
  created,
  type DesignProject,
  openDesignProject,
  refused,
  renamed,
} from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
});
afterAll(() => world.close());

const routeOf = (conversationId: string, n: number | string, query = '') =>
  `/v1/conversations/${conversationId}/versions/${n}/diagram${query}`;
const draw = (conversationId: string, n: number | string = 1, query = '') =>
  project.call('GET', routeOf(conversationId, n, query));

async function drawBytes(conversationId: string, query: string) {
  const reply = await fetch(world.base + routeOf(conversationId, 1, query), {
    headers: { authorization: `Bearer ${project.key}` },
  });
  expect(reply.status).toBe(200);
  return { type: reply.headers.get('content-type'), bytes: Buffer.from(await reply.arrayBuffer()) };
}

/** A conversation whose version 1 is one of the real designs. */
async function conversationOf(name: string): Promise<string> {
  const conversationId = await project.newConversation();
  await project.store(conversationId, 1, rawDesign(name));
  return conversationId;
}

/** The size of a PNG from its header, in pixels. */
function sizeOf(png: Buffer): { width: number; height: number } {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001A\n');
  expect(png.subarray(12, 16).toString('latin1')).toBe('IHDR');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

test('draws a version as Mermaid by default', async () => {
  const conversationId = await conversationOf('clinic');
  const { status, headers, body } = await draw(conversationId);
  expect([status, headers.get('content-type')]).toStrictEqual([200, 'application/json; charset=utf-8']);
  expect(Object.keys(body)).toStrictEqual(['mermaid']);
  expect(parsedMermaid(body.mermaid).nodes.get('s_consent')).toBe(
    'May we record?\nrecordingConsent · consent',
  );
  expect((await draw(conversationId, 1, '?format=mermaid')).body).toStrictEqual(body);
});

test('draws a version as SVG and as PNG', async () => {
  const conversationId = await conversationOf('clinic');
  const svg = await drawBytes(conversationId, '?format=svg');
  expect(svg.type).toBe('image/svg+xml');
  const { name, attributes } = parsedSvg(svg.bytes.toString());
  expect(name).toBe('svg');
  const png = await drawBytes(conversationId, '?format=png');
  expect(png.type).toBe('image/png');
  const { width, height } = sizeOf(png.bytes);
  expect(width / height).toBeCloseTo(Number(attributes['width']) / Number(attributes['height']), 2);
  expect(width * height).toBeGreaterThan(1_000_000);
});

test('draws a PNG of a large design within the limits of MCP hosts, without blocking other requests', async () => {
  const conversationId = await conversationOf('limit');
  const order: string[] = [];
  const drawn = drawBytes(conversationId, '?format=png').then((answer) => {
    order.push('picture');
    return answer;
  });
  for (let count = 0; count < 3; count++) {
    expect((await world.rest('GET', '/healthz')).status).toBe(200);
    order.push('health');
  }
  const { bytes } = await drawn;
  expect(order).toStrictEqual(['health', 'health', 'health', 'picture']);
  const { width, height } = sizeOf(bytes);
  expect(Math.max(width, height)).toBeLessThanOrEqual(4000);
  expect(bytes.length).toBeLessThanOrEqual(1_000_000);
  // Drawing takes seconds on a busy machine.
}, 60_000);

test('marks the changes against another version, newer or older', async () => {
  const conversationId = await project.newConversation();
  const { body: first } = await project.read(conversationId, 1);
  created(await project.write(conversationId, renamed(first as Design, 'Another name')));
  const classes = async (n: number, against: number) =>
    parsedMermaid((await draw(conversationId, n, `?against=${against}`)).body.mermaid).classes;
  expect((await classes(2, 1)).get('changed')).toHaveLength(1);
  expect((await classes(1, 2)).get('changed')).toHaveLength(1);
  expect((await classes(2, 2)).has('changed')).toBe(false);
});

test('returns an error for a version, format or comparison that it cannot draw', async () => {
  const conversationId = await project.newConversation();
  refused(await draw(newId('conversation')), 404, 'not_found');
  refused(await draw(conversationId, 2), 404, 'not_found');
  refused(await draw(conversationId, 1, '?against=2'), 404, 'not_found');
  refused(await draw(conversationId, 0), 400, 'invalid_request');
  refused(await draw(conversationId, 1, '?against=0'), 400, 'invalid_request');
  refused(await draw(conversationId, 1, '?format=pdf'), 400, 'invalid_request');
  refused(await draw(await project.newConversation({ kind: 'simple' })), 501, 'not_yet_supported');
  const strange = { schemaVersion: 'cd/1', entry: { stepId: 'a' }, steps: { a: { kind: 'teleport' } } };
  await project.store(conversationId, 1, strange);
  refused(await draw(conversationId), 501, 'unsupported_step');
});

test('returns a PNG as an image and an SVG as text over MCP, and a hint if the result is too long', async () => {
  const conversationId = await conversationOf('clinic');
  const client = await world.mcp('modern http', project.key);
  const call = async (id: string, format?: string) =>
    client.callTool({
      name: 'draw_design',
      arguments: { conversationId: id, version: 1, ...(format && { format }) },
    });
  const [image, ...more] = (await call(conversationId, 'png')).content;
  expect([image?.type, image?.mimeType, more]).toStrictEqual(['image', 'image/png', []]);
  sizeOf(Buffer.from(image?.data ?? '', 'base64'));
  const [svg] = (await call(conversationId, 'svg')).content;
  const { uri, mimeType, text } = (svg?.resource ?? {}) as Record<string, string>;
  expect([svg?.type, uri, mimeType]).toStrictEqual([
    'resource',
    'parley://results/draw_design',
    'image/svg+xml',
  ]);
  expect(parsedSvg(text ?? '').name).toBe('svg');
  const steps = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [`s${index}`, { kind: 'end', name: `Another step ${index}` }]),
  );
  await project.store(conversationId, 1, { schemaVersion: 'cd/1', entry: { stepId: 's1' }, steps });
  for (const format of ['svg', 'mermaid'])
    expect((await call(conversationId, format)).structuredContent).toStrictEqual({
      truncated: true,
      hint: expect.stringMatching(new RegExp(`too large for one response as ${format}\\. .* format png`)),
    });
});
