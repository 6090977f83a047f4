import { useOperation } from '../api/use-operation.ts';
import { QueryView } from '../components/query-view.tsx';
import { useSession } from '../session/session.ts';
import classes from './entrances.module.css';

/** The most that one page of a list returns. */
const limit = 100;

/** The phone numbers and web agents that lead to a flow or conversation. */
export function Entrances({ id }: { id: string }) {
  const { projectId } = useSession();
  const numbers = useOperation('list_phone_numbers', { projectId, limit });
  const agents = useOperation('list_web_agents', { projectId, limit });
  return (
    <QueryView query={numbers} what="the phone numbers">
      {({ phoneNumbers, nextCursor: moreNumbers }) => (
        <QueryView query={agents} what="the web agents">
          {({ webAgents, nextCursor: moreAgents }) => {
            const entrances = [
              ...phoneNumbers
                .filter(({ handler }) => handler?.id === id)
                .map((one) => ({
                  ...one,
                  place: `${one.number} (${one.name})`,
                  isOff: one.status === 'disabled',
                })),
              ...webAgents
                .filter(({ conversationId }) => conversationId === id)
                .map((one) => ({ ...one, place: `Website: ${one.name}`, isOff: one.status === 'disabled' })),
            ];
            return (
              <>
                {entrances.length === 0 ? (
                  <p>No phone number and no web agent leads here yet, so nobody meets it.</p>
                ) : (
                  <ul className={classes.entrances}>
                    {entrances.map((entrance) => (
                      <li key={entrance.id}>
                        {entrance.place}
                        {entrance.isOff && ', which is switched off'}
                      </li>
                    ))}
                  </ul>
                )}
                {(moreNumbers ?? moreAgents) !== undefined && (
                  <p>Only the newest {limit} numbers and web agents were checked.</p>
                )}
              </>
            );
          }}
        </QueryView>
      )}
    </QueryView>
  );
}
