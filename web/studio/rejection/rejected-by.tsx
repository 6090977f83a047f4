import { Time } from '../../ui/time.tsx';
import type { Rejection } from '../../versions/rejection.ts';

/** Says who rejected a version, when and why. */
export function RejectedBy({ rejection: { by, at, reason } }: { rejection: Rejection }) {
  return (
    <>
      rejected <Time value={at} />
      {by !== null && (
        <>
          {' '}
          by <bdi>{by}</bdi>
        </>
      )}
      {reason === null ? (
        '.'
      ) : (
        <>
          : <q dir="auto">{reason}</q>
        </>
      )}
    </>
  );
}
