import * as v from 'valibot';
import { Cuid } from '../tool/reference.ts';

/** What a delete answers (`decisions` 1). */
export const Deleted = v.strictObject({ id: Cuid, deleted: v.literal(true) });
