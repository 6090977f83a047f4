import { QueryView } from '../ui/query-view.tsx';
import classes from './entrances.module.css';
import { entrancesTo, mostRead, useEntranceLists } from './use-entrances.ts';

/** The phone numbers and web agents that lead to a flow or conversation. Nothing if there is none: `Unreachable` says so. */
export function Entrances({ id }: { id: string }) {
  const { numbers, agents } = useEntranceLists();
  return (
    <QueryView query={numbers} what="the phone numbers">
      {(numbers) => (
        <QueryView query={agents} what="the web agents">
          {(agents) => {
            const entrances = entrancesTo(id, numbers, agents);
            return (
              <>
                {entrances.length > 0 && (
                  <ul className={classes.entrances}>
                    {entrances.map(({ id, place, isOff }) => (
                      <li key={id}>
                        {place}
                        {isOff && ', which is switched off'}
                      </li>
                    ))}
                  </ul>
                )}
                {(numbers.nextCursor ?? agents.nextCursor) !== undefined && (
                  <p>Only the newest {mostRead} numbers and web agents were checked.</p>
                )}
              </>
            );
          }}
        </QueryView>
      )}
    </QueryView>
  );
}
