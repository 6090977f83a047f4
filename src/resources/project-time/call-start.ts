import type { SystemValues } from '../../calls/call-state.ts';
import { momentValues } from '../../calls/moments.ts';
import { localTimeAt } from '../../platform/local-time.ts';
import { isOpenAt, type ProjectTime } from './opening-hours.ts';

/** What a call of a project knows about the moment at which it began. It stays so, whatever becomes of the project's hours. */
export function startValues(moment: Date, time: ProjectTime): SystemValues {
  const local = localTimeAt(moment, time.timeZone);
  return {
    callStartedAt: moment.toISOString(),
    ...momentValues({ ...local, isOpen: isOpenAt(time, local) }),
  };
}
