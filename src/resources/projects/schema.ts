import * as v from 'valibot';
import { Cuid } from '../../operation/reference.ts';
import { Timestamp } from '../record/timestamp.ts';

/** A project (service-api#project). */
export const Project = v.strictObject({
  id: Cuid,
  organizationId: Cuid,
  name: v.string(),
  description: v.nullable(v.string()),
  status: v.picklist(['active', 'archived', 'paused']),
  plan: v.picklist(['free', 'starter', 'growth', 'pro', 'enterprise']),
  type: v.picklist(['hotline', 'platform']),
  mode: v.picklist(['simple', 'advanced']),
  channels: v.array(v.picklist(['phone', 'website'])),
  industry: v.nullable(v.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
