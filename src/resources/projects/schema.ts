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

/** A project with its settings (`decisions#projects`). */
export const ProjectWithSettings = v.strictObject({
  ...Project.entries,
  requireDisclosure: v.boolean(),
  sessionRetentionDays: v.number(),
  timeZone: v.string(),
  openingHours: v.nullable(
    v.record(v.string(), v.array(v.strictObject({ from: v.string(), to: v.string() }))),
  ),
  closedOn: v.array(v.string()),
});
