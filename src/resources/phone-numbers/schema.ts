import * as v from 'valibot';
import { found } from '../../operation/found.ts';
import { Cuid } from '../../operation/reference.ts';
import type { Stores } from '../../store/stores.ts';
import { Timestamp } from '../record/timestamp.ts';
import type { Handler } from '../versions/handler.ts';
import type { PhoneNumber as StoredNumber } from './store.ts';
import { ExternalPhoneFields } from './trunk.ts';

/** A phone number (service-api#phone-number). */
export const PhoneNumber = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  type: v.picklist(['native', 'partner', 'external']),
  name: v.string(),
  number: v.string(),
  status: v.picklist(['enabled', 'disabled']),
  flowId: v.nullable(Cuid),
  externalPhoneFields: v.nullable(ExternalPhoneFields),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** The flow or conversation that takes the calls of a number. */
export const NumberHandler = v.nullable(
  v.strictObject({
    kind: v.picklist(['flow', 'conversation']),
    id: Cuid,
    name: v.string(),
    version: v.pipe(v.number(), v.integer(), v.description('The version that is active now.')),
  }),
);

/** The record that operations outside the specification return (decisions#phone-numbers). */
export const HandledPhoneNumber = v.strictObject({ ...PhoneNumber.entries, handler: NumberHandler });

export const PhoneNumberName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxCodePoints(200),
  v.description('For people, such as Main line.'),
);

/** The record that the specified endpoints return. */
export function specified({ handler: _, ...record }: StoredNumber): Omit<StoredNumber, 'handler'> {
  return record;
}

/**
 * Locks the future handler of a number for this transaction.
 * @throws ToolError `not_found`
 */
export async function lockHandler(stores: Stores, handler: Handler | null): Promise<void> {
  if (handler?.kind === 'flow')
    found((await stores.flows.hold([handler.id])).get(handler.id), 'flow', handler.id);
  if (handler?.kind === 'conversation')
    found(await stores.conversations.hold(handler.id), 'conversation', handler.id);
}
