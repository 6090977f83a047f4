import * as v from 'valibot';
import { idMap } from '../../design/schema/values.ts';
import { Cuid } from '../../tool/reference.ts';
import { Timestamp } from '../timestamp.ts';

/** What an integration connects with (`service-api` part 2, designs). */
export const IntegrationKind = v.picklist(['crm', 'calendar', 'knowledge']);

/** An integration without its credentials, which nothing answers (`decisions` 10). */
export const Integration = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  kind: IntegrationKind,
  provider: v.string(),
  name: v.string(),
  status: v.picklist(['connected', 'disconnected', 'error']),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const description = 'Names and values, such as accessToken; encrypted and never answered.';

/** A value may be a certificate or a key file; a provider may need none at all. */
export const Credentials = v.pipe(
  idMap(v.pipe(v.string(), v.minLength(1), v.maxLength(10_000))),
  v.maxEntries(50),
  v.description(description),
);

/** Without what a name may be, which not every client's schemas can say. */
export const credentialsOnMcp = { type: 'object', additionalProperties: { type: 'string' }, description };
