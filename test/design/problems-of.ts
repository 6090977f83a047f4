import { expect } from 'vitest';
import { type DesignProject, refused } from '../tools/design-project.ts';

/**
 * What is told of a design, errors as `code path` and warnings as `warning path`. It is sent for validation and
 * as a write, which have to agree.
 */
export async function told(
  project: DesignProject,
  conversationId: string,
  design: unknown,
): Promise<string[]> {
  const problems = await project.problems(conversationId, design);
  for (const { message, hint } of problems) {
    expect(message).toMatch(/\S{2}/);
    expect(hint).toMatch(/\S{2}/);
  }
  const [first] = problems.filter(({ severity }) => severity === 'error');
  const written = await project.write(conversationId, design);
  if (first) refused(written, first.code === 'not_found' ? 404 : 422, first.code);
  else expect(written.status, 'warnings do not keep it from being written').toBe(201);
  return problems.map(({ code, severity, path }) => `${severity === 'error' ? code : severity} ${path}`);
}
