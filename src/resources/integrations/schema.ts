import * as v from 'valibot';
import { idMap } from '../../design/schema/values.ts';
import { Cuid } from '../../operation/reference.ts';
import { Timestamp } from '../record/timestamp.ts';

export const IntegrationKind = v.picklist(['crm', 'calendar', 'knowledge']);

/** An integration without its credentials, which no operation returns (decisions#integrations). */
export const Integration = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  kind: IntegrationKind,
  provider: v.string(),
  name: v.string(),
  status: v.picklist(['unverified', 'connected', 'disconnected', 'error']),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** A value may be a whole certificate. The object may be empty, because some providers need no credentials. */
export const Credentials = v.pipe(
  idMap(v.pipe(v.string(), v.minLength(1), v.maxCodePoints(10_000))),
  v.maxEntries(50),
  v.description('Names and values, such as accessToken; encrypted and never returned.'),
);

/** Leaves out the pattern of the names, which some clients cannot express in their schemas. */
export const credentialsOnMcp = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Names and values. Left out: a person enters accessToken.',
};
