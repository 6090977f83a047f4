import { expect } from 'vitest';
import { type DesignProject, refused } from '../helpers/design-project.ts';

const withoutExits = { schemaVersion: 'cd/1', entry: { stepId: 'a' }, steps: { a: { kind: 'end' } } };

/**
 * The problems of a design: errors as `code path`, warnings as `warning path`. Sends the design to validation and as a
 * write, and expects both to agree.
 */
export async function problemsOf(
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
  else {
    expect(written.status, 'warnings do not prevent a write').toBe(201);
    // The next design of this conversation then loses no exits.
    expect((await project.write(conversationId, withoutExits)).status).toBe(201);
  }
  return problems.map(({ code, severity, path }) => `${severity === 'error' ? code : severity} ${path}`);
}
