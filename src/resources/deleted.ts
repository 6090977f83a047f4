import * as v from 'valibot';
import { Cuid } from '../tool/reference.ts';

/** The response to a deletion (decisions#trash). */
export const Deleted = v.strictObject({ id: Cuid, deleted: v.literal(true) });
