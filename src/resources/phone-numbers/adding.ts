import { ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import { countLimited, requireWithinPlan } from '../projects/plan-limits.ts';
import { lockHandler } from './schema.ts';
import type { NewPhoneNumber, PhoneNumber } from './store.ts';

/**
 * Adds a number to the project. Call it in a transaction: it locks the project, so that nobody else adds a number
 * between counting and inserting.
 * @throws ToolError `not_found` for a handler that does not exist; `plan_limit_exceeded`; `in_use`
 */
export async function addPhoneNumber(stores: Stores, number: NewPhoneNumber): Promise<PhoneNumber> {
  const { plan } = await stores.projects.hold();
  await lockHandler(stores, number.handler);
  const count = await countLimited(stores, plan, 'phoneNumbers');
  requireWithinPlan(plan, 'phoneNumbers', count, count + 1);
  const taken = await stores.phoneNumbers.findByNumber(number.number);
  if (taken)
    throw new ToolError('in_use', `The number ${number.number} is in this project already.`, {
      details: { references: [{ kind: 'phoneNumber', id: taken.id, name: taken.name }] },
    });
  return stores.phoneNumbers.create(number);
}
