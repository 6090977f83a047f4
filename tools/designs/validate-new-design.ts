import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import {
  CheckedDesign,
  Validation,
  validation,
  validationErrors,
} from '../../src/resources/designs/validation.ts';

export const validateNewDesign = defineTool({
  name: 'validate_new_design',
  title: 'Validate a new design',
  description:
    'Checks a whole design that belongs to no conversation yet, and returns every problem at once, each with a hint. Writes nothing. Over MCP, validate_design without a conversation does this.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/designs/validate' },
  input: v.strictObject({ projectId: ref('project'), design: CheckedDesign }),
  output: Validation,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: validationErrors,
  async handler(context, { design }) {
    await context.services.turn(context.caller);
    return validation(context, { document: design });
  },
});
