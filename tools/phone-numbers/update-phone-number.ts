import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { InputProblem } from '../../src/operation/define.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { type Issue, invalidRequest, jsonPointer } from '../../src/platform/errors.ts';
import { disablingInWords } from '../../src/resources/phone-numbers/assigning.ts';
import { HandledPhoneNumber, PhoneNumberName } from '../../src/resources/phone-numbers/schema.ts';
import type { PhoneNumber } from '../../src/resources/phone-numbers/store.ts';
import {
  changedTrunk,
  memberProblems,
  TrunkChange,
  type TrunkWithPassword,
  togetherProblems,
} from '../../src/resources/phone-numbers/trunk.ts';

const trunkChangeOnMcp = {
  type: 'object',
  description: 'Members of the trunk to change, as in import_phone_number; authPassword null removes it.',
};

export const updatePhoneNumber = defineTool({
  name: 'update_phone_number',
  title: 'Update a phone number',
  description:
    'Changes name, status or trunk of a phone number; what is left out stays, the password too. assign_flow and assign_conversation set who answers it.',
  rest: { method: 'PATCH', path: '/v1/phone-numbers/{phoneNumberId}' },
  input: v.strictObject({
    phoneNumberId: ref('phoneNumber'),
    name: v.optional(PhoneNumberName),
    status: v.optional(
      v.pipe(v.picklist(['enabled', 'disabled']), v.description('disabled answers no call.')),
    ),
    externalPhoneFields: v.optional(v.pipe(TrunkChange, v.description('Members of the trunk to change'))),
  }),
  output: HandledPhoneNumber,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  mcp: { keeps: ['handler'], inputs: { externalPhoneFields: trunkChangeOnMcp } },
  special: { secretInput: 'externalPhoneFields' },
  check: ({ externalPhoneFields }) => (externalPhoneFields ? memberProblems(externalPhoneFields) : []),
  consequences: async ({ stores }, { phoneNumberId, status }) =>
    status === 'disabled' ? disablingInWords(stores, phoneNumberId) : undefined,
  async handler({ stores, services, caller }, { phoneNumberId, name, status, externalPhoneFields }) {
    const held = await stores.phoneNumbers.hold(phoneNumberId);
    const current = found(held, 'phoneNumber', phoneNumberId);
    const { trunk, password } = externalPhoneFields ? merged(current, externalPhoneFields) : {};
    const sealedPassword =
      typeof password === 'string'
        ? services.seal(caller, 'phone_numbers', phoneNumberId, password)
        : password;
    const change = { name, status, trunk, sealedPassword };
    return found(await stores.phoneNumbers.update(phoneNumberId, change), 'phoneNumber', phoneNumberId);
  },
});

/** @throws ToolError `invalid_request` if the number has no trunk, or if the members contradict each other after the change */
function merged(
  { type, externalPhoneFields: current }: PhoneNumber,
  given: v.InferOutput<typeof TrunkChange>,
): TrunkWithPassword {
  if (!current)
    throw refusal([
      {
        path: ['externalPhoneFields'],
        message: `A ${type} number has no trunk: leave externalPhoneFields out.`,
      },
    ]);
  const { hasAuth, ...before } = current;
  const after = changedTrunk(before, given);
  const hasPassword = after.password === undefined ? hasAuth : after.password !== null;
  const problems = togetherProblems(after.trunk, hasPassword);
  if (problems.length > 0) throw refusal(problems);
  return after;
}

function refusal(problems: readonly InputProblem[]) {
  const issues = problems.map(({ path, message }) => ({ in: 'body', path: jsonPointer(path), message }));
  return invalidRequest(issues as unknown as [Issue, ...Issue[]]);
}
