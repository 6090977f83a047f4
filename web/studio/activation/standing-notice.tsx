import type { ReactNode } from 'react';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { Authors } from '../../versions/authors.tsx';
import type { Judged, VersionOf } from '../../versions/rejection.ts';
import { Unreachable } from '../../versions/unreachable.tsx';
import { useIsUnreachable } from '../../versions/use-entrances.ts';
import { InheritedRejections } from '../rejection/inherited-rejections.tsx';
import { RejectedBy } from '../rejection/rejected-by.tsx';
import { TakeUpButton } from '../rejection/take-up-button.tsx';

interface StandingNoticeProps {
  readonly kind: VersionOf['kind'];
  /** Of the flow or conversation. */
  readonly id: string;
  /** The newest version; undefined until it is known. */
  readonly newest: (Judged & { readonly version: number; readonly createdAt: string }) | undefined;
  /** Who made the versions since the live one. */
  readonly authors: readonly string[];
  /** The version that callers meet; undefined if it is not known. */
  readonly live: number | undefined;
  /** Where to look at the newest version. */
  readonly children?: ReactNode;
}

/**
 * Says that the newest version waits or was rejected, by whom, and that nothing leads to the live one, or that it holds what
 * was rejected elsewhere. Nothing if none of this is so.
 */
export function StandingNotice({ kind, id, newest, authors, live, children }: StandingNoticeProps) {
  const isUnreachable = useIsUnreachable(id);
  const unreachable = isUnreachable && live !== undefined && <Unreachable version={live} isLive />;
  const met =
    unreachable || (isUnreachable === false && live !== undefined && `Callers meet version ${live}.`);
  if (!newest || newest.version <= (live ?? 0))
    return (
      <>
        {unreachable && (
          <Notice label="Not reachable" tone="accent">
            <p>{unreachable}</p>
          </Notice>
        )}
        {newest?.inheritedRejections && (
          <Notice label="Rejected elsewhere" tone="warning">
            <InheritedRejections
              of={{ kind, id, version: newest.version }}
              rejections={newest.inheritedRejections}
            />
          </Notice>
        )}
      </>
    );
  const { version, createdAt, rejection, inheritedRejections = [] } = newest;
  if (rejection)
    return (
      <Notice label="Rejected" tone="warning">
        <p>
          <strong>Rejected:</strong> version {version} was <RejectedBy rejection={rejection} /> {met}
        </p>
        {children}
        <TakeUpButton of={{ kind, id, version }} />
      </Notice>
    );
  return (
    <Notice label="Draft" tone={inheritedRejections.length > 0 ? 'warning' : 'accent'}>
      <p>
        <strong>Draft:</strong> version {version}, made <Time value={createdAt} />{' '}
        {authors.length > 0 ? (
          <>
            by <Authors names={authors} />
          </>
        ) : (
          '(author not recorded)'
        )}
        . {met}
      </p>
      <InheritedRejections of={{ kind, id, version }} rejections={inheritedRejections} />
      {children}
    </Notice>
  );
}
