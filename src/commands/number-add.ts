import { ToolError } from '../errors.ts';
import { addPhoneNumber } from '../resources/phone-numbers/adding.ts';
import { e164Problem, loadNumberingPlans } from '../resources/phone-numbers/e164.ts';
import { organizationOf } from '../store/operators.ts';
import type { Handler } from '../store/phone-numbers.ts';
import { storesIn } from '../store/stores.ts';
import {
  CommandError,
  parseArguments,
  printRecord,
  requiredOption,
  textOption,
  UsageError,
  type Values,
} from './command.ts';
import { withCore } from './open.ts';

export const usage = '--project ID --number E164 [--name N] [--flow ID | --conversation ID] [--json]';

const options = {
  project: { type: 'string' },
  number: { type: 'string' },
  name: { type: 'string' },
  flow: { type: 'string' },
  conversation: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** `parley number add`: a native number, the platform's own, for a project; its plan counts it like any other. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, options);
  const projectId = requiredOption(values, 'project');
  const number = requiredOption(values, 'number');
  const name = textOption(values, 'name') ?? number;
  const handler = handlerOption(values);
  await loadNumberingPlans();
  const wrong = e164Problem(number);
  if (wrong !== undefined) throw new UsageError(`--number: ${wrong}`);
  const record = await withCore(({ knex }) =>
    knex.transaction(async (trx) => {
      if ((await organizationOf(trx, projectId)) === undefined)
        throw new CommandError(`there is no project ${projectId}`);
      const stores = storesIn(trx, projectId);
      const { id } = await addPhoneNumber(stores, { type: 'native', name, number, handler, trunk: null });
      return { phoneNumberId: id, number };
    }),
  ).catch((error: unknown) => {
    throw error instanceof ToolError ? new CommandError(error.message) : error;
  });
  printRecord(record, values['json'] === true);
}

function handlerOption(values: Values): Handler | null {
  const flow = textOption(values, 'flow');
  const conversation = textOption(values, 'conversation');
  if (flow !== undefined && conversation !== undefined)
    throw new UsageError('--flow and --conversation exclude each other');
  if (flow !== undefined) return { kind: 'flow', id: flow };
  return conversation === undefined ? null : { kind: 'conversation', id: conversation };
}
