import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { writeUsage } from '../../src/resources/usage/events.ts';
import { created } from '../helpers/design-project.ts';
import { type NumberProject, openNumberProject } from '../helpers/number-project.ts';
import type { World } from '../helpers/world.ts';

const arabic = 'مكتب الاستقبال في عيادة الأسنان';
const long = `${'Donaudampfschifffahrtsgesellschaft'.repeat(5)} at night`;

/** A project in which every page of the Studio has something to show. */
export interface FilledProject extends NumberProject {
  readonly flowId: string;
  readonly knowledgeBaseId: string;
}

export async function openFilledProject(world: World): Promise<FilledProject> {
  const project = await openNumberProject(world);
  const { call, projectId } = project;
  const flowSchema = {
    greeting: 'Hello, I am the AI assistant of Sunny Dental.',
    persona: { name: 'Robin', tone: 'calm' },
    questions: [{ key: 'name', prompt: 'What is your name?', required: true }],
    faq: [{ question: 'Is there parking?', answer: 'Yes, behind the house.' }],
    handoff: { number: '+12025550143', when: 'The caller is in pain.' },
  };
  const newFlow = async (body: object): Promise<string> =>
    created(await call('POST', `/v1/projects/${projectId}/flows`, body)).id;
  const flowId = await newFlow({ name: 'Front desk', description: 'Answers by day.', flowSchema });
  created(
    await call('POST', `/v1/flows/${flowId}/versions`, {
      flowSchema: {
        ...flowSchema,
        faq: [{ question: 'Is there parking?', answer: 'Only for bicycles.' }],
        closing: 'Goodbye.',
      },
    }),
  );
  await newFlow({
    name: arabic,
    type: 'graph',
    flowSchema: {
      entry: 'start',
      nodes: [{ id: 'start', say: `${arabic}.` }, { id: 'end' }],
      edges: [{ id: 'on', from: 'start', to: 'end' }],
    },
  });
  const number = await project.newNumber();
  await project.assignFlow(number, flowId);
  await project.newNumber({ name: long });
  const conversationId = await project.newConversation({ name: long, description: arabic });
  created(
    await call('POST', `/v1/projects/${projectId}/web-sessions/agents`, {
      name: 'Website',
      conversationId,
      scopes: ['chat'],
      allowedOrigins: ['https://shop.example', 'https://*.example.org'],
    }),
  );
  await world.key(projectId, { type: 'publishable', scope: 'service_app' });
  const knowledgeBaseId = created(
    await call('POST', `/v1/projects/${projectId}/knowledge-bases`, { name: 'Practice' }),
  ).id;
  const source = (name: string, text: string, more: object = {}) =>
    call('POST', `/v1/knowledge/${knowledgeBaseId}/sources`, {
      type: 'file',
      name,
      fileName: 'fares.md',
      mimeType: 'text/markdown',
      content: text,
      ...more,
    });
  created(await source('Fares', '# Fares\n\nChildren under six travel free of charge on every line.\n'));
  created(await source(arabic, `# ${arabic}\n`, { indexing: 'deferred' }));
  const gone = await newFlow({ name: 'Gone', flowSchema: {} });
  expect((await call('DELETE', `/v1/flows/${gone}`)).status).toBe(200);
  await writeUsage(
    world.core.knex,
    [0, 1, 2, 5].flatMap((ago) =>
      (['tokens_in', 'requests'] as const).map((metric) => ({
        projectId,
        id: randomUUID(),
        occurredAt: Date.now() - ago * 86_400_000,
        service: 'llm' as const,
        mode: 'realtime' as const,
        metric,
        quantity: metric === 'requests' ? 3 : 1200 * (ago + 1),
      })),
    ),
  );
  return { ...project, flowId, knowledgeBaseId };
}
