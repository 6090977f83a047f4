import { ToolError } from '../../platform/errors.ts';
import { addPhoneNumber } from '../../resources/phone-numbers/adding.ts';
import { e164Problem, loadNumberingPlans } from '../../resources/phone-numbers/e164.ts';
import { storesIn } from '../../resources/project-stores.ts';
import { organizationOf } from '../../resources/projects/provisioning.ts';
import type { Handler } from '../../resources/versions/handler.ts';
import {
  CommandError,
  type OptionValues,
  parseArguments,
  printRecord,
  requiredOption,
  textOption,
  UsageError,
} from '../command.ts';
import { withCore } from '../open-core.ts';

export const usage = '--project ID --number E164 [--name N] [--flow ID | --conversation ID] [--json]';
export const summary = "Adds a native number, one of the platform's own, to a project";
export const details = `--project is the id of a project. --number is E.164, such as +12025550123. --name defaults to the number.
The number counts towards the project's plan. --flow or --conversation names what answers it.`;

const options = {
  project: { type: 'string' },
  number: { type: 'string' },
  name: { type: 'string' },
  flow: { type: 'string' },
  conversation: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, options);
  const projectId = requiredOption(values, 'project');
  const number = requiredOption(values, 'number');
  const name = textOption(values, 'name') ?? number;
  const handler = handlerOption(values);
  await loadNumberingPlans();
  const problem = e164Problem(number);
  if (problem !== undefined) throw new UsageError(`--number: ${problem}`);
  const record = await withCore(({ knex }) =>
    knex.transaction(async (trx) => {
      if ((await organizationOf(trx, projectId)) === undefined)
        throw new CommandError(`There is no project ${projectId} in this database.`);
      const stores = storesIn(trx, projectId);
      const { id } = await addPhoneNumber(stores, { type: 'native', name, number, handler, trunk: null });
      return { phoneNumberId: id, number };
    }),
  ).catch((error: unknown) => {
    throw error instanceof ToolError ? new CommandError(error.message) : error;
  });
  printRecord(record, values['json'] === true);
}

function handlerOption(values: OptionValues): Handler | null {
  const flow = textOption(values, 'flow');
  const conversation = textOption(values, 'conversation');
  if (flow !== undefined && conversation !== undefined)
    throw new UsageError('--flow and --conversation exclude each other. Name one.');
  if (flow !== undefined) return { kind: 'flow', id: flow };
  return conversation === undefined ? null : { kind: 'conversation', id: conversation };
}
