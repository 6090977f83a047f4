import { useContext } from 'react';
import { Link } from 'wouter';
import { HasPages } from './has-pages.ts';

interface UnreachableProps {
  readonly version: number;
  /** False for a version that is about to go live. */
  readonly isLive: boolean;
}

/** Says that going live is not enough: nothing leads to the flow or conversation. */
export function Unreachable({ version, isLive }: UnreachableProps) {
  const hasPages = useContext(HasPages);
  return (
    <>
      {isLive
        ? `Version ${version} is live, but no phone number or website leads here yet. `
        : `Nobody will meet version ${version}: no phone number or website leads here yet. `}
      Ask your agent to assign one.
      {hasPages && (
        <>
          {' '}
          <Link href="/numbers">Numbers</Link>
        </>
      )}
    </>
  );
}
