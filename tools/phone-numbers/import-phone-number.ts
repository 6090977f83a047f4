import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { InputProblem } from '../../src/operation/define.ts';
import { isJsonObject } from '../../src/operation/json.ts';
import { ref } from '../../src/operation/reference.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { addPhoneNumber } from '../../src/resources/phone-numbers/adding.ts';
import { e164Problem, loadNumberingPlans } from '../../src/resources/phone-numbers/e164.ts';
import { HandledPhoneNumber, PhoneNumberName } from '../../src/resources/phone-numbers/schema.ts';
import {
  changedTrunk,
  memberProblems,
  TrunkInput,
  togetherProblems,
  trunkOnMcp,
} from '../../src/resources/phone-numbers/trunk.ts';
import type { Handler } from '../../src/resources/versions/handler.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';

const trunkUse = 'Trunk of an external number, the first three required';

export const importPhoneNumber = defineTool({
  name: 'import_phone_number',
  title: 'Import a phone number',
  description:
    'Adds a number that calls reach over your SIP trunk (external) or a partner. assign_flow and assign_conversation change who answers it.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/phone-numbers', status: 201, omits: ['warnings'] },
  input: v.strictObject({
    projectId: ref('project'),
    name: PhoneNumberName,
    number: v.pipe(v.string(), v.maxCodePoints(50), v.description('E.164, such as +12025550123.')),
    type: v.pipe(v.picklist(['external', 'partner']), v.description('Over your own trunk, or a partner.')),
    flowId: v.optional(v.pipe(v.nullable(ref('flow')), v.description('Flow that answers it.'))),
    conversationId: v.optional(
      v.pipe(v.nullable(ref('conversation')), v.description('Conversation instead of a flow.')),
    ),
    externalPhoneFields: v.optional(v.pipe(v.nullable(TrunkInput), v.description(trunkUse))),
  }),
  output: v.strictObject({ ...HandledPhoneNumber.entries, warnings: Warnings }),
  access: 'publish',
  effect: { readOnly: false, destructive: false, idempotent: false },
  errors: { 403: ['plan_limit_exceeded'], 409: ['in_use'] },
  mcp: {
    inputs: { externalPhoneFields: trunkOnMcp(trunkUse) },
    enteredOnPage: {
      at: ['externalPhoneFields', 'authPassword'],
      isLeftOut: ({ externalPhoneFields: given }) =>
        isJsonObject(given) &&
        typeof given['authUsername'] === 'string' &&
        !Object.hasOwn(given, 'authPassword'),
      called: ({ number }) => `password for the trunk of ${String(number)}`,
    },
  },
  special: { secretInput: 'externalPhoneFields', beforeCheck: loadNumberingPlans },
  check({ number, type, flowId, conversationId, externalPhoneFields: given }) {
    const problems: InputProblem[] = [];
    const wrong = e164Problem(number);
    if (wrong !== undefined) problems.push({ path: ['number'], message: wrong });
    if (flowId && conversationId)
      problems.push({
        path: ['conversationId'],
        message: 'A number has one handler: leave this or flowId out.',
      });
    if (given) problems.push(...memberProblems(given));
    if (given && type === 'partner')
      problems.push({
        path: ['externalPhoneFields'],
        message: 'A partner number has no trunk: leave externalPhoneFields out.',
      });
    else if (given)
      problems.push(...togetherProblems(changedTrunk(undefined, given).trunk, Boolean(given.authPassword)));
    else if (type === 'external')
      problems.push({ path: ['externalPhoneFields'], message: 'Is required for an external number.' });
    return problems;
  },
  async handler(
    { stores, services, caller },
    { name, number, type, flowId, conversationId, externalPhoneFields },
  ) {
    const handler = handlerOf(flowId, conversationId);
    const { trunk, password } = externalPhoneFields
      ? changedTrunk(undefined, externalPhoneFields)
      : { trunk: null, password: null };
    const added = await addPhoneNumber(stores, {
      name,
      number,
      type,
      handler,
      trunk,
      sealPassword: password ? (id) => services.seal(caller, 'phone_numbers', id, password) : undefined,
    });
    return { ...added, ...(await warningsOfLive(stores, [handler])) };
  },
});

function handlerOf(
  flowId: string | null | undefined,
  conversationId: string | null | undefined,
): Handler | null {
  if (flowId) return { kind: 'flow', id: flowId };
  return conversationId ? { kind: 'conversation', id: conversationId } : null;
}
