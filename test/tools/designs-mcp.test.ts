import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outlineOf } from '../../src/design/outline.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

/** MCP hosts reject responses of about 25,000 tokens. */
const longest = 40_000;

let world: World;
let project: DesignProject;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

/** The structured content of a response, and its length. */
async function call(name: string, input: Record<string, unknown>) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
  const text = content[0]?.text ?? '';
  const value: ReturnType<typeof JSON.parse> = JSON.parse(text);
  if (!isError) expect(value).toEqual(structuredContent);
  return { value, isError: isError === true, bytes: Buffer.byteLength(text) };
}

async function conversationWith(name: string): Promise<string> {
  return project.newConversation({ design: await disclosedDesign(world, project, name) });
}

describe('read_design', () => {
  test('returns a short design whole', async () => {
    const conversationId = await conversationWith('clinic');
    const { value } = await call('read_design', { conversationId, version: 1 });
    expect(value).toEqual((await project.read(conversationId, 1)).body);
  });

  test('returns the outline of a long design, with a hint how to read the rest', async () => {
    const conversationId = await conversationWith('large-insurance');
    const { body: design } = await project.read(conversationId, 1);
    const { value, bytes } = await call('read_design', { conversationId, version: 1 });
    const { truncated, hint, ...outline } = value;
    expect(truncated).toBe(true);
    expect(hint).toMatch(/read_design {"conversationId":"\w+","version":1,"steps":/);
    expect(outline).toEqual({ version: 1, ...outlineOf(design) });
    expect(bytes).toBeLessThanOrEqual(longest);
    expect(value.steps).toHaveLength(200);

    const stepIds = value.steps.slice(0, 40).map(({ id }: { id: string }) => id);
    const some = await call('read_design', { conversationId, version: 1, steps: stepIds });
    const steps = Object.fromEntries(stepIds.map((id: string) => [id, design.steps[id]]));
    expect(some.value).toEqual({ version: 1, steps });
  });

  test('returns the outline on request, also for the longest design', async () => {
    for (const name of ['large-insurance', 'limit']) {
      const conversationId = await conversationWith(name);
      const { body: expected } = await project.read(conversationId, 1, '?outline=true');
      const { value } = await call('read_design', { conversationId, version: 1, outline: true });
      expect(value).toMatchObject({ version: 1, bytes: expected.bytes, entry: expected.entry });
      expect(value.steps[0]).toEqual(expected.steps[0]);
    }
  });

  test('returns a hint if the requested steps are too long', async () => {
    const conversationId = await conversationWith('large-insurance');
    const { body } = await project.read(conversationId, 1);
    const input = { conversationId, version: 1, steps: Object.keys(body.steps) };
    const { value, bytes } = await call('read_design', input);
    expect(value).toMatchObject({ version: 1, truncated: true, hint: expect.stringMatching(/\S/) });
    expect(bytes).toBeLessThanOrEqual(longest);
  });
});
