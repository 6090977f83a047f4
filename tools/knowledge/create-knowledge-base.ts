import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { KnowledgeBase } from '../../src/resources/knowledge/schema.ts';
import { countLimited, requireWithinPlan } from '../../src/resources/projects/plan-limits.ts';

export const createKnowledgeBase = defineTool({
  name: 'create_knowledge_base',
  title: 'Create a knowledge base',
  description: 'Creates an empty knowledge base. add_knowledge_source fills it.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/knowledge-bases', status: 201 },
  input: v.strictObject({
    projectId: ref('project'),
    name: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxCodePoints(200),
      v.description('For people, such as Opening hours.'),
    ),
  }),
  output: KnowledgeBase,
  access: 'publish',
  effect: { readOnly: false, destructive: false, idempotent: false },
  errors: { 403: ['plan_limit_exceeded'] },
  async handler({ stores }, { name }) {
    const { plan } = await stores.projects.hold();
    const count = await countLimited(stores, plan, 'knowledgeBases');
    requireWithinPlan(plan, 'knowledgeBases', count, count + 1);
    return stores.knowledgeBases.create(name);
  },
});
