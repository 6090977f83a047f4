import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { launcher } from '../../helpers/parley.ts';
import { usedHomes } from '../../postgres/members.ts';

const usedHome = usedHomes();

test('indexes the sources of an AI client that runs alone with an embedded Postgres', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const env = { PARLEY_HOME: await usedHome() };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [launcher, 'mcp'], env, stderr: 'ignore' }),
  );
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown>) => {
    const { structuredContent } = await client.callTool({ name, arguments: input });
    return structuredContent as Record<string, ReturnType<typeof JSON.parse>>;
  };
  const { projects } = await call('list_projects', {});
  const { knowledgeBases } = await call('list_knowledge_bases', { projectId: projects?.[0].id });
  const knowledgeBaseId = knowledgeBases?.[0].id;
  const listed = async () => {
    const { sources } = await call('list_knowledge_sources', { knowledgeBaseId });
    return sources;
  };
  await expect
    .poll(listed, { timeout: 30_000 })
    .toMatchObject([{ name: 'For patients', indexingStatus: 'completed', progress: 100 }]);
});
